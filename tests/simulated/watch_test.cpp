// Traces and counters of the simulated GPU. Compiled so that it records each load and store.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "simulated/access_recorder.hpp"
#include "simulated/counters.hpp"
#include "simulated/device.hpp"
#include "simulated/record_lanes.hpp"
#include "tests/simulated/kernel_runs.hpp"

namespace compaction::simulated {
namespace {

constexpr unsigned threads = 64;

constexpr unsigned reverse_line = __LINE__ + 4;  // the line of the first load
/// Reverses the values of each block in shared memory.
void reverse_in_block(const unsigned* in, unsigned* out) {
    COMPACTION_SHARED(values, unsigned[threads]);
    const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
    note_value("value", value, Site::current());
    values[threadIdx.x] = value;
    __syncthreads();  // all values are written
    out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

void set_to_one(unsigned* words) {
    words[threadIdx.x] = 1;
}

/// What a kernel does with two arrays of `size` values, the first of which holds 100, 101, ...
template <typename Kernel>
LaneTrace record(const LaunchShape& shape, std::uint64_t seed, unsigned size, Kernel kernel) {
    const Array<unsigned> in(size), out(size);
    std::iota(in.data, in.data + size, 100U);
    const auto launch = [&] { run_kernel("kernel", shape, schedule_of(seed), kernel, in.data, out.data); };
    return record_lanes(
        {{"in", in.data, size * sizeof(unsigned)}, {"out", out.data, size * sizeof(unsigned)}}, launch);
}

LaneTrace record_reverse(std::uint64_t seed) {
    return record({.blocks = 2, .threads = threads}, seed, 2 * threads, reverse_in_block);
}

struct Recorded {
    LaneStep step;
    LaneSite site;
};

/// The steps of a thread of a block, in order.
std::vector<Recorded> steps_of(const LaneTrace& trace, unsigned block, unsigned thread) {
    std::vector<Recorded> own;
    for (LaneReader reader(trace); reader.next();) {
        const bool is_own = reader.step().block == block && reader.step().thread == thread;
        if (is_own && reader.site().kind != LaneStepKind::launch)
            own.push_back({reader.step(), reader.site()});
    }
    return own;
}

unsigned value_of(const std::vector<std::byte>& bytes) {
    unsigned value = 0;
    EXPECT_EQ(bytes.size(), sizeof value);
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

TEST(LaneRecorder, RecordsWhatALaneDoes) {
    const LaneTrace trace = record_reverse(2);
    const std::vector<Recorded> steps = steps_of(trace, 1, 35);
    ASSERT_EQ(steps.size(), 7U);
    const auto expect = [&](std::size_t i, LaneStepKind kind, MemorySpace space, std::uint64_t address) {
        SCOPED_TRACE(i);
        EXPECT_EQ(steps[i].site.kind, kind);
        EXPECT_EQ(steps[i].site.space, space);
        EXPECT_EQ(steps[i].step.address, address);
        EXPECT_EQ(steps[i].step.warp(), 1U);
        EXPECT_EQ(steps[i].step.lane(), 3U);
    };
    constexpr std::uint64_t own_item = (threads + 35) * sizeof(unsigned);
    const std::uint64_t variable = steps[2].step.address - 35 * sizeof(unsigned);
    expect(0, LaneStepKind::load, MemorySpace::global, own_item);
    EXPECT_EQ(value_of(steps[0].step.loaded), 100 + threads + 35);
    EXPECT_EQ(steps[0].step.observed.front().stored_by, Observation::initial);
    expect(1, LaneStepKind::note, MemorySpace::none, 0);
    EXPECT_EQ(steps[1].step.operands, std::vector<std::uint64_t>{100 + threads + 35});
    EXPECT_EQ(steps[1].site.name, "value");
    expect(2, LaneStepKind::store, MemorySpace::shared, variable + 35 * sizeof(unsigned));
    EXPECT_EQ(value_of(steps[2].step.stored), 100 + threads + 35);
    expect(3, LaneStepKind::barrier, MemorySpace::none, 0);
    expect(4, LaneStepKind::load, MemorySpace::shared, variable + 28 * sizeof(unsigned));
    EXPECT_EQ(value_of(steps[4].step.loaded), 100 + threads + 28);
    EXPECT_EQ(steps[4].step.observed.front().stored_by, steps_of(trace, 1, 28)[2].step.index);
    expect(5, LaneStepKind::store, MemorySpace::global, own_item);
    expect(6, LaneStepKind::end, MemorySpace::none, 0);
    EXPECT_EQ(steps[0].site.buffer, 0U);
    EXPECT_EQ(steps[5].site.buffer, 1U);
    const auto line_of = [&](std::size_t i) { return trace.places[steps[i].site.place].front().line; };
    EXPECT_EQ(line_of(0), reverse_line);
    EXPECT_EQ(line_of(1), reverse_line + 1);
    EXPECT_EQ(line_of(3), reverse_line + 3);
}

TEST(LaneRecorder, KnowsTheSeedOfTheLaunch) {
    EXPECT_EQ(record_reverse(77).seed, 77U);
}

TEST(LaneRecorder, RefusesMemoryWithoutABuffer) {
    const Array<unsigned> named(32), unnamed(32);
    const auto launch = [&] {
        run_kernel("kernel", {.threads = 32}, schedule_of(0), set_to_one, unnamed.data);
    };
    try {
        record_lanes({{"words", named.data, 128}}, launch);
        FAIL() << "nothing is reported";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        expect_in("kernel: it accesses memory that no buffer of the trace holds", error.what());
    }
}

TEST(LaneRecorder, ASeedRepeatsTheSteps) {
    for (const std::uint64_t seed : {0, 1, 2, 77, 150, 223}) {
        const LaneTrace trace = record_reverse(seed);
        // 7 steps of each lane, 2 barriers, a launch.
        EXPECT_EQ(trace.num_steps, 2 * threads * 7U + 3) << seed;
        EXPECT_EQ(trace.packed, record_reverse(seed).packed) << seed;
    }
    EXPECT_NE(record_reverse(2).packed, record_reverse(5).packed);
}

void write_past_end(const unsigned* in, unsigned* out) {
    out[threadIdx.x + 1] = in[threadIdx.x];
}
constexpr unsigned barrier_line = __LINE__ + 2;
void end_before_barrier(const unsigned*, unsigned*) {
    if (threadIdx.x != 7) __syncthreads();
}
void shuffle_with_others(const unsigned*, unsigned* out) {
    if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xff00, threadIdx.x, 0);
}

/// The last step that a trace with a fault holds.
Recorded fault_of(const LaneTrace& trace) {
    Recorded last;
    for (LaneReader reader(trace); reader.next();)
        if (reader.site().kind == LaneStepKind::fault) last = {reader.step(), reader.site()};
    return last;
}

TEST(LaneRecorder, EndsWithTheFaultyAccess) {
    set_checks({.accesses = true});
    const LaneTrace trace = record({.threads = threads}, 0, threads, write_past_end);
    set_checks({});
    expect_in("out of bounds", trace.fault);
    const Recorded fault = fault_of(trace);
    EXPECT_EQ(fault.site.kind, LaneStepKind::fault);
    EXPECT_EQ(fault.step.thread, threads - 1);
    EXPECT_EQ(fault.site.space, MemorySpace::global);
    EXPECT_EQ(fault.site.buffer, 1U);
    EXPECT_EQ(fault.site.bytes, sizeof(unsigned));
    EXPECT_EQ(fault.step.address, threads * sizeof(unsigned));
    EXPECT_EQ(trace.places[fault.site.place].front().line, barrier_line - 4);
}

TEST(LaneRecorder, EndsWithTheFaultyOperation) {
    LaneTrace trace = record({.threads = 16}, 0, threads, shuffle_with_others);
    expect_in("wrong mask", trace.fault);
    EXPECT_EQ(fault_of(trace).site.space, MemorySpace::none);
    EXPECT_EQ(trace.places[fault_of(trace).site.place].front().line, barrier_line + 3);
    trace = record({.threads = 32}, 0, threads, end_before_barrier);
    expect_in("divergent barrier", trace.fault);
    // The lane that ended has no faulty step; the others wait at the barrier.
    EXPECT_EQ(trace.places[steps_of(trace, 0, 3).back().site.place].front().line, barrier_line);
}

/// Lane i reads item i x stride of `in`, from `first`.
template <typename T>
void read_strided(const T* in, unsigned first, unsigned stride, T* out) {
    out[threadIdx.x] = in[first + threadIdx.x * stride];
}

template <typename T>
AccessCounters count_reads(unsigned first, unsigned stride, std::uint64_t seed = 0) {
    const Array<T> in(32 * 32 + 1), out(32);
    const Counters counters;
    run_kernel("read", {.threads = 32}, schedule_of(seed), read_strided<T>, in.data, first, stride, out.data);
    return counters.kernels().at("read").total(Space::global, Access::read);
}

TEST(SimulatedCounters, SectorsOfARequest) {
    const auto expect = [](const AccessCounters& counters, std::uint64_t sectors, std::uint64_t min_units) {
        EXPECT_EQ(counters.requests, 1U);
        EXPECT_EQ(counters.lanes, 32U);
        EXPECT_EQ(counters.units, sectors);
        EXPECT_EQ(counters.min_units, min_units);
    };
    expect(count_reads<unsigned>(0, 1), 4, 4);
    expect(count_reads<unsigned>(1, 1), 5, 4);  // not aligned
    expect(count_reads<unsigned>(0, 2), 8, 4);
    expect(count_reads<unsigned>(0, 32), 32, 4);
    expect(count_reads<unsigned>(0, 0), 1, 4);  // all read one item
    expect(count_reads<std::uint64_t>(0, 1), 8, 8);
    expect(count_reads<std::uint8_t>(0, 1), 1, 1);
    for (std::uint64_t seed = 0; seed < 288; ++seed) expect(count_reads<unsigned>(0, 2, seed), 8, 4);
}

/// Lane i reads word i x stride of shared memory.
template <typename T>
void read_shared_strided(unsigned stride, T* out) {
    COMPACTION_SHARED(words, T[32 * 33]);
    for (unsigned i = threadIdx.x; i < 32 * 33; i += 32) words[i] = T(i);
    __syncwarp();  // all words are written
    out[threadIdx.x] = words[threadIdx.x * stride];
}

template <typename T>
AccessCounters count_shared_reads(unsigned stride) {
    const Array<T> out(32);
    const Counters counters;
    run_kernel("read", {.threads = 32}, schedule_of(2), read_shared_strided<T>, stride, out.data);
    const AccessCounters writes = counters.kernels().at("read").total(Space::shared, Access::write);
    EXPECT_EQ(writes.requests, 33U);
    EXPECT_EQ(writes.units, 33 * sizeof(T) / 4);
    return counters.kernels().at("read").total(Space::shared, Access::read);
}

TEST(SimulatedCounters, BankConflictsOfARequest) {
    const auto expect = [](const AccessCounters& counters, std::uint64_t passes, std::uint64_t min_units) {
        EXPECT_EQ(counters.requests, 1U);
        EXPECT_EQ(counters.units, passes);
        EXPECT_EQ(counters.min_units, min_units);
    };
    expect(count_shared_reads<unsigned>(0), 1, 1);  // a broadcast
    expect(count_shared_reads<unsigned>(1), 1, 1);
    expect(count_shared_reads<unsigned>(2), 2, 1);
    expect(count_shared_reads<unsigned>(32), 32, 1);
    expect(count_shared_reads<unsigned>(33), 1, 1);
    expect(count_shared_reads<std::uint64_t>(1), 2, 2);
    expect(count_shared_reads<std::uint64_t>(2), 4, 2);
}

constexpr unsigned last_write_line = __LINE__ + 5;
/// Odd lanes write once, even ones twice.
void diverge(unsigned* out) {
    for (unsigned i = 0; i < 2 - threadIdx.x % 2; ++i) out[threadIdx.x] = i;
    __syncthreads();  // the lanes meet
    out[threadIdx.x] = 7;
}

TEST(SimulatedCounters, LanesThatTakePart) {
    for (std::uint64_t seed = 0; seed < 288; ++seed) {
        const Array<unsigned> out(threads);
        const Counters counters;
        run_kernel("diverge", {.blocks = 3, .threads = threads, .shared_bytes = 4'096}, schedule_of(seed),
                   diverge, out.data);
        const KernelCounters& kernel = counters.kernels().at("diverge");
        const AccessCounters writes = kernel.total(Space::global, Access::write);
        EXPECT_EQ(writes.requests, 3 * 2 * 3U);  // blocks x warps x (first, second and last write)
        EXPECT_EQ(writes.lanes, 3 * 2 * (32 + 16 + 32U));
        EXPECT_EQ(kernel.possible_warps, 64U);
        EXPECT_EQ(kernel.shared_bytes, 4'096U);
        EXPECT_GT(kernel.resident_warps(), 0);
        EXPECT_LE(kernel.resident_warps(), 6);
    }
}

TEST(SimulatedCounters, AreATableWithSourceLines) {
    const Array<unsigned> out(threads);
    const Counters counters;
    run_kernel("diverge", {.threads = threads}, schedule_of(0), diverge, out.data);
    std::ostringstream text;
    counters.write_csv(text);
    expect_in("kernel,launches,", text.str());
    expect_in(",watch_test.cpp:" + std::to_string(last_write_line) + ",global,write,4,2,64,8,8\n",
              text.str());
}

TEST(AccessRecorder, JoinsTheLanesOfAWarpAndRefusesABufferWithoutAName) {
    const Array<unsigned> named(32);
    const Array<unsigned> unnamed(32);
    AccessTrace trace;
    trace.buffers.push_back({BufferRole::counts, "counts", 32, 4, {}, std::vector<std::byte>(128)});
    AccessRecorder recorder(trace, {named.data});
    run_kernel("kernel", {.threads = 32}, schedule_of(0), set_to_one, named.data);
    EXPECT_EQ(recorder.failure(), "");
    EXPECT_EQ(trace.num_accesses, 1U);
    EXPECT_EQ(trace.num_stored_values, 32U);
    run_kernel("kernel", {.threads = 32}, schedule_of(0), set_to_one, unnamed.data);
    expect_in("kernel: it accesses memory that no buffer of the trace holds", recorder.failure());
}

/// Lane 0 of the second warp waits for the flag that lane 0 of the first warp sets after a load.
void wait_for_flag(const unsigned* in, unsigned* flag, unsigned* out) {
    if (threadIdx.x == 0) atomicAdd(flag, in[0]);
    if (threadIdx.x == 32) {
        while (atomicAdd(flag, 0) == 0) yield_lane();
        *out = 1;
    }
}

TEST(AccessRecorder, GivesLoadsSixStepsAndOrdersTheAccessesOfAWord) {
    const Array<unsigned> in(1, 1);
    const Array<unsigned> flag(1);
    const Array<unsigned> out(1);
    AccessTrace trace;
    const std::vector<std::byte> initial(4);
    trace.buffers.push_back({BufferRole::input, "input", 1, 4, {}, initial});
    trace.buffers.push_back({BufferRole::counter, "flag", 1, 4, {}, initial});
    trace.buffers.push_back({BufferRole::output, "output", 1, 4, {}, initial});
    AccessRecorder recorder(trace, {in.data, flag.data, out.data});
    run_kernel("kernel", {.threads = 64}, schedule_of(0), wait_for_flag, in.data, flag.data, out.data);
    std::uint64_t load = 0;
    std::uint64_t set = 0;
    std::uint64_t last_poll = 0;
    for (AccessReader reader(trace); reader.next();) {
        const WarpAccess& access = reader.access();
        if (access.kind == AccessKind::load) load = access.step;
        if (access.kind == AccessKind::atomic && access.warp == 0) set = access.step;
        if (access.kind == AccessKind::atomic && access.warp == 1) last_poll = access.step;
        if (access.buffer == 2) {
            EXPECT_EQ(access.step, last_poll + 6);
        }
    }
    EXPECT_EQ(set, load + 6);
    EXPECT_GT(last_poll, set);
}

}  // namespace
}  // namespace compaction::simulated
