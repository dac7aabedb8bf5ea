// The times that blocks record, and the results that a recorder computes from them, on the simulated GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
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

/// The launches of a traced run use consecutive entries. A launch for which none are left records what
/// it would record without a trace.
TEST(Stamps, EachLaunchOfATracedRunHasItsOwnEntries) {
    using simulated::Stamps;
    using simulated::TracedLaunches;
    std::vector<simulated::BlockTimes> entries(TracedLaunches::max_blocks);
    simulated::BlockTimes times;
    TracedLaunches traced{.times = entries.data(), .capacity = TracedLaunches::max_blocks};
    const Stamps wanted{.first_blocks = 132, .times = &times, .roles_block = 3, .traced = &traced};
    const auto expect_entries = [&](const Stamps& stamps, std::uint32_t first) {
        EXPECT_EQ(stamps.is_traced, 1U);
        EXPECT_EQ(stamps.times, entries.data() + first);
        EXPECT_EQ(stamps.entry_mask, ~0U);
        EXPECT_EQ(stamps.roles_block, 3U);
    };
    const auto expect_none = [&](const Stamps& stamps) {
        EXPECT_EQ(stamps.is_traced, 0U);
        EXPECT_EQ(stamps.times, &times);
        EXPECT_EQ(stamps.entry_mask, Stamps::num_entries - 1);
        EXPECT_EQ(stamps.first_blocks, 132U);
        EXPECT_EQ(stamps.roles_block, ~0U);
    };
    expect_entries(wanted.on_grid(100, 256), 0);
    expect_entries(wanted.on_grid(1, 1'024, 7), 100);
    expect_none(wanted.on_grid(TracedLaunches::max_blocks, 256));
    expect_none(wanted.on_grid(~0U, 256));
    expect_entries(wanted.on_grid(TracedLaunches::max_blocks - 107, 256), 107);
    expect_none(wanted.on_grid(1, 256));
    EXPECT_EQ(traced.num_entries, TracedLaunches::max_blocks);
    EXPECT_EQ(traced.launches.size(), 3U);
    EXPECT_EQ(traced.launches[1].threads, 1'024U);
    EXPECT_EQ(traced.left_out, std::uint64_t{TracedLaunches::max_blocks} + ~0U + 1);
}

/// If launches launch each other, the first records the begin of the phase and the last its end. In a traced
/// run each has an entry.
TEST(Stamps, LaunchesBetweenTheFirstAndTheLastNoteNothing) {
    using simulated::Stamps;
    std::vector<simulated::BlockTimes> entries(4);
    simulated::BlockTimes times;
    simulated::TracedLaunches traced{.times = entries.data(), .capacity = 4};
    const Stamps timed{.first_blocks = 132, .times = &times, .last_threads = 2'048};
    Stamps with_trace = timed;
    with_trace.traced = &traced;
    for (const Stamps& wanted : {Stamps{}, timed, with_trace}) {
        Stamps stamps = wanted.on_grid(1, 256, 4);
        for (std::uint32_t launch = 0; launch < 4; ++launch) {
            if (launch > 0) stamps = stamps.of_next_launch(launch == 3);
            EXPECT_EQ(stamps.first_blocks > 0, wanted.traced || (wanted.times && launch == 0)) << launch;
            // The last launch stores its end in the element of the first one.
            EXPECT_EQ(stamps.last_from == 0, wanted.traced || (wanted.times && launch % 3 == 0)) << launch;
            EXPECT_EQ(stamps.times, wanted.traced ? entries.data() + launch : wanted.times) << launch;
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
            simulated::TracedLaunches traced{.times = times.as<simulated::BlockTimes>(), .capacity = blocks};
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

/// A trace holds the launches that have entries; the phases of a run do not need it. Only one trace
/// runs at a time.
TEST(Stamps, ATraceHasTheLaunchesThatHaveEntries) {
    constexpr std::uint64_t num_items = 1 << 14;
    simulated::CudaEngine engine(1);
    const Buffer in = engine.allocate(num_items * sizeof(Item));
    std::fill_n(in.as<Item>(), num_items, Item{1});
    const Buffer out = engine.allocate(num_items * sizeof(Item));
    const Buffer count = engine.allocate(sizeof(std::uint64_t));
    const auto compactor = register_simulated_sequence_wise().make(engine, {}, ItemSize::bytes_4);
    compactor->reserve(num_items);
    std::uint64_t all_blocks = 0;
    for (const std::uint32_t capacity : {simulated::TracedLaunches::max_blocks, 0U, 1U, 7U}) {
        simulated::CudaPhaseRecorder recorder(engine.stream(), engine.device().processors, 0.001F, 4,
                                              capacity);
        for (std::uint64_t run = 0; run < 2; ++run) {
            recorder.request_trace(0);
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
            EXPECT_EQ(finished[0].num_phases, 3U) << capacity;
            EXPECT_GT(finished[0].total_us(), 0) << capacity;
            EXPECT_LT(finished[0].total_us(), 1e6F) << capacity;
            const std::optional<RunTrace> trace = recorder.poll_trace();
            ASSERT_TRUE(trace) << capacity;
            EXPECT_FALSE(recorder.poll_trace()) << capacity;
            if (all_blocks == 0) all_blocks = trace->spans.size();
            EXPECT_LE(trace->spans.size(), capacity);
            EXPECT_EQ(trace->spans.size() + trace->spans_left_out, all_blocks) << capacity;
            EXPECT_NEAR(trace->timing.total_us(), finished[0].total_us(), 1.0F + finished[0].total_us());
        }
    }
}

}  // namespace
}  // namespace compaction
