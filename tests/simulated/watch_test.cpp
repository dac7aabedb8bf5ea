// Traces and counters of the simulated GPU. Compiled so that it records each load and store.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "simulated/access_recorder.hpp"
#include "simulated/counters.hpp"
#include "simulated/device.hpp"
#include "simulated/trace.hpp"
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

/// Runs the kernel on two blocks of 100, 101, ...
void reverse(std::uint64_t seed) {
    const Array<unsigned> in(2 * threads), out(2 * threads);
    std::iota(in.data, in.data + 2 * threads, 100U);
    run_kernel("reverse", {.blocks = 2, .threads = threads}, schedule_of(seed), reverse_in_block, in.data,
               out.data);
}

/// The steps of a lane of a block, in order.
std::vector<Event> events_of(const std::vector<Event>& events, unsigned block, unsigned thread) {
    std::vector<Event> own;
    std::ranges::copy_if(events, std::back_inserter(own),
                         [&](const Event& event) { return event.block == block && event.thread == thread; });
    return own;
}

TEST(SimulatedTrace, HoldsWhatALaneDoes) {
    const std::vector<Event> events = events_of(replay([] { reverse(2); }, 0, 10'000), 1, 35);
    ASSERT_EQ(events.size(), 7U);
    const auto expect = [&](std::size_t i, EventKind kind, Space space, std::uint64_t address,
                            std::uint64_t value) {
        SCOPED_TRACE(i);
        EXPECT_EQ(events[i].kind, kind);
        EXPECT_EQ(events[i].space, space);
        EXPECT_EQ(events[i].address, address);
        EXPECT_EQ(events[i].value, value);
        EXPECT_EQ(events[i].warp(), 1U);
        EXPECT_EQ(events[i].lane(), 3U);
    };
    constexpr std::uint64_t own_item = (threads + 35) * sizeof(unsigned);
    const std::uint64_t variable = events[2].address - 35 * sizeof(unsigned);
    expect(0, EventKind::read, Space::global, own_item, 100 + threads + 35);
    expect(1, EventKind::note, Space::none, 0, 100 + threads + 35);
    EXPECT_STREQ(events[1].name, "value");
    expect(2, EventKind::write, Space::shared, variable + 35 * sizeof(unsigned), 100 + threads + 35);
    expect(3, EventKind::barrier, Space::none, 0, 0);
    expect(4, EventKind::read, Space::shared, variable + 28 * sizeof(unsigned), 100 + threads + 28);
    expect(5, EventKind::write, Space::global, own_item, 100 + threads + 28);
    expect(6, EventKind::end, Space::none, 0, 0);
    EXPECT_EQ(events[0].buffer, 0U);
    EXPECT_EQ(events[5].buffer, 1U);
}

TEST(SimulatedTrace, AReplayMakesTheSameStepsAgain) {
    for (const std::uint64_t seed : {0, 1, 2, 77, 150, 223}) {
        SCOPED_TRACE(seed);
        const auto run = [&] { reverse(seed); };
        const std::vector<Event> whole = replay(run, 0, 10'000);
        ASSERT_EQ(whole.size(), 2 * threads * 7U);
        for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(whole[i].step, i);
        // Back from the end, ten steps at a time.
        for (std::size_t first = whole.size() - 10; first > 97; first -= 97) {
            const std::vector<Event> part = replay(run, first, 10);
            ASSERT_EQ(part.size(), 10U);
            // Buffers are numbered in the order of their first access.
            for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[first + i]);
        }
    }
}

TEST(SimulatedTrace, OrdersFollowTheSeed) {
    EXPECT_EQ(replay([] { reverse(2); }, 0, 100), replay([] { reverse(2); }, 0, 100));
    EXPECT_NE(replay([] { reverse(2); }, 0, 100), replay([] { reverse(5); }, 0, 100));
}

TEST(SimulatedTrace, IsATableWithSourceLines) {
    std::ostringstream text;
    {
        Trace trace(0, 3);
        reverse(0);
        reverse(0);
        EXPECT_EQ(trace.num_steps(), 4 * threads * 7U);
        EXPECT_EQ(trace.events().size(), 3U);
        EXPECT_EQ(trace.kernels(), (std::vector<std::string>{"reverse", "reverse"}));
        trace.write_csv(text);
    }
    expect_in("step,launch,kernel,block,warp,lane,kind,space,buffer,address,bytes,value,name,place\n",
              text.str());
    const auto at = [](unsigned line) { return "watch_test.cpp:" + std::to_string(line) + "\n"; };
    expect_in("0,0,reverse,0,0,0,read,global,0,0,4,100,," + at(reverse_line), text.str());
    expect_in("1,0,reverse,0,0,0,note,,,,0,100,value," + at(reverse_line + 1), text.str());
    expect_in("2,0,reverse,0,0,0,write,shared,", text.str());
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
        run_kernel("diverge", {.blocks = 3, .threads = threads}, schedule_of(seed), diverge, out.data);
        const KernelCounters& kernel = counters.kernels().at("diverge");
        const AccessCounters writes = kernel.total(Space::global, Access::write);
        EXPECT_EQ(writes.requests, 3 * 2 * 3U);  // blocks x warps x (first, second and last write)
        EXPECT_EQ(writes.lanes, 3 * 2 * (32 + 16 + 32U));
        EXPECT_EQ(kernel.possible_warps, 64U);
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

void set_to_one(unsigned* words) {
    words[threadIdx.x] = 1;
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
    expect_in("kernel: an access of a buffer that Compactor::working_buffers does not name",
              recorder.failure());
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
