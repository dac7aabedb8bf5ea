// Selections over several GPUs: which rows are measured, and what their times are compared with.
#include "experiments/sharded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace experiments;

constexpr std::uint64_t items_per_gpu = std::uint64_t{1} << 28;

ShardedRow row_of(ShardedCall call, double us, unsigned gpus = 2, std::uint64_t link_bytes = 0) {
    ShardedRow row;
    row.setting.call = call;
    row.setting.gpus = gpus;
    row.setting.items_per_gpu = items_per_gpu;
    const bool has_items = call != ShardedCall::exchange && call != ShardedCall::link_copy;
    row.setting.keep_fraction = has_items ? 0.5 : 0;
    row.us.median = us;
    row.busiest_link_bytes = link_bytes;
    return row;
}

/// 1 GiB takes 2700 µs over the link.
std::vector<ShardedRow> measured() {
    return {row_of(ShardedCall::select_alone, 380, 1), row_of(ShardedCall::link_copy, 2700),
            row_of(ShardedCall::exchange, 4), row_of(ShardedCall::select_alone, 381)};
}

TEST(ShardedBench, OneGpuHasNoExchangeAndStrongScalingNeedsSeveralNumbers) {
    const auto one = expand({{1}, {items_per_gpu}, {0.5}});
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].call, ShardedCall::select_alone);
    const auto is_strong = [](const ShardedSetting& each) { return each.scaling == Scaling::strong; };
    EXPECT_FALSE(std::ranges::any_of(expand({{2}, {items_per_gpu}, {0.5}}), is_strong));
    const auto both = expand({{1, 2}, {items_per_gpu}, {0.5}});
    EXPECT_TRUE(std::ranges::any_of(both, is_strong));
    for (const ShardedSetting& each : both) {
        EXPECT_EQ(each.items_per_gpu, is_strong(each) ? items_per_gpu / each.gpus : items_per_gpu);
    }
}

TEST(ShardedBench, NoRowIsMeasuredTwice) {
    const auto settings = expand({{1, 2, 4}, {items_per_gpu, 4096}, {0.1, 0.5}});
    for (std::size_t i = 0; i < settings.size(); ++i) {
        EXPECT_EQ(std::ranges::count(settings, settings[i]), 1) << i << ' ' << name_of(settings[i].call);
    }
}

TEST(ShardedBench, ShardedIsHeldAgainstTheSelectionAndTheExchange) {
    const ShardedBound bound = bound_of(row_of(ShardedCall::sharded, 386), measured());
    EXPECT_EQ(bound.what, "select alone + exchange");
    EXPECT_DOUBLE_EQ(bound.us, 385);
}

TEST(ShardedBench, MovedItemsAreHeldAgainstTheLink) {
    const ShardedBound bound =
        bound_of(row_of(ShardedCall::gathered, 1900, 2, items_per_gpu * 2), measured());
    EXPECT_DOUBLE_EQ(bound.us, 385 + 1350 / 0.9);
}

TEST(ShardedBench, SeveralGpusAreHeldAgainstOne) {
    EXPECT_DOUBLE_EQ(bound_of(row_of(ShardedCall::select_alone, 381), measured()).us, 380);
    std::vector<ShardedRow> rows = measured();
    for (ShardedRow& row : rows) row.setting.scaling = Scaling::strong;
    ShardedRow half = row_of(ShardedCall::select_alone, 191);
    half.setting.scaling = Scaling::strong;
    half.setting.items_per_gpu = items_per_gpu / 2;
    EXPECT_DOUBLE_EQ(bound_of(half, rows).us, 190);
    ShardedRow third = half;
    third.setting.gpus = 3;
    third.setting.items_per_gpu = items_per_gpu / 3;
    ASSERT_NE(items_per_gpu % 3, 0U);
    EXPECT_DOUBLE_EQ(bound_of(third, rows).us, 380.0 / 3);
}

TEST(ShardedBench, ABoundWithAMissingPartIsNone) {
    std::vector<ShardedRow> rows = measured();
    rows.pop_back();
    EXPECT_EQ(bound_of(row_of(ShardedCall::sharded, 386), rows).us, 0);
    rows = measured();
    rows.back().fault = "The items on GPU 0 are wrong.";
    EXPECT_EQ(bound_of(row_of(ShardedCall::sharded, 386), rows).us, 0);
}

TEST(ShardedBench, FilesHoldFaultsInsteadOfFigures) {
    std::vector<ShardedRow> rows = measured();
    rows.push_back(row_of(ShardedCall::sharded, 386));
    rows.back().fault = "7 items were stored, but 8 are kept.";
    const std::string csv = sharded_csv(Machine{}, rows);
    EXPECT_NE(csv.find("sharded,,,,,,,,,\"7 items were stored, but 8 are kept.\""), csv.npos) << csv;
    EXPECT_NE(csv.find("# end, results: 5"), csv.npos);
    std::size_t width = 0;
    for (std::size_t begin = csv.find("gpus,"); begin < csv.size(); begin = csv.find('\n', begin) + 1) {
        const std::string line = csv.substr(begin, csv.find('\n', begin) - begin);
        if (line.starts_with('#')) continue;
        const auto quoted = line.find('"') == line.npos ? 0 : 1;  // the sentence above has a comma
        const auto commas = static_cast<std::size_t>(std::ranges::count(line, ',')) - quoted;
        if (width == 0) width = commas;
        EXPECT_EQ(commas, width) << line;
    }
    EXPECT_EQ(sharded_table(rows).rows.back().alarm, rows.back().fault);
}

}  // namespace
