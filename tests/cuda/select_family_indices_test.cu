// Positions of selected items, lengths on the device, and padded outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::device_length;
using compaction::cuda::indices_flagged;
using compaction::cuda::indices_if;
using compaction::cuda::padded;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;
using Item = std::uint32_t;

struct BelowLimit {
    Item limit;
    __host__ __device__ bool operator()(std::uint64_t item) const { return static_cast<Item>(item) < limit; }
};
constexpr BelowLimit keep_third{0x55555555U};
constexpr BelowLimit keep_few{0x00800000U};
constexpr BelowLimit keep_most{0xf0000000U};
constexpr BelowLimit keep_half_of_short_items{0x8000U};

template <typename IndexT, typename ItemT>
std::vector<IndexT> positions_on_host(const std::vector<ItemT>& in, BelowLimit keep) {
    std::vector<IndexT> positions;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (keep(in[i])) positions.push_back(static_cast<IndexT>(i));
    }
    return positions;
}

class SelectIndices : public OnCudaDevice {
  protected:
    /// Expects the positions of selected items. The input begins at item `offset` of an allocation.
    template <typename IndexT, typename ItemT = Item>
    static void expect_positions(std::size_t size, BelowLimit keep, std::uint32_t seed,
                                 std::size_t offset = 0) {
        const auto in = random_items<ItemT>(size, seed);
        const auto expected = positions_on_host<IndexT>(in, keep);
        DeviceArray<ItemT> d_in(size + offset);
        d_in.upload(in, offset);
        GuardedOutput<IndexT> out(expected.size());
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return indices_if(workspace..., d_in.data() + offset, out.data(), count.data(), size, keep);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.size())) << size << " items";
                ASSERT_NO_FATAL_FAILURE(out.expect(expected)) << size << " items";
            });
    }
};

TEST_F(SelectIndices, OfEveryLength) {
    std::uint32_t seed = 20;
    for (const std::size_t size : lengths_to_test(21)) {
        ASSERT_NO_FATAL_FAILURE(expect_positions<std::int32_t>(size, keep_third, seed++));
        ASSERT_NO_FATAL_FAILURE(expect_positions<std::int64_t>(size, keep_few, seed++));
        ASSERT_NO_FATAL_FAILURE(expect_positions<std::int64_t>(size, keep_most, seed++));
        ASSERT_NO_FATAL_FAILURE((
            expect_positions<std::int64_t, std::uint16_t>(size, keep_half_of_short_items, seed++, size % 3)));
        ASSERT_NO_FATAL_FAILURE(expect_positions<std::uint16_t>(size, keep_third, seed++));
    }
}

/// Positions as long as the items, which one kernel writes; the items begin anywhere within a vector.
TEST_F(SelectIndices, AsLongAsTheItems) {
    std::uint32_t seed = 28;
    for (const std::size_t size : lengths_to_test(29)) {
        ASSERT_NO_FATAL_FAILURE((expect_positions<std::uint32_t>(size, keep_third, seed, size % 4)));
        ASSERT_NO_FATAL_FAILURE(
            (expect_positions<std::uint64_t, std::uint64_t>(size, keep_most, seed, size % 2)));
        ++seed;
    }
}

/// The largest number of tiles whose counts are not scanned, and one more. Only masks select positions of 2
/// bytes, which are cut off here.
TEST_F(SelectIndices, OfTilesThatAreFewOrMany) {
    constexpr std::size_t few =
        std::size_t{compaction::cuda::detail::mask_summed_tiles} * compaction::cuda::detail::mask_tile_items;
    for (const std::size_t size : {few, few + 1}) {
        const std::size_t tested = std::min(size, select_testing::longest_stream);
        ASSERT_NO_FATAL_FAILURE(expect_positions<std::uint16_t>(tested, keep_third, 24))
            << tested << " items";
    }
}

/// More tiles than the block that scans their counts takes in one turn.
TEST_F(SelectIndices, OfLongStreams) {
    constexpr std::size_t size = std::min<std::size_t>(40'000'003, select_testing::longest_stream);
    ASSERT_NO_FATAL_FAILURE(expect_positions<std::int64_t>(size, keep_third, 22));
    ASSERT_NO_FATAL_FAILURE(expect_positions<std::int64_t>(size / 2, keep_third, 22));
    ASSERT_NO_FATAL_FAILURE(expect_positions<std::int32_t>(size, keep_third, 22, 3));
}

