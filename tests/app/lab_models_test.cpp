// What the labs measure, and what they make of it: pure functions over made-up algorithms and figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/labs/bench_command.hpp"
#include "app/labs/compare.hpp"
#include "app/labs/tune.hpp"

namespace {

using namespace warpsieve;
using namespace warpsieve::labs;
using compaction::Algorithm;
using compaction::EngineId;
using compaction::ItemSize;
using compaction::LegalRange;
using compaction::Option;
using experiments::Change;
using experiments::Measurement;
using experiments::Result;

Algorithm made_up(const std::string& id, EngineId engine = EngineId::cuda) {
    Algorithm algorithm;
    algorithm.id = id;
    algorithm.name = "The " + id;
    algorithm.engine = engine;
    algorithm.phases = {{compaction::PhaseRole::fused, "all", ""}};
    return algorithm;
}

LegalRange blocks() {
    return {Option::blocks, 1, 65536};
}
LegalRange threads() {
    return {Option::threads_per_block, 32, 1024, LegalRange::Spacing::multiples, 32};
}

/// A settled result whose median is `us`, known to within `error` of it either way.
Result result_of(const experiments::Setting& setting, double us, double error = 0.01) {
    Result result;
    result.setting = setting;
    result.us = {us, us, us, us, us, 30, 0};
    result.median_us = {us * (1 - error), us * (1 + error), 0.96};
    result.settled = true;
    return result;
}

class LabModelsTest : public testing::Test {
  protected:
    LabModelsTest() {
        catalogue_ = {made_up("sequence_wise"), made_up("cub_select"), made_up("slow"),
                      made_up("cpu_loop", EngineId::cpu)};
        settings_.engine = EngineId::cuda;
        settings_.algorithm = "sequence_wise";
        settings_.density = 0.3F;
        settings_.seed = 7;
    }

    Job job() const { return compare_job(settings_, 4096, catalogue_); }

    /// A report on `job` with these results.
    static Report report(Job job, std::vector<Result> results, State state = State::done) {
        Report report;
        report.job = std::make_shared<const Job>(std::move(job));
        report.state = state;
        Measurement measurement;
        measurement.results = std::move(results);
        report.measurement = std::make_shared<const Measurement>(std::move(measurement));
        return report;
    }

    /// Medians of the settings of the job, in order; 0 for one that has none.
    Report compared(const std::vector<double>& medians_us, double error = 0.01) const {
        const Job all = job();
        std::vector<Result> results;
        for (std::size_t i = 0; i < medians_us.size(); ++i) {
            if (medians_us[i] > 0) results.push_back(result_of(all.settings[i], medians_us[i], error));
        }
        return report(all, results);
    }

    static std::vector<std::string> ids(const Comparison& comparison) {
        std::vector<std::string> ids;
        for (const CompareRow& row : comparison.rows) ids.push_back(row.algorithm->id);
        return ids;
    }

