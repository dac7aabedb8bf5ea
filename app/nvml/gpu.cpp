#include "app/nvml/gpu.hpp"

#include <initializer_list>
#include <optional>

#include "compaction/error.hpp"

namespace warpsieve::nvml {
namespace {

using compaction::Error;
using compaction::ErrorCode;

/// Loads the first of `names` that the library has.
template <typename Function>
void find(const platform::DynamicLibrary& library, Function*& function,
          std::initializer_list<const char*> names) {
    for (const char* name : names) {
        function = library.find<Function*>(name);
        if (function) return;
    }
}

EntryPoints entry_points_of(const platform::DynamicLibrary& library) {
    EntryPoints api;
    find(library, api.init, {"nvmlInit_v2"});
    find(library, api.shutdown, {"nvmlShutdown"});
    find(library, api.handle_by_pci_bus_id, {"nvmlDeviceGetHandleByPciBusId_v2"});
    find(library, api.error_string, {"nvmlErrorString"});
    find(library, api.clock_mhz, {"nvmlDeviceGetClockInfo"});
    find(library, api.max_clock_mhz, {"nvmlDeviceGetMaxClockInfo"});
    find(library, api.temperature_c, {"nvmlDeviceGetTemperature"});
    find(library, api.power_mw, {"nvmlDeviceGetPowerUsage"});
    find(library, api.power_limit_mw, {"nvmlDeviceGetEnforcedPowerLimit"});
    // Driver 535 renamed this function.
    find(library, api.clock_reasons,
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
    const auto ask = [&](const char* what, auto function, auto value, auto... selector) {
        const Result result = function ? function(device_, selector..., &value) : function_not_found;
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
    reading.max_sm_clock_hz = times(ask("the highest clock", api.max_clock_mhz, 0U, sm_clock), 1e6);
    reading.temperature_c = ask("the temperature", api.temperature_c, 0U, gpu_temperature);
    reading.power_w = times(ask("the power", api.power_mw, 0U), 1e-3);
    reading.power_limit_w = times(ask("the power limit", api.power_limit_mw, 0U), 1e-3);
    reading.clock_reasons = ask("the clock limits", api.clock_reasons, 0ULL);
    if (!missing.empty()) reading.unknown = "NVML does not report " + missing + ".";
    return reading;
}

}  // namespace warpsieve::nvml
