#pragma once

#include <array>
#include <atomic>

/// The fake NVML's results and recorded calls, accessible through the library's symbol `fake_nvml`.
struct FakeNvml {
    std::atomic<int> inits = 0;
    std::atomic<int> shutdowns = 0;
    std::atomic<int> readings = 0;  ///< started
    std::array<char, 32> requested_bus_id{};

    std::atomic<int> init_result = 0;
    std::atomic<int> handle_result = 0;
    std::atomic<int> temperature_result = 0;
    std::atomic<unsigned long long> clock_reasons = 0;
    std::atomic<bool> blocked = false;  ///< readings block while set
};