    std::vector<Algorithm> catalogue_;
    Settings settings_;
};

TEST_F(LabModelsTest, ComparesEveryAlgorithmOfTheEngineOnTheStreamOfTheSettings) {
    settings_.labs.pattern = workloads::Pattern::runs;
    settings_.labs.item_size = ItemSize::bytes_8;
    settings_.labs.cache = experiments::Cache::hot;
    settings_.labs.quality = Quality::careful;
    const Job all = job();
    ASSERT_EQ(all.settings.size(), 3U);
    EXPECT_EQ(all.engine, EngineId::cuda);
    for (const experiments::Setting& setting : all.settings) {
        EXPECT_EQ(setting.options, compaction::Options{});
        EXPECT_EQ(setting.stream.num_items, 4096U);
        EXPECT_EQ(setting.stream.density, 0.3) << "as it was set, not as a float has it";
        EXPECT_EQ(setting.stream.pattern, workloads::Pattern::runs);
        EXPECT_EQ(setting.stream.item_size, ItemSize::bytes_8);
        EXPECT_EQ(setting.stream.cache, experiments::Cache::hot);
        EXPECT_EQ(setting.stream.seed, 7U);
    }
    EXPECT_EQ(all.policy.noise, experiments::Policy{}.noise);
    EXPECT_GE(seconds_at_most(all), 3 * all.policy.time_limit_s);
    EXPECT_TRUE(all.policy.phases);
}

TEST_F(LabModelsTest, ALayoutChosenByHandComesOnTop) {
    catalogue_[0].options = {threads()};
    settings_.options[Option::threads_per_block] = 128;
    const Job all = job();
    ASSERT_EQ(all.settings.size(), 4U);
    EXPECT_EQ(all.settings[1].options[Option::threads_per_block], 128U);
    const Comparison comparison = compare(compared({10, 9, 20, 40}), "");
    EXPECT_EQ(comparison.rows[0].name(), "The sequence_wise, threads per block 128");
}

TEST_F(LabModelsTest, WhatCannotBeMadeIsLeftOutAndTold) {
    catalogue_[1].item_sizes = {ItemSize::bytes_4};
    catalogue_[2].max_items = 1000;
    settings_.labs.item_size = ItemSize::bytes_16;
    const Job all = job();
    ASSERT_EQ(all.settings.size(), 1U);
    ASSERT_EQ(all.left_out.size(), 2U);
    EXPECT_NE(all.left_out[0].reason.find("16 bytes"), std::string::npos) << all.left_out[0].reason;
    EXPECT_NE(all.left_out[1].reason.find("1000"), std::string::npos) << all.left_out[1].reason;
    const Report none = report(all, {});
    const Comparison comparison = compare(none, "");
    ASSERT_EQ(comparison.rows.size(), 3U);
    EXPECT_EQ(comparison.rows[1].reason, all.left_out[0].reason);
}

TEST_F(LabModelsTest, SortsByMedianWithTheWrongAndTheUnmeasuredLast) {
    Report all = compared({30, 20, 10});
    auto measurement = *all.measurement;
    measurement.results[2].wrong = "item 3";
    all.measurement = std::make_shared<const Measurement>(measurement);
    EXPECT_EQ(ids(compare(all, "")), (std::vector<std::string>{"cub_select", "sequence_wise", "slow"}));
    const Report two = compared({30, 0, 10});
    const Comparison comparison = compare(two, "");
    EXPECT_EQ(ids(comparison), (std::vector<std::string>{"slow", "sequence_wise", "cub_select"}));
    EXPECT_EQ(comparison.rows[2].result, nullptr);
    EXPECT_NE(comparison.rows[2].reason, "");
    EXPECT_EQ(comparison.fastest_us, 10);
    EXPECT_EQ(comparison.slowest_us, 30);
}

TEST_F(LabModelsTest, TheBaseIsTheOneChosenElseTheYardstickElseTheFastest) {
    const Report all = compared({10, 20, 40});
    const auto base_of = [](const Comparison& comparison) {
        std::string bases;
        for (const CompareRow& row : comparison.rows) bases += row.is_base ? row.algorithm->id : "";
        return bases;
    };
    EXPECT_EQ(base_of(compare(all, "")), "cub_select");
    EXPECT_EQ(base_of(compare(all, "slow")), "slow");
    EXPECT_EQ(base_of(compare(all, "no_such")), "cub_select");
    EXPECT_EQ(base_of(compare(compared({10, 0, 40}), "")), "sequence_wise");
    EXPECT_EQ(base_of(compare(compared({}), "")), "");
    const Comparison comparison = compare(all, "slow");
    EXPECT_NEAR(comparison.rows[0].speed_up, 4, 1e-9);
    EXPECT_NEAR(comparison.rows[0].between.low, 4 * 0.99 / 1.01, 1e-9);
    EXPECT_NEAR(comparison.rows[0].between.high, 4 * 1.01 / 0.99, 1e-9);
}

TEST_F(LabModelsTest, VerdictsComeFromIntervals) {
    const Comparison apart = compare(compared({10, 20, 40}), "");
    EXPECT_EQ(apart.rows[0].verdict, Change::faster);
    EXPECT_EQ(apart.rows[1].verdict, std::nullopt) << "the base against itself";
    EXPECT_EQ(apart.rows[2].verdict, Change::slower);
    const Comparison near = compare(compared({19.9, 20, 40}, 0.05), "");
    EXPECT_EQ(near.rows[0].verdict, Change::ambiguous);
    const Comparison same = compare(compared({19.99, 20, 40}, 0.001), "");
    EXPECT_EQ(same.rows[0].verdict, Change::same);
}

TEST_F(LabModelsTest, NoVerdictWhileSamplesAreMissing) {
    Report running = compared({10, 20, 40});
    auto measurement = *running.measurement;
    measurement.results[0].settled = false;
    running.measurement = std::make_shared<const Measurement>(measurement);
    running.interactive = {true, false, false};
    const Comparison comparison = compare(running, "");
    EXPECT_EQ(comparison.rows[0].verdict, std::nullopt);
    EXPECT_GT(comparison.rows[0].speed_up, 1);
    EXPECT_EQ(comparison.rows[2].verdict, Change::slower);
    EXPECT_TRUE(comparison.rows[0].interactive);
    EXPECT_FALSE(comparison.rows[2].interactive);
}

TEST_F(LabModelsTest, OtherSettingsAreOtherWork) {
    const Job before = job();
    EXPECT_TRUE(same_work(before, job()));
    settings_.density = 0.4F;
    EXPECT_FALSE(same_work(before, job()));
    settings_.density = 0.3F;
    settings_.labs.quality = Quality::careful;
    EXPECT_FALSE(same_work(before, job()));
}

TEST(Tune, TakesThreadsAndBlocksWhereThereAreBoth) {
    Algorithm algorithm = made_up("any");
    EXPECT_FALSE(tune_axes(algorithm));
    algorithm.options = {compaction::every_vector_width(), threads(), blocks()};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::blocks);
    EXPECT_EQ(tune_axes(algorithm)->y, Option::threads_per_block);
    algorithm.options = {compaction::every_vector_width(), threads(), {Option::sequences, 1, 65536}};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::sequences);
    algorithm.options = {compaction::every_vector_width(), threads()};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::threads_per_block);
    EXPECT_EQ(tune_axes(algorithm)->y, Option::vector_width);
    algorithm.options = {blocks()};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::blocks);
    EXPECT_EQ(tune_axes(algorithm)->y, std::nullopt);
}