TEST_F(SelectIndices, OfFlags) {
    const std::size_t size = 77'777;
    auto flags = random_items<std::uint8_t>(size, 23);
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < size; ++i) {
        flags[i] = flags[i] < 100 ? 0 : flags[i];
        if (flags[i]) expected.push_back(i);
    }
    DeviceArray<std::uint8_t> d_flags(size);
    d_flags.upload(flags);
    GuardedOutput<std::uint64_t> out(expected.size());
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return indices_flagged(workspace..., d_flags.data(), out.data(), count.data(), size);
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
            ASSERT_NO_FATAL_FAILURE(out.expect(expected));
        });
}

TEST_F(SelectIndices, PaddedToAFixedSize) {
    constexpr std::int64_t fill = -7;
    for (const std::size_t size : lengths_to_test(24, 50'000)) {
        const auto in = random_items<Item>(size, 25);
        const auto positions = positions_on_host<std::int64_t>(in, keep_third);
        DeviceArray<Item> d_in(size);
        d_in.upload(in);
        // Shorter than what is selected, exactly as long, and longer.
        for (const std::size_t out_size :
             {std::size_t{0}, positions.size() / 2, positions.size(), positions.size() + 3'000}) {
            std::vector<std::int64_t> expected = positions;
            expected.resize(out_size, fill);
            GuardedOutput<std::int64_t> out(out_size);
            Count count;
            with_every_workspace(
                [&](auto&... workspace) {
                    return indices_if(workspace..., d_in.data(), padded(out.data(), out_size, fill),
                                      count.data(), size, keep_third);
                },
                [&] {
                    ASSERT_NO_FATAL_FAILURE(count.expect(positions.size()));
                    ASSERT_NO_FATAL_FAILURE(out.expect(expected));
                });
        }
    }
}

class SelectDeviceLength : public OnCudaDevice {};

TEST_F(SelectDeviceLength, IsReadWhenTheWorkRuns) {
    constexpr std::size_t capacity = 100'000;
    const auto in = random_items<Item>(capacity, 26);
    DeviceArray<Item> d_in(capacity);
    d_in.upload(in);
    DeviceArray<std::int32_t> d_length(1);
    for (const std::int32_t length : {-5, 0, 1, 4095, 4096, 4097, 99'999, 100'000, 2'000'000'000}) {
        const auto used = static_cast<std::size_t>(std::clamp<std::int64_t>(length, 0, capacity));
        std::vector<Item> expected;
        std::copy_if(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(used), std::back_inserter(expected),
                     keep_third);
        d_length.upload({length});
        GuardedOutput<Item> out(expected.size());
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return select_if(workspace..., d_in.data(), out.data(), count.data(),
                                 device_length(d_length.data(), capacity), keep_third);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected));
            });
    }
}

TEST_F(SelectDeviceLength, BadArgumentsAreRefused) {
    DeviceArray<Item> d_in(10), d_out(10);
    DeviceArray<std::uint64_t> d_count(1);
    const std::uint64_t* const no_length = nullptr;
    std::size_t bytes = 0;
    COMPACTION_CHECK(indices_if(nullptr, bytes, d_in.data(), d_out.data(), d_count.data(), 10, keep_third));
    DeviceArray<unsigned char> storage(bytes);
    EXPECT_EQ(indices_if(storage.data(), bytes, d_in.data(), d_out.data(), d_count.data(),
                         device_length(no_length, 10), keep_third),
              cudaErrorInvalidValue);
    std::size_t too_few = bytes - 1;
    EXPECT_EQ(indices_if(storage.data(), too_few, d_in.data(), d_out.data(), d_count.data(), 10, keep_third),
              cudaErrorInvalidValue);
    EXPECT_EQ(indices_if(storage.data(), bytes, d_in.data(), d_out.data(), d_count.data(), -1, keep_third),
              cudaErrorInvalidValue);
}

}  // namespace
