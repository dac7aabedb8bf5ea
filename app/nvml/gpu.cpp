#include "app/nvml/gpu.hpp"

#include <initializer_list>
#include <optional>

#include "compaction/error.hpp"

namespace warpsieve::nvml {
namespace {

using compaction::Error;
using compaction::ErrorCode;

/// Sets `function` to the first of `names` that the library has; null if it has none.
template <typename Function>
void load(const platform::DynamicLibrary& library, Function*& function,
          std::initializer_list<const char*> names) {
    for (const char* name : names) {
        function = library.find<Function*>(name);
        if (function) return;
    }
}

EntryPoints entry_points_of(const platform::DynamicLibrary& library) {
    EntryPoints api;
    load(library, api.init, {"nvmlInit_v2"});
    load(library, api.shutdown, {"nvmlShutdown"});
    load(library, api.handle_by_pci_bus_id, {"nvmlDeviceGetHandleByPciBusId_v2"});
    load(library, api.error_string, {"nvmlErrorString"});
    load(library, api.clock_mhz, {"nvmlDeviceGetClockInfo"});
    load(library, api.max_clock_mhz, {"nvmlDeviceGetMaxClockInfo"});
    load(library, api.temperature_c, {"nvmlDeviceGetTemperature"});
    load(library, api.power_mw, {"nvmlDeviceGetPowerUsage"});
    load(library, api.power_limit_mw, {"nvmlDeviceGetEnforcedPowerLimit"});
    // Driver 535 renamed this function.
    load(library, api.clock_reasons,
         {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    return api;
}

}  // namespace

Library::Library(const std::string& file) : library_(file) {
    if (!library_.loaded()) {
        throw Error(ErrorCode::unavailable,
                    file +
                        ", a part of the NVIDIA driver, could not be loaded, so temperature, power and clock "
                        "limits are unknown.");
    }
    api_ = entry_points_of(library_);
    if (!api_.init || !api_.shutdown || !api_.handle_by_pci_bus_id) {
        throw Error(
            ErrorCode::unavailable,
            file +
                " lacks functions that NVML has had since driver 319, so temperature, power and clock "
                "limits are unknown; update the NVIDIA driver.");
    }
    if (const Result result = api_.init(); result != success) {
        throw Error(ErrorCode::unavailable,
                    "NVML could not be initialised (" + error_text(result) +
                        "), so temperature, power and clock limits are unknown; check whether nvidia-smi "
                        "works.");
    }
}

Library::~Library() {
    api_.shutdown();
}

std::string Library::error_text(Result result) const {
    const char* const text = api_.error_string ? api_.error_string(result) : nullptr;
    return text ? text : "error " + std::to_string(result);
}

Gpu::Gpu(const std::string& library, const std::string& pci_bus_id) : library_(library) {
    const Result result = library_.api().handle_by_pci_bus_id(pci_bus_id.c_str(), &device_);
    if (result == success) return;
    throw Error(ErrorCode::unavailable, "NVML cannot access the GPU at " + pci_bus_id + " (" +
                                            library_.error_text(result) +
                                            "), so temperature, power and clock limits are unknown.");
}

Reading Gpu::read() const {
    const EntryPoints& api = library_.api();
    std::string missing;
    // `value`: 0 of the type that the function writes; `selector`: its arguments between device and value.
    const auto query = [&](const char* what, auto function, auto value, auto... selector) {
        const Result result = function ? function(device_, selector..., &value) : function_not_found;
        if (result == success) return std::optional(value);
        missing +=
            (missing.empty() ? "" : ", ") + std::string(what) + " (" + library_.error_text(result) + ")";
        return std::optional<decltype(value)>();
    };
    const auto scaled = [](std::optional<unsigned> value, double factor) {
        return value ? std::optional(*value * factor) : std::nullopt;
    };
    constexpr double hz_per_mhz = 1e6;
    constexpr double w_per_mw = 1e-3;
    Reading reading;
    reading.sm_clock_hz = scaled(query("the clock", api.clock_mhz, 0U, sm_clock), hz_per_mhz);
    reading.max_sm_clock_hz = scaled(query("the highest clock", api.max_clock_mhz, 0U, sm_clock), hz_per_mhz);
    reading.temperature_c = query("the temperature", api.temperature_c, 0U, gpu_temperature);
    reading.power_w = scaled(query("the power", api.power_mw, 0U), w_per_mw);
    reading.power_limit_w = scaled(query("the power limit", api.power_limit_mw, 0U), w_per_mw);
    reading.clock_reasons = query("the clock limits", api.clock_reasons, 0ULL);
    if (!missing.empty()) reading.unknown = "NVML does not report " + missing + ".";
    return reading;
}

}  // namespace warpsieve::nvml
