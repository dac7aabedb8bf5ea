// A real fault of the GPU: a kernel in the engine's context stores out of bounds. Nothing measured before it
// may be lost, and every later call must end with a sentence. A fault ends the context for good, so each test
// runs in a separate process.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "compaction/compaction.hpp"
#include "experiments/measure.hpp"

namespace {

using namespace compaction;

__global__ void store_out_of_bounds() {
    *reinterpret_cast<std::uint32_t*>(std::uintptr_t{64}) = 1;
}

void fail(Engine& engine) {
    store_out_of_bounds<<<1, 1, 0, static_cast<cudaStream_t>(engine.native_stream())>>>();
}

/// Ends the process, which a death test started, with 1 unless the condition holds.
void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::exit(1);
}

template <typename Call>
void require_device_failure(Call call, const char* what) {
    try {
        call();
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", what, error.what());
        return require(error.code() == ErrorCode::device_failure, what);
    }
    require(false, what);
}

class DeviceFailure : public testing::Test {
  protected:
    void SetUp() override {
        // fork() without exec would copy the state of CUDA.
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        if (const EngineStatus& status = status_of(EngineId::cuda); !status.available)
            GTEST_SKIP() << status.reason;
    }
};

TEST_F(DeviceFailure, KeepsTheResultsMeasuredBeforeIt) {
    const auto bench = [] {
        const auto engine = open_engine(EngineId::cuda);
        std::vector<experiments::Setting> settings(2);
        for (std::size_t i = 0; i < settings.size(); ++i) {
            settings[i].algorithm = &default_algorithm(EngineId::cuda);
            settings[i].stream.num_items = std::uint64_t{1} << (14 + i);
        }
        experiments::Hooks hooks;
        hooks.stream_done = [&](const experiments::Measurement& so_far) {
            if (so_far.results.size() == 1) fail(*engine);
        };
        const experiments::Measurement measurement =
            measure(*engine, settings, experiments::Policy::within(0.1), hooks);
        require(measurement.results.size() == 1, "one result is kept");
        require(measurement.results[0].correct(), "it is correct");
        require(!measurement.failure.empty(), "the failure is reported");
        std::fprintf(stderr, "%s\n", measurement.failure.c_str());
        std::exit(0);
    };
    EXPECT_EXIT(bench(), testing::ExitedWithCode(0), "");
}

TEST_F(DeviceFailure, IsReportedByEveryLaterCall) {
    const auto use = [] {
        {
            const auto engine = open_engine(EngineId::cuda);
            const Algorithm& algorithm = default_algorithm(EngineId::cuda);
            constexpr std::uint64_t num_items = 1 << 16;
            const Buffer in = engine->allocate(num_items * sizeof(Item));
            const Buffer out = engine->allocate(num_items * sizeof(Item));
            const Buffer count = engine->allocate(sizeof(std::uint64_t));
            const auto compactor = engine->make_compactor(algorithm, {});
            compactor->reserve(num_items);
            fail(*engine);
            require_device_failure([&] { engine->synchronise(); }, "synchronise");
            require_device_failure([&] { static_cast<void>(engine->allocate(1024)); }, "allocate");
            require_device_failure(
                [&] {
                    compactor->enqueue(in.as<Item>(), num_items, out.as<Item>(), count.as<std::uint64_t>(),
                                       keep_non_zero(), nullptr);
                    engine->synchronise();
                },
                "enqueue");
            // Everything is destroyed here, in a context that is lost.
        }
        std::exit(0);
    };
    EXPECT_EXIT(use(), testing::ExitedWithCode(0), "");
}

}  // namespace
