#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/grid.hpp"
#include "tests/support/errors.hpp"

namespace {

using namespace experiments;
using compaction::EngineId;
using compaction::ErrorCode;
using compaction::ItemSize;
using compaction::Option;
using testing_support::error_of;
using testing_support::says;

using Counts = std::vector<std::uint64_t>;
using Fractions = std::vector<double>;
using Words = std::vector<std::string>;

TEST(Axis, ReadsCounts) {
    EXPECT_EQ(parse_counts("4096"), Counts{4096});
    EXPECT_EQ(parse_counts("2^12"), Counts{4096});
    EXPECT_EQ(parse_counts("2^12-3,2^12+1"), (Counts{4093, 4097}));
    EXPECT_EQ(parse_counts("1024,4096"), (Counts{1024, 4096}));
    EXPECT_EQ(parse_counts("2^10..2^13"), (Counts{1024, 2048, 4096, 8192}));
    EXPECT_EQ(parse_counts("2^10..2^15:2"), (Counts{1024, 4096, 16384}));
    EXPECT_EQ(parse_counts("2^4-3..2^6-3"), (Counts{13, 29, 61}));
    EXPECT_EQ(parse_counts("32..128:32"), (Counts{32, 64, 96, 128}));
    EXPECT_EQ(parse_counts("1..4"), (Counts{1, 2, 3, 4}));
    EXPECT_EQ(parse_counts("5..5"), Counts{5});
    EXPECT_EQ(parse_counts("8,2^3,4,8"), (Counts{8, 4})) << "without repeats, in order";
    EXPECT_EQ(parse_counts("2^62"), Counts{std::uint64_t{1} << 62});
}

TEST(Axis, ReadsFractions) {
    EXPECT_EQ(parse_fractions("0.5"), Fractions{0.5});
    EXPECT_EQ(parse_fractions("0,0.25,1"), (Fractions{0, 0.25, 1}));
    EXPECT_EQ(parse_fractions("0.1..0.9:0.2"), (Fractions{0.1, 0.3, 0.5, 0.7, 0.9}));
    EXPECT_EQ(parse_fractions("0..1:0.5"), (Fractions{0, 0.5, 1}));
}

TEST(Axis, ReadsWords) {
    EXPECT_EQ(parse_words("scalar,quad"), (Words{"scalar", "quad"}));
    EXPECT_EQ(parse_words("2^5"), Words{"2^5"}) << "the algorithm interprets it";
    EXPECT_EQ(parse_words("64..192:64,quad"), (Words{"64", "128", "192", "quad"}));
}

TEST(Axis, RefusesWhatItCannotReadAndQuotesIt) {
    for (const char* const text : {"", "many", "-4", "1e6", "3^4", "2^", "2^63", "2^99", "2^4-16", "4,,5",
                                   "4,", "..", "4..", "..4", "4..8:0", "4..8:x", "9999999999999999999999"}) {
        const std::string sentence = error_of(ErrorCode::invalid_argument, [&] { parse_counts(text); });
        EXPECT_TRUE(says(sentence, "is not a count; write")) << text << ": " << sentence;
    }
    EXPECT_TRUE(
        says(error_of(ErrorCode::invalid_argument, [] { parse_counts("8..4"); }), "'8..4' is an empty"));
    EXPECT_TRUE(says(error_of(ErrorCode::invalid_argument, [] { parse_counts("1..2^20"); }), "10000 values"));
    for (const char* const text :
         {"", "half", "-0.1", "1.5", "nan", "inf", "0.1..0.9", "0..2:0.5", "0..1:0"}) {
        const std::string sentence = error_of(ErrorCode::invalid_argument, [&] { parse_fractions(text); });
        EXPECT_TRUE(says(sentence, "is not a fraction")) << text << ": " << sentence;
    }
    error_of(ErrorCode::invalid_argument, [] { parse_words("a,,b"); });
}

TEST(Axis, StepsMayBeLargerThanTheRange) {
    EXPECT_EQ(parse_counts("2^10..2^12:18446744073709551615"), Counts{1024});
    EXPECT_EQ(parse_counts("2^61..2^62:18446744073709551608"), Counts{std::uint64_t{1} << 61});
    EXPECT_EQ(parse_counts("1..3:18446744073709551615"), Counts{1});
    EXPECT_EQ(parse_counts("18446744073709551614..18446744073709551615"),
              (Counts{18446744073709551614U, 18446744073709551615U}));
}

TEST(Axis, RefusesFractionsThatWouldBeRounded) {
    EXPECT_EQ(parse_fractions("0.123456789"), Fractions{0.123456789});
    EXPECT_EQ(parse_fractions("0.999999998..1:0.000000001"), (Fractions{0.999999998, 0.999999999, 1}));
    EXPECT_FALSE(std::signbit(parse_fractions("-0")[0]));
    EXPECT_EQ(parse_fractions("0.50000000000000000000,1.000,0.0,250e-3"), (Fractions{0.5, 1, 0, 0.25}));
    for (const char* const text :
         {"0.1234567891", "0.1,1e-10", "0..1:1e-10", "0..0.00000000001:0.5", "0.99999999999999999",
          "0.50000000000000000001", "5000000000000000001e-19"}) {
        const std::string sentence = error_of(ErrorCode::invalid_argument, [&] { parse_fractions(text); });
        EXPECT_TRUE(says(sentence, "more than nine decimals")) << text << ": " << sentence;
    }
}

TEST(Axis, HasALimitedLength) {
    std::string ranges;
    for (int i = 0; i < 11; ++i)
        ranges += (i > 0 ? "," : "") + std::to_string(i * 1000) + ".." + std::to_string(i * 1000 + 999);
    for (const auto& parse : {+[](const std::string& text) { parse_counts(text); },
                              +[](const std::string& text) { parse_words(text); }}) {
        const std::string sentence = error_of(ErrorCode::invalid_argument, [&] { parse(ranges); });
        EXPECT_TRUE(says(sentence, "10000 values")) << sentence;
        EXPECT_LT(sentence.size(), 200U) << "it quotes only the beginning of a long text";
    }
    EXPECT_TRUE(
        says(error_of(ErrorCode::invalid_argument, [] { parse_fractions("0..1:0.00001"); }), "10000 values"));
}

std::vector<Setting> settings_of(const Expansion& expansion) {
    std::vector<Setting> all;
    expansion.settings().give([&](std::span<const Setting> settings) {
        all.insert(all.end(), settings.begin(), settings.end());
        return true;
    });
    EXPECT_EQ(all.size(), expansion.num_settings);
    return all;
}

std::vector<std::string> ids_of(const Expansion& expansion) {
    std::vector<std::string> ids;
    for (const Setting& setting : settings_of(expansion)) ids.push_back(setting.algorithm->id);
    return ids;
}

void set(Grid& grid, Option option, Words values) {
    grid.options[static_cast<std::size_t>(option)] = std::move(values);
}

TEST(Grid, IsEveryCombinationStreamByStream) {
    Grid grid;
    grid.algorithms = {"cpu_loop", "cpu_sequence_wise"};
    grid.num_items = {1024, 4096};
    grid.keep_fractions = {0.1, 0.9};
    grid.caches = {Cache::cold, Cache::hot};
    const Expansion expansion = expand(grid, EngineId::cpu);
    const std::vector<Setting> settings = settings_of(expansion);
    ASSERT_EQ(settings.size(), 16U);
    EXPECT_TRUE(expansion.left_out.empty());
    for (std::size_t i = 0; i < 16; i += 2) {
        EXPECT_EQ(settings[i].algorithm->id, "cpu_loop");
        EXPECT_EQ(settings[i + 1].algorithm->id, "cpu_sequence_wise");
        EXPECT_EQ(settings[i].stream, settings[i + 1].stream);
    }
    EXPECT_EQ(settings[0].stream.num_items, 1024U);
    EXPECT_EQ(settings[15].stream.num_items, 4096U);
}

/// The ids of the CPU engine in `list` that this build has, for one operation or all.
Words cpu_ids(std::span<const compaction::Algorithm> list, std::optional<compaction::Operation> operation) {
    Words ids;
    for (const compaction::Algorithm& each : list) {
        if (each.engine == EngineId::cpu && each.is_available() &&
            (!operation || each.operation == *operation))
            ids.push_back(each.id);
    }
    return ids;
}

TEST(Grid, ExpandsGroupNames) {
    using compaction::Operation;
    const auto expanded = [](Words words) {
        Grid grid;
        grid.algorithms = std::move(words);
        return ids_of(expand(grid, EngineId::cpu));
    };
    EXPECT_EQ(expanded({"all"}), cpu_ids(compaction::catalogue(), {}));
    EXPECT_EQ(expanded({"steps"}), cpu_ids(compaction::steps(), {}));
    EXPECT_EQ(expanded({"copies"}), cpu_ids(compaction::steps(), Operation::copy));
    EXPECT_EQ(expanded({"counts"}), cpu_ids(compaction::steps(), Operation::count));
    EXPECT_EQ(expanded({"scans"}), cpu_ids(compaction::steps(), Operation::scan));
    EXPECT_EQ(expanded({"all", "cpu_loop", "all"}), cpu_ids(compaction::catalogue(), {})) << "each once";
    EXPECT_FALSE(expanded({"scans"}).empty());
}

TEST(Grid, LeavesOutWhatDoesNotExistAndSaysWhy) {
    Grid grid;
    grid.algorithms = {"cpu_loop", "cpu_sequence_wise"};
    set(grid, Option::vector_width, {"scalar", "quad"});
    const Expansion expansion = expand(grid, EngineId::cpu);
    EXPECT_EQ(ids_of(expansion), (Words{"cpu_sequence_wise", "cpu_sequence_wise"}));
    EXPECT_EQ(settings_of(expansion)[0].options[Option::vector_width], 1U);
    EXPECT_EQ(settings_of(expansion)[1].options[Option::vector_width], 4U);
    ASSERT_EQ(expansion.left_out.size(), 1U) << "a reason is reported once";
    EXPECT_TRUE(says(expansion.left_out[0], "cpu_loop has no option 'vector width'"))
        << expansion.left_out[0];
}

TEST(Grid, AutomaticIsLegalForAllAlgorithms) {
    Grid grid;
    grid.algorithms = {"cpu_loop", "cpu_sequence_wise"};
    set(grid, Option::vector_width, {"automatic"});
    EXPECT_EQ(expand(grid, EngineId::cpu).num_settings, 2U);
    set(grid, Option::vector_width, {"0", "automatic"});
    EXPECT_EQ(expand(grid, EngineId::cpu).num_settings, 2U) << "the same setting twice";
}

TEST(Grid, AValueThatNoAlgorithmAcceptsIsAnError) {
    Grid grid;
    grid.algorithms = {"cpu_loop", "cpu_sequence_wise"};
    set(grid, Option::vector_width, {"scalar", "triple"});
    EXPECT_TRUE(
        says(error_of(ErrorCode::invalid_option, [&] { expand(grid, EngineId::cpu); }), "vector width"));
    set(grid, Option::vector_width, {});
    set(grid, Option::threads_per_block, {"4000000000"});
    EXPECT_TRUE(says(error_of(ErrorCode::invalid_option, [&] { expand(grid, EngineId::cpu); }), "threads"));
}

TEST(Grid, AWidthThatExceedsAnAccessIsLeftOutForThatItemSize) {
    Grid grid;
    grid.algorithms = {"cpu_sequence_wise"};
    grid.item_sizes = {ItemSize::bytes_4, ItemSize::bytes_16};
    set(grid, Option::vector_width, {"quad"});
    const Expansion expansion = expand(grid, EngineId::cpu);
    ASSERT_EQ(expansion.num_settings, 1U);
    EXPECT_EQ(settings_of(expansion)[0].stream.item_size, ItemSize::bytes_4);
    EXPECT_EQ(expansion.left_out.size(), 1U);
}

TEST(Grid, PatternsWithoutKeepFractionAreMeasuredOnce) {
    Grid grid;
    grid.algorithms = {"cpu_loop"};
    grid.patterns = {workloads::Pattern::structured, workloads::Pattern::random};
    grid.keep_fractions = {0.1, 0.5, 0.9};
    EXPECT_EQ(expand(grid, EngineId::cpu).num_settings, 4U);
}

TEST(Grid, RefusesWhatCannotBeMeasured) {
    const auto sentence = [](const std::function<void(Grid&)>& change) {
        Grid grid;
        grid.algorithms = {"cpu_loop"};
        change(grid);
        return error_of(ErrorCode::invalid_argument, [&] { expand(grid, EngineId::cpu); });
    };
    EXPECT_TRUE(says(sentence([](Grid& grid) { grid.num_items = {0}; }), "n = 0"));
    EXPECT_TRUE(says(sentence([](Grid& grid) { grid.num_items = {std::uint64_t{1} << 41}; }), "too long"));
    EXPECT_TRUE(says(sentence([](Grid& grid) { grid.algorithms = {"no_such"}; }), "no algorithm 'no_such'"));
    EXPECT_TRUE(says(sentence([](Grid& grid) { grid.algorithms = {"cub_select"}; }), "cuda engine"));
    EXPECT_TRUE(says(sentence([](Grid& grid) { grid.algorithms = {}; }), "no algorithm to measure"));
    EXPECT_TRUE(says(sentence([](Grid& grid) { grid.patterns = {}; }), "an axis is empty"));
}

/// A grid of a million settings, the most that are measured.
Grid large_grid() {
    Grid grid;
    grid.algorithms = {"cpu_loop"};
    grid.num_items = parse_counts("1..10000");
    grid.seeds = parse_counts("1..100");
    return grid;
}

TEST(Grid, OfAMillionSettingsIsExpandedAtOnce) {
    const auto started = std::chrono::steady_clock::now();
    const Expansion expansion = expand(large_grid(), EngineId::cpu);
    EXPECT_EQ(expansion.num_settings, 1'000'000U);
    EXPECT_EQ(settings_of(expansion).back().stream.seed, 100U);
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10))
        << "linear, also unoptimised";
}

