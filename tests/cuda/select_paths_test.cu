// Each path behind compaction/cuda/select.cuh on a grid of its own choosing: short streams on a few blocks
// take every round, slot and word that long ones do, and leave compute-sanitizer little enough to look at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using detail::Path;
using detail::Plan;
using detail::ShotSize;
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
        ASSERT_EQ(selection.launch(card_, plan, detail::Begin::after_launch, board_->data(), tickets.data(),
                                   nullptr, patience_),
                  cudaSuccess);
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

    void expect_shot(detail::ShotSize size, std::size_t longest) {
        detail::with_form(size, [&]<typename FormT>() {
            expect_path({.path = Path::shot, .shot = size}, detail::shot_shape<RecordT, FormT>, longest);
        });
    }

    void TearDown() override {
        if (!IsSkipped()) EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    detail::Card card_;
    unsigned patience_ = detail::shot_patience;
    std::optional<DeviceArray<detail::Board>> board_;
};

using Widths = testing::Types<Record<1>, Record<4>>;
TYPED_TEST_SUITE(SelectPaths, Widths);

TYPED_TEST(SelectPaths, ShortStreamsByShots) {
    this->expect_shot(ShotSize::small, 20'000);
    this->expect_shot(ShotSize::middle, 40'000);
    this->expect_shot(ShotSize::large, 60'000);
    // More tiles than a block has threads, so that each looks at several words.
    this->expect_shot(ShotSize::largest,
                      std::size_t{260} * detail::shot_items<TypeParam, detail::LargestShot>);
}

/// Blocks that never wait for a word that is not there count those tiles themselves.
TYPED_TEST(SelectPaths, ShortStreamsByShotsWithoutPatience) {
    this->patience_ = 0;
    this->expect_shot(ShotSize::small, 30'000);
    this->expect_shot(ShotSize::middle, 50'000);
    this->expect_shot(ShotSize::largest, 100'000);
}

TYPED_TEST(SelectPaths, ShortStreamsThroughTheRing) {
    bool has_ring = false;
    ASSERT_EQ(TestFixture::Selection::find_ring(this->card_, has_ring), cudaSuccess);
    if (!has_ring) GTEST_SKIP() << "This card, or the code of this test, has no bulk copies (sm_90).";
    // Twenty rounds and more on two blocks: every slot thrice.
    constexpr auto shape = detail::ring_shape<TypeParam>;
    for (const unsigned blocks : {2U, 3U}) {
        this->expect_path({.path = Path::ring, .num_tiles = 0, .blocks = blocks}, shape,
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

/// A board as launches before might have left it, but for wrong counts: a kernel that went by any of these
/// words would select wrongly, or write outside its output.
class SelectBoards : public OnCudaDevice {
  protected:
    using Item = Record<1>;
    using Selection = detail::Selection<Item, detail::ByPredicate<Below>, std::uint64_t>;
    static constexpr detail::Tag tag_mask = (detail::Tag{1} << 48) - 1;

    /// In every place the latest word that can be there after `before` launches or rounds, or that of `older`
    /// launches earlier.
    static void fill(detail::Board& board, detail::Tag before, detail::Tag older) {
        const auto stale = [&](detail::Tag tag) { return (tag & tag_mask) << detail::count_bits | 3U; };
        board.shot.shots = before << 16;
        board.ring.rounds = before;
        for (auto& copy : board.shot.words) {
            for (auto& word : copy) word = stale(before - older);
        }
        for (auto& copy : board.ring.words) {
            for (unsigned place = 0; place < detail::ring_window; ++place) {
                const detail::Tag age = (before - place) % detail::ring_window;
                for (auto& word : copy[place]) word = stale(before - age - older * detail::ring_window);
            }
        }
    }
};

TEST_F(SelectBoards, WordsOfOtherLaunchesAreNotTaken) {
    detail::Card card;
    ASSERT_EQ(detail::current_card(card), cudaSuccess);
    DeviceArray<detail::Board> board(1);
    bool has_ring = false;
    ASSERT_EQ(Selection::find_ring(card, has_ring), cudaSuccess);
    const std::vector<std::pair<Path, std::size_t>> paths{{Path::shot, 300'000}, {Path::ring, 5'000'000}};
    for (const auto& [path, size] : paths) {
        if (path == Path::ring && !has_ring) continue;
        const Below below{select_testing::keep_half};
        const auto in = random_records<Item>(size, 13);
        const auto kept = static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), below));
        DeviceArray<Item> d_in(size), d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(1);
        d_in.upload(in);
        const Selection selection = detail::make_selection(d_in.data(), d_out.data(), d_num_selected.data(),
                                                           size, detail::ByPredicate<Below>{below});
        Plan plan;
        ASSERT_EQ(selection.choose(card, size, 0, plan), cudaSuccess);
        ASSERT_EQ(plan.path, path);
        for (const detail::Tag before :
             {0ULL, 1ULL, 17ULL, 0xffffULL, 0xfffffffeULL, 0xffffffffULL, 0x7ffffffffff0ULL}) {
            // As fresh as can be, a lap old, and such as would be taken for new ones by fewer bits.
            for (const detail::Tag older : {0ULL, 1ULL, 0xffffULL, 0xffffffffULL}) {
                std::vector<detail::Board> stale(1);
                fill(stale[0], before, older);
                board.upload(stale);
                for (detail::Tag launch = 1; launch <= 2; ++launch) {
                    d_num_selected.fill(0xee);
                    ASSERT_EQ(selection.launch(card, plan, detail::Begin::after_launch, board.data(), nullptr,
                                               nullptr),
                              cudaSuccess);
                    ASSERT_EQ(d_num_selected.download()[0], kept)
                        << before << " launches before, words " << older << " older";
                    if (path == Path::shot) {
                        ASSERT_EQ(board.download()[0].shot.shots, (before + launch) << 16);
                    } else {
                        ASSERT_EQ(board.download()[0].ring.rounds,
                                  before + launch * selection.deal(plan.blocks).num_rounds);
                    }
                }
            }
        }
    }
}

}  // namespace
