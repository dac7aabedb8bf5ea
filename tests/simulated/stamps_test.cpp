// The times that blocks record, and the results that a recorder computes from them, on the simulated GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/engine.hpp"
#include "cuda/support/phase_recorder.hpp"
#include "registration.hpp"
#include "tests/simulated/select_runs.hpp"

namespace compaction::simulated {
namespace {

/// ended: of each warp of the grid.
void note_ends_of_warps(unsigned long long* ended, Stamps stamps) {
    const BlockStamp stamp(stamps);
    if (threadIdx.x % 32 == 0) ended[warp_in_grid()] = detail::timer_ns();
}

/// Each block notes the part with its index.
void note_parts(Stamps stamps) {
    const BlockStamp stamp(stamps);
    if (threadIdx.x != 0) return;
    stamp.note_posted(blockIdx.x);
    stamp.note_summed(blockIdx.x);
}

}  // namespace
}  // namespace compaction::simulated

namespace compaction {
namespace {

using namespace simulated_select;

/// The first blocks of a launch record its begin and the last ones its end; in a traced launch all record
/// both.
TEST(Stamps, TheFirstAndTheLastBlocksOfALaunchNoteItsTimes) {
    std::mt19937_64 random(1);
    simulated::BlockTimes times;
    for (int trial = 0; trial < 2'000; ++trial) {
        const unsigned blocks = 1 + static_cast<unsigned>(random() % 3'000);
        const unsigned threads = 32 * (1 + static_cast<unsigned>(random() % 32));
        simulated::TracedLaunches traced{.times = &times, .capacity = simulated::TracedLaunches::max_blocks};
        const simulated::Stamps wanted{.first_blocks = static_cast<unsigned>(random() % 257),
                                       .times = random() % 8 ? &times : nullptr,
                                       .last_threads = static_cast<unsigned>(random() % 300'000),
                                       .traced = random() % 4 ? nullptr : &traced};
        const simulated::Stamps stamps = wanted.on_grid(blocks, threads);
        for (unsigned b = 0; b < blocks && wanted.times; ++b) {
            const bool first = b < wanted.first_blocks;
            const unsigned max_last = wanted.last_threads / threads;
            const bool last = blocks <= max_last || blocks - b <= (max_last + 1) / 2;
            ASSERT_EQ(b < stamps.first_blocks, first || wanted.traced) << b;
            ASSERT_EQ(b >= stamps.last_from, last || wanted.traced)
                << b << " of " << blocks << " x " << threads;
            if (wanted.traced) {
                ASSERT_EQ(b < traced.launches.at(0).first_blocks, first);
                ASSERT_EQ(b >= traced.launches.at(0).last_from, last);
            }
        }
    }
    const simulated::Stamps none = simulated::Stamps{}.on_grid(~0U, 1'024);
    EXPECT_EQ(none.first_blocks, 0U);
    EXPECT_EQ(none.last_from, ~0U);
}

/// The launches of a traced run use consecutive entries. Where few are left, successive blocks share one. A
/// launch for which none are left records what it would record without a trace.
TEST(Stamps, EachLaunchOfATracedRunHasItsOwnEntries) {
    using simulated::Stamps;
    using simulated::TracedLaunches;
    constexpr std::uint32_t capacity = 1'024;
    std::vector<simulated::BlockTimes> entries(capacity);
    simulated::BlockTimes times;
    TracedLaunches traced{.times = entries.data(), .capacity = capacity};
    const Stamps wanted{.first_blocks = 132, .times = &times, .roles_block = 3, .traced = &traced};
    const auto expect_entries = [&](const Stamps& stamps, std::uint32_t first, std::uint32_t shift,
                                    std::uint32_t records) {
        EXPECT_TRUE(stamps.is_traced());
        EXPECT_EQ(stamps.times, entries.data() + first);
        EXPECT_EQ(stamps.entry_mask, ~0U);
        EXPECT_EQ(stamps.entry_shift, shift);
        EXPECT_EQ(stamps.num_records, records);
        EXPECT_EQ(stamps.roles_block, 3U);
        EXPECT_EQ(traced.launches.back().entry_shift, shift);
        EXPECT_EQ(traced.launches.back().num_records, records);
    };
    const auto expect_none = [&](const Stamps& stamps) {
        EXPECT_FALSE(stamps.is_traced());
        EXPECT_EQ(stamps.times, &times);
        EXPECT_EQ(stamps.entry_mask, Stamps::num_entries - 1);
        EXPECT_EQ(stamps.entry_shift, 0U);
        EXPECT_EQ(stamps.num_records, 0U);
        EXPECT_EQ(stamps.first_blocks, 132U);
        EXPECT_EQ(stamps.roles_block, ~0U);
    };
    expect_entries(wanted.on_grid(100, 256), 0, 0, 0);
    expect_entries(wanted.on_grid(1, 1'024, 24), 100, 0, 0);
    expect_entries(wanted.on_grid(113, 256), 124, 1, 0);  // at most 112
    traced.next_records = {.count = 5, .bytes_each = 24};
    expect_entries(wanted.on_grid(1'000, 256), 181, 4, 5);  // at most 105
    expect_entries(wanted.on_grid(1, 256), 181 + 63 + 4, 0, 0);
    traced.next_records = {.count = 10'000, .bytes_each = 8};
    expect_entries(wanted.on_grid(~0U, 256), 249, 26, (775 - 64) / 2 * 4);
    EXPECT_EQ(traced.num_entries, 249U + 64 + 355);
    expect_entries(wanted.on_grid(1, 256, 1'000), 668, 5, 0);  // at most 44
    while (traced.num_entries < capacity) ASSERT_TRUE(wanted.on_grid(64, 256).is_traced());
    expect_none(wanted.on_grid(1, 256));
    EXPECT_EQ(traced.launches[1].threads, 1'024U);
    EXPECT_EQ(traced.left_out, 1U);
    EXPECT_EQ(traced.launches_left_out, 1U);
}

/// The list of launches has room for a limited number.
TEST(Stamps, LaunchesWithoutRoomInTheListAreCounted) {
    using simulated::TracedLaunches;
    std::vector<simulated::BlockTimes> entries(TracedLaunches::max_blocks);
    TracedLaunches traced{.times = entries.data(), .capacity = TracedLaunches::max_blocks};
    const simulated::Stamps wanted{.times = entries.data(), .traced = &traced};
    for (std::size_t i = 0; i < TracedLaunches::max_launches; ++i)
        EXPECT_TRUE(wanted.on_grid(2, 32).is_traced());
    EXPECT_FALSE(wanted.on_grid(2, 32).is_traced());
    add_reset(wanted);
    EXPECT_EQ(traced.launches.size(), TracedLaunches::max_launches);
    EXPECT_EQ(traced.launches_left_out, 2U);
    EXPECT_EQ(traced.left_out, 2U);
}

/// If launches launch each other, the first records the begin of the phase and the last its end. In a traced
/// run each has an entry, or successive launches share one, and the first of them records its begin.
TEST(Stamps, LaunchesBetweenTheFirstAndTheLastNoteNothing) {
    using simulated::Stamps;
    std::vector<simulated::BlockTimes> entries(4);
    simulated::BlockTimes times;
    simulated::TracedLaunches whole{.times = entries.data(), .capacity = 32};
    simulated::TracedLaunches merged{.times = entries.data(), .capacity = 16};
    const Stamps timed{.first_blocks = 132, .times = &times, .last_threads = 2'048};
    Stamps with_trace = timed;
    with_trace.traced = &whole;
    Stamps with_merged_trace = timed;
    with_merged_trace.traced = &merged;
    for (const Stamps& wanted : {Stamps{}, timed, with_trace, with_merged_trace}) {
        Stamps stamps = wanted.on_grid(1, 256, 4);
        const std::uint32_t each = wanted.traced == &merged ? 2 : 1;
        for (std::uint32_t launch = 0; launch < 4; ++launch) {
            if (launch > 0) stamps = stamps.of_next_launch(launch, launch == 3);
            const bool begins = wanted.traced ? launch % each == 0 : wanted.times && launch == 0;
            EXPECT_EQ(stamps.first_blocks > 0, begins) << launch;
            // The last launch stores its end in the element of the first one.
            EXPECT_EQ(stamps.last_from == 0, wanted.traced || (wanted.times && launch % 3 == 0)) << launch;
            EXPECT_EQ(stamps.times, wanted.traced ? entries.data() + launch / each : wanted.times) << launch;
        }
    }
}

/// A block ends with its last warp, in a traced launch and in others.
TEST(Stamps, ABlockEndsAfterAllOfItsWarps) {
    constexpr unsigned blocks = 3;
    constexpr unsigned warps = 4;
    for (std::uint64_t planned = 0; planned < 18; ++planned) {
        expect_none("simulated_kernels_test", planned, [planned](std::uint64_t seed) -> std::string {
            simulated::CudaEngine engine(seed);
            const Buffer ended = engine.allocate(blocks * warps * sizeof(unsigned long long));
            const Buffer times =
                engine.allocate(simulated::Stamps::num_entries * sizeof(simulated::BlockTimes));
            std::fill_n(times.as<simulated::BlockTimes>(), simulated::Stamps::num_entries,
                        simulated::BlockTimes{});
            simulated::TracedLaunches traced{.times = times.as<simulated::BlockTimes>(),
                                             .capacity = simulated::Stamps::num_entries};
            const simulated::Stamps stamps{.times = times.as<simulated::BlockTimes>(),
                                           .last_threads = blocks * warps * 32,
                                           .traced = planned % 2 ? &traced : nullptr};
            simulated::detail::launch(simulated::note_ends_of_warps, {blocks, warps * 32, 0, nullptr},
                                      ended.as<unsigned long long>(), stamps);
            for (unsigned w = 0; w < blocks * warps; ++w) {
                const auto end_of_warp = ended.as<unsigned long long>()[w];
                if (end_of_warp == 0 || times.as<simulated::BlockTimes>()[w / warps].end < end_of_warp)
                    return "warp " + std::to_string(w) + " ends after its block";
            }
            return "";
        });
    }
}

/// The records of parts begin right behind the entries of the launch, of which each block, or every two
/// blocks, have one.
TEST(Stamps, TheRecordsOfPartsFollowTheEntriesOfALaunch) {
    using simulated::BlockTimes;
    using simulated::PartRecord;
    constexpr unsigned blocks = 6;
    for (const std::uint32_t entries : {blocks, blocks / 2}) {
        const std::uint32_t capacity = entries * simulated::TracedLaunches::share_of_launch;
        expect_none("simulated_kernels_test", 1, [entries, capacity](std::uint64_t seed) -> std::string {
            simulated::CudaEngine engine(seed);
            const Buffer memory = engine.allocate(capacity * sizeof(BlockTimes));
            std::memset(memory.as<void>(), 0, memory.size_bytes());
            auto* const times = memory.as<BlockTimes>();
            simulated::TracedLaunches traced{.times = times, .capacity = capacity};
            traced.next_records = {.count = blocks, .bytes_each = sizeof(PartRecord)};
            simulated::detail::launch(simulated::note_parts, {blocks, 64, 0, nullptr},
                                      simulated::Stamps{.times = times, .traced = &traced});
            if (traced.launches.at(0).num_entries() != entries || traced.launches[0].num_records != blocks)
                return "the launch has other entries or records";
            const auto* const records = reinterpret_cast<const PartRecord*>(times + entries);
            for (unsigned b = 0; b < blocks; ++b) {
                const BlockTimes& entry = times[b * entries / blocks];
                if (entry.begin == 0 || records[b].posted == 0 || records[b].summed < records[b].posted ||
                    entry.end < records[b].summed)
                    return "the times of block " + std::to_string(b) + " differ from the order of its calls";
            }
            return "";
        });
    }
}

/// The blocks of the launches of a trace, each of which belongs to one span.
std::uint64_t num_blocks(const RunTrace& trace) {
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < trace.launches.size(); ++i) {
        std::vector<std::uint32_t> spans(trace.launches[i].blocks);
        for (const WorkSpan& span : trace.spans) {
            if (span.launch != i || span.role != WarpRole::all) continue;
            EXPECT_LE(span.begin_us, span.end_us);
            for (std::uint32_t b = span.block; b < span.block + span.blocks; ++b) ++spans.at(b);
        }
        EXPECT_TRUE(std::ranges::all_of(spans, [](std::uint32_t count) { return count == 1; })) << i;
        all += spans.size();
    }
    return all;
}

std::uint64_t num_selected(const RunTrace& trace, std::uint8_t phase) {
    std::uint64_t kept = 0;
    for (const WorkSpan& span : trace.spans) kept += span.phase == phase ? span.num_selected : 0;
    return kept;
}

/// Where a trace has few entries or few spans, successive blocks share them; the phases of a run do not need
/// a trace. Only one trace runs at a time.
void expect_merged_traces(const Registration& registration, const Options& options) {
    SCOPED_TRACE(registration.algorithm.source);
    constexpr std::uint64_t num_items = 1 << 14;
    const std::size_t num_phases = registration.algorithm.phases.size();
    simulated::CudaEngine engine(1);
    const Buffer in = engine.allocate(num_items * sizeof(Item));
    std::fill_n(in.as<Item>(), num_items, Item{1});
    const Buffer out = engine.allocate(num_items * sizeof(Item));
    const Buffer count = engine.allocate(sizeof(std::uint64_t));
    const auto compactor = registration.make(engine, options, ItemSize::bytes_4);
    compactor->reserve(num_items);
    std::uint64_t all_blocks = 0;
    struct Limits {
        std::uint32_t entries;
        std::uint32_t spans;
    };
    constexpr std::uint32_t many = simulated::TracedLaunches::max_blocks;
    for (const auto& [entries, max_spans] :
         {Limits{many, many}, {0, many}, {1, many}, {2, many}, {7, many}, {40, many}, {many, 5}, {40, 5}}) {
        SCOPED_TRACE(std::to_string(entries) + " entries, " + std::to_string(max_spans) + " spans");
        simulated::CudaPhaseRecorder recorder(engine.stream(), engine.device().processors, 0.001F, 4, entries,
                                              max_spans);
        for (std::uint64_t run = 0; run < 2; ++run) {
            recorder.request_trace(~0U);
            recorder.request_trace(1);
            {
                const ScopedRun scope{&recorder, run};
                compactor->enqueue(in.as<Item>(), num_items, out.as<Item>(), count.as<std::uint64_t>(),
                                   keep_non_zero(), &recorder);
            }
            recorder.request_trace(2);
            recorder.collect();
            recorder.request_trace(3);
            engine.synchronise();
            std::vector<RunTiming> finished;
            recorder.poll(finished);
            ASSERT_EQ(finished.size(), 1U);
            EXPECT_EQ(finished[0].num_phases, num_phases);
            EXPECT_GT(finished[0].total_us(), 0);
            EXPECT_LT(finished[0].total_us(), 1e6F);
            const std::optional<RunTrace> trace = recorder.poll_trace();
            ASSERT_TRUE(trace);
            EXPECT_FALSE(recorder.poll_trace());
            if (all_blocks == 0) all_blocks = trace->spans.size();
            EXPECT_LE(trace->spans.size(), std::min(entries, max_spans));
            EXPECT_EQ(num_blocks(*trace) + trace->spans_left_out, all_blocks);
            EXPECT_EQ(trace->launches.size() + trace->launches_left_out, num_phases);
            if (entries >= num_phases) {
                EXPECT_EQ(trace->launches_left_out, 0U);
                EXPECT_EQ(num_selected(*trace, 0), num_items);
            }
            EXPECT_EQ(trace->blocks_merged > 0, trace->spans.size() < num_blocks(*trace));
            EXPECT_NEAR(trace->timing.total_us(), finished[0].total_us(), 1.0F + finished[0].total_us());
        }
    }
}

TEST(Stamps, ATraceMergesTheSpansOfBlocksWithoutRoom) {
    expect_merged_traces(register_simulated_sequence_wise(), {});
    // One launch for each of 32 tiles.
    Options small_tiles;
    small_tiles[Option::threads_per_block] = 32;
    small_tiles[Option::variant] = 1;
    expect_merged_traces(register_simulated_device_launch(), small_tiles);
}

/// A trace without room for all records says so: waits are unknown, and appends are counted.
TEST(Stamps, ATraceCountsTheRecordsWithoutRoom) {
    constexpr std::uint64_t num_items = 1 << 14;
    simulated::CudaEngine engine(1);
    const Buffer in = engine.allocate(num_items * sizeof(Item));
    std::fill_n(in.as<Item>(), num_items, Item{1});
    const Buffer out = engine.allocate(num_items * sizeof(Item));
    const Buffer count = engine.allocate(sizeof(std::uint64_t));
    for (const auto& registration : {register_simulated_atomic_append(), register_simulated_ink_compact()}) {
        Options options;
        options[Option::threads_per_block] = 32;
        const auto compactor = registration.make(engine, options, ItemSize::bytes_4);
        compactor->reserve(num_items);
        const std::uint64_t parts = compactor->partition(num_items).num_parts;
        for (const std::uint32_t entries : {1U << 16, 64U, 16U}) {
            simulated::CudaPhaseRecorder recorder(engine.stream(), engine.device().processors, 0.001F, 4,
                                                  entries);
            recorder.request_trace(~0U);
            {
                const ScopedRun scope{&recorder, 1};
                compactor->enqueue(in.as<Item>(), num_items, out.as<Item>(), count.as<std::uint64_t>(),
                                   keep_non_zero(), &recorder);
            }
            recorder.collect();
            engine.synchronise();
            std::vector<RunTiming> finished;
            recorder.poll(finished);
            const RunTrace trace = recorder.poll_trace().value();
            const LaunchTrace& launch = trace.launches.back();
            if (launch.parts->appends) {
                EXPECT_EQ(launch.appends.size() + launch.appends_left_out, parts);
                EXPECT_EQ(launch.appends_left_out > 0, entries < parts);
            } else {
                ASSERT_EQ(launch.waits.size(), parts);
                const auto known = std::ranges::count_if(
                    launch.waits, [](const PartWait& wait) { return wait.posted_us.has_value(); });
                EXPECT_GT(known, 0);
                EXPECT_EQ(static_cast<std::uint64_t>(known) < parts, entries < parts);
            }
            EXPECT_EQ(num_selected(trace, 0), num_items);
        }
    }
}

}  // namespace
}  // namespace compaction
