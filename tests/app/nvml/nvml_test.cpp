// NVML readings: decoded clock reasons, a fake library, and the thread that reads it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/nvml/gpu.hpp"
#include "app/nvml/reading.hpp"
#include "app/nvml/watch.hpp"
#include "compaction/error.hpp"
#include "tests/app/nvml/fake_nvml.hpp"

namespace warpsieve::nvml {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

Names throttling_names(std::uint64_t mask) {
    Names names;
    for (const ClockReason& reason : throttling_reasons(mask)) names.emplace_back(reason.name);
    return names;
}

TEST(ClockReasons, AreListedMostSevereFirst) {
    EXPECT_EQ(reason_names(0), Names{});
    EXPECT_EQ(reason_names(0x1 | 0x4), (Names{"power cap", "idle"}));
    EXPECT_EQ(reason_names(0x20 | 0x40 | 0x8),
              (Names{"HW thermal slowdown", "HW slowdown", "thermal slowdown"}));
    EXPECT_EQ(reason_names(0x2 | 0x8000), (Names{"application clocks", "unknown (0x8000)"}));
}

TEST(ClockReasons, ThrottleOnlyBelowTheClockSetting) {
    EXPECT_EQ(throttling_names(0x1 | 0x2 | 0x10 | 0x100 | 0x8000), Names{});
    EXPECT_EQ(throttling_names(0x4 | 0x1), Names{"power cap"});
    EXPECT_EQ(throttling_names(0x20), Names{"thermal slowdown"});
    EXPECT_EQ(throttling_names(0x8), Names{"HW slowdown"});
    EXPECT_EQ(throttling_names(0x8 | 0x80 | 0x4), (Names{"HW power brake", "power cap"}));
    for (const ClockReason& reason : throttling_reasons(~std::uint64_t{0}))
        EXPECT_FALSE(reason.remedy.empty()) << reason.name;
}

TEST(ReadingText, ContainsKnownValues) {
    Reading reading;
    EXPECT_FALSE(reading.has_values());
    EXPECT_EQ(
        clock_text(reading) + temperature_text(reading) + power_text(reading) + clock_reasons_text(reading),
        "");
    reading = {.sm_clock_hz = 1.41e9, .temperature_c = 61, .power_w = 697.6, .clock_reasons = 0};
    EXPECT_EQ(clock_text(reading), "1.41 GHz");
    EXPECT_EQ(temperature_text(reading), "61 °C");
    EXPECT_EQ(power_text(reading), "698 W");
    EXPECT_EQ(clock_reasons_text(reading), "none");
    reading.max_sm_clock_hz = 1.98e9;
    reading.power_limit_w = 700;
    reading.clock_reasons = 0x5;
    EXPECT_EQ(clock_text(reading), "1.41 of 1.98 GHz");
    EXPECT_EQ(power_text(reading), "698 of 700 W");
    EXPECT_EQ(clock_reasons_text(reading), "power cap, idle");
    reading.sm_clock_hz.reset();
    EXPECT_EQ(clock_text(reading), "") << "the highest clock alone is no current clock";
}

/// Keeps the fake library loaded, so that its calls can be checked.
class FakeLibrary : public testing::Test {
  protected:
    explicit FakeLibrary(const char* file = FAKE_NVML)
        : file_(file), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL), dlclose) {
        state_ = static_cast<FakeNvml*>(dlsym(handle_.get(), "fake_nvml"));
    }
    void SetUp() override { ASSERT_NE(state_, nullptr) << file_; }

    std::string reason_not_opened(const std::string& file) const {
        try {
            const Gpu gpu(file, "0000:3b:00.0");
        } catch (const compaction::Error& error) {
            EXPECT_EQ(error.code(), compaction::ErrorCode::unavailable);
            return error.what();
        }
        ADD_FAILURE() << file << " was accepted as NVML";
        return "";
    }

    std::string file_;
    std::unique_ptr<void, int (*)(void*)> handle_;
    FakeNvml* state_ = nullptr;
};

class OldFakeLibrary : public FakeLibrary {
  protected:
    OldFakeLibrary() : FakeLibrary(FAKE_NVML_OLD) {}
};

