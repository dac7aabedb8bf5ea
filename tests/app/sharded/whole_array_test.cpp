#include "app/sharded/whole_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace {

using warpsieve::Item;
using warpsieve::WholeArray;

constexpr std::uint32_t half = 0x80000000U;

std::vector<Item> kept_in(const WholeArray& array, std::uint64_t first, std::uint64_t last) {
    std::vector<Item> kept;
    for (std::uint64_t i = first; i < last; ++i) {
        if (array[i] != 0) kept.push_back(array[i]);
    }
    return kept;
}

bool all_follow(const WholeArray& array, const std::vector<Item>& items, Item before) {
    for (const Item item : items) {
        if (!array.follows(item, before)) return false;
        before = item;
    }
    return true;
}

TEST(WholeArray, AnyItemCanBeKept) {
    const WholeArray all{0xffffffffU, 0};
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{1} << 32, std::uint64_t{5} << 32}) {
        for (std::uint64_t i = n < 100 ? 0 : n - 100; i < n + 100; ++i) {
            ASSERT_NE(all[i], 0U) << i;
        }
    }
}

TEST(WholeArray, KeptItemsFollowEachOtherAcrossTheLastValue) {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{3} << 30, std::uint64_t{7} << 30}) {
        const WholeArray array{half, from};
        EXPECT_TRUE(kept_in(array, from > 1000 ? from - 1000 : 0, from).empty());
        const std::vector<Item> first = kept_in(array, from, from + 1000);
        EXPECT_NEAR(static_cast<double>(first.size()), 500, 100);
        EXPECT_TRUE(all_follow(array, first, array.start()));
    }
    const WholeArray array{half, 0};
    for (const std::uint64_t wrap : {WholeArray::num_values, 2 * WholeArray::num_values}) {
        const std::vector<Item> kept = kept_in(array, wrap - 1000, wrap + 1000);
        EXPECT_GT(kept.front(), kept.back());
        EXPECT_TRUE(all_follow(array, kept, kept.front() - 1));
    }
}

TEST(WholeArray, WrongItemsDoNotFollow) {
    const WholeArray array{half, 0};
    const std::vector<Item> right = kept_in(array, WholeArray::num_values - 50, WholeArray::num_values + 50);
    const Item before = right.front() - 1;
    ASSERT_TRUE(all_follow(array, right, before));
    for (std::size_t i = 0; i + 1 < right.size(); ++i) {
        auto swapped = right;
        std::swap(swapped[i], swapped[i + 1]);
        EXPECT_FALSE(all_follow(array, swapped, before)) << i;
        auto twice = right;
        twice[i + 1] = twice[i];
        EXPECT_FALSE(all_follow(array, twice, before)) << i;
        auto unset = right;
        unset[i] = 0;
        EXPECT_FALSE(all_follow(array, unset, before)) << i;
    }
    for (std::uint64_t i = 0; i < 100; ++i) {
        if (array[i] != 0) continue;
        EXPECT_FALSE(array.follows(static_cast<Item>(i + 1), 0)) << i;
    }
}

}  // namespace
