#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"

namespace {

using namespace compaction;

class EngineTest : public testing_support::OnEveryEngine {};

TEST_P(EngineTest, DescribesItsDevice) {
    EXPECT_EQ(engine_->id(), GetParam());
    EXPECT_FALSE(engine_->device().name.empty());
    EXPECT_FALSE(engine_->device().driver.empty());
    EXPECT_GT(engine_->device().processors, 0U);
    EXPECT_GT(engine_->device().memory_bytes, 256U << 20) << "too little for any device: check the unit";
    EXPECT_GT(engine_->free_memory_bytes(), 0U);
    EXPECT_LT(engine_->device().cache_bytes, engine_->device().memory_bytes);
    EXPECT_LE(engine_->free_memory_bytes(), engine_->device().memory_bytes);
    EXPECT_EQ(engine_->device().pci_bus_id.empty(), GetParam() != EngineId::cuda);
}

TEST_P(EngineTest, MeasuresAPlausibleClock) {
    if (GetParam() == EngineId::simulated) GTEST_SKIP() << "A simulated GPU has no clock.";
    // A generous range, from an idle GPU to the fastest processor.
    const double hz = engine_->measure_clock_hz();
    EXPECT_GT(hz, 1e8);
    EXPECT_LT(hz, 2e10);
}

TEST_P(EngineTest, ReportsItsClockWithoutWaitingOrSaysWhyNot) {
    const auto probe = engine_->make_clock_probe();
    EXPECT_FALSE(probe->poll()) << "nothing has been measured yet";
    const EngineCounters before = engine_->counters();
    probe->enqueue();
    probe->enqueue();
    EXPECT_EQ(engine_->counters().synchronisations, before.synchronisations);
    EXPECT_EQ(engine_->counters().allocations, before.allocations);
    engine_->synchronise();
    const std::optional<double> hz = probe->poll();
    EXPECT_EQ(hz.has_value(), probe->reason().empty()) << probe->reason();
    if (hz) {
        EXPECT_GT(*hz, 1e8);
        EXPECT_LT(*hz, 2e10);
    }
    EXPECT_FALSE(probe->poll()) << "each measurement is returned once";
}

TEST_P(EngineTest, AllocatesAlignedMemoryAndCountsIt) {
    const EngineCounters before = engine_->counters();
    const Buffer a = engine_->allocate(1);
    const Buffer b = engine_->allocate(1'000'003);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.as<void>()) % 256, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.as<void>()) % 256, 0U);
    EXPECT_EQ(b.size_bytes(), 1'000'003U);
    EXPECT_EQ(engine_->counters().allocations, before.allocations + 2);
    engine_->synchronise();
    EXPECT_EQ(engine_->counters().synchronisations, before.synchronisations + 1);
}

TEST_P(EngineTest, RefusesMoreMemoryThanIsFree) {
    // Nearly all installed memory is never free, but the operating system may promise it.
    for (const std::uint64_t too_much :
         {engine_->device().memory_bytes - 4'096, engine_->device().memory_bytes * 2}) {
        try {
            const Buffer buffer = engine_->allocate(too_much);
            FAIL() << too_much << " bytes were granted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            EXPECT_NE(std::string(error.what()).find("free"), std::string::npos) << error.what();
        }
    }
    EXPECT_NO_THROW(engine_->allocate(1'000)) << "the engine stays usable";
}

TEST_P(EngineTest, UploadsCopiesAndDownloads) {
    std::vector<std::uint32_t> sent(1'000'003);
    std::iota(sent.begin(), sent.end(), 1);
    const std::size_t size_bytes = sent.size() * sizeof(std::uint32_t);
    const Buffer from = uploaded(sent);
    const Buffer to = engine_->allocate(size_bytes);
    engine_->enqueue_copy(to.as<void>(), from.as<void>(), size_bytes);
    engine_->synchronise();
    std::vector<std::uint32_t> received(sent.size());
    engine_->download(received.data(), to.as<void>(), size_bytes);
    EXPECT_EQ(received, sent);
}

TEST_P(EngineTest, RefusesAnotherEnginesAlgorithm) {
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine == GetParam()) continue;
        try {
            engine_->make_compactor(algorithm, {});
            FAIL() << algorithm.id << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        }
    }
}

TEST_P(EngineTest, RefusesIllegalOptions) {
    Options options;
    options[Option::vector_width] = 3;
    try {
        engine_->make_compactor(default_algorithm(GetParam()), options);
        FAIL() << "a vector width of 3 was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineTest, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);

TEST(OpenEngine, RefusesAMissingDevice) {
    for (const auto& [engine, device] : {std::pair{EngineId::cuda, -1},
                                         {EngineId::cuda, 99},
                                         {EngineId::cpu, -1},
                                         {EngineId::cpu, 3},
                                         {EngineId::simulated, -1}}) {
        try {
            open_engine(engine, device);
            FAIL() << "device " << device << " of " << id_of(engine) << " was opened";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unavailable);
        }
    }
}

TEST_P(EngineTest, RefusesARecorderOfNoRunsOrOfTooMany) {
    for (const std::size_t max_runs : {std::size_t{0}, max_recorded_runs + 1, ~std::size_t{0}}) {
        try {
            engine_->make_recorder(max_runs);
            FAIL() << max_runs << " runs were accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
            EXPECT_NE(std::string(error.what()).find("1 to 65536"), std::string::npos) << error.what();
        }
    }
}

/// A compactor that has no memory for more than 100 items, and frees its memory before it allocates more.
class ForgetfulCompactor final : public Compactor {
  public:
    Options resolved_options(std::uint64_t) const override { return {}; }

  private:
    void do_reserve(std::uint64_t max_items) override {
        memory_ = {};
        if (max_items > 100) throw std::bad_alloc();
        memory_.resize(max_items);
    }
    void do_enqueue(const void*, std::uint64_t num_items, void*, std::uint64_t*, Predicate,
                    PhaseRecorder*) override {
        ASSERT_LE(num_items, memory_.size());
    }

    std::vector<std::uint32_t> memory_;
};

TEST(CompactorTest, NothingIsReservedAfterAFailure) {
    ForgetfulCompactor compactor;
    const std::vector<std::uint32_t> in(100);
    std::vector<std::uint32_t> out(100);
    std::uint64_t num_selected = 0;
    const auto enqueue = [&] {
        compactor.enqueue(in.data(), in.size(), out.data(), &num_selected, keep_non_zero(), nullptr);
    };
    compactor.reserve(100);
    EXPECT_NO_THROW(enqueue());
    EXPECT_THROW(compactor.reserve(1000), Error);
    EXPECT_THROW(enqueue(), Error);
    compactor.reserve(100);
    EXPECT_NO_THROW(enqueue());
}

TEST(EngineStatuses, CpuIsAvailableAndOthersSayWhyNot) {
    EXPECT_TRUE(compaction::status_of(EngineId::cpu).available);
    for (const EngineStatus& status : engine_statuses()) {
        EXPECT_FALSE(status.name.empty());
        EXPECT_EQ(status.available, status.reason.empty()) << status.name << ": " << status.reason;
        if (status.available) continue;
        try {
            open_engine(status.id);
            FAIL() << status.name << " was opened";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unavailable);
            EXPECT_EQ(error.what(), status.reason);
        }
    }
}

}  // namespace
