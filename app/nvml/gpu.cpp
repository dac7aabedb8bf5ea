#include "app/nvml/gpu.hpp"

#include <optional>

#include "compaction/error.hpp"

namespace warpsieve::nvml {

Gpu::Gpu(const std::string& library, const std::string& pci_bus_id) : library_(library) {
    const Result result = library_.api().handle_by_pci_bus_id(pci_bus_id.c_str(), &device_);
    if (result == success) return;
    throw compaction::Error(compaction::ErrorCode::unavailable,
                            "NVML cannot access the GPU at " + pci_bus_id + " (" +
                                library_.error_text(result) +
                                "), so temperature, power and clock limits are unknown.");
}

Reading Gpu::read() const {
    const EntryPoints& api = library_.api();
    std::string missing;
    const auto ask = [&](const char* what, auto function, auto value, auto... of) {
        const Result result = function ? function(device_, of..., &value) : function_not_found;
        if (result == success) return std::optional(value);
        missing +=
            (missing.empty() ? "" : ", ") + std::string(what) + " (" + library_.error_text(result) + ")";
        return std::optional<decltype(value)>();
    };
    const auto times = [](std::optional<unsigned> value, double unit) {
        return value ? std::optional(*value * unit) : std::nullopt;
    };
    Reading reading;
    reading.sm_clock_hz = times(ask("the clock", api.clock_mhz, 0U, sm_clock), 1e6);
    reading.highest_sm_clock_hz = times(ask("the highest clock", api.highest_clock_mhz, 0U, sm_clock), 1e6);
    reading.temperature_c = ask("the temperature", api.temperature_c, 0U, gpu_temperature);
    reading.power_w = times(ask("the power", api.power_mw, 0U), 1e-3);
    reading.power_limit_w = times(ask("the power limit", api.power_limit_mw, 0U), 1e-3);
    reading.clock_reasons = ask("the clock limits", api.clock_reasons, 0ULL);
    if (!missing.empty()) reading.unknown = "NVML does not report " + missing + ".";
    return reading;
}

}  // namespace warpsieve::nvml