TEST(Grid, RefusesMoreThanAMillionSettings) {
    Grid grid = large_grid();
    grid.caches = {Cache::cold, Cache::hot};
    const auto sentence = [&] {
        return error_of(ErrorCode::invalid_argument, [&] { expand(grid, EngineId::cpu); });
    };
    EXPECT_TRUE(says(sentence(), "more than 1,000,000 combinations"));
    grid = Grid();
    grid.algorithms = {"cpu_sequence_wise"};
    set(grid, Option::threads_per_block, parse_words("1..10000"));
    set(grid, Option::sequences, parse_words("1..10000"));
    EXPECT_TRUE(says(sentence(), "more than 1,000,000 combinations")) << "of options";
}

TEST(Grid, StopsWhenItIsCancelled) {
    const std::atomic<bool> cancel = true;
    EXPECT_EQ(expand(large_grid(), EngineId::cpu, &cancel).num_settings, 0U);
}

TEST(Grid, GivesManySettingsOfAStreamInParts) {
    Grid grid;
    grid.algorithms = {"cpu_sequence_wise", "cpu_single_pass"};
    grid.seeds = {1, 2};
    set(grid, Option::vector_width, {"scalar", "pair", "quad"});
    set(grid, Option::threads_per_block, parse_words("1..256"));
    std::vector<std::size_t> sizes;
    expand(grid, EngineId::cpu).settings().give([&](std::span<const Setting> settings) {
        EXPECT_EQ(settings.front().stream, settings.back().stream);
        sizes.push_back(settings.size());
        return sizes.size() < 3;
    });
    EXPECT_EQ(sizes, (std::vector<std::size_t>{1000, 536, 1000}));
}

}  // namespace
