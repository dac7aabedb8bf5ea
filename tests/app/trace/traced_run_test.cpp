// One traced compaction: rows, tracks, bars, busy processors, figures, and the file for Perfetto.
#include "app/trace/traced_run.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/trace/memory_replay.hpp"
#include "app/trace/trace_json.hpp"
#include "tests/app/trace/fake_traces.hpp"

namespace warpsieve::trace {
namespace {

using compaction::PhaseRole;
using compaction::RunTrace;
using compaction::WarpRole;
using compaction::WorkSpan;

compaction::Algorithm algorithm(std::string id, compaction::EngineId engine,
                                std::vector<compaction::Phase> phases) {
    compaction::Algorithm made;
    made.id = std::move(id);
    made.engine = engine;
    made.phases = std::move(phases);
    return made;
}

const compaction::Algorithm three_phases = algorithm(
    "three", compaction::EngineId::cuda,
    {{PhaseRole::count, "count", ""}, {PhaseRole::prefix, "prefix", ""}, {PhaseRole::scatter, "move", ""}});
const compaction::Algorithm one_phase =
    algorithm("one \"pass\"", compaction::EngineId::cpu, {{PhaseRole::fused, "single\n pass", ""}});

WorkSpan span(std::uint32_t processor, float begin, float end, std::uint32_t block = 0) {
    return {.begin_us = begin, .end_us = end, .block = block, .processor = processor};
}

TracedRun prepared(std::uint32_t processors, std::vector<WorkSpan> spans) {
    RunTrace trace;
    trace.processors = processors;
    trace.spans = std::move(spans);
    trace.timing.num_phases = 1;
    trace.timing.phase_us[0] = 10;
    return prepare(one_phase, 3, trace);
}

TEST(TracedRun, FiguresOfAnUnevenRun) {
    // Processor 0 works 10 µs, 1 works 2 + 4 with a gap of 2, 2 works 2, 3 does nothing.
    const TracedRun run = prepared(4, {span(1, 4, 8), span(0, 0, 10), span(1, 0, 2), span(2, 0, 2)});
    EXPECT_FLOAT_EQ(run.end_us, 10);
    EXPECT_NEAR(run.figures.busy_share, 18.0 / 40, 1e-6);
    EXPECT_NEAR(run.figures.mostly_idle_share, 0.4, 1e-6) << "only one is busy from 2 to 4 and from 8 to 10";
    EXPECT_NEAR(run.figures.imbalance, 10 / 4.5, 1e-6);
    EXPECT_NEAR(run.figures.waiting_share, 2.0 / 20, 1e-6);
    EXPECT_NEAR(run.figures.waiting_us, 2.0 / 3, 1e-6) << "of the three that worked";
    ASSERT_EQ(run.busy.size(), 5U);
    const std::array<std::uint32_t, 5> busy{3, 1, 2, 1, 0};
    for (std::size_t i = 0; i < busy.size(); ++i) EXPECT_EQ(run.busy[i].num_busy, busy[i]) << i;
}

TEST(TracedRun, BeginsWithItsFirstPhaseAndNotWithItsFirstBlock) {
    const TracedRun run = prepared(1, {span(0, 4, 8)});
    EXPECT_FLOAT_EQ(run.begin_us, 0);
    EXPECT_NEAR(run.figures.busy_share, 0.5, 1e-6);
    EXPECT_NEAR(run.figures.mostly_idle_share, 0.5, 1e-6) << "nothing is busy before the first block";
    EXPECT_LT(whole_window(run).begin_us, 0);
    const std::array runs{NamedRun{&run, "A"}};
    const nlohmann::json document = nlohmann::json::parse(trace_json(runs));
    for (const nlohmann::json& event : document.at("traceEvents")) EXPECT_GE(event.value("ts", 0.0), 0);
    EXPECT_FLOAT_EQ(prepared(1, {span(0, -2, 8)}).begin_us, -2);
}

TEST(TracedRun, BlocksThatShareAProcessorGetTracks) {
    const TracedRun run =
        prepared(1, {span(0, 0, 4, 0), span(0, 1, 3, 1), span(0, 3, 6, 2), span(0, 5, 7, 3)});
    EXPECT_EQ(run.num_tracks, 2U);
    EXPECT_EQ(run.tracks, (std::vector<std::uint8_t>{0, 1, 1, 0}));
    EXPECT_NEAR(run.figures.busy_share, 1, 1e-6) << "overlapping blocks count once";
}

TEST(TracedRun, UnusableSpansAreLeftOut) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const TracedRun run =
        prepared(2, {span(0, nan, 1), span(0, 0, infinity), span(0, 2, 1), span(2, 0, 1), span(1, 0, 1)});
    EXPECT_EQ(run.spans.size(), 1U);
    const TracedRun none = prepared(0, {span(0, 0, 1)});
    EXPECT_TRUE(none.spans.empty());
    std::vector<WorkBar> bars;
    EXPECT_FALSE(collect_bars(none, {0, 1}, max_drawn_bars, bars));
    EXPECT_TRUE(bars.empty());
    EXPECT_EQ(none.figures.busy_share, 0);
}

TEST(TracedRun, ALibraryHasTheTimeOfTheWhole) {
    const TracedRun run = prepare(one_phase, 3, {}, 8.5);
    EXPECT_EQ(run.end_us, 8.5F);
    const auto replay = replay_of(std::make_shared<const TracedRun>(run), {true, false, true});
    EXPECT_EQ(replay->duration(), 8.5);
    EXPECT_TRUE(replay->phases()[0].is_library);
    EXPECT_EQ(replay->phases()[0].end, 8.5);
    EXPECT_EQ(prepare(three_phases, 3, {}, 8.5).end_us, 0) << "its parts are unknown";
    RunTrace too_long;
    too_long.spans_left_out = 4;
    EXPECT_EQ(prepare(one_phase, 3, too_long, 8.5).end_us, 0);
}

TEST(TracedRun, RolesGetLanesAndNoPartInTheRows) {
    RunTrace trace = fake::trace_of(one_phase, 4, 8, 1, 2.0F);
    fake::add_roles(trace, 3, 5);
    const TracedRun run = prepare(one_phase, 1, trace);
    EXPECT_EQ(run.spans.size(), 8U);
    ASSERT_EQ(run.lanes.size(), 3U);
    EXPECT_EQ(run.roles_block, 3U);
    EXPECT_EQ(run.roles_processor, 3U);
    for (const RoleLane& lane : run.lanes) EXPECT_EQ(lane.spans.size(), 5U);
    EXPECT_EQ(run.lanes[1].role, WarpRole::look_back);
    EXPECT_GT(run.lanes[1].waiting_share, run.lanes[0].waiting_share);
}

TEST(TracedRun, FiguresHoldForAnySpans) {
    fake::Jitter jitter(1);
    for (int round = 0; round < 200; ++round) {
        const auto processors = 1 + static_cast<std::uint32_t>(jitter.next() * 20);
        std::vector<WorkSpan> spans(static_cast<std::size_t>(jitter.next() * 60));
        for (WorkSpan& each : spans) {
            const float begin = jitter.next() * 100 - 5;
            each = span(static_cast<std::uint32_t>(jitter.next() * static_cast<float>(processors)), begin,
                        begin + jitter.next() * 20);
        }
        const TracedRun run = prepared(processors, spans);
        ASSERT_EQ(run.spans.size(), spans.size());
        if (spans.empty()) continue;
        double busy_us = 0;
        for (std::size_t i = 0; i + 1 < run.busy.size(); ++i) {
            EXPECT_LE(run.busy[i].num_busy, processors);
            EXPECT_LT(run.busy[i].begin_us, run.busy[i + 1].begin_us);
            busy_us +=
                run.busy[i].num_busy * static_cast<double>(run.busy[i + 1].begin_us - run.busy[i].begin_us);
        }
        EXPECT_EQ(run.busy.back().num_busy, 0U);
        const WorkFigures& figures = run.figures;
        const double all_us = static_cast<double>(run.end_us - run.begin_us) * processors;
        EXPECT_NEAR(busy_us, figures.busy_share * all_us, 1e-3 * all_us);
        EXPECT_GE(figures.mostly_idle_share, 0);
        EXPECT_LE(figures.mostly_idle_share, 1);
        EXPECT_GE(figures.imbalance, 1 - 1e-6);
        EXPECT_LE(figures.imbalance, processors + 1e-6);
        EXPECT_GE(figures.waiting_share, 0);
        EXPECT_LT(figures.waiting_share, 1);
        // Merged bars add up to the same busy time.
        std::vector<WorkBar> bars;
        const bool merged = collect_bars(run, {run.begin_us, run.end_us}, spans.size() / 2, bars);
        EXPECT_EQ(merged, true);
        double merged_us = 0;
        for (const WorkBar& bar : bars) {
            EXPECT_LE(bar.busy_share, 1);
            merged_us += static_cast<double>(bar.busy_share) * static_cast<double>(bar.end_us - bar.begin_us);
        }
        EXPECT_NEAR(merged_us, busy_us, 1e-3 * all_us);
        // No two spans of a track overlap.
        std::map<std::pair<std::uint32_t, std::uint8_t>, float> ends;
        for (std::size_t i = 0; i < run.spans.size(); ++i) {
            const auto key = std::pair(run.spans[i].processor, run.tracks[i]);
            if (ends.contains(key)) {
                EXPECT_GE(run.spans[i].begin_us, ends[key]);
            }
            ends[key] = run.spans[i].end_us;
        }
    }
}

TEST(TracedRun, BarsOfAWindowAreThoseThatReachIntoIt) {
    const TracedRun run = prepare(three_phases, 1, fake::trace_of(three_phases, 16, 400, 2, 3.0F));
    std::vector<WorkBar> bars;
    const TimeWindow window{10, 14};
    EXPECT_FALSE(collect_bars(run, window, max_drawn_bars, bars));
    std::set<std::uint32_t> found;
    for (const WorkBar& bar : bars) found.insert(bar.first_span);
    EXPECT_EQ(found.size(), bars.size());
    for (std::uint32_t i = 0; i < run.spans.size(); ++i) {
        const bool within = run.spans[i].end_us >= window.begin_us && run.spans[i].begin_us <= window.end_us;
        EXPECT_EQ(found.contains(i), within) << i;
    }
}

TEST(TracedRun, MergesByProcessorAndTimeBinAboveTheLimit) {
    const TracedRun run = prepare(one_phase, 1, fake::trace_of(one_phase, 132, 40'000, 4, 1.0F));
    std::vector<WorkBar> bars;
    EXPECT_TRUE(collect_bars(run, whole_window(run), max_drawn_bars, bars));
    EXPECT_LE(bars.size(), max_drawn_bars);
    EXPECT_GT(bars.size(), max_drawn_bars / 2);
    // In a narrow window, each block has a bar again.
    EXPECT_FALSE(collect_bars(run, {10, 20}, max_drawn_bars, bars));
}

TEST(TracedRun, ZoomStopsAtOneStepOfTheClockAndAtTheWhole) {
    const TracedRun run = prepare(three_phases, 1, fake::trace_of(three_phases, 16, 400, 2, 3.0F));
    const TimeWindow all = whole_window(run);
    TimeWindow window = all;
    for (int i = 0; i < 200; ++i) window = zoomed(all, window, 12.5F, 0.8F);
    EXPECT_NEAR(window.length_us(), 0.032F, 1e-3F);
    EXPECT_LE(window.begin_us, 12.5F + 1e-3F);
    EXPECT_GE(window.end_us, 12.5F - 1e-3F);
    EXPECT_EQ(moved(all, window, 1e6F).end_us, all.end_us);
    EXPECT_EQ(moved(all, window, -1e6F).begin_us, all.begin_us);
    for (int i = 0; i < 200; ++i) window = zoomed(all, window, 12.5F, 1.25F);
    EXPECT_FLOAT_EQ(window.begin_us, all.begin_us);
    EXPECT_FLOAT_EQ(window.end_us, all.end_us);
}

TEST(TraceJson, HasAProcessForEachSideAndACompleteEventForEachSpan) {
    const TracedRun a = prepare(three_phases, 12, fake::trace_of(three_phases, 8, 64, 2, 3.0F));
    RunTrace with_roles = fake::trace_of(one_phase, 2, 6, 1, 3.0F);
    fake::add_parts(with_roles, one_phase, 600);
    fake::add_roles(with_roles, 1, 4);
    with_roles.schedule_seed = 3;
    const TracedRun b = prepare(one_phase, 12, with_roles);
    const std::array runs{NamedRun{&a, "A"}, NamedRun{&b, "B"}};
    const nlohmann::json document = nlohmann::json::parse(trace_json(runs));

    std::map<int, std::size_t> spans;
    std::map<int, std::size_t> parts;
    std::map<int, std::string> processes;
    std::map<std::pair<int, int>, std::string> threads;
    std::map<std::pair<int, int>, double> ends;
    for (const nlohmann::json& event : document.at("traceEvents")) {
        const int pid = event.at("pid");
        const auto thread = std::pair(pid, event.at("tid").get<int>());
        if (event.at("ph") == "M") {
            if (event.at("name") == "process_name") processes[pid] = event.at("args").at("name");
            if (event.at("name") == "thread_name") threads[thread] = event.at("args").at("name");
            continue;
        }
        ASSERT_EQ(event.at("ph"), "X");
        ASSERT_TRUE(threads.contains(thread)) << "a thread is named before its events";
        EXPECT_GE(event.at("dur").get<double>(), 0);
        if (!event.contains("args")) continue;
        ++spans[pid];
        event.at("args").at("block").get<std::uint32_t>();
        event.at("args").at("kept").get<std::uint64_t>();
        EXPECT_LT(event.at("args").at("launch").get<std::uint32_t>(), 3U);
        if (event.at("args").contains("part")) {
            ++parts[pid];
            EXPECT_EQ(event.at("args").at("part"), event.at("args").at("block"));
        }
        // Perfetto drops events of one thread that overlap without nesting.
        const double begin = event.at("ts");
        EXPECT_GE(begin, ends[thread] - 0.002);
        ends[thread] = begin + event.at("dur").get<double>();
    }
    EXPECT_EQ(processes[1], "A: three, frame 12");
    EXPECT_EQ(processes[2],
              "B: one \"pass\", frame 12, simulated schedule, seed 3, a microsecond is 1,000 ticks");
    EXPECT_EQ(spans[1], a.spans.size());
    EXPECT_EQ(spans[2], b.spans.size() + 12);
    EXPECT_EQ(parts[1], 0U) << "unknown";
    EXPECT_EQ(parts[2], b.spans.size());
    EXPECT_EQ((threads[{1, 0}]), "phases");
    EXPECT_EQ((threads[{1, 1}]), "multiprocessor 0");
    EXPECT_EQ((threads[{1, 2}]), "multiprocessor 0, slot 2");
    EXPECT_EQ((threads[{2, 1}]), "worker 0");
}

/// Blocks 0 and 1 have a part each, and blocks 2 and 3 share a span and have two parts each.
TEST(TraceJson, HasWaitsAppendsAndMergedSpans) {
    using nlohmann::json;
    RunTrace trace;
    trace.processors = 1;
    trace.timing.num_phases = 1;
    trace.timing.phase_us[0] = 10;
    trace.blocks_merged = 2;
    trace.launches_left_out = 3;
    compaction::LaunchTrace& launch = trace.launches.emplace_back();
    launch.blocks = 4;
    launch.parts = {.partition = compaction::equal_parts(compaction::PartKind::tile, 60, 10),
                    .by_ticket = true,
                    .waits = true,
                    .appends = true,
                    .num_blocks = 4,
                    .ticket_blocks = {0, 1, 2, 3, 3, 2}};
    launch.waits = {{1.0F, 2.0F}, {}, {3.0F, 4.0F}, {3.5F, {}}, {5.0F, 6.0F}, {7.0F, 8.0F}};
    launch.appends = {{0, 1, 5, 3}, {3, 0, 0, 2}, {3, 1, 2, 3}};
    trace.spans = {span(0, 0, 2, 0), span(0, 2, 3, 1), span(0, 3, 9, 2)};
    trace.spans[2].blocks = 2;
    const TracedRun run = prepare(one_phase, 1, trace);
    EXPECT_EQ(run.omissions(), "2 blocks share spans, 3 launches are left out");
    const std::array runs{NamedRun{&run, "A"}};
    std::vector<json> arguments;
    std::string label;
    const json document = json::parse(trace_json(runs));
    for (const json& event : document.at("traceEvents")) {
        if (event.at("name") == "process_labels") label = event.at("args").at("labels");
        if (event.at("ph") == "X" && event.contains("args")) arguments.push_back(event.at("args"));
    }
    EXPECT_EQ(label, run.omissions());
    ASSERT_EQ(arguments.size(), 3U);
    EXPECT_EQ(arguments[0].at("posted"), 1.0);
    EXPECT_EQ(arguments[0].at("summed"), 2.0);
    EXPECT_EQ(arguments[0].at("appends"), json::parse("[[0,1,5,3]]"));
    EXPECT_TRUE(arguments[1].at("posted").is_null()) << "unknown";
    EXPECT_FALSE(arguments[1].contains("appends"));
    EXPECT_FALSE(arguments[1].contains("blocks"));
    EXPECT_EQ(arguments[2].at("blocks"), 2);
    EXPECT_EQ(arguments[2].at("waits"), json::parse("[[2,3.0,4.0],[5,7.0,8.0],[3,3.5,null],[4,5.0,6.0]]"));
    EXPECT_EQ(arguments[2].at("appends"), json::parse("[[3,0,0,2],[3,1,2,3]]"));
}

TEST(TraceJson, IsValidWithoutAnyRun) {
    const nlohmann::json document = nlohmann::json::parse(trace_json({}));
    EXPECT_TRUE(document.at("traceEvents").empty());
}

}  // namespace
}  // namespace warpsieve::trace
