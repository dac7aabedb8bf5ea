// The running scene on the CPU engine, which needs no OpenGL: either the requested settings run, or
// the previous ones.
#include "app/live/live_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "app/labs/sweep.hpp"
#include "app/live/live_run.hpp"
#include "app/scene/sources.hpp"
#include "experiments/setting.hpp"
#include "tests/app/live/live_run_fixture.hpp"
#include "tests/support/test_picture.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using compaction::Option;

class LiveRunTest : public LiveRunFixture {
  protected:
    LiveRunTest() { run_.configure(settings_.run, settings_.compares()); }

    /// Requests settings that must be refused: the message contains `words`, and the previous run continues.
    void expect_refused(const Settings& asked, ErrorCode code, const std::vector<std::string>& words) {
        const Snapshot before = snapshot();
        expect_refusal(asked, code, words);
        EXPECT_EQ(snapshot().runs.a.algorithm, before.runs.a.algorithm);
        EXPECT_TRUE(snapshot().runs.a.options == before.runs.a.options);
        EXPECT_EQ(snapshot().stream.slots, before.stream.slots);
        const std::uint64_t checked = before.checks.a.checked;
        frames(3);
        EXPECT_EQ(snapshot().checks.a.checked, checked + 3);
        EXPECT_EQ(snapshot().checks.a.wrong, 0U) << snapshot().checks.a.first_failure;
    }
};

TEST_F(LiveRunTest, RunsTheDefaultAlgorithmAndChecksIt) {
    frames(10);
    EXPECT_EQ(snapshot().runs.a.algorithm, &compaction::default_algorithm(EngineId::cpu));
    EXPECT_EQ(snapshot().machine.engine, EngineId::cpu);
    EXPECT_EQ(snapshot().stream.slots, min_slots);
    EXPECT_NEAR(static_cast<double>(snapshot().runs.a.num_kept), 0.5 * min_slots, 0.05 * min_slots);
    EXPECT_EQ(snapshot().checks.a.state, CheckState::correct);
    EXPECT_EQ(snapshot().checks.a.checked, 10U);
    EXPECT_EQ(snapshot().timings.timeline->size(), 10U);
    EXPECT_FALSE(snapshot().figures->a.rows.empty());
}

TEST_F(LiveRunTest, TracesOneCompactionOfEachSideOnRequest) {
    frames(2);
    EXPECT_FALSE(snapshot().runs.a.traced) << "none was requested";
    run_.request_trace({});
    frames(2);
    run_.drain();
    const auto traced = snapshot().runs.a.traced;
    ASSERT_TRUE(traced);
    EXPECT_EQ(traced->algorithm, snapshot().runs.a.algorithm);
    EXPECT_EQ(traced->frame, 2U) << "the next frame";
    EXPECT_GT(traced->spans.size(), 0U);
    EXPECT_EQ(traced->timing.num_phases, traced->algorithm->phases.size());
    frames(2);
    EXPECT_EQ(snapshot().runs.a.traced, traced) << "one request is one trace";

    // A trace of an algorithm that no longer runs is dropped.
    settings_.run.a.algorithm = "cpu_scan_scatter";
    settings_.window.tab = lens_tab;
    settings_.run.b.algorithm = "cpu_loop";
    run_.configure(settings_.run, settings_.compares());
    EXPECT_FALSE(snapshot().runs.a.traced);
    run_.request_trace({});
    frames(2);
    run_.drain();
    ASSERT_TRUE(snapshot().runs.a.traced);
    EXPECT_EQ(snapshot().runs.a.traced->algorithm->id, "cpu_scan_scatter");
    ASSERT_TRUE(snapshot().runs.b && snapshot().runs.b->traced);
    EXPECT_EQ(snapshot().runs.b->traced->algorithm->id, "cpu_loop");
    EXPECT_EQ(snapshot().runs.b->traced->frame, snapshot().runs.a.traced->frame);
}

TEST_F(LiveRunTest, KeepsTheHandlesInOrder) {
    frames(5);
    const std::vector<compaction::Item> handles = kept();
    EXPECT_EQ(handles.size(), snapshot().runs.a.num_kept);
    EXPECT_GT(handles.size(), 0U);
    EXPECT_TRUE(std::ranges::is_sorted(handles, std::less_equal<>{})) << "rising, none twice";
    EXPECT_GT(handles.front(), 0U);
    EXPECT_LE(handles.back(), min_slots);
}

