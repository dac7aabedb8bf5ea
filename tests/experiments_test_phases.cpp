#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/measure.hpp"
#include "experiments/phase_timing.hpp"
#include "experiments/stream_ring.hpp"
#include "experiments/table.hpp"
#include "tests/support/fake_engine.hpp"

namespace {

using namespace experiments;
using compaction::Algorithm;
using compaction::EngineId;
using compaction::PhaseRole;
using testing_support::FakeEngine;
using testing_support::Script;

class PhasesTest : public testing::Test {
  protected:
    PhasesTest() {
        algorithm_.id = "split";
        algorithm_.engine = EngineId::cuda;
        algorithm_.phases = {{PhaseRole::count, "count", ""},
                             {PhaseRole::prefix, "prefix", ""},
                             {PhaseRole::scatter, "move", ""}};
        script_.phase_us = {{"split", {10, 20, 30}}};
        script_.between_us = 2;
        script_.hidden_us = 0.5;
        script_.gap_us = 0.25;
        hooks_.now_s = [this] { return script_.now_us * 1e-6; };
        stream_.num_items = 1024;
        stream_.pattern = workloads::Pattern::structured;
    }

    Measurement measured(PhaseMethod phases) {
        policy_.phases = phases;
        const std::vector<Setting> settings{{&algorithm_, {}, stream_}};
        return measure(engine_, settings, policy_, hooks_);
    }

