#include "app/trace/trace_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "app/trace/trace_json.hpp"
#include "app/trace/traced_run.hpp"
#include "compaction/error.hpp"
#include "tests/app/trace/fake_accesses.hpp"
#include "tests/app/trace/fake_traces.hpp"

namespace warpsieve::trace {
namespace {

using compaction::AccessReader;
using compaction::AccessTrace;
using compaction::Error;

TEST(TraceFile, ReadsWhatWasWritten) {
    AccessTrace trace = *fake::random_accesses(4, 500);
    trace.algorithm = "sequence_wise";
    trace.seed = 12;
    trace.launches.front().kernel = "count";
    trace.launches.front().phase = 2;
    const AccessTrace read = std::get<AccessTrace>(read_trace_file(trace_file(trace)));
    EXPECT_EQ(read.algorithm, trace.algorithm);
    EXPECT_EQ(read.seed, trace.seed);
    EXPECT_EQ(read.num_items, trace.num_items);
    EXPECT_EQ(read.num_accesses, trace.num_accesses);
    EXPECT_EQ(read.num_stored_values, trace.num_stored_values);
    EXPECT_EQ(read.num_steps, trace.num_steps);
    EXPECT_EQ(read.packed, trace.packed);
    EXPECT_EQ(read.buffers, trace.buffers);
    EXPECT_EQ(read.launches, trace.launches);
}

TEST(TraceFile, RejectsWhatIsDamaged) {
    const std::vector<std::uint8_t> whole = trace_file(*fake::random_accesses(5, 200));
    for (std::size_t size = 0; size < whole.size(); size += 97)
        EXPECT_THROW(read_trace_file(std::span(whole).first(size)), Error) << size << " bytes";
    EXPECT_THROW(read_trace_file(std::vector<std::uint8_t>{0xa0}), Error);
    // Any other byte makes an error or a trace that can be played; never an access beside its buffer.
    std::mt19937 random(1);
    unsigned refused = 0;
    for (unsigned i = 0; i < 2'000; ++i) {
        std::vector<std::uint8_t> damaged = whole;
        damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        try {
            const AccessTrace trace = std::get<AccessTrace>(read_trace_file(damaged));
            for (AccessReader reader(trace); reader.next();) {
                for (const std::uint64_t element : reader.access().elements)
                    ASSERT_LT(element, trace.buffers[reader.access().buffer].num_elements);
            }
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0U);
}

compaction::Algorithm two_phases() {
    compaction::Algorithm algorithm;
    algorithm.id = "two";
    algorithm.phases = {{compaction::PhaseRole::prefix, "prefix", ""},
                        {compaction::PhaseRole::scatter, "move", ""}};
    return algorithm;
}

/// A run in which every member of a launch and of a span has a value of its own.
RecordedRun recorded_run() {
    RecordedRun run;
    run.algorithm = "two";
    run.num_items = 5'000;
    run.item_size = compaction::ItemSize::bytes_8;
    run.machine.device = "a CPU";
    run.machine.max_clock_hz = 2.5e9;
    run.trace = fake::trace_of(two_phases(), 3, 20, 2, 5.0F);
    fake::add_parts(run.trace, two_phases(), run.num_items);
    fake::add_roles(run.trace, 4, 3);
    compaction::BlockParts& parts = *run.trace.launches[1].parts;
    parts.lead = 3;
    parts.by_ticket = parts.counts_selected = parts.waits = parts.appends = true;
    for (std::uint32_t part = 0; part < 20; ++part) parts.ticket_blocks.push_back(19 - part);
    run.trace.launches.push_back(
        {.phase = 1, .parts = compaction::BlockParts{.partition = compaction::unknown_partition(9, "No.")}});
    compaction::LaunchTrace& waiting = run.trace.launches[1];
    waiting.waits.resize(waiting.parts->partition.num_parts, {.posted_us = 2.5F});
    waiting.waits[3].summed_us = 4.5F;
    waiting.appends = {{.block = 2, .warp = 1, .index = 70, .count = 9}, {.block = 5, .count = 1}};
    waiting.appends_left_out = 6;
    run.trace.spans[4].blocks = 3;
    run.trace.spans[4].wait = waiting.waits[3];
    run.trace.blocks_merged = 8;
    run.trace.launches_left_out = 2;
    run.trace.schedule_seed = 17;
    run.trace.timing.gaps_known = false;
    run.trace.timing.between_us = 1.5F;
    run.trace.spans_left_out = 7;
    return run;
}

void expect_same(const compaction::BlockParts& a, const compaction::BlockParts& b) {
    EXPECT_EQ(a.partition, b.partition);
    EXPECT_EQ(a.lead, b.lead);
    EXPECT_EQ(a.parts_per_block, b.parts_per_block);
    EXPECT_EQ(a.by_ticket, b.by_ticket);
    EXPECT_EQ(std::tuple(a.counts_selected, a.waits, a.appends),
              std::tuple(b.counts_selected, b.waits, b.appends));
    EXPECT_EQ(a.num_blocks, b.num_blocks);
    EXPECT_EQ(a.ticket_blocks, b.ticket_blocks);
}

TEST(TraceFile, ReadsTheTimesThatWereWritten) {
    const RecordedRun run = recorded_run();
    const RecordedRun read = std::get<RecordedRun>(read_trace_file(trace_file(run)));
    EXPECT_EQ(read.algorithm, run.algorithm);
    EXPECT_EQ(read.num_items, run.num_items);
    EXPECT_EQ(read.item_size, run.item_size);
    EXPECT_EQ(read.machine.device, run.machine.device);
    EXPECT_EQ(read.machine.max_clock_hz, run.machine.max_clock_hz);
    EXPECT_EQ(read.trace.run, run.trace.run);
    EXPECT_EQ(read.trace.timing.phase_us, run.trace.timing.phase_us);
    EXPECT_EQ(read.trace.timing.num_phases, run.trace.timing.num_phases);
    EXPECT_EQ(read.trace.timing.gaps_known, run.trace.timing.gaps_known);
    EXPECT_EQ(read.trace.timing.between_us, run.trace.timing.between_us);
    EXPECT_EQ(read.trace.processors, run.trace.processors);
    EXPECT_EQ(read.trace.blocks_merged, run.trace.blocks_merged);
    EXPECT_EQ(read.trace.spans_left_out, run.trace.spans_left_out);
    EXPECT_EQ(read.trace.launches_left_out, run.trace.launches_left_out);
    EXPECT_EQ(read.trace.clock_step_us, run.trace.clock_step_us);
    EXPECT_EQ(read.trace.schedule_seed, run.trace.schedule_seed);
    const auto times = [](const compaction::PartWait& wait) {
        return std::pair(wait.posted_us, wait.summed_us);
    };
    ASSERT_EQ(read.trace.launches.size(), run.trace.launches.size());
    for (std::size_t i = 0; i < run.trace.launches.size(); ++i) {
        const compaction::LaunchTrace& a = run.trace.launches[i];
        const compaction::LaunchTrace& b = read.trace.launches[i];
        EXPECT_EQ(std::tuple(a.phase, a.blocks, a.threads, a.appends_left_out),
                  std::tuple(b.phase, b.blocks, b.threads, b.appends_left_out));
        EXPECT_TRUE(std::ranges::equal(a.waits, b.waits, {}, times, times));
        const auto appended = [](const compaction::Append& append) {
            return std::tuple(append.block, append.warp, append.index, append.count);
        };
        EXPECT_TRUE(std::ranges::equal(a.appends, b.appends, {}, appended, appended));
        ASSERT_EQ(a.parts.has_value(), b.parts.has_value());
        if (a.parts) expect_same(*a.parts, *b.parts);
    }
    const auto members = [&](const compaction::WorkSpan& span) {
        return std::tuple(span.begin_us, span.end_us, span.block, span.processor, span.num_selected,
                          span.phase, span.role, span.round, span.launch, span.blocks, times(span.wait));
    };
    EXPECT_TRUE(std::ranges::equal(read.trace.spans, run.trace.spans, {}, members, members));
}

TEST(TraceFile, RejectsTimesThatAreDamaged) {
    const std::vector<std::uint8_t> whole = trace_file(recorded_run());
    for (std::size_t size = 0; size < whole.size(); size += 29)
        EXPECT_THROW(read_trace_file(std::span(whole).first(size)), Error) << size << " bytes";
    std::mt19937 random(2);
    unsigned refused = 0;
    for (unsigned i = 0; i < 2'000; ++i) {
        std::vector<std::uint8_t> damaged = whole;
        damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        try {
            const auto run = std::get<RecordedRun>(read_trace_file(damaged));
            const compaction::Algorithm algorithm = two_phases();
            const TracedRun traced = prepare(algorithm, 0, run.trace);
            const NamedRun named{&traced, "A"};
            EXPECT_TRUE(nlohmann::json::accept(trace_json(std::span(&named, 1))));
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0U);
}

TEST(TraceFile, TheJsonHasEveryAccess) {
    const AccessTrace trace = *fake::random_accesses(6, 50);
    const auto json = nlohmann::json::parse(accesses_json(trace));
    AccessReader reader(trace);
    std::set<std::pair<int, int>> named;
    for (const auto& event : json.at("traceEvents")) {
        const std::pair<int, int> thread(event.at("pid"), event.at("tid"));
        if (event.at("name") == "thread_name") named.insert(thread);
        if (event.at("ph") != "X") continue;
        EXPECT_TRUE(named.contains(thread)) << "a warp without a name";
        ASSERT_TRUE(reader.next());
        const compaction::WarpAccess& access = reader.access();
        EXPECT_EQ(event.at("ts"), access.step);
        EXPECT_EQ(event.at("name"),
                  std::string(name_of(access.kind)) + " " + trace.buffers[access.buffer].name);
        EXPECT_EQ(event.at("args").at("elements"), access.elements);
        EXPECT_EQ(event.at("args").contains("values"), stores(access.kind));
        if (stores(access.kind)) {
            EXPECT_EQ(event.at("args").at("values").at(0), access.value(0));
        }
    }
    EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace warpsieve::trace