TEST_F(LiveRunTest, EveryAlgorithmOfTheEngineKeepsTheSame) {
    std::vector<compaction::Item> first;
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.engine != EngineId::cpu || !algorithm.is_available()) continue;
        SCOPED_TRACE(algorithm.id);
        settings_.run.a.algorithm = algorithm.id;
        settings_.run.iterations = 3;
        run_.configure(settings_.run, settings_.compares());
        run_.reset_scene();
        frames(7);
        EXPECT_EQ(snapshot().runs.a.algorithm->id, algorithm.id);
        EXPECT_EQ(snapshot().checks.a.wrong, 0U) << snapshot().checks.a.first_failure;
        if (first.empty()) first = kept();
        EXPECT_EQ(kept(), first) << "same seed, same clock, same buffer";
    }
}

TEST_F(LiveRunTest, EveryAlgorithmIsRightUnderEverySourceAndPattern) {
    settings_.run.loaded_picture = testing_support::test_picture();
    for (const scene::SourceInfo* source : scene::sources()) {
        for (const workloads::PatternInfo& pattern : workloads::patterns()) {
            settings_.run.source = source->id;
            settings_.run.pattern = pattern.pattern;
            for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
                if (algorithm.engine != EngineId::cpu || algorithm.item_sizes.empty()) continue;
                settings_.run.a.algorithm = algorithm.id;
                run_.configure(settings_.run, settings_.compares());
                const std::uint64_t checked = snapshot().checks.a.checked;
                frames(3);
                EXPECT_EQ(snapshot().checks.a.checked, checked + 3);
                EXPECT_EQ(snapshot().checks.a.wrong, 0U)
                    << source->id << ", " << pattern.name << ": " << snapshot().checks.a.first_failure;
            }
            if (!source->has_patterns) break;
        }
    }
}

TEST_F(LiveRunTest, SaysWhichSettingsMakeTheFiguresBeginAnew) {
    frames(3);
    EXPECT_FALSE(run_.configure(settings_.run, settings_.compares()));
    settings_.window.theme = Theme::light;
    EXPECT_FALSE(run_.configure(settings_.run, settings_.compares()))
        << "the look is nothing to the compaction";
    EXPECT_EQ(snapshot().figures->frame_us.n, 3U);
    const auto expect_anew = [&](const char* what) {
        frames(2);
        EXPECT_TRUE(run_.configure(settings_.run, settings_.compares())) << what;
        EXPECT_EQ(snapshot().figures->frame_us.n, 0U) << what;
    };
    settings_.run.live_fraction = 0.25F;
    expect_anew("live fraction");
    settings_.run.source = "synthetic";
    expect_anew("source");
    settings_.run.pattern = workloads::Pattern::empty;
    expect_anew("pattern");
    settings_.run.seed = 7;
    expect_anew("seed");
    settings_.run.slots *= 2;
    expect_anew("slots");
    settings_.run.iterations = 3;
    expect_anew("iterations");
    settings_.run.a.algorithm = "cpu_loop";
    expect_anew("algorithm");
}

TEST_F(LiveRunTest, AnotherSourceShowsInTheNextFrameAndIsMeasuredAnew) {
    frames(4);
    const std::vector<compaction::Item> fountain = kept();
    settings_.run.source = "synthetic";
    settings_.run.pattern = workloads::Pattern::structured;
    run_.configure(settings_.run, settings_.compares());
    frames(1);
    EXPECT_EQ(snapshot().figures->frame_us.n, 1U);
    ASSERT_EQ(kept().size(), min_slots / 2);
    EXPECT_EQ(kept()[1], 3U) << "every other slot";
    settings_.run.pattern = workloads::Pattern::last_only;
    run_.configure(settings_.run, settings_.compares());
    frames(1);
    EXPECT_EQ(kept(), std::vector<compaction::Item>{min_slots});
}

