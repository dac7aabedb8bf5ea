#pragma once

#include <array>
#include <atomic>

/// The results and recorded calls of the fake NVML. The symbol `fake_nvml` of the library points to it.
struct FakeNvml {
    std::atomic<int> inits = 0;
    std::atomic<int> shutdowns = 0;
    std::atomic<int> readings = 0;  ///< number of readings that were started
    std::array<char, 32> requested_bus_id{};

    std::atomic<int> init_result = 0;
    std::atomic<int> handle_result = 0;
    std::atomic<int> temperature_result = 0;
    std::atomic<unsigned long long> clock_reasons = 0;
    std::atomic<bool> blocked = false;  ///< readings block while set
};
