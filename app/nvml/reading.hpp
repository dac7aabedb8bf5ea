#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpsieve::nvml {

/// State of a GPU at one moment. Values that NVML does not report are empty; `unknown` says why.
struct Reading {
    std::optional<double> sm_clock_hz = {};  ///< of the multiprocessors
    std::optional<double> highest_sm_clock_hz = {};
    std::optional<unsigned> temperature_c = {};
    std::optional<double> power_w = {};
    std::optional<double> power_limit_w = {};         ///< enforced
    std::optional<std::uint64_t> clock_reasons = {};  ///< a mask: see clock_reasons.hpp
    std::string unknown = {};                         ///< one sentence; empty if everything is known

    bool has_values() const {
        return sm_clock_hz || highest_sm_clock_hz || temperature_c || power_w || power_limit_w ||
               clock_reasons;
    }
};

}  // namespace warpsieve::nvml
