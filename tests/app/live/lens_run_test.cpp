// Two algorithms in the running frames, on the CPU engine: both compact the same stream, each is checked
// and timed by itself, and nothing of B exists without a comparison.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/live/live_run.hpp"
#include "app/live/side_run.hpp"
#include "tests/app/live/live_run_fixture.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using compaction::Option;

class LensRunTest : public LiveRunFixture {
  protected:
    LensRunTest() {
        settings_.run.a.algorithm = "cpu_sequence_wise";
        settings_.run.b.algorithm = "cpu_loop";
        show_lens(true);
    }

    void show_lens(bool shown) {
        settings_.window.tab = shown ? lens_tab : "particles";
        run_.configure(settings_.run, settings_.compares());
    }
    std::uint64_t allocations() const { return run_.engine().counters().allocations; }

    /// Requests settings that must be refused: the message contains `words`, and the previous run continues,
    /// with or without B.
    void expect_refused(const Settings& asked, ErrorCode code, const std::vector<std::string>& words) {
        const Snapshot before = snapshot();
        expect_refusal(asked, code, words);
        frames(3);
        EXPECT_EQ(snapshot().stream.slots, before.stream.slots);
        EXPECT_EQ(snapshot().runs.a.algorithm, before.runs.a.algorithm);
        ASSERT_EQ(snapshot().runs.b.has_value(), before.runs.b.has_value());
        if (before.runs.b) {
            EXPECT_EQ(snapshot().runs.b->algorithm, before.runs.b->algorithm);
            EXPECT_TRUE(snapshot().runs.b->options == before.runs.b->options);
        }
        EXPECT_EQ(snapshot().checks.a.checked, before.checks.a.checked + 3);
        EXPECT_EQ(snapshot().checks.b.checked, before.checks.b.checked + (before.runs.b ? 3 : 0));
        EXPECT_EQ(snapshot().checks.a.wrong + snapshot().checks.b.wrong, 0U);
    }
};

TEST_F(LensRunTest, BothCompactTheSameStreamAndAreChecked) {
    frames(7);
    EXPECT_GT(kept(Side::a).size(), 0U);
    EXPECT_EQ(kept(Side::a), kept(Side::b));
    EXPECT_NE(std::get<scene::HostParticles>(run_.drawable(Side::a)).handles.data(),
              std::get<scene::HostParticles>(run_.drawable(Side::b)).handles.data())
        << "each shows what it compacted itself";
    ASSERT_TRUE(snapshot().runs.b.has_value());
    EXPECT_EQ(snapshot().runs.b->algorithm->id, "cpu_loop");
    EXPECT_EQ(snapshot().runs.b->num_kept, snapshot().runs.a.num_kept);
    EXPECT_EQ(snapshot().checks.a.checked, 7U);
    EXPECT_EQ(snapshot().checks.b.checked, 7U);
    EXPECT_EQ(snapshot().checks.b.state, CheckState::correct);
    ASSERT_EQ(snapshot().figures->b->rows.size(), 3U)
        << "its phase, between calls and its total; the frame's rows are A's";
    EXPECT_EQ(snapshot().figures->b->rows.back().name, total_row_name);
    EXPECT_EQ(snapshot().figures->b->rows.back().us.n, 6U) << "three pairs";
}

TEST_F(LensRunTest, EveryAlgorithmOfTheEngineCanBeB) {
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.engine != EngineId::cpu) continue;
        SCOPED_TRACE(algorithm.id);
        settings_.run.b = {algorithm.id, {}};
        run_.configure(settings_.run, settings_.compares());
        frames(3);
        EXPECT_EQ(snapshot().runs.b->algorithm, &algorithm);
        EXPECT_EQ(snapshot().checks.b.wrong, 0U) << snapshot().checks.b.first_failure;
        EXPECT_EQ(kept(Side::a), kept(Side::b));
    }
}

TEST_F(LensRunTest, TwoSettingsOfOneAlgorithmAreCompared) {
    settings_.run.b.algorithm = settings_.run.a.algorithm;
    settings_.run.b.options[Option::vector_width] = 1;
    run_.configure(settings_.run, settings_.compares());
    frames(3);
    EXPECT_EQ(snapshot().runs.b->algorithm, snapshot().runs.a.algorithm);
    EXPECT_EQ(snapshot().runs.b->options[Option::vector_width], 1U);
    EXPECT_NE(snapshot().runs.a.options[Option::vector_width], 1U);
}

