// The plans of the GPU's scans: levels, trimmed launches, padding, tiles.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda/primitives/scan_plan.hpp"

namespace compaction::cuda {
namespace {

TEST(NaiveLevels, OneForEachPowerOfTwoBelowTheLength) {
    EXPECT_EQ(num_naive_levels(0), 0U);
    EXPECT_EQ(num_naive_levels(1), 0U);
    EXPECT_EQ(num_naive_levels(2), 1U);
    EXPECT_EQ(num_naive_levels(3), 2U);
    EXPECT_EQ(num_naive_levels(4), 2U);
    EXPECT_EQ(num_naive_levels(5), 3U);
    EXPECT_EQ(num_naive_levels(max_scan_items), 33U);
}

TEST(ScanTraffic, IsTheSumOverAllLevels) {
    // Four items in two levels: each item is written, and itself and the item `distance` before it are read;
    // then the shift.
    EXPECT_EQ(words_of_naive_scan(4, false), (4 + 4 + 3) + (4 + 4 + 2) + 8U);
    EXPECT_EQ(words_of_naive_scan(1, false), 2U);
    // The third level of eight does not write its first two items.
    EXPECT_EQ(words_of_naive_scan(8, false) - words_of_naive_scan(8, true), 2 * 2U);
    // Leaves in and out twice each way; no node above two leaves, three above eight.
    EXPECT_EQ(words_of_tree_scan(2), 8U);
    EXPECT_EQ(words_of_tree_scan(8), 32 + 7 * 3U);
    EXPECT_EQ(words_of_tree_scan(7), words_of_tree_scan(8) - 2);
    // The input is copied and padded, and the result copied out.
    EXPECT_EQ(words_of_padded_tree_scan(7), (7 + 8) + 7 * 7 + 2 * 7U);
    EXPECT_EQ(words_of_padded_naive_scan(3), (3 + 4) + (4 + 4 + 3) + (4 + 4 + 2) + 2 * 3U);
}

/// The trimmed scan of the GPU, on the host. Each level except the first two writes `skip` items fewer than
/// planned.
std::vector<std::uint32_t> trimmed_inclusive_scan(const std::vector<std::uint32_t>& in, std::uint64_t skip) {
    constexpr std::uint32_t never_written = 0xdeadbeef;
    std::vector<std::uint32_t> from = in;
    std::vector<std::uint32_t> to(in.size(), never_written);
    std::vector<std::uint32_t> other(in.size(), never_written);
    for (unsigned level = 0; level < num_naive_levels(in.size()); ++level) {
        const std::uint64_t distance = std::uint64_t{1} << level;
        const std::uint64_t first = first_item_to_write(distance) + (level < 2 ? 0 : skip);
        for (std::uint64_t k = first; k < in.size(); ++k) {
            to[k] = k >= distance ? from[k - distance] + from[k] : from[k];
        }
        // Only the first level reads the input; then the two buffers alternate.
        from = std::exchange(to, level == 0 ? other : from);
    }
    return from;
}

TEST(NaiveLevels, TrimmedLaunchesLeaveNothingUnwritten) {
    for (std::size_t num_items = 1; num_items < 300; ++num_items) {
        std::vector<std::uint32_t> in(num_items);
        std::iota(in.begin(), in.end(), 1U);
        std::vector<std::uint32_t> expected(num_items);
        std::partial_sum(in.begin(), in.end(), expected.begin());
        EXPECT_EQ(trimmed_inclusive_scan(in, 0), expected) << num_items << " items";
    }
}

TEST(NaiveLevels, TrimmedLaunchesCannotBeTrimmedFurther) {
    std::vector<std::uint32_t> in(64);
    std::iota(in.begin(), in.end(), 1U);
    std::vector<std::uint32_t> expected(in.size());
    std::partial_sum(in.begin(), in.end(), expected.begin());
    EXPECT_NE(trimmed_inclusive_scan(in, 1), expected);
}

TEST(Leaves, AreAPowerOfTwoThatHoldsTheItems) {
    EXPECT_EQ(num_leaves(0), 2U);
    EXPECT_EQ(num_leaves(1), 2U);
    EXPECT_EQ(num_leaves(2), 2U);
    EXPECT_EQ(num_leaves(3), 4U);
    EXPECT_EQ(num_leaves((1U << 22) - 3), 1U << 22);
    EXPECT_EQ(num_leaves(max_scan_items), max_scan_items);
}

TEST(TileLevels, OneTileNeedsNoSums) {
    constexpr TileLevels levels(16, 16);
    EXPECT_EQ(levels.num_levels, 1U);
    EXPECT_EQ(levels.num_sums, 0U);
}

TEST(TileLevels, AnItemMoreNeedsTwoSums) {
    constexpr TileLevels levels(17, 16);
    EXPECT_EQ(levels.num_levels, 2U);
    EXPECT_EQ(levels.num_items[1], 2U);
    EXPECT_EQ(levels.num_sums, 2U);
}

TEST(TileLevels, HoldASumForEveryTileAndDoNotOverlap) {
    for (const std::uint64_t threads : {8U, 24U, 128U, 1024U}) {
        for (const std::uint64_t length :
             {std::uint64_t{1}, std::uint64_t{1000}, (std::uint64_t{1} << 27) - 3, std::uint64_t{1} << 32,
              max_scan_items}) {
            const std::uint64_t tile_items = tile_items_of(static_cast<unsigned>(threads));
            const TileLevels levels(length, tile_items);
            ASSERT_LE(levels.num_levels, TileLevels::max_levels);
            std::uint64_t begin = 0;
            for (std::size_t level = 1; level < levels.num_levels; ++level) {
                EXPECT_GE(levels.num_items[level] * tile_items, levels.num_items[level - 1]);
                EXPECT_EQ(levels.sums_begin[level], begin);
                begin += levels.num_items[level];
            }
            EXPECT_EQ(levels.num_sums, begin);
            EXPECT_LE(levels.num_items[levels.num_levels - 1], tile_items) << "the last fits one tile";
        }
    }
}

}  // namespace
}  // namespace compaction::cuda