TEST_F(FakeLibrary, ReadsTheGpuAtItsPciAddressAndIsShutDown) {
    state_->clock_reasons = 0x4;
    {
        const Gpu gpu(file_, "0000:3b:00.0");
        EXPECT_STREQ(state_->requested_bus_id.data(), "0000:3b:00.0");
        const Reading reading = gpu.read();
        EXPECT_EQ(reading.sm_clock_hz, 1.41e9);
        EXPECT_EQ(reading.max_sm_clock_hz, 1.98e9);
        EXPECT_EQ(reading.temperature_c, 61U);
        EXPECT_DOUBLE_EQ(reading.power_w.value_or(0), 697.6);
        EXPECT_DOUBLE_EQ(reading.power_limit_w.value_or(0), 700);
        EXPECT_EQ(reading.clock_reasons, 0x4U);
        EXPECT_EQ(reading.unknown, "");
        EXPECT_EQ(state_->shutdowns, 0);
    }
    EXPECT_EQ(state_->inits, 1);
    EXPECT_EQ(state_->shutdowns, 1);
}

TEST_F(OldFakeLibrary, IsCalledByFormerNamesAndMissingValuesAreReported) {
    state_->clock_reasons = 0x20;
    const Reading reading = Gpu(file_, "0000:3b:00.0").read();
    EXPECT_EQ(reading.clock_reasons, 0x20U);
    EXPECT_FALSE(reading.power_limit_w);
    EXPECT_EQ(reading.unknown, "NVML does not report the power limit (Some Error).");
}

TEST_F(FakeLibrary, AFailedCallLeavesTheOtherValues) {
    state_->temperature_result = 3;
    const Reading reading = Gpu(file_, "0000:3b:00.0").read();
    EXPECT_FALSE(reading.temperature_c);
    EXPECT_EQ(reading.unknown, "NVML does not report the temperature (Not Supported).");
    EXPECT_TRUE(reading.sm_clock_hz && reading.power_w && reading.clock_reasons);
}

TEST_F(FakeLibrary, ReportsWhyItCannotBeUsed) {
    EXPECT_NE(reason_not_opened("libnothing-of-that-name.so.1").find("libnothing-of-that-name.so.1, a part"),
              std::string::npos);
    EXPECT_NE(reason_not_opened("libm.so.6").find("update the NVIDIA driver"), std::string::npos);
    state_->init_result = 9;
    EXPECT_NE(reason_not_opened(file_).find("(Driver Not Loaded)"), std::string::npos);
    EXPECT_EQ(state_->shutdowns, 0) << "only a started library is shut down";
    state_->init_result = 0;
    state_->handle_result = 6;
    EXPECT_NE(reason_not_opened(file_).find("0000:3b:00.0 (Some Error)"), std::string::npos);
    EXPECT_EQ(state_->shutdowns, 1);
}

class WatchedGpu : public FakeLibrary {
  protected:
    /// The first reading for which `wanted` holds; fails after ten seconds.
    template <typename Wanted>
    std::shared_ptr<const Reading> wait_for(const Watch& watch, Wanted wanted) {
        for (int i = 0; i < 10'000; ++i) {
            if (auto reading = watch.last(); reading && wanted(*reading)) return reading;
            std::this_thread::sleep_for(1ms);
        }
        ADD_FAILURE() << "no such reading arrived";
        return std::make_shared<const Reading>();
    }
};

TEST_F(WatchedGpu, IsReadRepeatedly) {
    const Watch watch("0000:3b:00.0", file_, 1ms);
    const auto first = wait_for(watch, [](const Reading& reading) { return reading.clock_reasons == 0U; });
    state_->clock_reasons = 0x4;
    wait_for(watch, [](const Reading& reading) { return reading.clock_reasons == 0x4U; });
    EXPECT_EQ(first->clock_reasons, 0U) << "readings are immutable";
}

TEST_F(WatchedGpu, NeverBlocksTheCaller) {
    const Watch watch("0000:3b:00.0", file_, 1ms);
    const auto first = wait_for(watch, [](const Reading&) { return true; });
    state_->blocked = true;
    const int before = state_->readings;
    while (state_->readings == before) std::this_thread::sleep_for(1ms);
    // A call is in progress and returns only after `blocked` is cleared.
    EXPECT_EQ(watch.last()->temperature_c, first->temperature_c);
    state_->blocked = false;
}

TEST_F(WatchedGpu, StopsAtOnceInTheMiddleOfAPeriod) {
    {
        // A stop that waited for the period would exceed the time limit of the tests.
        const Watch watch("0000:3b:00.0", file_, 1h);
        wait_for(watch, [](const Reading&) { return true; });
    }
    EXPECT_EQ(state_->inits, 1);
    EXPECT_EQ(state_->shutdowns, 1);
}

TEST_F(WatchedGpu, ReportsTheReasonWhenItCannotBeRead) {
    const Watch watch("0000:3b:00.0", "libnothing-of-that-name.so.1");
    const auto reading = wait_for(watch, [](const Reading& each) { return !each.unknown.empty(); });
    EXPECT_FALSE(reading->has_values());
}

}  // namespace
}  // namespace warpsieve::nvml
