// The ranges that profilers show, counted by a library that NVTX loads: phases and labs here, frames in
// tests/app/cli/profiler_ranges_test.py.
#include "platform/profiler.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "app/labs/runner.hpp"
#include "compaction/compaction.hpp"

namespace {

using namespace compaction;

class ProfilerTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!warpsieve::platform::has_profiler_ranges())
            GTEST_SKIP() << "NVTX belongs to the CUDA toolkit, and this build has none.";
        // Before the first range: NVTX looks for the library once.
        setenv("NVTX_INJECTION64_PATH", COUNT_RANGES, 1);
        void* const library = dlopen(COUNT_RANGES, RTLD_NOW);
        ASSERT_TRUE(library) << dlerror();
        count_ = reinterpret_cast<unsigned (*)(const char*)>(dlsym(library, "count_ranges"));
        ASSERT_TRUE(count_);
    }
    unsigned count(const std::string& name) const { return count_(name.c_str()); }

    unsigned (*count_)(const char*) = nullptr;
};

TEST_F(ProfilerTest, TimedRunsHaveARangeForEachPhase) {
    const auto engine = open_engine(EngineId::cpu);
    const Algorithm& algorithm = find_algorithm("cpu_scan_scatter");
    const auto compactor = engine->make_compactor(algorithm, {});
    constexpr std::uint64_t num_items = 100;
    compactor->reserve(num_items);
    const std::vector<Item> in(num_items, 1);
    std::vector<Item> out(num_items);
    std::uint64_t num_selected = 0;
    const auto recorder = engine->make_recorder(4);
    std::vector<unsigned> before;
    for (const Phase& phase : algorithm.phases) before.push_back(count(phase.name));
    for (int i = 0; i < 3; ++i) {
        const ScopedRun run{recorder.get(), 1};
        compactor->enqueue(in.data(), num_items, out.data(), &num_selected, keep_non_zero(), recorder.get());
    }
    compactor->enqueue(in.data(), num_items, out.data(), &num_selected, keep_non_zero(), nullptr);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(count(algorithm.phases[i].name), before[i] + 3) << algorithm.phases[i].name;
}

TEST_F(ProfilerTest, ALabIsARange) {
    using namespace warpsieve;
    labs::Runner runner([] { return 0.0; });
    labs::Job job{.lab = "compare", .title = "one", .engine = EngineId::cpu};
    job.settings.push_back({&find_algorithm("cpu_loop"), {}, {.num_items = 1024}});
    job.policy = experiments::Policy::within(0.05);
    ASSERT_TRUE(runner.start(job));
    for (int i = 0; i < 2'000 && runner.running(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(count("lab: compare"), 1U);
}

}  // namespace
