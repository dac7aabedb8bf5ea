// A GPU and the simulated GPU leave the same bytes: every algorithm and step, with the same input and
// options, on two engines of one process. The items of an unordered output are sorted first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/option_sets.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using testing_support::Workbench;
using workloads::Pattern;

constexpr std::uint64_t longest = 65'537;
constexpr std::uint64_t stream_seed = 20'180'305;

/// The engine that is compared with the simulated GPU of seed 0, and its device or seed.
struct Other {
    EngineId engine;
    int device;
    ItemSize item_size;
    std::vector<double> keep_fractions;
};

std::string other_name(const testing::TestParamInfo<Other>& info) {
    return std::string(id_of(info.param.engine)) + "_" + std::to_string(bytes_of(info.param.item_size)) +
           "_bytes";
}

void PrintTo(const Other& other, std::ostream* os) {
    *os << id_of(other.engine) << ", items of " << bytes_of(other.item_size) << " bytes";
}

/// A run and its output.
struct Outcome {
    std::string what;
    Options options;  ///< the options that the engine chose
    std::uint64_t digest = 0;
    bool operator==(const Outcome& other) const { return what == other.what && digest == other.digest; }
};

void PrintTo(const Outcome& run, std::ostream* os) {
    *os << run.what << ": " << run.digest;
}

/// FNV-1a by words. Source: Fowler, Noll and Vo, draft-eastlake-fnv.
std::uint64_t digest_of(std::span<const Item> words) {
    std::uint64_t digest = 0xcbf29ce484222325;
    for (const Item word : words) digest = (digest ^ word) * 0x100000001b3;
    return digest;
}

class SameBytes : public testing::TestWithParam<Other> {
  protected:
    void SetUp() override {
        for (const EngineId id : {GetParam().engine, EngineId::simulated}) {
            const EngineStatus& status = status_of(id);
            if (!status.available) GTEST_SKIP() << status.reason;
        }
    }

    /// Runs all algorithms and steps of the simulated GPU on an engine. `earlier` has the runs of the other
    /// engine. Copies that truncate use its options, because these decide what is copied.
    std::vector<Outcome> runs_on(EngineId engine_id, int device, const std::vector<Outcome>& earlier) {
        const auto engine = open_engine(engine_id, device);
        Workbench bench(*engine, longest);
        std::vector<Outcome> runs;
        const auto run = [&](const Algorithm& simulated, std::uint64_t length, double keep_fraction,
                             const std::vector<Options>& option_sets) {
            const Algorithm& algorithm = on(engine_id, simulated);
            bench.use(algorithm, GetParam().item_size);
            bench.load(workloads::make_stream(Pattern::random, length, keep_fraction, stream_seed),
                       keep_non_zero(), 1, 3);
            for (const Options& options : option_sets) {
                const bool repeats = algorithm.truncates && !earlier.empty();
                const auto compactor = engine->make_compactor(
                    algorithm, repeats ? earlier[runs.size()].options : options, GetParam().item_size);
                compactor->reserve(length);
                const std::string what = simulated.id + ", " + std::to_string(length) + " items, " +
                                         std::to_string(keep_fraction) + " kept; " +
                                         testing_support::describe(options);
                EXPECT_TRUE(bench.check(*compactor)) << what << ", on " << id_of(engine_id);
                runs.push_back({what, compactor->resolved_options(length), digest_of(bench.written())});
            }
        };
        for (const Algorithm* const algorithm : algorithms()) {
            const auto few = testing_support::few_option_sets(*algorithm, GetParam().item_size);
            for (const double keep_fraction : GetParam().keep_fractions) {
                for (const std::uint64_t length : {0, 1, 33, 1'000, 4'097})
                    run(*algorithm, length, keep_fraction, few);
                run(*algorithm, longest, keep_fraction, {Options{}});
            }
        }
        return runs;
    }

  private:
    static std::vector<const Algorithm*> algorithms() {
        std::vector<const Algorithm*> all;
        for (const std::span<const Algorithm> list : {catalogue(), steps()}) {
            for (const Algorithm& algorithm : list) {
                if (algorithm.engine == EngineId::simulated && algorithm.is_available() &&
                    std::ranges::find(algorithm.item_sizes, GetParam().item_size) !=
                        algorithm.item_sizes.end())
                    all.push_back(&algorithm);
            }
        }
        return all;
    }

    static const Algorithm& on(EngineId engine, const Algorithm& simulated) {
        if (engine == EngineId::simulated) return simulated;
        return find_algorithm(simulated.id.substr(std::string_view("simulated_").size()));
    }
};

TEST_P(SameBytes, OfEveryAlgorithmAndStep) {
    const std::vector<Outcome> other = runs_on(GetParam().engine, GetParam().device, {});
    const std::vector<Outcome> simulated = runs_on(EngineId::simulated, 0, other);
    EXPECT_EQ(other, simulated);
    EXPECT_GT(other.size(), 100 * GetParam().keep_fractions.size());
}

std::vector<Other> others() {
    std::vector<Other> all;
    for (const ItemSize item_size : all_item_sizes)
        all.push_back({EngineId::cuda, 0, item_size, {0.01, 0.5, 0.99}});
    // Without a GPU: another schedule, of 4 multiprocessors in random order.
    all.push_back({EngineId::simulated, 8, ItemSize::bytes_16, {0.5}});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Engines, SameBytes, testing::ValuesIn(others()), other_name);

}  // namespace
