// What a trace tells about the parts of the stream: kept items, output indices and blocks.
#include "app/trace/stream_parts.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace warpsieve::trace {
namespace {

using compaction::BlockParts;
using compaction::PhaseRole;
using compaction::RunTrace;

class StreamPartsTest : public testing::Test {
  protected:
    StreamPartsTest() {
        algorithm_.engine = compaction::EngineId::cuda;
        algorithm_.phases = {{PhaseRole::count, "count", ""}, {PhaseRole::scatter, "move", ""}};
    }

    /// A launch whose block b begins at time 10 - b and keeps 100 + b items.
    void add_launch(std::uint32_t blocks, BlockParts parts) {
        const auto launch = static_cast<std::uint32_t>(trace_.launches.size());
        parts.num_blocks = blocks;
        trace_.processors = 4;
        trace_.launches.push_back({.phase = static_cast<std::uint8_t>(launch), .blocks = blocks});
        for (std::uint32_t block = 0; block < blocks; ++block)
            trace_.spans.push_back({.begin_us = static_cast<float>(10 - static_cast<int>(block)),
                                    .end_us = 20,
                                    .block = block,
                                    .processor = block % 4,
                                    .num_selected = parts.counts_selected ? 100 + block : 0,
                                    .phase = static_cast<std::uint8_t>(launch),
                                    .launch = launch});
        trace_.launches.back().parts = std::move(parts);
    }
    static BlockParts tiles(std::uint64_t num_items, std::uint64_t items_each) {
        return {.partition = compaction::equal_parts(compaction::PartKind::tile, num_items, items_each),
                .counts_selected = true};
    }
    TracedRun prepared() const { return prepare(algorithm_, 1, trace_); }
    std::vector<PartGroup> groups() const { return stream_parts(prepared()).groups; }

    compaction::Algorithm algorithm_;
    RunTrace trace_;
};

TEST_F(StreamPartsTest, EachPartOfABlockHasItsCountAndItsOffset) {
    add_launch(3, tiles(2500, 1000));
    EXPECT_EQ(groups(),
              (std::vector<PartGroup>{{0, 1000, 100, 0}, {1000, 2000, 101, 100}, {2000, 2500, 102, 201}}));
    trace_.spans[1].num_selected = 7;
    EXPECT_EQ(groups(),
              (std::vector<PartGroup>{{0, 1000, 100, 0}, {1000, 2000, 7, 100}, {2000, 2500, 102, 107}}))
        << "an altered span";
}

TEST_F(StreamPartsTest, ItemsBeforeTheStreamBelongToNoPart) {
    BlockParts parts = tiles(2003, 1000);
    parts.lead = 3;
    add_launch(3, parts);
    EXPECT_EQ(groups(),
              (std::vector<PartGroup>{{0, 997, 100, 0}, {997, 1997, 101, 100}, {1997, 2000, 102, 201}}));
}

TEST_F(StreamPartsTest, NeighbouringPartsOfABlockHaveOneCount) {
    BlockParts parts = tiles(700, 100);
    parts.parts_per_block = 4;
    add_launch(2, parts);
    EXPECT_EQ(groups(), (std::vector<PartGroup>{{0, 400, 100, 0}, {400, 700, 101, 100}}));
}

TEST_F(StreamPartsTest, APartOfABlockWithSeveralHasNoCount) {
    add_launch(2, tiles(300, 100));
    EXPECT_EQ(groups(), (std::vector<PartGroup>{{0, 100, {}, 0}, {100, 200, 101, {}}, {200, 300, {}, {}}}));
}

TEST_F(StreamPartsTest, TicketsTellWhichBlockTookAPart) {
    BlockParts parts = tiles(300, 100);
    parts.by_ticket = true;
    add_launch(3, parts);
    EXPECT_EQ(groups(), (std::vector<PartGroup>{{0, 100, {}, 0}, {100, 200, {}, {}}, {200, 300, {}, {}}}))
        << "unknown tickets";
    trace_.launches[0].parts->ticket_blocks = {2, 0, 1};
    EXPECT_EQ(groups(),
              (std::vector<PartGroup>{{0, 100, 102, 0}, {100, 200, 100, 102}, {200, 300, 101, 202}}));
}

TEST_F(StreamPartsTest, MergedSpansHaveOneCountAndMissingOnesNone) {
    add_launch(4, tiles(400, 100));
    trace_.spans[0].blocks = 2;
    trace_.spans.erase(trace_.spans.begin() + 1);
    EXPECT_EQ(groups(),
              (std::vector<PartGroup>{{0, 200, 100, 0}, {200, 300, 102, 100}, {300, 400, 103, 202}}));
    trace_.spans.erase(trace_.spans.begin() + 1);
    EXPECT_EQ(groups(), (std::vector<PartGroup>{{0, 200, 100, 0}, {200, 300, {}, 100}, {300, 400, 103, {}}}));
}

TEST_F(StreamPartsTest, AppendsTellWhereTheItemsOfAPartLie) {
    algorithm_.stable = false;
    BlockParts parts = tiles(400, 100);
    parts.parts_per_block = 2;
    parts.appends = true;
    add_launch(2, parts);
    trace_.launches[0].appends = {{0, 0, 50, 30}, {1, 0, 0, 50}, {1, 1, 80, 9}};
    EXPECT_EQ(groups(), (std::vector<PartGroup>{
                            {0, 100, 30, 50}, {100, 200, 0, {}}, {200, 300, 50, 0}, {300, 400, 9, 80}}));
    trace_.launches[0].appends.pop_back();
    trace_.launches[0].appends_left_out = 1;
    EXPECT_EQ(groups().back(), (PartGroup{300, 400, {}, {}}));
}

TEST_F(StreamPartsTest, OffsetsOfAnUnorderedOutputAreUnknownWithoutAppends) {
    algorithm_.stable = false;
    add_launch(2, tiles(200, 100));
    EXPECT_EQ(groups(), (std::vector<PartGroup>{{0, 100, 100, {}}, {100, 200, 101, {}}}));
}

TEST_F(StreamPartsTest, WithoutPartsNothingIsKnown) {
    add_launch(2, tiles(200, 100));
    trace_.launches[0].parts.reset();
    const TracedRun run = prepared();
    EXPECT_EQ(stream_parts(run).parts, nullptr);
    EXPECT_TRUE(groups().empty());
    EXPECT_TRUE(blocks_of_item(run, 5).empty());
}

TEST_F(StreamPartsTest, FindsTheBlockOfAnItemInEachLaunchAndWhenItStarted) {
    add_launch(3, tiles(300, 100));
    BlockParts moved = tiles(300, 50);
    moved.counts_selected = false;
    add_launch(6, moved);
    const TracedRun run = prepared();
    EXPECT_EQ(counting_launch(run), run.launches.data());
    const std::vector<ItemBlock> blocks = blocks_of_item(run, 260);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].block, 2U);
    EXPECT_EQ(blocks[1].block, 5U);
    EXPECT_EQ(blocks[1].phase, 1);
    ASSERT_TRUE(blocks[0].span && blocks[1].span);
    EXPECT_EQ(blocks[1].span->processor, 1U);
    EXPECT_EQ(start_place(run, *blocks[0].span).index, 0U);
    EXPECT_EQ(start_place(run, *blocks[0].span).count, 3U);
    EXPECT_EQ(start_place(run, *blocks_of_item(run, 0)[1].span).index, 5U);
    EXPECT_TRUE(blocks_of_item(run, 300).empty()) << "behind the stream";
}

}  // namespace
}  // namespace warpsieve::trace