TEST(Tune, ValuesLieAtEvenRatiosAndAreLegal) {
    const std::vector<std::uint32_t> extras{120, 100'000};
    const std::vector<std::uint32_t> values = tune_values(blocks(), 17, extras);
    EXPECT_EQ(values.front(), 1U);
    EXPECT_EQ(values.back(), 65536U);
    EXPECT_EQ(values.size(), 18U) << "every power of two, and the extra that is legal";
    EXPECT_TRUE(std::ranges::binary_search(values, 120U));
    for (const std::uint32_t value : tune_values(threads(), 11, {})) {
        EXPECT_EQ(value % 32, 0U);
        EXPECT_GE(value, 32U);
        EXPECT_LE(value, 1024U);
    }
    EXPECT_EQ(tune_values(compaction::every_vector_width(), 11, {}), (std::vector<std::uint32_t>{1, 2, 4}));
}

TEST(Tune, PlacesBetweenValuesGoByRatio) {
    const std::vector<std::uint32_t> values{1, 4, 16};
    EXPECT_EQ(place_among(values, 1), 0);
    EXPECT_EQ(place_among(values, 4), 1);
    EXPECT_NEAR(place_among(values, 2), 0.5, 1e-9);
    EXPECT_EQ(place_among(values, 64), 2);
    EXPECT_EQ(place_among(values, 0), 0);
}

class TuneTest : public testing::Test {
  protected:
    TuneTest() {
        algorithm_.options = {compaction::every_vector_width(), threads(), blocks()};
        settings_.engine = EngineId::cuda;
        options_[Option::vector_width] = 2;
        options_[Option::blocks] = 77;
        job_ = tune_job(settings_, 1 << 20, algorithm_, options_, 132);
    }

    /// A report where `us` says what a layout takes.
    template <typename Time>
    Report report(Time us) {
        Report report;
        report.job = std::make_shared<const Job>(job_);
        Measurement measurement;
        for (const experiments::Setting& setting : job_.settings) {
            const double time =
                us(setting.options[Option::blocks], setting.options[Option::threads_per_block]);
            if (time <= 0) continue;
            measurement.results.push_back(result_of(setting, time));
            Result& result = measurement.results.back();
            if (setting.options[Option::blocks] != compaction::automatic) continue;
            result.layout[Option::blocks] = 1056;
            result.layout[Option::threads_per_block] = 256;
        }
        report.measurement = std::make_shared<const Measurement>(std::move(measurement));
        return report;
    }

    Algorithm algorithm_ = made_up("copy_grid_stride");
    compaction::Options options_;
    Settings settings_;
    Job job_;
};

TEST_F(TuneTest, MeasuresTheAutomaticLayoutAndEveryPlaceOnce) {
    const auto& settings = job_.settings;
    EXPECT_EQ(settings.front().options[Option::blocks], compaction::automatic);
    EXPECT_EQ(settings.front().options[Option::threads_per_block], compaction::automatic);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        EXPECT_EQ(settings[i].options[Option::vector_width], 2U) << "what is not tuned stays as it is";
        EXPECT_EQ(std::ranges::count(settings, settings[i]), 1);
    }
    EXPECT_GT(settings.size(), 100U);
}

TEST_F(TuneTest, KnowsWhatPartThreeOfTheSeriesPublished) {
    const auto places = published_places(algorithm_, *tune_axes(algorithm_));
    ASSERT_FALSE(places.empty());
    const auto has = [&](std::uint32_t x, std::uint32_t y) {
        return std::ranges::any_of(places,
                                   [&](const TunePlace& place) { return place.x == x && place.y == y; });
    };
    EXPECT_TRUE(has(65536, 128));
    EXPECT_TRUE(has(1024, 800));
    EXPECT_FALSE(has(1024, 128));
    EXPECT_TRUE(published_places(made_up("unheard_of"), *tune_axes(algorithm_)).empty());
    // Every one of them is a place of the map.
    const Report all = report([](auto, auto) { return 1.0; });
    const auto map = tune_map(all);
    ASSERT_TRUE(map);
    for (const TunePlace& place : map->published) EXPECT_TRUE(map->cell_of(place.x, place.y)) << place.x;
}

