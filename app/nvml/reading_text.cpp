#include "app/nvml/reading_text.hpp"

#include <cmath>
#include <optional>

#include "app/format/figures.hpp"
#include "app/nvml/clock_reasons.hpp"

namespace warpsieve::nvml {
namespace {

std::string value_of_limit(const std::string& now, const std::string& most, const char* unit) {
    return now.empty() ? "" : now + (most.empty() ? "" : " of " + most) + " " + unit;
}

std::string gigahertz(std::optional<double> hz) {
    return hz ? format::significant(*hz * 1e-9) : "";
}

std::string watts(std::optional<double> power_w) {
    return power_w ? std::to_string(std::lround(*power_w)) : "";
}

}  // namespace

std::string clock_text(const Reading& reading) {
    return value_of_limit(gigahertz(reading.sm_clock_hz), gigahertz(reading.highest_sm_clock_hz), "GHz");
}

std::string temperature_text(const Reading& reading) {
    return reading.temperature_c ? std::to_string(*reading.temperature_c) + " °C" : "";
}

std::string power_text(const Reading& reading) {
    return value_of_limit(watts(reading.power_w), watts(reading.power_limit_w), "W");
}

std::string clock_reasons_text(const Reading& reading) {
    if (!reading.clock_reasons) return "";
    std::string text;
    for (const std::string& name : names_of(*reading.clock_reasons))
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

}  // namespace warpsieve::nvml
