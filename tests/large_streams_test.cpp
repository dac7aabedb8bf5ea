// Streams of more items than 32 bits count, on a machine that holds them: all kept and half kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

constexpr std::uint64_t num_items = (std::uint64_t{1} << 32) + 12'345;
constexpr std::uint64_t stream_bytes = num_items * sizeof(Item);
/// Includes input, output, masks, counts, and the copy that ink_compact makes of every item.
constexpr std::uint64_t memory_needed = 7 * stream_bytes / 2;
/// The stream repeats with an odd period, so that repeats differ in their alignment to sequences and tiles.
constexpr std::uint64_t repeated_items = (1 << 24) + 4'099;

class LargeStreams : public testing::TestWithParam<const Algorithm*> {
  protected:
    /// An engine with a stream and room for its result, shared by all tests of a process.
    struct Shared {
        std::unique_ptr<Engine> engine;
        Buffer in;
        Buffer out;
        Buffer num_selected;
    };

    void SetUp() override {
        const EngineStatus& status = compaction::status_of(GetParam()->engine);
        if (!status.available) GTEST_SKIP() << status.reason;
        if (!std::getenv("WARPSIEVE_LARGE_TESTS")) {
            GTEST_SKIP() << "It needs " << (memory_needed >> 30)
                         << " GiB of device memory; set WARPSIEVE_LARGE_TESTS=1 to run it.";
        }
        if (shared().engine) return;
        auto engine = open_engine(GetParam()->engine);
        if (engine->free_memory_bytes() < memory_needed) {
            GTEST_SKIP() << "This needs " << (memory_needed >> 30)
                         << " GiB of free device memory; available: " << (engine->free_memory_bytes() >> 30)
                         << ".";
        }
        shared().in = engine->allocate(stream_bytes);
        shared().out = engine->allocate(stream_bytes);
        shared().num_selected = engine->allocate(sizeof(std::uint64_t));
        shared().engine = std::move(engine);
    }

    static void TearDownTestSuite() { shared() = {}; }

    static Shared& shared() {
        static Shared only;
        return only;
    }

    static void fill(Pattern pattern) {
        const std::vector<Item> part = workloads::make_stream(pattern, repeated_items, 0.5, 32);
        auto* const in = shared().in.as<Item>();
        shared().engine->upload(in, part.data(), part.size() * sizeof(Item));
        for (std::uint64_t filled = repeated_items; filled < num_items; filled *= 2) {
            const std::uint64_t more = std::min(filled, num_items - filled);
            shared().engine->enqueue_copy(in + filled, in, more * sizeof(Item));
        }
    }
};

TEST_P(LargeStreams, AreCompacted) {
    Engine& engine = *shared().engine;
    const auto compactor = engine.make_compactor(*GetParam(), {});
    compactor->reserve(num_items);
    const auto verifier = engine.make_verifier(comparison_of(*GetParam()));
    verifier->reserve(num_items);
    for (const Pattern pattern : {Pattern::random, Pattern::full}) {
        fill(pattern);
        compactor->enqueue(shared().in.as<void>(), num_items, shared().out.as<void>(),
                           shared().num_selected.as<std::uint64_t>(), keep_non_zero(), nullptr);
        verifier->enqueue(0, shared().in.as<void>(), num_items, shared().out.as<void>(),
                          shared().num_selected.as<std::uint64_t>(), keep_non_zero());
        engine.synchronise();
        const Verdict verdict = verifier->poll().value();
        EXPECT_TRUE(verdict.correct()) << verdict.describe();
        if (pattern != Pattern::full) continue;
        EXPECT_EQ(verdict.expected_count, num_items);
    }
}

/// The algorithms of the CUDA engine that accept this many items. The CPU engine would take minutes, and uses
/// the same 64-bit indices for short streams.
std::vector<const Algorithm*> algorithms_for_large_streams() {
    std::vector<const Algorithm*> all;
    for (const std::span<const Algorithm> list : {catalogue(), steps()}) {
        for (const Algorithm& algorithm : list)
            if (algorithm.engine == EngineId::cuda && algorithm.max_items >= num_items)
                all.push_back(&algorithm);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LargeStreams, testing::ValuesIn(algorithms_for_large_streams()),
                         [](const auto& each) { return each.param->id; });

}  // namespace