TEST_F(TuneTest, FindsTheBestAndHowFarTheOthersAre) {
    // A valley at 1024 blocks of 256 threads.
    const auto distance = [](double a, double b) { return std::abs(std::log2(std::max(a, 1.0) / b)); };
    const Report all = report([&](std::uint32_t x, std::uint32_t y) {
        return x == 0 ? 15.0 : 10 + distance(x, 1024) + distance(y, 256);
    });
    const auto map = tune_map(all);
    ASSERT_TRUE(map && map->best);
    EXPECT_EQ(map->x_of(*map->best), 1024U);
    EXPECT_EQ(map->y_of(*map->best), 256U);
    EXPECT_EQ(map->cells[*map->best].times_best, 1);
    EXPECT_TRUE(map->cells[*map->best].local_minimum);
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::local_minimum), 1);
    const auto other = map->cell_of(2048, 256);
    ASSERT_TRUE(other);
    EXPECT_NEAR(map->cells[*other].times_best, 1.1, 1e-9);
    EXPECT_NEAR(map->automatic.times_best, 1.5, 1e-9);
    EXPECT_FALSE(map->cell_of(3, 256));
}

TEST_F(TuneTest, ShowsEveryLocalMinimumThatIsClear) {
    const Report all = report([](std::uint32_t x, std::uint32_t y) {
        if (x == 1024 && y == 256) return 8.0;
        if (x == 16 && y == 1024) return 9.0;
        if (x == 4 && y == 32) return 9.9;  // within what is known of those around it
        return 10.0;
    });
    const auto map = tune_map(all);
    ASSERT_TRUE(map);
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::local_minimum), 2);
}

TEST_F(TuneTest, FillsInAsResultsCome) {
    const auto empty = tune_map(report([](auto, auto) { return 0.0; }));
    ASSERT_TRUE(empty);
    EXPECT_FALSE(empty->best);
    EXPECT_TRUE(std::ranges::none_of(empty->cells, &TuneCell::known));
    const Report one_row =
        report([](std::uint32_t x, std::uint32_t y) { return x > 0 && y == 256 ? 5.0 : 0.0; });
    const auto map = tune_map(one_row);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(map->cells, &TuneCell::known)), map->xs.size());
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::local_minimum), 0)
        << "unknown neighbours are no proof";
}

TEST_F(TuneTest, TriesNoMoreThanFourThreadsAProcessor) {
    Algorithm on_cpu = made_up("cpu", EngineId::cpu);
    on_cpu.options = {{Option::threads_per_block, 1, 256}, {Option::sequences, 1, 65536}};
    std::uint32_t most = 0;
    for (const experiments::Setting& setting : tune_job(settings_, 4096, on_cpu, {}, 2).settings)
        most = std::max(most, setting.options[Option::threads_per_block]);
    EXPECT_EQ(most, 8U);
}

TEST_F(TuneTest, WithoutOptionsThereIsNothingToTune) {
    const Algorithm plain = made_up("plain");
    const Job none = tune_job(settings_, 4096, plain, {}, 132);
    EXPECT_TRUE(none.settings.empty());
    EXPECT_NE(none.title.find("no options"), std::string::npos);
}

TEST_F(LabModelsTest, ABenchCommandMeasuresTheSameAgain) {
    const Algorithm first = [] {
        Algorithm algorithm = made_up("first");
        algorithm.options = {threads(), blocks()};
        return algorithm;
    }();
    const Algorithm second = made_up("second");
    Job job{.lab = "made up", .engine = EngineId::cuda};
    experiments::StreamSpec stream{.num_items = 1 << 20, .density = 0.25, .item_size = ItemSize::bytes_8};
    compaction::Options options;
    for (const std::uint32_t value : {64U, 128U}) {
        options[Option::threads_per_block] = value;
        job.settings.push_back({&first, options, stream});
    }
    job.settings.push_back({&second, {}, stream});
    EXPECT_EQ(bench_command(job),
              "warpsieve bench --engine cuda --algorithm first,second --n 2^20 --density 0.25 --item-bytes 8 "
              "--threads 64,128");
    stream.pattern = workloads::Pattern::runs;
    stream.seed = 9;
    job.settings = {{&second, {}, stream}};
    EXPECT_EQ(bench_command(job),
              "warpsieve bench --engine cuda --algorithm second --n 2^20 --pattern runs --density 0.25 "
              "--item-bytes 8 --seed 9");
}

}  // namespace
