// Replays of calls that end after a phase, on a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t num_items = (1 << 20) + 77;
constexpr std::size_t num_runs = 3;
constexpr Item poison = 0xbad0beef;
constexpr std::uint64_t poison_count = 0xbad0beef;

struct ThreePhases {
    const char* algorithm;
    bool prefix_writes_the_count;  ///< otherwise the move does
};

class PhaseReplays : public testing::TestWithParam<ThreePhases> {
  protected:
    void SetUp() override {
        if (const EngineStatus& status = status_of(EngineId::cuda); !status.available)
            GTEST_SKIP() << status.reason;
        engine_ = open_engine(EngineId::cuda);
        stream_ = workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 1);
        in_ = engine_->allocate(num_items * sizeof(Item));
        out_ = engine_->allocate(num_runs * num_items * sizeof(Item));
        counts_ = engine_->allocate(num_runs * sizeof(std::uint64_t));
        engine_->upload(in_.as<Item>(), stream_.data(), num_items * sizeof(Item));
        std::ranges::copy_if(stream_, std::back_inserter(expected_), keep_non_zero());
    }

    /// Runs that write to outputs of their own.
    std::vector<std::unique_ptr<Replay>> record(Compactor& compactor) {
        return engine_->record_phases([&](PhaseRecorder* recorder) {
            for (std::size_t run = 0; run < num_runs; ++run) {
                const ScopedRun scope{recorder, run};
                compactor.enqueue(in_.as<Item>(), num_items, out_.as<Item>() + run * num_items,
                                  counts_.as<std::uint64_t>() + run, keep_non_zero(), recorder);
            }
        });
    }

    void poison_outputs() {
        const std::vector<Item> items(num_runs * num_items, poison);
        const std::vector<std::uint64_t> counts(num_runs, poison_count);
        engine_->upload(out_.as<Item>(), items.data(), items.size() * sizeof(Item));
        engine_->upload(counts_.as<std::uint64_t>(), counts.data(), counts.size() * sizeof(std::uint64_t));
    }

    std::vector<std::uint64_t> counts() {
        std::vector<std::uint64_t> counts(num_runs);
        engine_->download(counts.data(), counts_.as<std::uint64_t>(), num_runs * sizeof(std::uint64_t));
        return counts;
    }

    std::vector<Item> output(std::size_t run) {
        std::vector<Item> items(num_items);
        engine_->download(items.data(), out_.as<Item>() + run * num_items, num_items * sizeof(Item));
        return items;
    }

    void expect_outputs(const std::vector<Item>& expected) {
        for (std::size_t run = 0; run < num_runs; ++run) {
            const std::vector<Item> items = output(run);
            const auto end = items.begin() + static_cast<std::ptrdiff_t>(expected.size());
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), items.begin())) << "run " << run;
            EXPECT_TRUE(std::all_of(end, items.end(), [](Item item) { return item == poison; }))
                << "run " << run;
        }
    }

    std::unique_ptr<Engine> engine_;
    std::vector<Item> stream_;
    std::vector<Item> expected_;
    Buffer in_;
    Buffer out_;
    Buffer counts_;
};

TEST_P(PhaseReplays, EndAfterEachPhase) {
    const Algorithm& algorithm = find_algorithm(GetParam().algorithm);
    const auto compactor = engine_->make_compactor(algorithm, {});
    compactor->reserve(num_items);
    poison_outputs();
    const auto replays = record(*compactor);
    ASSERT_EQ(replays.size(), 3U);
    engine_->synchronise();
    const std::vector<std::uint64_t> untouched(num_runs, poison_count);
    const std::vector<std::uint64_t> kept(num_runs, expected_.size());
    EXPECT_EQ(counts(), untouched) << "recording runs nothing";

    // Twice each: whatever a call that ends early leaves behind does no harm.
    for (int round = 0; round < 2; ++round) {
        poison_outputs();
        replays[0]->enqueue();
        engine_->synchronise();
        EXPECT_EQ(counts(), untouched) << "the count writes only its own memory";
        expect_outputs({});

        replays[1]->enqueue();
        engine_->synchronise();
        EXPECT_EQ(counts(), GetParam().prefix_writes_the_count ? kept : untouched);
        expect_outputs({});

        poison_outputs();
        replays[2]->enqueue();
        engine_->synchronise();
        EXPECT_EQ(counts(), kept);
        expect_outputs(expected_);
    }
}

