// The compare lab's job and rows, and the bench command of a job.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "app/labs/compare.hpp"
#include "app/labs/jobs.hpp"
#include "app/settings/settings.hpp"
#include "tests/app/labs/lab_model_figures.hpp"

namespace {

using namespace warpsieve;
using namespace warpsieve::labs;
using compaction::ItemSize;
using experiments::Change;
using experiments::Measurement;

class LabModelsTest : public testing::Test {
  protected:
    LabModelsTest() {
        catalogue_ = {fake("sequence_wise"), fake("cub_select"), fake("slow"),
                      fake("cpu_loop", EngineId::cpu)};
        settings_.run.engine = EngineId::cuda;
        settings_.run.a.algorithm = "sequence_wise";
        settings_.run.live_fraction = 0.3F;
        settings_.run.seed = 7;
    }

    Job job() const { return compare_job(settings_.run, settings_.labs, 4096, catalogue_); }

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

    /// [settings] medians; 0 for a setting without a result.
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
    settings_.labs.quality = MeasurementQuality::careful;
    const Job all = job();
    ASSERT_EQ(all.settings.size(), 3U);
    EXPECT_EQ(all.engine, EngineId::cuda);
    for (const experiments::Setting& setting : all.settings) {
        EXPECT_EQ(setting.options, compaction::Options{});
        EXPECT_EQ(setting.stream.num_items, 4096U);
        EXPECT_EQ(setting.stream.keep_fraction, 0.3) << "not rounded to a float";
        EXPECT_EQ(setting.stream.pattern, workloads::Pattern::runs);
        EXPECT_EQ(setting.stream.item_size, ItemSize::bytes_8);
        EXPECT_EQ(setting.stream.cache, experiments::Cache::hot);
        EXPECT_EQ(setting.stream.seed, 7U);
    }
    EXPECT_EQ(all.policy.noise, experiments::Policy{}.noise);
    EXPECT_GE(max_seconds(all), 3 * all.policy.time_limit_s);
    EXPECT_EQ(all.policy.phases, experiments::PhaseMethod::stamps);
}

TEST_F(LabModelsTest, OptionsSetByHandAreMeasuredToo) {
    catalogue_[0].options = {threads()};
    settings_.run.a.options[Option::threads_per_block] = 128;
    const Job all = job();
    ASSERT_EQ(all.settings.size(), 4U);
    EXPECT_EQ(all.settings[1].options[Option::threads_per_block], 128U);
    const Comparison comparison = compare(compared({10, 9, 20, 40}), "");
    EXPECT_EQ(comparison.rows[0].name(), "The sequence_wise, threads per block 128");
}

TEST_F(LabModelsTest, IllegalAlgorithmsAreLeftOutWithAReason) {
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
    measurement.results[2].first_error = "item 3";
    all.measurement = std::make_shared<const Measurement>(measurement);
    EXPECT_EQ(ids(compare(all, "")), (std::vector<std::string>{"cub_select", "sequence_wise", "slow"}));
    const Report two = compared({30, 0, 10});
    const Comparison comparison = compare(two, "");
    EXPECT_EQ(ids(comparison), (std::vector<std::string>{"slow", "sequence_wise", "cub_select"}));
    EXPECT_EQ(comparison.rows[2].result, nullptr);
    EXPECT_NE(comparison.rows[2].reason, "");
    EXPECT_EQ(comparison.fastest_us, 10);
}

TEST_F(LabModelsTest, TheBaseIsTheSelectedOneElseTheDefaultElseTheFastest) {
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
    EXPECT_NEAR(comparison.rows[0].speed_up_interval.low, 4 * 0.99 / 1.01, 1e-9);
    EXPECT_NEAR(comparison.rows[0].speed_up_interval.high, 4 * 1.01 / 0.99, 1e-9);
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
    EXPECT_TRUE(comparison.rows[0].is_interactive);
    EXPECT_FALSE(comparison.rows[2].is_interactive);
}

TEST_F(LabModelsTest, OtherSettingsAreAnotherJob) {
    const Job before = job();
    EXPECT_TRUE(same_work(before, job()));
    settings_.run.live_fraction = 0.4F;
    EXPECT_FALSE(same_work(before, job()));
    settings_.run.live_fraction = 0.3F;
    settings_.labs.quality = MeasurementQuality::careful;
    EXPECT_FALSE(same_work(before, job()));
}

TEST_F(LabModelsTest, ABenchCommandMeasuresTheSameAgain) {
    const Algorithm first = [] {
        Algorithm algorithm = fake("first");
        algorithm.options = {threads(), blocks()};
        return algorithm;
    }();
    const Algorithm second = fake("second");
    Job job{.lab = "made up", .engine = EngineId::cuda};
    experiments::StreamSpec stream{
        .num_items = 1 << 20, .keep_fraction = 0.25, .item_size = ItemSize::bytes_8};
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
