// The arithmetic of Partition.
#include "compaction/partition.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace compaction;

std::vector<std::uint64_t> begins(const Partition& parts) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t part = 0; part <= parts.num_parts; ++part) all.push_back(parts.begin(part));
    return all;
}

using Begins = std::vector<std::uint64_t>;

TEST(Partition, EqualPartsEndWithTheStream) {
    EXPECT_EQ(begins(equal_parts(PartKind::tile, 10, 4)), (Begins{0, 4, 8, 10}));
    EXPECT_EQ(begins(equal_parts(PartKind::tile, 8, 4)), (Begins{0, 4, 8}));
    EXPECT_EQ(begins(equal_parts(PartKind::tile, 0, 4)), (Begins{0, 0})) << "an empty stream is one part";
}

TEST(Partition, LongerPartsComeFirst) {
    const Partition parts{PartKind::sequence, 10 * 32 + 5, 4, 2 * 32, 3, 32, {}};
    EXPECT_EQ(begins(parts), (Begins{0, 96, 192, 288, 325}));
    EXPECT_EQ(parts.part_of(95), 0U);
    EXPECT_EQ(parts.part_of(96), 1U);
    EXPECT_EQ(parts.part_of(288), 3U);
    EXPECT_EQ(parts.part_of(324), 3U);
}

TEST(Partition, MorePartsThanItemsLeaveTheLastOnesEmpty) {
    const Partition by_rows{PartKind::sequence, 70, 5, 0, 3, 32, {}};
    EXPECT_EQ(begins(by_rows), (Begins{0, 32, 64, 70, 70, 70}));
    EXPECT_EQ(by_rows.part_of(69), 2U);
    const Partition by_lines{PartKind::sequence, 33, 4, 16, 0, 0, {}};
    EXPECT_EQ(begins(by_lines), (Begins{0, 16, 32, 33, 33}));
    EXPECT_EQ(by_lines.part_of(32), 2U);
}

TEST(Partition, OneThreadsPartIsTheStream) {
    EXPECT_EQ(begins(whole_stream(7)), (Begins{0, 7}));
    EXPECT_EQ(whole_stream(7).part_of(6), 0U);
}

TEST(Partition, AnUnknownOneSaysWhy) {
    const Partition parts = unknown_partition(7, "No reason.");
    EXPECT_FALSE(parts.known());
    EXPECT_EQ(parts.num_parts, 0U);
    EXPECT_EQ(parts.num_items, 7U);
    EXPECT_TRUE(whole_stream(7).known());
}

}  // namespace
