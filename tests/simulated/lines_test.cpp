// The lines of a trace that access nothing. Compiled so that the simulated GPU sees loads, stores and
// branches.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "simulated/device.hpp"
#include "simulated/record_lanes.hpp"
#include "tests/simulated/kernel_runs.hpp"

namespace compaction::simulated {
namespace {

constexpr unsigned threads = 32;

constexpr unsigned load_line = __LINE__ + 2;
void mix_odd(const unsigned* in, unsigned* out) {
    unsigned value = in[threadIdx.x];
    value *= 5;
    value ^= value >> 15U;
    if (threadIdx.x % 2 == 1) {
        for (unsigned i = 0; i < threadIdx.x; ++i) value = value * 3 + 1;
    }
    value = value << 7U | value >> 25U;
    out[threadIdx.x] = value;
}

constexpr unsigned sum_line = __LINE__ + 2;
unsigned sum_of_first(const unsigned* values, unsigned count) {
    unsigned sum = 0;
    const bool is_even = count % 2 == 0;
    for (unsigned i = 0; i < count; ++i) {
        const unsigned value = values[i];
        sum += value;
    }
    if (is_even) {
        sum = ~sum;
    }
    return sum;
}

[[gnu::flatten]] void sum_first(const unsigned* in, unsigned* out) {
    out[threadIdx.x] = sum_of_first(in, threadIdx.x);
}

/// The lines that a thread runs in a function, from `first_line`.
std::set<unsigned> lines_of(const LaneTrace& trace, unsigned thread, const std::string& function,
                            unsigned first_line) {
    std::set<unsigned> lines;
    const auto add = [&](const std::vector<SourceFrame>& frames) {
        for (const SourceFrame& frame : frames)
            if (frame.function.find(function) != std::string::npos) lines.insert(frame.line - first_line);
    };
    for (LaneReader reader(trace); reader.next();) {
        if (reader.site().kind == LaneStepKind::launch || reader.step().thread != thread) continue;
        add(trace.places[reader.site().place]);
        add(trace.lines_after[reader.site().place]);
    }
    return lines;
}

LaneTrace record(void (*kernel)(const unsigned*, unsigned*)) {
    const Array<unsigned> in(threads), out(threads);
    std::iota(in.data, in.data + threads, 1U);
    constexpr std::size_t bytes = threads * sizeof(unsigned);
    return record_lanes({{"in", in.data, bytes}, {"out", out.data, bytes}}, [&] {
        run_kernel("kernel", {.threads = threads}, schedule_of(0), kernel, in.data, out.data);
    });
}

class LinesOfALane : public testing::Test {
  protected:
    void SetUp() override {
#ifndef __x86_64__
        GTEST_SKIP() << "Lines without a step of their own are only known on x86-64.";
#endif
    }
};

TEST_F(LinesOfALane, AreThoseOfTheBlocksThatItRuns) {
    const LaneTrace trace = record(mix_odd);
    for (unsigned thread = 0; thread < threads; ++thread) {
        const std::set<unsigned> lines = lines_of(trace, thread, "mix_odd", load_line);
        for (const unsigned line : {0U, 1U, 2U, 6U, 7U})
            EXPECT_TRUE(lines.contains(line)) << "thread " << thread << ", line " << line;
        EXPECT_EQ(lines.contains(4), thread % 2 == 1) << "thread " << thread;
    }
}

TEST_F(LinesOfALane, AreThoseOfAnInlinedFunction) {
    const LaneTrace trace = record(sum_first);
    for (unsigned thread = 0; thread < threads; ++thread) {
        const std::set<unsigned> lines = lines_of(trace, thread, "sum_of_first", sum_line);
        for (const unsigned line : {0U, 1U, 2U, 6U})
            EXPECT_TRUE(lines.contains(line)) << "thread " << thread << ", line " << line;
        EXPECT_EQ(lines.contains(3), thread > 0) << "thread " << thread;
        EXPECT_EQ(lines.contains(4), thread > 0) << "thread " << thread;
        EXPECT_EQ(lines.contains(7), thread % 2 == 0) << "thread " << thread;
    }
}

TEST_F(LinesOfALane, FollowTheStepBeforeThem) {
    const LaneTrace trace = record(mix_odd);
    bool is_loaded = false;
    for (LaneReader reader(trace); !is_loaded && reader.next();) {
        is_loaded = reader.site().kind == LaneStepKind::load;
        const bool has_next_line =
            std::ranges::any_of(trace.lines_after[reader.site().place],
                                [](const SourceFrame& frame) { return frame.line == load_line + 1; });
        EXPECT_EQ(has_next_line, is_loaded) << name_of(reader.site().kind);
    }
    EXPECT_TRUE(is_loaded);
}

}  // namespace
}  // namespace compaction::simulated
