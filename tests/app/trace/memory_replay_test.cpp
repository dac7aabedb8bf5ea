#include "app/trace/memory_replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "compaction/compaction.hpp"
#include "compaction/error.hpp"
#include "tests/support/engines.hpp"
#include "workloads/streams.hpp"

namespace warpsieve::trace {
namespace {

using compaction::Algorithm;
using compaction::BufferRole;
using compaction::EngineId;
using compaction::Item;

constexpr std::uint64_t num_items = 4'099;

/// Handles of the slots: 0 for an empty one, else its index plus 1.
std::vector<Item> handles(std::uint64_t items = num_items) {
    std::vector<Item> stream = workloads::make_stream(workloads::Pattern::random, items, 0.5, 3);
    for (std::size_t slot = 0; slot < stream.size(); ++slot)
        if (stream[slot] != 0) stream[slot] = static_cast<Item>(slot + 1);
    return stream;
}

std::vector<bool> kept_of(const std::vector<Item>& stream) {
    std::vector<bool> kept;
    for (const Item item : stream) kept.push_back(item != 0);
    return kept;
}

/// What is the same for every replay, whatever it was made from.
void expect_plays(MemoryReplay& replay, const std::vector<Item>& stream) {
    const std::vector<bool> kept = kept_of(stream);
    const auto num_kept = static_cast<std::uint64_t>(std::ranges::count(kept, true));
    ASSERT_EQ(replay.num_items(), stream.size());
    ASSERT_EQ(replay.num_kept(), num_kept);

    replay.seek(0);
    EXPECT_EQ(replay.state().num_stored, 0U);
    std::uint64_t stored = 0;
    for (int i = 1; i <= 20; ++i) {
        replay.seek(replay.duration() * i / 20);
        EXPECT_GE(replay.state().num_stored, stored);
        stored = replay.state().num_stored;
        for (const Flight& flight : replay.state().flights) EXPECT_TRUE(kept[flight.slot]);
    }
    for (const ReplayMark& mark : replay.marks()) {
        EXPECT_LE(0, mark.low);
        EXPECT_LT(mark.low, mark.high);
        EXPECT_LE(mark.high, 1);
        EXPECT_LE(mark.begin, mark.end);
        EXPECT_LT(mark.row, 2 + replay.buffers().size());
    }
    double previous = 0;
    for (const ReplayPhase& phase : replay.phases()) {
        EXPECT_LE(phase.begin, phase.end) << phase.name;
        EXPECT_LE(previous, phase.end + 1e-3) << phase.name;
        previous = phase.begin;
    }
    if (!replay.part_kept().empty()) {
        EXPECT_EQ(std::accumulate(replay.part_kept().begin(), replay.part_kept().end(), std::uint64_t{0}),
                  num_kept);
    }
}

/// Every kept item goes where the output has it.
void expect_ways(const MemoryReplay& replay, const std::vector<Item>& stream, std::span<const Item> output) {
    ASSERT_EQ(output.size(), replay.num_kept());
    for (std::uint64_t index = 0; index < output.size(); ++index) {
        const std::uint64_t slot = output[index] - 1;
        ASSERT_EQ(replay.slot_of(index), slot) << "output index " << index;
        ASSERT_EQ(replay.output_index(slot), index) << "slot " << slot;
    }
    for (std::uint64_t slot = 0; slot < stream.size(); ++slot)
        ASSERT_EQ(replay.output_index(slot).has_value(), stream[slot] != 0);
}

/// The words of counts and offsets hold those of the parts at the end.
void expect_words(const MemoryReplay& replay) {
    for (std::size_t i = 0; i < replay.buffers().size(); ++i) {
        const ReplayBuffer& buffer = replay.buffers()[i];
        const ReplayWords& words = replay.state().buffers[i];
        if (!buffer.one_per_part || words.word_bits != 0) continue;
        if (buffer.role != BufferRole::counts) continue;
        for (std::size_t part = 0; part < replay.part_kept().size(); ++part) {
            // A scan may replace the counts.
            if (words.words[part].phase != 0) continue;
            EXPECT_EQ(words.words[part].value, static_cast<float>(replay.part_kept()[part]))
                << buffer.name << ", part " << part;
        }
    }
}

class AccessReplays : public testing::TestWithParam<const Algorithm*> {};

TEST_P(AccessReplays, ShowTheWayOfEveryItem) {
    const Algorithm& algorithm = *GetParam();
    if (const std::string reason = compaction::simulated::no_trace_reason(algorithm); !reason.empty())
        GTEST_SKIP() << reason;
    const std::vector<Item> stream = handles();
    const auto made = compaction::simulated::trace_compaction(algorithm, {}, compaction::ItemSize::bytes_4,
                                                              std::as_bytes(std::span(stream)),
                                                              compaction::keep_non_zero(), 5);
    const auto engine = compaction::open_engine(EngineId::simulated, 5);
    const auto compactor = engine->make_compactor(algorithm, {});
    const auto replay = replay_of(algorithm, std::make_shared<const compaction::AccessTrace>(made.trace),
                                  compactor->partition(num_items));
    EXPECT_TRUE(replay->in_steps());
    EXPECT_EQ(replay->schedule_seed(), 5U);
    expect_plays(*replay, stream);
    expect_words(*replay);
    EXPECT_EQ(replay->state().num_stored, replay->num_kept());
    const std::span output(reinterpret_cast<const Item*>(made.output.data()), made.num_selected);
    expect_ways(*replay, stream, output);
    // Every item flies once, from a load to a store.
    replay->seek(replay->duration() / 2);
    for (const Flight& flight : replay->state().flights) EXPECT_LE(flight.begin, flight.end);
}

std::vector<const Algorithm*> simulated_algorithms() {
    std::vector<const Algorithm*> all;
    for (const Algorithm& algorithm : compaction::catalogue())
        if (algorithm.engine == EngineId::simulated) all.push_back(&algorithm);
    return all;
}
std::string name_of(const testing::TestParamInfo<const Algorithm*>& info) {
    return info.param->id;
}
INSTANTIATE_TEST_SUITE_P(All, AccessReplays, testing::ValuesIn(simulated_algorithms()), name_of);

TEST(AccessReplay, RefusesItemsThatAreNotHandles) {
    const auto& algorithm = compaction::find_algorithm("sequence_wise");
    std::vector<Item> stream = handles(64);
    std::ranges::fill(stream, Item{7});
    const auto made = compaction::simulated::trace_compaction(algorithm, {}, compaction::ItemSize::bytes_4,
                                                              std::as_bytes(std::span(stream)),
                                                              compaction::keep_non_zero(), 1);
    EXPECT_THROW(replay_of(algorithm, std::make_shared<const compaction::AccessTrace>(made.trace),
                           compaction::whole_stream(64)),
                 compaction::Error);
}

TEST(AccessReplay, FindsTheDistanceOfEachLaunchOfAScan) {
    const auto& algorithm = compaction::find_algorithm("naive_scan");
    const std::vector<Item> stream = handles(4'096);
    const auto made = compaction::simulated::trace_compaction(algorithm, {}, compaction::ItemSize::bytes_4,
                                                              std::as_bytes(std::span(stream)),
                                                              compaction::keep_non_zero(), 1);
    const auto replay = replay_of(algorithm, std::make_shared<const compaction::AccessTrace>(made.trace),
                                  compaction::unknown_partition(4'096, "It has none."));
    std::vector<std::uint64_t> hops;
    for (const ReplayLaunch& launch : replay->launches())
        if (launch.hop > 0) hops.push_back(launch.hop);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t hop = 1; hop < 4'096; hop *= 2) expected.push_back(hop);
    expected.push_back(1);  // the last launch makes the scan exclusive
    EXPECT_EQ(hops, expected);
}

class SpanReplays : public testing_support::OnEveryEngine {
  protected:
    void SetUp() override {
        OnEveryEngine::SetUp();
        if (engine_) recorder_ = engine_->make_recorder(8);
    }

    std::vector<const Algorithm*> algorithms() const {
        std::vector<const Algorithm*> all;
        for (const Algorithm& algorithm : compaction::catalogue())
            if (algorithm.engine == GetParam() && algorithm.is_available() && !algorithm.truncates)
                all.push_back(&algorithm);
        return all;
    }

    TracedRun run(const Algorithm& algorithm, const std::vector<Item>& stream) {
        const auto in = uploaded(stream);
        const auto out = uploaded(std::vector<Item>(stream.size()));
        const auto num_selected = engine_->allocate(sizeof(std::uint64_t));
        const auto compactor = engine_->make_compactor(algorithm, {});
        compactor->reserve(stream.size());
        recorder_->request_trace(0);
        {
            const compaction::ScopedRun scope{recorder_.get(), 1};
            compactor->enqueue(in.as<Item>(), stream.size(), out.as<Item>(), num_selected.as<std::uint64_t>(),
                               compaction::keep_non_zero(), recorder_.get());
        }
        recorder_->collect();
        engine_->synchronise();
        std::vector<compaction::RunTiming> finished;
        recorder_->poll(finished);
        output_.resize(stream.size());
        engine_->download(output_.data(), out.as<void>(), stream.size() * sizeof(Item));
        return prepare(algorithm, 1, recorder_->poll_trace().value());
    }

    std::unique_ptr<compaction::PhaseRecorder> recorder_;
    std::vector<Item> output_;
};

TEST_P(SpanReplays, ShowWhatTheSpansCarry) {
    for (const Algorithm* const algorithm : algorithms()) {
        if (algorithm->phases.size() == 1 && !algorithm->phases[0].moved_bytes &&
            algorithm->engine != EngineId::cpu)
            continue;
        for (const std::uint64_t items : {num_items, std::uint64_t{20'000}}) {
            SCOPED_TRACE(algorithm->id + ", " + std::to_string(items));
            const std::vector<Item> stream = handles(items);
            const auto traced = std::make_shared<const TracedRun>(run(*algorithm, stream));
            const auto replay = replay_of(traced, kept_of(stream));
            EXPECT_EQ(replay->run(), traced);
            EXPECT_NEAR(replay->run_begin_us() + replay->duration(), static_cast<double>(traced->end_us),
                        1e-3);
            EXPECT_FALSE(replay->in_steps());
            expect_plays(*replay, stream);
            const auto first = std::ranges::find_if(stream, [](Item item) { return item != 0; });
            if (!replay->output_index(static_cast<std::uint64_t>(first - stream.begin()))) continue;
            expect_ways(*replay, stream, std::span(output_).first(replay->num_kept()));
            EXPECT_EQ(replay->state().num_stored, replay->num_kept());
        }
    }
}

TracedRun with_times_multiplied(TracedRun run, float factor) {
    for (compaction::WorkSpan& span : run.spans) {
        span.begin_us *= factor;
        span.end_us *= factor;
    }
    for (float& us : run.timing.phase_us) us *= factor;
    run.end_us *= factor;
    return run;
}

/// Whatever the times are: a sum of floats may be later than the end.
TEST_P(SpanReplays, HaveStoredEveryItemAtTheEnd) {
    const std::vector<Item> stream = handles(num_items);
    const auto first = std::ranges::find_if(stream, [](Item item) { return item != 0; }) - stream.begin();
    for (const Algorithm* const algorithm : algorithms()) {
        const TracedRun recorded = run(*algorithm, stream);
        for (unsigned i = 1; i <= 30; ++i) {
            const float factor = 1 + static_cast<float>(i) / 31;
            const auto replay = replay_of(
                std::make_shared<const TracedRun>(with_times_multiplied(recorded, factor)), kept_of(stream));
            if (!replay->output_index(static_cast<std::uint64_t>(first))) break;
            replay->seek(replay->duration());
            EXPECT_EQ(replay->state().num_stored, replay->num_kept()) << algorithm->id << ", " << factor;
        }
    }
}

TEST_P(SpanReplays, RefuseAnotherStream) {
    const Algorithm& algorithm = *algorithms().front();
    const std::vector<Item> stream = handles();
    const auto traced = std::make_shared<const TracedRun>(run(algorithm, stream));
    std::vector<bool> other = kept_of(stream);
    other[0] = !other[0];
    EXPECT_THROW(replay_of(traced, other), compaction::Error);
}

INSTANTIATE_TEST_SUITE_P(Engines, SpanReplays, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);

}  // namespace
}  // namespace warpsieve::trace
