#include "app/trace/playback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/app/trace/fake_accesses.hpp"
#include "workloads/streams.hpp"

namespace warpsieve::trace {
namespace {

using compaction::AccessKind;
using compaction::AccessReader;
using compaction::AccessTrace;
using compaction::WarpAccess;
using fake::num_elements;

/// The state before `step`, by applying every access from the first one on.
std::vector<BufferState> state_before(const AccessTrace& trace, std::uint64_t step) {
    std::vector<BufferState> buffers;
    for (const compaction::TracedBuffer& buffer : trace.buffers)
        buffers.push_back({buffer.initial, std::vector<std::uint32_t>(num_elements),
                           std::vector<std::uint32_t>(num_elements)});
    for (AccessReader reader(trace); reader.next() && reader.access().step < step;) {
        const WarpAccess& access = reader.access();
        BufferState& buffer = buffers[access.buffer];
        for (std::size_t i = 0; i < access.elements.size(); ++i) {
            const std::uint64_t element = access.elements[i];
            const auto after = static_cast<std::uint32_t>(access.step + 1);
            if (access.kind != AccessKind::store) buffer.loaded_at[element] = after;
            if (access.kind == AccessKind::load) continue;
            buffer.stored_at[element] = after;
            std::memcpy(&buffer.contents[element * 8], &access.values[i * 8], 8);
        }
    }
    return buffers;
}

void expect_equal(std::span<const BufferState> played, std::span<const BufferState> expected) {
    ASSERT_EQ(played.size(), expected.size());
    for (std::size_t i = 0; i < played.size(); ++i) {
        EXPECT_EQ(played[i].contents, expected[i].contents);
        EXPECT_EQ(played[i].loaded_at, expected[i].loaded_at);
        EXPECT_EQ(played[i].stored_at, expected[i].stored_at);
    }
}

TEST(Playback, SeeksForwardsAndBackwardsWithAnyNumberOfKeyframes) {
    for (const std::size_t max_keyframes_bytes :
         {std::size_t{0}, std::size_t{30'000}, Playback::default_max_keyframes_bytes}) {
        for (unsigned seed = 0; seed < 5; ++seed) {
            SCOPED_TRACE(testing::Message() << max_keyframes_bytes << " bytes, seed " << seed);
            const auto trace = fake::random_accesses(seed, 400);
            Playback playback(trace, max_keyframes_bytes);
            expect_equal(playback.buffers(), state_before(*trace, 0));
            std::mt19937 random(seed);
            for (unsigned i = 0; i < 60; ++i) {
                const std::uint64_t step = random() % (trace->num_steps + 5);
                playback.seek(step);
                EXPECT_EQ(playback.step(), step);
                expect_equal(playback.buffers(), state_before(*trace, step));
            }
            for (std::uint64_t step = trace->num_steps + 1; step-- > 0;) {
                playback.seek(step);
                expect_equal(playback.buffers(), state_before(*trace, step));
            }
        }
    }
}

TEST(Playback, ReadsValuesOfElements) {
    const auto trace = fake::random_accesses(1, 100);
    Playback playback(trace);
    playback.seek(trace->num_steps);
    const BufferState& counts = playback.buffers()[1];
    for (std::uint64_t element = 0; element < num_elements; ++element) {
        std::uint64_t expected = 0;
        std::memcpy(&expected, &counts.contents[element * 8], 8);
        EXPECT_EQ(counts.value(element), expected);
        EXPECT_EQ(counts.bytes_of(element).size(), 8U);
    }
}

TEST(Playback, KeyframesStayWithinTheirMemory) {
    const auto trace = fake::random_accesses(2, 4'000);
    const std::size_t without = Playback(trace, 0).size_bytes();
    for (const std::size_t max_keyframes_bytes : {20'000U, 100'000U, 1'000'000U})
        EXPECT_LE(Playback(trace, max_keyframes_bytes).size_bytes(), without + max_keyframes_bytes);
}

TEST(Playback, PlaysATraceWithoutAccesses) {
    auto trace = fake::random_accesses(3, 0);
    Playback playback(trace);
    playback.seek(7);
    expect_equal(playback.buffers(), state_before(*trace, 7));
}

TEST(Playback, EndsWithTheOutputOfEveryAlgorithmWithin32MB) {
    constexpr std::uint64_t num_items = 1U << 16;
    const auto items = workloads::make_stream(workloads::Pattern::runs, num_items, 0.5, 1);
    unsigned played = 0;
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.engine != compaction::EngineId::simulated) continue;
        if (!compaction::simulated::no_trace_reason(algorithm).empty()) continue;
        SCOPED_TRACE(algorithm.id);
        const compaction::TracedCompaction traced = compaction::simulated::trace_compaction(
            algorithm, {}, compaction::ItemSize::bytes_4, std::as_bytes(std::span(items)),
            compaction::keep_non_zero(), 0);
        const auto trace = std::make_shared<const AccessTrace>(traced.trace);
        Playback playback(trace);
        EXPECT_LE(playback.size_bytes(), std::size_t{32} << 20);
        playback.seek(trace->num_steps);
        const BufferState& output = playback.buffers()[*trace->buffer_of(compaction::BufferRole::output)];
        EXPECT_TRUE(
            std::ranges::equal(traced.output, std::span(output.contents).first(traced.output.size())));
        ++played;
    }
    if (played == 0) GTEST_SKIP() << "this build has no simulated GPU";
}

}  // namespace
}  // namespace warpsieve::trace