TEST_P(PhaseReplays, LeaveNormalCallsAsTheyAre) {
    const Algorithm& algorithm = find_algorithm(GetParam().algorithm);
    const auto compactor = engine_->make_compactor(algorithm, {});
    compactor->reserve(num_items);
    const auto replays = record(*compactor);
    ASSERT_EQ(replays.size(), 3U);
    poison_outputs();
    replays[2]->enqueue();
    engine_->synchronise();
    const std::vector<Item> replayed = output(0);
    poison_outputs();
    replays[0]->enqueue();
    compactor->enqueue(in_.as<Item>(), num_items, out_.as<Item>(), counts_.as<std::uint64_t>(),
                       keep_non_zero(), nullptr);
    engine_->synchronise();
    EXPECT_EQ(counts()[0], expected_.size());
    EXPECT_EQ(output(0), replayed);
}

INSTANTIATE_TEST_SUITE_P(Cuda, PhaseReplays,
                         testing::Values(ThreePhases{"sequence_wise", true},
                                         ThreePhases{"block_wise", false}),
                         [](const auto& test) { return std::string(test.param.algorithm); });

TEST(PhaseReplaysOfEvery, AlgorithmGiveItsOutput) {
    if (const EngineStatus& status = status_of(EngineId::cuda); !status.available)
        GTEST_SKIP() << status.reason;
    const auto engine = open_engine(EngineId::cuda);
    const std::vector<Item> stream = workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 1);
    const Buffer in = engine->allocate(num_items * sizeof(Item));
    const Buffer out = engine->allocate(num_items * sizeof(Item));
    const Buffer count = engine->allocate(sizeof(std::uint64_t));
    engine->upload(in.as<Item>(), stream.data(), num_items * sizeof(Item));
    const auto kept = std::ranges::count_if(stream, keep_non_zero());
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != EngineId::cuda || !algorithm.is_available() || algorithm.synchronises)
            continue;
        const auto compactor = engine->make_compactor(algorithm, {});
        compactor->reserve(num_items);
        const auto replays = engine->record_phases([&](PhaseRecorder* recorder) {
            const ScopedRun run{recorder, 0};
            compactor->enqueue(in.as<Item>(), num_items, out.as<Item>(), count.as<std::uint64_t>(),
                               keep_non_zero(), recorder);
        });
        ASSERT_EQ(replays.size(), algorithm.launches_on_device ? 0 : algorithm.phases.size()) << algorithm.id;
        if (replays.empty()) continue;
        const auto verifier = engine->make_verifier(comparison_of(algorithm));
        verifier->reserve(num_items);
        for (const auto& replay : replays) replay->enqueue();
        verifier->enqueue(0, in.as<Item>(), num_items, out.as<Item>(), count.as<std::uint64_t>(),
                          keep_non_zero());
        engine->synchronise();
        const auto verdict = verifier->poll();
        ASSERT_TRUE(verdict) << algorithm.id;
        EXPECT_TRUE(verdict->correct()) << algorithm.id << ": " << verdict->describe();
        EXPECT_EQ(verdict->actual_count, static_cast<std::uint64_t>(kept)) << algorithm.id;
    }
}

TEST(PhaseReplaysOf, ARunThatWaitsAreNone) {
    if (const EngineStatus& status = status_of(EngineId::cuda); !status.available)
        GTEST_SKIP() << status.reason;
    const auto engine = open_engine(EngineId::cuda);
    const auto replays = engine->record_phases([&](PhaseRecorder* recorder) {
        const ScopedRun run{recorder, 0};
        const ScopedPhase phase{recorder};
        engine->synchronise();
    });
    EXPECT_TRUE(replays.empty());
    engine->synchronise();
}

}  // namespace
