#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/simulated/seeds.hpp"
#include "tests/support/option_sets.hpp"
#include "tests/support/workbench.hpp"

namespace testing_support {

using namespace compaction;

inline constexpr std::uint64_t million = 1 << 20;
inline constexpr std::uint64_t longest = million + 3;
inline constexpr std::uint64_t longest_simulated = 65'537;
inline constexpr std::uint64_t prime = 1'000'003;
inline constexpr std::uint64_t seed = 20'180'305;

inline constexpr std::uint64_t all_lengths[]{
    0,     1,           2,           31,          32,      33,          63,          64,     65,
    127,   128,         129,         4'095,       4'096,   4'097,       65'535,      65'536, 65'537,
    prime, million - 3, million - 2, million - 1, million, million + 1, million + 2, longest};

/// Whether a run returns without waiting for the device, so that its work may still be pending.
inline bool never_waits(const Algorithm& algorithm) {
    return !algorithm.synchronises;
}

/// An algorithm and an item size.
struct Subject {
    const Algorithm* algorithm;
    ItemSize item_size;
};

inline void PrintTo(const Subject& subject, std::ostream* os) {
    *os << subject.algorithm->id << " for items of " << bytes_of(subject.item_size) << " bytes";
}

/// Each algorithm at every item size; on the simulated GPU, those that are built for it.
inline std::vector<Subject> subjects(std::span<const Algorithm> algorithms) {
    std::vector<Subject> all;
    for (const Algorithm& algorithm : algorithms) {
        if (algorithm.engine == EngineId::simulated && !algorithm.is_available()) continue;
        for (const ItemSize item_size : algorithm.item_sizes) all.push_back({&algorithm, item_size});
    }
    return all;
}

inline std::string subject_name(const testing::TestParamInfo<Subject>& info) {
    return info.param.algorithm->id + "_" + std::to_string(bytes_of(info.param.item_size)) + "_bytes";
}

/// Tests that every algorithm of the catalogue must pass on every engine.
class Conformance : public testing::TestWithParam<Subject> {
  protected:
    /// An engine and its memory, opened once per process; the simulated GPU once per schedule.
    struct OpenEngine {
        std::unique_ptr<Engine> engine;
        std::unique_ptr<Workbench> bench;
    };

    void SetUp() override {
        algorithm_ = GetParam().algorithm;
        item_size_ = GetParam().item_size;
        const EngineStatus& status = compaction::status_of(algorithm_->engine);
        if (!status.available) GTEST_SKIP() << status.reason;
        use_schedule(0);
    }

    /// Runs what follows on the simulated GPU with this seed, unless the environment variable names another.
    /// Changes nothing on other engines.
    void use_schedule(int planned_seed) {
        OpenEngine& opened = open_engines()[algorithm_->engine];
        if (is_simulated()) {
            schedule_ = simulated_seeds::or_chosen(planned_seed);
            opened = {};
        }
        if (!opened.engine) {
            opened.engine = open_engine(algorithm_->engine, schedule_);
            opened.bench = std::make_unique<Workbench>(*opened.engine, max_items());
        }
        engine_ = opened.engine.get();
        bench_ = opened.bench.get();
        bench_->use(*algorithm_, item_size_);
    }

    bool is_simulated() const { return algorithm_->engine == EngineId::simulated; }
    /// The longest stream of a test.
    std::uint64_t max_items() const { return is_simulated() ? longest_simulated : longest; }

    /// Runs the loaded stream. A failure on the simulated GPU names the line that repeats it.
    testing::AssertionResult check(Compactor& compactor) {
        if (!is_simulated()) return bench_->check(compactor);
        testing::AssertionResult result = testing::AssertionSuccess();
        try {
            result = bench_->check(compactor);
        } catch (const Error& error) {
            result = testing::AssertionFailure() << error.what();
        }
        if (!result) result << ". " << simulated_seeds::repeat_line("conformance_test", schedule_) << '\n';
        return result;
    }

    static void TearDownTestSuite() { open_engines().clear(); }

    std::unique_ptr<Compactor> reserved_compactor(const Options& options, std::uint64_t max_items) {
        auto compactor = engine_->make_compactor(*algorithm_, options, item_size_);
        compactor->reserve(max_items);
        return compactor;
    }

    std::vector<std::unique_ptr<Compactor>> reserved_compactors(const std::vector<Options>& option_sets,
                                                                std::uint64_t max_items) {
        std::vector<std::unique_ptr<Compactor>> compactors;
        for (const Options& options : option_sets)
            compactors.push_back(reserved_compactor(options, max_items));
        return compactors;
    }

    Options automatic_options() const { return testing_support::automatic_options(*algorithm_); }
    std::vector<Options> few_option_sets() const {
        return testing_support::few_option_sets(*algorithm_, item_size_);
    }

    const Algorithm* algorithm_ = nullptr;
    ItemSize item_size_ = ItemSize::bytes_4;
    Engine* engine_ = nullptr;
    Workbench* bench_ = nullptr;
    int schedule_ = 0;  ///< the seed of the simulated GPU

  private:
    static std::map<EngineId, OpenEngine>& open_engines() {
        static std::map<EngineId, OpenEngine> all;
        return all;
    }
};

}  // namespace testing_support
