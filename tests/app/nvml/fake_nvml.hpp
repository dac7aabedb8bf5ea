#pragma once

#include <array>
#include <atomic>

/// What the made-up NVML answers, and what it was asked. Set through the symbol `fake_nvml` of the library.
struct FakeNvml {
    std::atomic<int> inits = 0;
    std::atomic<int> shutdowns = 0;
    std::atomic<int> readings = 0;  ///< begun
    std::array<char, 32> asked_for{};

    std::atomic<int> init_result = 0;
    std::atomic<int> handle_result = 0;
    std::atomic<int> temperature_result = 0;
    std::atomic<unsigned long long> clock_reasons = 0;
    std::atomic<bool> blocked = false;  ///< readings wait while it is set
};