TEST_F(LiveRunTest, RunsFollowTheLiveFractionInTheNextFrameAndThenNeitherAllocateNorWait) {
    settings_.run.source = "synthetic";
    settings_.run.pattern = workloads::Pattern::runs;
    settings_.run.slots = 32'768;
    for (const float density : {0.2F, 0.9F, 0.2F}) {
        settings_.run.live_fraction = density;
        run_.configure(settings_.run, settings_.compares());
        frames(1);
        const auto stream = workloads::make_stream(workloads::Pattern::runs, settings_.run.slots,
                                                   static_cast<double>(density), settings_.run.seed);
        const auto empty = static_cast<std::size_t>(std::ranges::count(stream, 0U));
        EXPECT_EQ(kept().size(), stream.size() - empty);
    }
    const compaction::EngineCounters before = run_.engine().counters();
    frames(20);
    EXPECT_EQ(run_.engine().counters().allocations, before.allocations);
    EXPECT_EQ(run_.engine().counters().synchronisations, before.synchronisations);
}

TEST_F(LiveRunTest, AnIllegalOptionIsRefusedByNameWithItsLegalValues) {
    Settings asked = settings_;
    asked.run.a.options[Option::vector_width] = 3;
    expect_refused(asked, ErrorCode::invalid_option, {"vector width", "quad"});
}

TEST_F(LiveRunTest, AnUnknownAlgorithmIsRefusedWithThoseThereAre) {
    Settings asked = settings_;
    asked.run.a.algorithm = "no_such";
    std::vector<std::string> words{"no_such"};
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) words.push_back(algorithm.id);
    expect_refused(asked, ErrorCode::invalid_argument, words);
}

TEST_F(LiveRunTest, AnotherEnginesAlgorithmIsRefused) {
    Settings asked = settings_;
    asked.run.a.algorithm = compaction::default_algorithm(EngineId::cuda).id;
    expect_refused(asked, ErrorCode::invalid_argument, {asked.run.a.algorithm});
}

TEST_F(LiveRunTest, AnEngineThatIsNotThereIsRefusedWithTheReason) {
    const auto& status = compaction::status_of(EngineId::cuda);
    if (status.available) GTEST_SKIP() << "there is a GPU here";
    Settings asked = settings_;
    asked.run.engine = EngineId::cuda;
    asked.run.a.algorithm = compaction::default_algorithm(EngineId::cuda).id;
    expect_refused(asked, ErrorCode::unavailable, {status.reason});
}

TEST_F(LiveRunTest, MoreSlotsThanMemoryAreRefusedWithWhatWouldFit) {
    Settings asked = settings_;
    asked.run.slots = std::uint64_t{1} << 20;
    const std::uint64_t fitting = 32'768;
    expect_refused(asked, ErrorCode::out_of_memory,
                   {"2^20 = 1,048,576 slots", "1 MiB", "2^15 = 32,768 slots"});
    settings_.run.slots = fitting;
    run_.configure(settings_.run, settings_.compares());
    frames(3);
    EXPECT_EQ(snapshot().stream.slots, fitting);
    EXPECT_EQ(snapshot().checks.a.wrong, 0U);
}

TEST_F(LiveRunTest, ARefusalTakesOverNothingOfWhatWasAsked) {
    // The algorithm alone would have been fine; together with too many slots all of it is refused.
    Settings asked = settings_;
    asked.run.a.algorithm = "cpu_loop";
    asked.run.slots = std::uint64_t{1} << 20;
    expect_refused(asked, ErrorCode::out_of_memory, {});
    asked.run.a.algorithm = "cpu_sequence_wise";
    asked.run.a.options[Option::vector_width] = 1;
    expect_refused(asked, ErrorCode::out_of_memory, {});
}

