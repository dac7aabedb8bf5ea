#include "app/nvml/reading.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "app/format/figures.hpp"

namespace warpsieve::nvml {
namespace {

constexpr std::uint64_t hw_slowdown = 0x8;
constexpr std::uint64_t hw_thermal_slowdown = 0x40;
constexpr std::uint64_t hw_power_brake = 0x80;

constexpr std::array reasons{
    ClockReason{hw_thermal_slowdown, "HW thermal slowdown",
                "the hardware cuts the clock by half or more, because the GPU is too hot",
                "Stop other work on the GPU and check fans and airflow before you measure."},
    ClockReason{hw_power_brake, "HW power brake",
                "the machine's power supply makes the GPU cut its clock by half or more",
                "Check the machine's power supply or power budget, then measure again."},
    ClockReason{hw_slowdown, "HW slowdown",
                "the hardware cuts the clock by half or more, for heat, power or an external brake",
                "Check temperature and power: nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER."},
    ClockReason{0x20, "thermal slowdown",
                "the driver lowers the clock to keep the GPU and its memory cool enough",
                "Let the GPU cool and check the airflow, then reset the statistics and measure again."},
    ClockReason{0x4, "power cap", "the driver lowers the clock to keep the power within its limit",
                "Raise the limit if you may (nvidia-smi -pl), or compare only measurements under the same "
                "limit."},
    ClockReason{0x10, "sync boost", "", ""},
    ClockReason{0x2, "application clocks", "", ""},
    ClockReason{0x100, "display clocks", "", ""},
    ClockReason{0x200, "board limit", "", ""},
    ClockReason{0x400, "reliability", "", ""},
    ClockReason{0x1, "idle", "", ""},
};

/// "1.41 of 1.98 GHz".
std::string value_of_max(const std::string& value, const std::string& max, const char* unit) {
    return value.empty() ? "" : value + (max.empty() ? "" : " of " + max) + " " + unit;
}

std::string gigahertz(std::optional<double> hz) {
    return hz ? format::significant(*hz * 1e-9) : "";
}

std::string watts(std::optional<double> power_w) {
    return power_w ? std::to_string(std::lround(*power_w)) : "";
}

}  // namespace

std::vector<std::string> reason_names(std::uint64_t mask) {
    std::vector<std::string> names;
    for (const ClockReason& reason : reasons) {
        if (mask & reason.bit) names.emplace_back(reason.name);
        mask &= ~reason.bit;
    }
    if (mask == 0) return names;
    char unknown[40];
    std::snprintf(unknown, sizeof unknown, "unknown (0x%llx)", static_cast<unsigned long long>(mask));
    names.emplace_back(unknown);
    return names;
}

std::vector<ClockReason> throttling_reasons(std::uint64_t mask) {
    if (mask & (hw_thermal_slowdown | hw_power_brake)) mask &= ~hw_slowdown;
    std::vector<ClockReason> found;
    for (const ClockReason& reason : reasons) {
        if ((mask & reason.bit) && reason.throttles()) found.push_back(reason);
    }
    return found;
}

std::string clock_text(const Reading& reading) {
    return value_of_max(gigahertz(reading.sm_clock_hz), gigahertz(reading.max_sm_clock_hz), "GHz");
}

std::string temperature_text(const Reading& reading) {
    return reading.temperature_c ? std::to_string(*reading.temperature_c) + " °C" : "";
}

std::string power_text(const Reading& reading) {
    return value_of_max(watts(reading.power_w), watts(reading.power_limit_w), "W");
}

std::string clock_reasons_text(const Reading& reading) {
    if (!reading.clock_reasons) return "";
    std::string text;
    for (const std::string& name : reason_names(*reading.clock_reasons))
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

}  // namespace warpsieve::nvml
