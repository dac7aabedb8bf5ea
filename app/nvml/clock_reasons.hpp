#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::nvml {

/// One thing that keeps the clock of a GPU where it is.
/// Source: NVIDIA, "NVML API Reference Guide", NvmlClocksEventReasons.
struct ClockReason {
    std::uint64_t bit;
    std::string_view name;  ///< "power cap"
    std::string_view why;   ///< what holds the clock down, a clause; empty where it is a setting or idleness
    std::string_view remedy;  ///< one sentence; empty where `why` is

    /// Whether the clock is lower than it was asked to be.
    bool throttles() const { return !why.empty(); }
};

/// The names of all reasons in a mask, the gravest first; a bit that is not known is named by its value.
std::vector<std::string> names_of(std::uint64_t mask);

/// The reasons of a mask that throttle, the gravest first. The general "HW slowdown" gives way to what says
/// more.
std::vector<ClockReason> throttling(std::uint64_t mask);

}  // namespace warpsieve::nvml
