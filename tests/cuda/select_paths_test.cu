// Each path behind compaction/cuda/select.cuh on a grid of its own choosing: short streams on a few blocks
// take every round, slot and word that long ones do, and leave compute-sanitizer little enough to look at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using detail::Path;
using detail::Plan;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::Record;

template <typename RecordT>
class SelectPaths : public OnCudaDevice {
  protected:
    using Selection = detail::Selection<RecordT, detail::ByPredicate<Below>, std::uint64_t>;

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        ASSERT_EQ(detail::current_card(card_), cudaSuccess);
        board_.emplace(1);
        board_->fill(0);
        // Choosing for every length lets each kernel have its shared memory.
        for (std::uint64_t length = 1; length < (1U << 28); length += length / 8 + 1) {
            Plan plan;
            ASSERT_EQ(Selection::choose(card_, length, 0, plan), cudaSuccess);
            ASSERT_EQ(Selection::choose(card_, length, 1, plan), cudaSuccess);
        }
    }

    /// Selects by that path from in[in_offset...]; the board serves launch after launch, as it does in use.
    void expect_selected(Plan plan, const detail::Shape& shape, const std::vector<RecordT>& in,
                         std::uint32_t limit, std::size_t in_offset) {
        const Below below{limit};
        std::vector<RecordT> kept;
        std::copy_if(in.begin(), in.end(), std::back_inserter(kept), below);
        DeviceArray<RecordT> d_in(in.size() + in_offset);
        DeviceArray<RecordT> d_out(in.size());
        DeviceArray<std::uint64_t> d_num_selected(1);
        d_in.upload(in, in_offset);
        d_out.fill(0xee);
        d_num_selected.fill(0xee);
        const Selection selection =
            detail::make_selection(d_in.data() + in_offset, d_out.data(), d_num_selected.data(), in.size(),
                                   detail::ByPredicate<Below>{below});
        plan.num_tiles = static_cast<unsigned>(shape.num_tiles(selection.stream.end));
        if (plan.path == Path::shot) plan.blocks = plan.num_tiles;
        DeviceArray<std::uint32_t> tickets(1 + plan.num_tiles);
        tickets.fill(0);
        ASSERT_EQ(selection.launch(plan, board_->data(), tickets.data(), nullptr), cudaSuccess);
        ASSERT_EQ(d_num_selected.download()[0], kept.size());
        std::vector<RecordT> selected = d_out.download();
        selected.resize(kept.size());
        EXPECT_TRUE(selected == kept)
            << in.size() << " items by " << plan.blocks << " blocks, in + " << in_offset;
    }

    void expect_path(const Plan& plan, const detail::Shape& shape, std::size_t longest) {
        for (const std::size_t size : {std::size_t{1}, longest / 7, longest}) {
            const auto in = random_records<RecordT>(size, 3);
            for (const std::uint32_t limit : {0x04000000U, 0x80000000U, 0xffffffffU}) {
                ASSERT_NO_FATAL_FAILURE(expect_selected(plan, shape, in, limit, size % 3));
            }
        }
    }

    void TearDown() override {
        if (!IsSkipped()) EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    detail::Card card_;
    std::optional<DeviceArray<detail::Board>> board_;
};

using Widths = testing::Types<Record<1>, Record<4>>;
TYPED_TEST_SUITE(SelectPaths, Widths);

TYPED_TEST(SelectPaths, ShortStreamsByShots) {
    this->expect_path({.path = Path::shot, .rows = 1}, detail::shot_shape<TypeParam, 1>, 20'000);
    this->expect_path({.path = Path::shot, .rows = 8}, detail::shot_shape<TypeParam, 8>, 60'000);
}

TYPED_TEST(SelectPaths, ShortStreamsThroughTheRing) {
    if (!this->card_.has_bulk_copies) GTEST_SKIP() << "This card has no bulk copies (sm_90).";
    // Twenty rounds and more on two blocks: every slot thrice.
    constexpr auto shape = detail::ring_shape<TypeParam>;
    for (const unsigned blocks : {2U, 3U}) {
        this->expect_path({.path = Path::ring, .rows = 0, .num_tiles = 0, .blocks = blocks}, shape,
                          std::size_t{shape.tile_items} * 41 + 5);
    }
}

TYPED_TEST(SelectPaths, ShortStreamsByTickets) {
    constexpr int few = detail::few_rows;
    constexpr int many = detail::many_rows;
    this->expect_path({.path = Path::ticketed, .rows = few, .num_tiles = 0, .blocks = 2},
                      detail::ticketed_shape<TypeParam, few>, 40'000);
    this->expect_path({.path = Path::ticketed, .rows = many, .num_tiles = 0, .blocks = 3},
                      detail::ticketed_shape<TypeParam, many>, 80'000);
}

}  // namespace
