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

TEST(BlockParts, BlocksTakeNeighboursInTurn) {
    // Two blocks of two warps, five sequences, from two items before the stream.
    const BlockParts parts{.partition = equal_parts(PartKind::sequence, 18, 4),
                           .lead = 2,
                           .parts_per_block = 2,
                           .num_blocks = 2};
    EXPECT_EQ(parts.begin(0), 0U);
    EXPECT_EQ(parts.end(0), 2U);
    EXPECT_EQ(parts.end(4), 16U);
    EXPECT_TRUE(parts.contains(15));
    EXPECT_FALSE(parts.contains(16));
    EXPECT_EQ(parts.block_of_part(1), 0U);
    EXPECT_EQ(parts.block_of_part(3), 1U);
    EXPECT_EQ(parts.block_of_part(4), 0U) << "after the last block it is the turn of the first";
    EXPECT_EQ(parts.block_of_item(6), 1U);
    EXPECT_EQ(parts.first_part(1), 2U);
    EXPECT_FALSE(parts.first_part(3)) << "there are fewer parts";
}

TEST(BlockParts, TicketsSayWhichBlockTookAPart) {
    BlockParts parts{.partition = equal_parts(PartKind::tile, 12, 4), .by_ticket = true, .num_blocks = 3};
    EXPECT_FALSE(parts.block_of_item(5)) << "unknown";
    EXPECT_FALSE(parts.first_part(0)) << "unknown";
    parts.ticket_blocks = {2, 0, 2};
    EXPECT_EQ(parts.block_of_item(5), 0U);
    EXPECT_EQ(parts.first_part(2), 0U);
    EXPECT_EQ(parts.first_part(0), 1U);
    EXPECT_FALSE(parts.first_part(1)) << "it came too late";
}

}  // namespace
