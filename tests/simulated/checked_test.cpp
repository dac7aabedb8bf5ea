// The library's own kernels, compiled so that the simulated GPU checks each load and store: none is out of
// bounds, and none races with another.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "simulated/gpu.hpp"
#include "tests/simulated/seeds.hpp"
#include "tests/support/option_sets.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

struct Subject {
    const Algorithm* algorithm;
    ItemSize item_size;
};

class SimulatedChecks : public testing::TestWithParam<Subject> {
  protected:
    void SetUp() override {
        const std::string& id = GetParam().algorithm->id;
        // StagedWriter, of sequence_wise alone, reads a whole line where only a part of it may be written.
        // The pipeline of single_pass may leave items to tickets that it has written.
        simulated::set_checks({.accesses = true,
                               .uninitialised = !id.ends_with("sequence_wise"),
                               .stale_values = true,
                               .allows_rewrites = id.ends_with("single_pass")});
    }
    void TearDown() override { simulated::set_checks({}); }

    void expect_right(int planned_seed, const std::vector<Options>& option_sets, std::uint64_t length,
                      Pattern pattern, std::uint64_t shift = 0) {
        const int seed = simulated_seeds::or_chosen(planned_seed);
        SCOPED_TRACE(simulated_seeds::repeat_line("simulated_checked_test", seed));
        const auto [algorithm, item_size] = GetParam();
        const auto engine = open_engine(EngineId::simulated, seed);
        testing_support::Workbench bench(*engine, length);
        bench.use(*algorithm, item_size);
        for (const Options& options : option_sets) {
            try {
                const auto compactor = engine->make_compactor(*algorithm, options, item_size);
                compactor->reserve(length);
                // The second run begins with the state that the first left, and has other counts.
                for (const double keep_fraction : {0.5, 0.8}) {
                    bench.load(workloads::make_stream(pattern, length, keep_fraction, 7), keep_non_zero(),
                               shift, shift == 0 ? 0 : 4 - shift);
                    ASSERT_TRUE(bench.check(*compactor)) << length << " items, seed " << seed;
                }
            } catch (const Error& error) {
                FAIL() << error.what() << "\n" << testing_support::describe(options);
            }
        }
    }
};

constexpr int forward_on_one = 45;
constexpr int reverse_late = 4;
constexpr int random_shuffled = 8;
constexpr int adversarial_shuffled = 152;

TEST_P(SimulatedChecks, FindNoFault) {
    const std::vector<Options> option_sets =
        testing_support::few_option_sets(*GetParam().algorithm, GetParam().item_size);
    for (const int seed : {forward_on_one, reverse_late, random_shuffled, adversarial_shuffled})
        expect_right(seed, option_sets, 4'097, Pattern::random);
    expect_right(forward_on_one, option_sets, 1'001, Pattern::full, 1);
    expect_right(random_shuffled, {Options{}}, 65'537, Pattern::random);
    expect_right(forward_on_one, {Options{}}, 65'537, Pattern::runs);
}

TEST_P(SimulatedChecks, FindNoFaultWhileBlocksNoteTheirTimes) {
    const auto [algorithm, item_size] = GetParam();
    for (const int planned_seed : {forward_on_one, adversarial_shuffled}) {
        const int seed = simulated_seeds::or_chosen(planned_seed);
        SCOPED_TRACE(simulated_seeds::repeat_line("simulated_checked_test", seed));
        const auto engine = open_engine(EngineId::simulated, seed);
        for (const std::uint64_t length : {4'097, 30'001}) {
            testing_support::Workbench bench(*engine, length);
            bench.use(*algorithm, item_size);
            bench.load(workloads::make_stream(Pattern::random, length, 0.5, 7), keep_non_zero());
            const auto recorder = engine->make_recorder(1);
            try {
                const auto compactor = engine->make_compactor(*algorithm, {}, item_size);
                compactor->reserve(length);
                recorder->request_trace(0);
                const ScopedRun run{recorder.get(), 0};
                ASSERT_TRUE(bench.check(*compactor, recorder.get())) << length << " items, seed " << seed;
            } catch (const Error& error) {
                FAIL() << error.what();
            }
        }
    }
}

std::vector<Subject> subjects() {
    std::vector<Subject> all;
    for (const std::span<const Algorithm> list : {catalogue(), steps()}) {
        for (const Algorithm& algorithm : list) {
            if (algorithm.engine != EngineId::simulated || !algorithm.is_available()) continue;
            if (algorithm.truncates) continue;  // copy_warp_stride again, by ten million threads
            for (const ItemSize item_size : algorithm.item_sizes) all.push_back({&algorithm, item_size});
        }
    }
    return all;
}

std::string subject_name(const testing::TestParamInfo<Subject>& subject) {
    return subject.param.algorithm->id + "_" + std::to_string(bytes_of(subject.param.item_size)) + "_bytes";
}

INSTANTIATE_TEST_SUITE_P(All, SimulatedChecks, testing::ValuesIn(subjects()), subject_name);

}  // namespace
