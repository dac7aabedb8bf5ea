#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::nvml {

/// One reason for a GPU's current clock.
/// Source: NVIDIA, "NVML API Reference Guide", NvmlClocksEventReasons.
struct ClockReason {
    std::uint64_t bit;
    std::string_view name;    ///< "power cap"
    std::string_view why;     ///< a clause; empty for settings and idleness
    std::string_view remedy;  ///< one sentence; empty if `why` is

    /// Whether the clock is below its setting.
    bool throttles() const { return !why.empty(); }
};

/// The names of all reasons in a mask, most severe first; unknown bits by their value.
std::vector<std::string> names_of(std::uint64_t mask);

/// The throttling reasons of a mask, most severe first. The general "HW slowdown" is left out if a specific
/// reason is set too.
std::vector<ClockReason> throttling(std::uint64_t mask);

}  // namespace warpsieve::nvml
