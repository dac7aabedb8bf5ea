#pragma once

#include <cstdint>
#include <optional>
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
    std::string_view remedy;  ///< one sentence; empty if `why` is empty

    /// Whether the clock is below its setting.
    bool throttles() const { return !why.empty(); }
};

/// The names of all reasons in a mask, most severe first. Unknown bits get one name, with their value.
std::vector<std::string> reason_names(std::uint64_t mask);

/// The throttling reasons of a mask, most severe first. The general "HW slowdown" is left out if a specific
/// reason is set too.
std::vector<ClockReason> throttling_reasons(std::uint64_t mask);

/// State of a GPU at one moment. Values that NVML does not report are empty; `unknown` says why.
struct Reading {
    std::optional<double> sm_clock_hz = {};  ///< clock of the multiprocessors
    std::optional<double> max_sm_clock_hz = {};
    std::optional<unsigned> temperature_c = {};
    std::optional<double> power_w = {};
    std::optional<double> power_limit_w = {};         ///< the enforced limit
    std::optional<std::uint64_t> clock_reasons = {};  ///< a mask of ClockReason::bit
    std::string unknown = {};                         ///< one sentence; empty if everything is known

    bool has_values() const {
        return sm_clock_hz || max_sm_clock_hz || temperature_c || power_w || power_limit_w || clock_reasons;
    }
};

// Readings as text; empty where unknown.

/// "1.41 of 1.98 GHz".
std::string clock_text(const Reading& reading);
/// "61 °C".
std::string temperature_text(const Reading& reading);
/// "698 of 700 W".
std::string power_text(const Reading& reading);
/// "power cap, idle", or "none".
std::string clock_reasons_text(const Reading& reading);

}  // namespace warpsieve::nvml