TEST_F(LiveRunTest, AFailedChangeRestoresTheWholeConfig) {
    const Settings applied = settings_;
    const experiments::Setting measured{&find_compaction_algorithm("cpu_loop"),
                                        {},
                                        {.num_items = std::uint64_t{1} << 20, .keep_fraction = 0.125}};
    EXPECT_EQ(labs::load_into_window(settings_.run, measured), "");
    ASSERT_FALSE(settings_ == applied);
    const RunChange change = change_run(run_, settings_, applied);
    ASSERT_TRUE(change.failure.has_value());
    EXPECT_EQ(change.failure->code(), ErrorCode::out_of_memory);
    EXPECT_TRUE(settings_ == applied) << "nothing is left to apply in the next frame, so the message stays";
    frames(3);
    EXPECT_EQ(snapshot().stream.slots, applied.run.slots);
    EXPECT_EQ(snapshot().checks.a.wrong, 0U);

    settings_.window.tab = lens_tab;
    settings_.run.b.algorithm = "no_such";
    EXPECT_TRUE(change_run(run_, settings_, applied).failure.has_value());
    EXPECT_TRUE(settings_ == applied) << "the tab, too, since B cannot run";
}

TEST_F(LiveRunTest, ASuccessfulChangeSaysWhetherTheStatisticsRestart) {
    const Settings applied = settings_;
    EXPECT_FALSE(change_run(run_, settings_, applied).restarted);
    settings_.run.paused = true;
    EXPECT_FALSE(change_run(run_, settings_, applied).restarted);
    settings_.run.live_fraction = 0.25F;
    const RunChange change = change_run(run_, settings_, applied);
    EXPECT_TRUE(change.restarted);
    EXPECT_FALSE(change.failure.has_value());
    EXPECT_EQ(settings_.run.live_fraction, 0.25F);
}

TEST_F(LiveRunTest, IsResizedUpDownAndToAnyLength) {
    settings_.run.live_fraction = 0.9F;
    for (const std::uint64_t slots :
         {std::uint64_t{32'768}, min_slots, std::uint64_t{10'007}, min_slots + 1}) {
        SCOPED_TRACE(slots);
        settings_.run.slots = slots;
        run_.configure(settings_.run, settings_.compares());
        const std::uint64_t checked = snapshot().checks.a.checked;
        frames(5);
        EXPECT_EQ(snapshot().stream.slots, slots);
        EXPECT_EQ(snapshot().checks.a.checked, checked + 5);
        EXPECT_EQ(snapshot().checks.a.wrong, 0U) << snapshot().checks.a.first_failure;
        EXPECT_LE(kept().back(), slots);
    }
}

TEST_F(LiveRunTest, AnotherAlgorithmIsResizedWithTheSlots) {
    settings_.run.a.algorithm = "cpu_loop";
    settings_.run.slots = 32'768;
    run_.configure(settings_.run, settings_.compares());
    settings_.run.a.algorithm = "cpu_sequence_wise";
    settings_.run.slots = min_slots;
    run_.configure(settings_.run, settings_.compares());
    settings_.run.slots = 32'768;
    run_.configure(settings_.run, settings_.compares());
    frames(3);
    EXPECT_EQ(snapshot().checks.a.wrong, 0U) << snapshot().checks.a.first_failure;
}

TEST_F(LiveRunTest, WhatIsMeasuredStartsAnewWhenSomethingElseRuns) {
    const auto samples = [&] { return snapshot().figures->frame_us.n; };
    frames(8);
    EXPECT_EQ(samples(), 8U);
    run_.configure(settings_.run, settings_.compares());
    frames(1);
    EXPECT_EQ(samples(), 9U) << "nothing changed";
    settings_.run.live_fraction = 0.25F;
    run_.configure(settings_.run, settings_.compares());
    frames(2);
    EXPECT_EQ(samples(), 2U);
    settings_.window.theme = Theme::light;
    run_.configure(settings_.run, settings_.compares());
    frames(1);
    EXPECT_EQ(samples(), 3U) << "the look is not measured";
}

TEST_F(LiveRunTest, AFrameNeitherAllocatesNorWaits) {
    frames(5);
    const compaction::EngineCounters before = run_.engine().counters();
    frames(50);
    EXPECT_EQ(run_.engine().counters().allocations, before.allocations);
    EXPECT_EQ(run_.engine().counters().synchronisations, before.synchronisations);
}

TEST_F(LiveRunTest, APausedSceneKeepsTheSameItems) {
    frames(5);
    const std::vector<compaction::Item> before = kept();
    run_.step(0, frame_);
    run_.end_frame(frame_++, 1000);
    EXPECT_EQ(kept(), before);
}

}  // namespace
}  // namespace warpsieve
