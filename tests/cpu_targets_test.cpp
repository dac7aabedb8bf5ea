// Whole algorithms of the CPU engine with each instruction set of this processor; the conformance tests use
// only the best one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/compaction.hpp"
#include "registration.hpp"
#include "tests/support/option_sets.hpp"
#include "tests/support/other_machine.hpp"
#include "tests/support/simd_targets.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using testing_support::OtherMachineEngine;
using testing_support::SimdTargetChoice;
using testing_support::Workbench;
using workloads::make_stream;
using workloads::Pattern;

class CpuTargets : public testing::TestWithParam<std::tuple<std::int64_t, const Algorithm*>> {};

/// Long enough for several threads and sequences.
constexpr std::uint64_t longest = 200'003;

void check_options(Workbench& bench, Engine& engine, const Algorithm& algorithm, const Options& options,
                   ItemSize item_size) {
    const auto compactor = make_registered(engine, algorithm, options, item_size);
    compactor->reserve(longest);
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3},
                                       std::uint64_t{63}, std::uint64_t{4'097}, longest}) {
        for (const double fraction : {0.01, 0.5, 0.9}) {
            const std::uint64_t shift = length % 4;
            bench.load(make_stream(Pattern::random, length, fraction, length), keep_non_zero(), shift,
                       3 - shift);
            ASSERT_TRUE(bench.check(*compactor))
                << length << " items of " << bytes_of(item_size) << " bytes, " << fraction << " kept; "
                << testing_support::describe(options);
        }
    }
}

void check_algorithm(Engine& engine, const Algorithm& algorithm) {
    Workbench bench(engine, longest);
    for (const ItemSize item_size : algorithm.item_sizes) {
        bench.use(algorithm, item_size);
        Options shared;
        if (algorithm.range_of(Option::threads_per_block)) shared[Option::threads_per_block] = 3;
        if (algorithm.range_of(Option::sequences)) shared[Option::sequences] = 17;
        std::vector<Options> option_sets{Options{}, shared};
        if (const LegalRange* variants = algorithm.range_of(Option::variant)) {
            for (const std::uint32_t variant : variants->values()) {
                option_sets.push_back(shared);
                option_sets.back()[Option::variant] = variant;
            }
        }
        for (const Options& options : option_sets) {
            check_options(bench, engine, algorithm, options, item_size);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST_P(CpuTargets, ConformAtEveryItemSizeAndAlignment) {
    const SimdTargetChoice choice(std::get<0>(GetParam()));
    const auto engine = open_engine(EngineId::cpu);
    check_algorithm(*engine, *std::get<1>(GetParam()));
}

/// The output exceeds the cache, so stores bypass it.
TEST_P(CpuTargets, ConformPastTheCache) {
    const SimdTargetChoice choice(std::get<0>(GetParam()));
    OtherMachineEngine engine;
    engine.machine().cache_bytes = 4'096;
    check_algorithm(engine, *std::get<1>(GetParam()));
}

TEST(SimdTarget, IsTheOneNamedByTheEnvironment) {
    for (const std::int64_t target : testing_support::simd_targets()) {
        const std::string name = testing_support::simd_target_name(target);
        // In a separate process: the restriction cannot be undone.
        EXPECT_EXIT(
            {
                setenv("COMPACTION_SIMD", name.c_str(), 1);
                std::exit(open_engine(EngineId::cpu)->device().driver.starts_with(name + " ") ? 0 : 1);
            },
            testing::ExitedWithCode(0), "")
            << name;
    }
    setenv("COMPACTION_SIMD", "abacus", 1);
    try {
        open_engine(EngineId::cpu);
        ADD_FAILURE() << "an abacus was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    }
    unsetenv("COMPACTION_SIMD");
}

std::vector<const Algorithm*> cpu_algorithms() {
    std::vector<const Algorithm*> all;
    for (const std::span<const Algorithm> list : {catalogue(), steps()}) {
        for (const Algorithm& algorithm : list) {
            if (algorithm.engine == EngineId::cpu) all.push_back(&algorithm);
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Engine, CpuTargets,
                         testing::Combine(testing::ValuesIn(testing_support::simd_targets()),
                                          testing::ValuesIn(cpu_algorithms())),
                         [](const auto& each) {
                             return testing_support::simd_target_name(std::get<0>(each.param)) + "_" +
                                    std::get<1>(each.param)->id;
                         });

}  // namespace