    Script script_;
    FakeEngine engine_{script_};
    Algorithm algorithm_;
    StreamSpec stream_;
    Policy policy_;
    Hooks hooks_;
};

bool mentions(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

TEST_F(PhasesTest, AreNotTimedUnlessThePolicySaysSo) {
    const Measurement measurement = measured(PhaseMethod::none);
    EXPECT_TRUE(measurement.results.at(0).phases.empty());
    EXPECT_EQ(measurement.results.at(0).between_us.n, 0U);
    EXPECT_TRUE(phases_table({{}, measurement, nullptr}).rows.empty());
}

TEST_F(PhasesTest, ByStampsAndTheTimeBetweenCallsMakeTheTotal) {
    const Result result = measured(PhaseMethod::stamps).results.at(0);
    ASSERT_EQ(result.phases.size(), 3U);
    double sum_us = result.between_us.median;
    for (std::size_t i = 0; i < 3; ++i) {
        const PhaseResult& phase = result.phases[i];
        EXPECT_EQ(phase.name, algorithm_.phases[i].name);
        EXPECT_EQ(phase.by_stamps_us.n, policy_.phase_samples);
        EXPECT_NEAR(phase.by_stamps_us.median, 10 * (static_cast<double>(i) + 1), 1e-3);
        EXPECT_TRUE(phase.by_stamps_interval_us.trusted());
        EXPECT_NEAR(phase.hidden_us, 0.5, 1e-5);
        ASSERT_TRUE(phase.gap_us);
        EXPECT_NEAR(*phase.gap_us, 0.25, 1e-5);
        EXPECT_EQ(phase.by_subtraction_us.n, 0U);
        sum_us += phase.by_stamps_us.median;
    }
    EXPECT_NEAR(result.between_us.median, 2, 1e-2);
    EXPECT_NEAR(sum_us, result.us.median, 1e-2);
    EXPECT_TRUE(result.no_subtraction_reason.empty());
    EXPECT_TRUE(result.correct());
}

TEST_F(PhasesTest, AreTimedBySubtractionInTheSameTurns) {
    const Result result = measured(PhaseMethod::subtraction).results.at(0);
    // The time between calls falls on the first phase.
    const double by_subtraction[] = {12, 20, 30};
    ASSERT_EQ(result.phases.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        const PhaseResult& phase = result.phases[i];
        EXPECT_EQ(phase.by_subtraction_us.n, policy_.phase_samples);
        EXPECT_NEAR(phase.by_subtraction_us.median, by_subtraction[i], 1e-2);
        EXPECT_NEAR(phase.by_stamps_us.median, 10 * (static_cast<double>(i) + 1), 1e-3);
        EXPECT_TRUE(phase.by_subtraction_interval_us.trusted());
    }
    EXPECT_TRUE(phase_differences(result).empty());
    EXPECT_TRUE(result.correct()) << result.first_error;
}

TEST_F(PhasesTest, AClockThatDriftsFromTurnToTurnDoesNotWidenTheDifferences) {
    // Each call takes longer than the one before by the same time in its first phase.
    script_.more_us = [](const std::string&, std::size_t call) { return 1e-4 * static_cast<double>(call); };
    const Result result = measured(PhaseMethod::subtraction).results.at(0);
    const Interval& drifting = result.phases.at(0).by_subtraction_interval_us;
    const Interval& paired = result.phases.at(2).by_subtraction_interval_us;
    EXPECT_GT(drifting.high - drifting.low, 10 * (paired.high - paired.low));
}

TEST_F(PhasesTest, ADifferenceIsReportedWithItsReason) {
    script_.faster_if_last_us = 5;
    const Measurement measurement = measured(PhaseMethod::subtraction);
    const std::vector<PhaseDifference> differences = phase_differences(measurement.results.at(0));
    ASSERT_EQ(differences.size(), 2U);
    EXPECT_EQ(differences[0].phase, "count");
    EXPECT_NEAR(differences[0].by_stamps_us, 12, 1e-2);
    EXPECT_NEAR(differences[0].by_subtraction_us, 7, 1e-2);
    EXPECT_NEAR(differences[0].share, 5.0 / 62, 1e-3);
    EXPECT_EQ(differences[1].phase, "prefix");
    EXPECT_NEAR(differences[1].by_subtraction_us, 25, 1e-2);
    const std::vector<std::string> remarks = phase_remarks(measurement);
    ASSERT_EQ(remarks.size(), 3U);
    EXPECT_TRUE(mentions(remarks[0], "count and the time between calls take 12.0 µs by stamps and 7.00 µs"))
        << remarks[0];
    EXPECT_TRUE(mentions(remarks[0], "8.1 % of the call")) << remarks[0];
    EXPECT_TRUE(mentions(remarks[2], "L2 cache")) << remarks[2];
    EXPECT_TRUE(mentions(to_markdown(Report{{}, measurement, nullptr}), "L2 cache"));
}

TEST_F(PhasesTest, ADifferenceOfAtMostFivePercentIsNotReported) {
    script_.faster_if_last_us = 3;  // of the 62 us of a call
    EXPECT_TRUE(phase_remarks(measured(PhaseMethod::subtraction)).empty());
}

TEST_F(PhasesTest, AnAlgorithmThatSynchronisesIsNotRecorded) {
    algorithm_.synchronises = true;
    const Measurement measurement = measured(PhaseMethod::subtraction);
    const Result& result = measurement.results.at(0);
    EXPECT_TRUE(mentions(result.no_subtraction_reason, "wait for the device"))
        << result.no_subtraction_reason;
    EXPECT_EQ(result.phases.at(0).by_subtraction_us.n, 0U);
    EXPECT_EQ(result.phases.at(0).by_stamps_us.n, policy_.phase_samples);
    ASSERT_EQ(phase_remarks(measurement).size(), 1U);
    EXPECT_TRUE(mentions(phase_remarks(measurement)[0], "no times by subtraction"));
}

TEST_F(PhasesTest, WhatCannotBeRecordedKeepsItsStamps) {
    script_.records_phases = false;
    const Result result = measured(PhaseMethod::subtraction).results.at(0);
    EXPECT_EQ(result.no_subtraction_reason, "its calls cannot be recorded");
    EXPECT_EQ(result.phases.at(2).by_stamps_us.n, policy_.phase_samples);
}

TEST_F(PhasesTest, AWrongOutputOfAReplayIsFound) {
    script_.lazy = [this](const std::string&, std::size_t) { return script_.phases_to_run.has_value(); };
    EXPECT_FALSE(measured(PhaseMethod::subtraction).results.at(0).correct());
}

TEST_F(PhasesTest, TheOnlyPhaseOfALibraryLastsTheWholeCall) {
    algorithm_.phases = {{PhaseRole::fused, "select", ""}};
    script_.phase_us = {{"split", {40}}};
    script_.unstamped = {"split"};
    const Result result = measured(PhaseMethod::stamps).results.at(0);
    ASSERT_EQ(result.phases.size(), 1U);
    EXPECT_NEAR(result.phases[0].by_stamps_us.median, 42, 1e-3);
    EXPECT_NEAR(result.between_us.median, 0, 1e-3);
}

TEST_F(PhasesTest, PhasesThatNoRecorderSeesHaveNoTimes) {
    script_.unstamped = {"split"};
    const Result result = measured(PhaseMethod::stamps).results.at(0);
    EXPECT_EQ(result.phases.at(0).by_stamps_us.n, 0U);
    EXPECT_EQ(result.between_us.n, 0U);
}

TEST_F(PhasesTest, ColdReplaysDoNotFindTheirInputInTheCache) {
    stream_.cache = Cache::cold;
    std::uint64_t copied_before = 0;
    std::uint64_t min_copied = ~std::uint64_t{0};
    std::optional<std::size_t> last;
    script_.lazy = [&](const std::string&, std::size_t) {
        // Between the replays of the first and of two phases only the cache is prepared.
        if (last == 1U && script_.phases_to_run == 2U)
            min_copied = std::min(min_copied, script_.copied_bytes - copied_before);
        if (script_.phases_to_run) last = script_.phases_to_run;
        if (script_.phases_to_run == 1U) copied_before = script_.copied_bytes;
        return false;
    };
    const Result result = measured(PhaseMethod::subtraction).results.at(0);
    EXPECT_LT(result.calls_per_sample, RingPlan(stream_, engine_.device()).num_buffers);
    EXPECT_GE(min_copied, 3 * engine_.device().cache_bytes);
    EXPECT_LT(min_copied, ~std::uint64_t{0});
    EXPECT_TRUE(result.correct()) << result.first_error;
}

TEST_F(PhasesTest, AnInterruptionKeepsTheSamplesSoFar) {
    std::atomic<bool> cancel = false;
    hooks_.cancel = &cancel;
    std::size_t replays = 0;
    script_.lazy = [&](const std::string&, std::size_t) {
        if (script_.phases_to_run == 2U && ++replays == 20) cancel = true;
        return false;
    };
    const Measurement measurement = measured(PhaseMethod::subtraction);
    EXPECT_TRUE(measurement.interrupted);
    const Result& result = measurement.results.at(0);
    EXPECT_GT(result.phases.at(0).by_subtraction_us.n, 0U);
    EXPECT_LT(result.phases.at(0).by_subtraction_us.n, policy_.phase_samples);
    EXPECT_FALSE(result.phases.at(0).by_subtraction_interval_us.trusted());
}

TEST_F(PhasesTest, TheTableHasThePhasesAndTheTimeBetweenCalls) {
    Table table = phases_table({{}, measured(PhaseMethod::stamps), nullptr});
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.columns.size(), 7U);
    EXPECT_EQ(table.rows[0].cells[1], "count");
    EXPECT_EQ(table.rows[3].cells[1], "between calls");
    table = phases_table({{}, measured(PhaseMethod::subtraction), nullptr});
    EXPECT_EQ(table.columns.size(), 10U);
    for (const Table::Row& row : table.rows) EXPECT_EQ(row.cells.size(), 10U);
    EXPECT_EQ(table.rows[1].cells[7], "20.0");
}

/// The recorder of a GPU notes gaps in few calls.
TEST_F(PhasesTest, TheGapIsThatOfTheCallsThatNotedIt) {
    script_.gaps_in_run = 7;
    for (const PhaseResult& phase : measured(PhaseMethod::stamps).results.at(0).phases) {
        ASSERT_TRUE(phase.gap_us);
        EXPECT_NEAR(*phase.gap_us, 0.25, 1e-5);
    }
    script_.gaps_in_run = 0;
    const Measurement unknown = measured(PhaseMethod::stamps);
    EXPECT_FALSE(unknown.results.at(0).phases.at(0).gap_us);
    const Table table = phases_table({{}, unknown, nullptr});
    EXPECT_EQ(table.rows.at(0).cells.at(5), "0.500");
    EXPECT_EQ(table.rows.at(0).cells.at(6), "-");
    const auto json = nlohmann::json::parse(to_json(Report{{}, unknown, nullptr}));
    EXPECT_FALSE(json.at("results").at(0).at("phases").at(0).contains("gap_us"));
}

TEST_F(PhasesTest, FilesHaveThem) {
    const Measurement by_stamps = measured(PhaseMethod::stamps);
    EXPECT_TRUE(mentions(to_csv(Report{{}, by_stamps, nullptr}),
                         ",count=10.00000 prefix=20.00000 move=30.00000 between="));
    const Measurement both = measured(PhaseMethod::subtraction);
    EXPECT_TRUE(mentions(to_csv(Report{{}, both, nullptr}), "prefix=20.00000/20.00000 "));
    const auto json = nlohmann::json::parse(to_json(Report{{}, both, nullptr}));
    const auto& result = json.at("results").at(0);
    const auto& count = result.at("phases").at(0);
    EXPECT_NEAR(count.at("by_stamps_us").at("median").get<double>(), 10, 1e-3);
    EXPECT_NEAR(count.at("by_subtraction_us").at("median").get<double>(), 12, 1e-2);
    EXPECT_GE(count.at("by_subtraction_interval_us").at("coverage").get<double>(), 0.95);
    EXPECT_NEAR(count.at("gap_us").get<double>(), 0.25, 1e-5);
    EXPECT_NEAR(result.at("between_us").at("median").get<double>(), 2, 1e-2);
}

}  // namespace