TEST_F(LensRunTest, TheRatioIsTheirsAndStartsAnewWhenAnythingChanges) {
    frames(200);
    const auto figures = snapshot().figures;
    const experiments::PairedRatio ratio = figures->ratio;
    EXPECT_NE(ratio.comparison, experiments::Comparison::warming_up);
    EXPECT_GT(ratio.median, 0);
    EXPECT_LE(ratio.interval.low, ratio.median);
    EXPECT_GE(ratio.interval.high, ratio.median);
    const double a_us = figures_of(figures->a.rows, total_row_name)->median;
    const double b_us = figures_of(figures->b->rows, total_row_name)->median;
    EXPECT_DOUBLE_EQ(a_us / b_us, ratio.median) << "the table says what the ratio says";
    const double items = static_cast<double>(snapshot().stream.slots + kept(Side::b).size());
    EXPECT_NEAR(figures->b->throughput.useful_gb_s, items * sizeof(compaction::Item) / b_us * 1e-3,
                0.02 * figures->b->throughput.useful_gb_s);
    const std::vector<void (*)(Settings&)> changes{
        [](Settings& settings) { settings.run.live_fraction = 0.25F; },
        [](Settings& settings) { settings.run.a.algorithm = "cpu_simd"; },
        [](Settings& settings) { settings.run.b.algorithm = "cpu_sequence_wise"; },
        [](Settings& settings) { settings.run.b.options[Option::vector_width] = 2; },
        [](Settings& settings) { settings.run.slots *= 2; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        SCOPED_TRACE(i);
        changes[i](settings_);
        run_.configure(settings_.run, settings_.compares());
        frames(2);
        EXPECT_EQ(snapshot().figures->ratio.comparison, experiments::Comparison::warming_up);
        EXPECT_LE(snapshot().figures->ratio.pairs, 1U);
        EXPECT_LE(snapshot().figures->a.rows.back().us.n, 2U) << "A's figures, too, were of other frames";
        frames(10);
    }
}

TEST_F(LensRunTest, WithoutTheLensNothingOfBRuns) {
    LiveRun alone(memory_limit, nullptr);
    Settings settings = settings_;
    settings.window.tab = "particles";
    alone.configure(settings.run, settings.compares());
    alone.step(1.0 / 60, 0);
    Snapshot snapshot;
    alone.fill(snapshot, true);
    EXPECT_FALSE(snapshot.runs.b.has_value());
    EXPECT_EQ(snapshot.checks.b.checked, 0U);
    EXPECT_EQ(snapshot.stream.memory_bytes, scene::required_bytes(min_slots, 1));
    const std::uint64_t before = alone.engine().counters().allocations;
    settings.window.tab = lens_tab;
    alone.configure(settings.run, settings.compares());
    EXPECT_GT(alone.engine().counters().allocations, before) << "B's output and what B needs";
    alone.fill(snapshot, true);
    EXPECT_EQ(snapshot.stream.memory_bytes, scene::required_bytes(min_slots, 2));
}

TEST_F(LensRunTest, OpensAgainAtOnceAndShowsNothingOld) {
    frames(80);
    const std::uint64_t checked = snapshot().checks.b.checked;
    show_lens(false);
    const std::uint64_t before = allocations();
    frames(40);
    EXPECT_FALSE(snapshot().runs.b.has_value());
    EXPECT_EQ(snapshot().checks.b.checked, checked);
    show_lens(true);
    EXPECT_EQ(allocations(), before);
    frames(4);
    EXPECT_EQ(snapshot().figures->b->rows.back().us.n, 4U);
    EXPECT_LE(snapshot().figures->ratio.pairs, 2U);
    EXPECT_EQ(kept(Side::a), kept(Side::b));
}

TEST_F(LensRunTest, OpeningAndClosingItKeepsTheStatisticsOfA) {
    frames(20);
    show_lens(false);
    frames(20);
    EXPECT_EQ(snapshot().figures->a.rows.back().us.n, 40U);
    settings_.run.b.algorithm = "cpu_simd";
    show_lens(true);
    frames(20);
    EXPECT_EQ(snapshot().figures->a.rows.back().us.n, 60U);
    EXPECT_EQ(snapshot().figures->b->rows.back().us.n, 20U) << "B's begin anew: it has not run meanwhile";
    const experiments::Timeline& timeline = *snapshot().timings.timeline;
    EXPECT_EQ(timeline[0].config_epoch, timeline[timeline.size() - 1].config_epoch)
        << "the plot marks no change of settings";
}

TEST_F(LensRunTest, AFrameNeitherAllocatesNorWaits) {
    frames(5);
    const compaction::EngineCounters before = run_.engine().counters();
    frames(50);
    EXPECT_EQ(run_.engine().counters().allocations, before.allocations);
    EXPECT_EQ(run_.engine().counters().synchronisations, before.synchronisations);
}

TEST_F(LensRunTest, IsResizedWithTheLensOpenOrClosed) {
    for (const std::uint64_t slots : {std::uint64_t{32'768}, std::uint64_t{10'007}}) {
        for (const bool shown : {true, false, true}) {
            SCOPED_TRACE(std::to_string(slots) + (shown ? " shown" : " hidden"));
            settings_.run.slots = shown ? slots : slots / 2;
            show_lens(shown);
            frames(3);
            EXPECT_EQ(snapshot().stream.slots, settings_.run.slots);
            EXPECT_EQ(snapshot().runs.b.has_value(), shown);
            EXPECT_EQ(snapshot().checks.a.wrong + snapshot().checks.b.wrong, 0U);
            if (shown) {
                EXPECT_EQ(kept(Side::a), kept(Side::b));
            }
        }
    }
}

TEST_F(LensRunTest, MoreSlotsThanBothOutputsHaveRoomForAreRefused) {
    Settings asked = settings_;
    asked.run.slots = 34'000;  // the limit lies between what A alone needs and what both need
    expect_refused(asked, ErrorCode::out_of_memory,
                   {"34,000 slots need 2 MiB", "for A and one for B", "2^15 = 32,768 slots would fit"});
    show_lens(false);
    asked.window.tab = "particles";
    run_.configure(asked.run, asked.compares());
    frames(1);
    asked.window.tab = lens_tab;
    expect_refused(asked, ErrorCode::out_of_memory, {"34,000 slots need 2 MiB", "for A and one for B"});
}

TEST_F(LensRunTest, ABThatCannotBeIsRefusedByName) {
    Settings asked = settings_;
    asked.run.b.algorithm = "no_such";
    expect_refused(asked, ErrorCode::invalid_argument, {"no_such"});
    asked.run.b.algorithm = compaction::default_algorithm(EngineId::cuda).id;
    expect_refused(asked, ErrorCode::invalid_argument, {asked.run.b.algorithm});
    asked.run.b.algorithm = "cpu_sequence_wise";
    asked.run.b.options[Option::vector_width] = 3;
    // A's change alone would have been fine.
    asked.run.a.algorithm = "cpu_simd";
    expect_refused(asked, ErrorCode::invalid_option, {"vector width"});
}

TEST_F(LensRunTest, BHasADefaultThatIsNotA) {
    for (const char* algorithm : {"", "cpu_sequence_wise", "cpu_loop"}) {
        settings_.run.a.algorithm = algorithm;
        settings_.run.b = {};
        run_.configure(settings_.run, settings_.compares());
        EXPECT_NE(snapshot().runs.b->algorithm, snapshot().runs.a.algorithm) << algorithm;
    }
}

TEST(SideRun, AWrongResultIsToldWithItsName) {
    const auto engine = compaction::open_engine(EngineId::cpu);
    constexpr std::uint64_t slots = 1000;
    const auto bytes = slots * sizeof(compaction::Item);
    const auto in = engine->allocate(bytes);
    const auto out = engine->allocate(bytes);
    const auto num_selected = engine->allocate(sizeof(std::uint64_t));
    for (std::uint64_t i = 0; i < slots; ++i)
        in.as<compaction::Item>()[i] = i % 3 == 0 ? static_cast<compaction::Item>(i + 1) : 0;
    const scene::FrameBuffers stream{in.as<compaction::Item>(), out.as<compaction::Item>(),
                                     num_selected.as<std::uint64_t>(), nullptr};
    CheckMonitor monitor;
    SideRun side_run(*engine, find_compaction_algorithm("cpu_loop"), {}, slots, monitor, nullptr);
    Settings settings;
    settings.run.iterations = 1;
    settings.run.check_every = 1;
    const auto frame = [&](std::uint64_t number, bool spoilt) {
        side_run.compact(stream, slots, settings.run, number, false);
        if (spoilt) stream.out[17] += 1;
        side_run.check(stream, slots, settings.run, number);
        engine->synchronise();
        side_run.collect_verdict();
    };
    frame(4, false);
    EXPECT_EQ(monitor.result().state, CheckState::correct);
    frame(5, true);
    EXPECT_EQ(monitor.result().wrong, 1U);
    EXPECT_NE(monitor.result().first_failure.find("cpu_loop, frame 5"), std::string::npos)
        << monitor.result().first_failure;
}

TEST(SideRun, InTurnIsTimedIntoTheSharedBufferUnlessTheFrameIsChecked) {
    const auto engine = compaction::open_engine(EngineId::cpu);
    constexpr std::uint64_t slots = 1000;
    std::vector<compaction::Item> in(slots), out(slots), shared(slots);
    in[7] = 8;
    std::uint64_t num_selected = 0;
    const scene::FrameBuffers stream{in.data(), out.data(), &num_selected, shared.data()};
    CheckMonitor monitor;
    SideRun side_run(*engine, find_compaction_algorithm("cpu_loop"), {}, slots, monitor, nullptr);
    Settings settings;
    settings.run.iterations = 1;
    const auto frame = [&](std::uint64_t number) {
        out[0] = shared[0] = 0;
        side_run.compact(stream, slots, settings.run, number, true);
        const std::vector<compaction::Item> timed{out[0], shared[0]};
        side_run.fill_output(stream, slots);
        EXPECT_EQ(out[0], 8U) << number;
        side_run.check(stream, slots, settings.run, number);
        return timed;
    };
    settings.run.check = false;
    EXPECT_EQ(frame(0), (std::vector<compaction::Item>{0, 8}));
    settings.run.check = true;
    EXPECT_EQ(frame(1), (std::vector<compaction::Item>{8, 0})) << "what is checked was timed";
    EXPECT_EQ(frame(2), (std::vector<compaction::Item>{0, 8}));
}

}  // namespace
}  // namespace warpsieve
