// The results of every algorithm and step on the simulated GPU, in every order, for streams that it can run
// in a short time.
#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "compaction/simulated_schedule.hpp"
#include "tests/simulated/seeds.hpp"
#include "tests/support/layouts.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

constexpr std::uint64_t longest = 65'537;
constexpr std::uint64_t stream_seed = 20'180'305;

struct Subject {
    const Algorithm* algorithm;
    ItemSize item_size;
};

class SimulatedConformance : public testing::TestWithParam<Subject> {
  protected:
    void SetUp() override {
        const EngineStatus& status = status_of(EngineId::simulated);
        if (!status.available) GTEST_SKIP() << status.reason;
    }

    /// The layouts run one after the other on streams of one length; `planned_seed`: of the schedule, unless
    /// the environment variable names another.
    void expect_right(int planned_seed, const std::vector<Options>& layouts, std::uint64_t length,
                      Pattern pattern, double keep_fraction, std::uint64_t shift = 0) {
        const int seed = simulated_seeds::or_chosen(planned_seed);
        SCOPED_TRACE(simulated_seeds::repeat_line("simulated_conformance_test", seed));
        try {
            compare(seed, layouts, length, pattern, keep_fraction, shift);
        } catch (const Error& error) {
            ADD_FAILURE() << error.what();
        }
    }

    void compare(int seed, const std::vector<Options>& layouts, std::uint64_t length, Pattern pattern,
                 double keep_fraction, std::uint64_t shift) {
        const auto [algorithm, item_size] = GetParam();
        const auto engine = open_engine(EngineId::simulated, seed);
        testing_support::Workbench bench(*engine, length);
        bench.use(*algorithm, item_size);
        bench.load(workloads::make_stream(pattern, length, keep_fraction, stream_seed), keep_non_zero(),
                   shift, shift == 0 ? 0 : 4 - shift);
        for (const Options& layout : layouts) {
            const auto compactor = engine->make_compactor(*algorithm, layout, item_size);
            compactor->reserve(length);
            ASSERT_TRUE(bench.check(*compactor))
                << length << " items, " << workloads::info_of(pattern).name << ", seed " << seed << ", shift "
                << shift << "; " << testing_support::describe(layout);
        }
    }

    /// Launches of tens of thousands of blocks take long here, however short the stream is.
    static bool has_many_blocks() { return GetParam().algorithm->truncates; }

    /// Blocks that wait for nobody leave an adversary nothing to do.
    static bool is_idle(int seed) {
        return has_many_blocks() && simulated::schedule_of(static_cast<std::uint64_t>(seed)).order ==
                                        simulated::Order::adversarial;
    }

    std::vector<Options> few_layouts() const {
        return testing_support::few_layouts(*GetParam().algorithm, GetParam().item_size);
    }
};

// Seeds: the order, when copies take place, and the multiprocessors of the card.
constexpr int forward_on_one = 45;
constexpr int seeds[]{0,     // forward, at once, 4
                      4,     // reverse, late, 4
                      8,     // random, shuffled, 4
                      47,    // random, at once, 1
                      189,   // adversarial, at once, 1, 1 preemption
                      152};  // adversarial, shuffled, 4, 16 preemptions

TEST_P(SimulatedConformance, EveryLengthAndPattern) {
    const std::vector<std::uint64_t> lengths =
        has_many_blocks() ? std::vector<std::uint64_t>{0, 33, 1'000}
                          : std::vector<std::uint64_t>{0,   1,   2,   31,    32,    33,    64,   65,
                                                       127, 128, 129, 1'000, 4'095, 4'096, 4'097};
    for (const std::uint64_t length : lengths)
        expect_right(forward_on_one, few_layouts(), length, Pattern::random, 0.5);
    for (const std::uint64_t length : {33, 4'097}) {
        if (has_many_blocks() && length == 33) continue;
        for (const Pattern pattern : {Pattern::empty, Pattern::full, Pattern::runs})
            expect_right(forward_on_one, few_layouts(), length, pattern, 0.5);
    }
}

TEST_P(SimulatedConformance, EveryOrderAndAlignment) {
    for (std::uint64_t i = 0; i < std::size(seeds); ++i) {
        if (is_idle(seeds[i])) continue;
        for (const std::uint64_t length : {1'001, 4'097}) {
            if (has_many_blocks() && length == 1'001) continue;
            expect_right(seeds[i], few_layouts(), length, Pattern::random, 0.6, i % 4);
        }
    }
}

TEST_P(SimulatedConformance, LongStreams) {
    for (const int seed : seeds) {
        if (is_idle(seed)) continue;
        if (!has_many_blocks()) expect_right(seed, {Options{}}, 20'011, Pattern::random, 0.4);
        expect_right(seed, {Options{}}, longest, Pattern::random, 0.4);
    }
    expect_right(forward_on_one, few_layouts(), longest, Pattern::random, 0.5);
}

TEST_P(SimulatedConformance, EveryPredicate) {
    constexpr Predicate predicates[]{keep_above(0x7fffffff), keep_above(0xffffffff), keep_any_bit(1),
                                     keep_any_bit(0), Predicate{0xf0f0f0f0, 0x80808080}};
    const std::uint64_t length = has_many_blocks() ? 33 : 4'099;
    const auto [algorithm, item_size] = GetParam();
    const auto engine = open_engine(EngineId::simulated, seeds[2]);
    testing_support::Workbench bench(*engine, length);
    bench.use(*algorithm, item_size);
    const auto compactor = engine->make_compactor(*algorithm, {}, item_size);
    compactor->reserve(length);
    std::vector<Item> stream = workloads::make_stream(Pattern::full, length, 1, stream_seed);
    stream[length / 2] = 0xffffffff;
    stream[length / 3] = 0x80000000;
    for (const Predicate& keep : predicates) {
        bench.load(stream, keep);
        ASSERT_TRUE(bench.check(*compactor)) << "mask " << keep.mask << ", threshold " << keep.threshold;
    }
}

/// What a run leaves behind serves the next, of any length.
TEST_P(SimulatedConformance, OneCompactorManyLengths) {
    if (has_many_blocks()) GTEST_SKIP() << "Keeps nothing from run to run.";
    const auto [algorithm, item_size] = GetParam();
    const auto engine = open_engine(EngineId::simulated, seeds[5]);
    testing_support::Workbench bench(*engine, 20'011);
    bench.use(*algorithm, item_size);
    const auto compactor = engine->make_compactor(*algorithm, {}, item_size);
    compactor->reserve(20'011);
    for (const std::uint64_t length : {4'097, 1, 20'011, 0, 33, 4'096, 20'011}) {
        bench.load(workloads::make_stream(Pattern::random, length, 0.5, stream_seed + length),
                   keep_non_zero());
        for (int run = 0; run < 2; ++run) ASSERT_TRUE(bench.check(*compactor)) << length << " items";
    }
}

std::vector<Subject> subjects() {
    std::vector<Subject> all;
    for (const std::span<const Algorithm> list : {catalogue(), steps()}) {
        for (const Algorithm& algorithm : list) {
            if (algorithm.engine != EngineId::simulated || !algorithm.is_available()) continue;
            for (const ItemSize item_size : algorithm.item_sizes) all.push_back({&algorithm, item_size});
        }
    }
    return all;
}

std::string subject_name(const testing::TestParamInfo<Subject>& subject) {
    return subject.param.algorithm->id + "_" + std::to_string(bytes_of(subject.param.item_size)) + "_bytes";
}

INSTANTIATE_TEST_SUITE_P(All, SimulatedConformance, testing::ValuesIn(subjects()), subject_name);

}  // namespace
