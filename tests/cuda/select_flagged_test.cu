// Selection by an array of flags: items and flags of every width, on every path.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::select_flagged;
using compaction::cuda::SelectState;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::Record;

template <typename RecordT, typename FlagT>
struct Kinds {
    using Item = RecordT;
    using Flag = FlagT;
};

template <typename KindsT>
class SelectFlagged : public OnCudaDevice {
  protected:
    using Item = typename KindsT::Item;
    using Flag = typename KindsT::Flag;

    /// Items that start between two vectors, and flags of which a third is set, to different values: in a
    /// wide flag the highest byte alone may be nonzero.
    struct FlaggedItems {
        explicit FlaggedItems(std::size_t size)
            : in(random_records<Item>(size, 5)),
              d_in(size + 1),
              d_out(size),
              d_flags(size),
              d_num_selected(1) {
            std::vector<Flag> flags(size);
            std::mt19937 random(17);
            for (std::size_t i = 0; i < size; ++i) {
                if (random() % 3 != 0) continue;
                flags[i] =
                    static_cast<Flag>(static_cast<Flag>(1 + random() % 255) << (random() % sizeof(Flag) * 8));
                expected.push_back(in[i]);
            }
            d_in.upload(in, 1);
            d_flags.upload(flags);
        }

        void expect_selected(cudaError_t error) {
            ASSERT_EQ(error, cudaSuccess);
            ASSERT_EQ(d_num_selected.download()[0], expected.size());
            std::vector<Item> out = d_out.download();
            out.resize(expected.size());
            EXPECT_TRUE(out == expected) << in.size() << " items";
            d_out.fill(0xee);
            d_num_selected.fill(0xee);
        }

        std::vector<Item> in;
        std::vector<Item> expected;
        DeviceArray<Item> d_in;
        DeviceArray<Item> d_out;
        DeviceArray<Flag> d_flags;
        DeviceArray<std::uint64_t> d_num_selected;
    };
};

using Combinations = testing::Types<Kinds<Record<1>, std::uint8_t>, Kinds<Record<1>, std::uint32_t>,
                                    Kinds<Record<2>, std::uint8_t>, Kinds<Record<2>, std::uint64_t>,
                                    Kinds<Record<4>, std::uint8_t>, Kinds<Record<4>, std::uint32_t>>;
TYPED_TEST_SUITE(SelectFlagged, Combinations);

TYPED_TEST(SelectFlagged, SelectsFlaggedItems) {
    using Item = typename TypeParam::Item;
    constexpr std::size_t longest = std::min<std::size_t>(6'000'000, select_testing::longest_stream);
    SelectState state;
    COMPACTION_CHECK(state.reserve<Item>(longest));
    for (const std::size_t size : {std::size_t{777}, longest / 12, longest}) {
        typename TestFixture::FlaggedItems items(size);
        const Item* const in = items.d_in.data() + 1;
        items.expect_selected(select_flagged(state, in, items.d_flags.data(), items.d_out.data(),
                                             items.d_num_selected.data(), size));
        std::size_t bytes = 0;
        COMPACTION_CHECK(select_flagged(nullptr, bytes, in, items.d_flags.data(), items.d_out.data(),
                                        items.d_num_selected.data(), size));
        DeviceArray<char> storage(bytes);
        storage.fill(0x77);
        items.expect_selected(select_flagged(storage.data(), bytes, in, items.d_flags.data(),
                                             items.d_out.data(), items.d_num_selected.data(), size));
        // A requested number of blocks selects the ticketed path.
        const detail::ByFlag<typename TypeParam::Flag> selector{items.d_flags.data()};
        items.expect_selected(detail::select_with_state(
            state, in, items.d_out.data(), items.d_num_selected.data(), size, selector, 7U, nullptr));
    }
}

}  // namespace
