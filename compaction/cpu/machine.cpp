#include "cpu/machine.hpp"

#include <algorithm>
#include <chrono>

#include "cpu/tuning.hpp"
#include "platform/machine.hpp"

namespace compaction::cpu {

std::uint64_t core_cache_bytes() {
    static const std::uint64_t bytes = [] {
        const std::uint64_t reported = warpsieve::platform::second_level_cache_bytes();
        return reported > 0 ? reported : tuning::usual_core_cache_bytes;
    }();
    return bytes;
}

bool hardware_prefetch_suffices() {
    static const bool suffices = std::ranges::find(tuning::vendors_with_hardware_prefetch_alone,
                                                   warpsieve::platform::processor_vendor()) !=
                                 tuning::vendors_with_hardware_prefetch_alone.end();
    return suffices;
}

double measure_clock_hz() {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t rounds = 8'192;
    constexpr double cycles_per_round = 2;
    double highest = 0;
    // The highest of a few: interruptions make the clock look slow, never fast.
    for (int attempt = 0; attempt < 4; ++attempt) {
        const auto start = Clock::now();
        std::uint32_t chain = static_cast<std::uint32_t>(start.time_since_epoch().count());
        for (std::uint32_t i = 0; i < rounds; ++i) chain += chain ^ i;
        // Volatile, so that the compiler keeps the chain.
        [[maybe_unused]] volatile std::uint32_t end_of_chain = chain;
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (seconds > 0) highest = std::max(highest, rounds * cycles_per_round / seconds);
    }
    return highest;
}

}  // namespace compaction::cpu
