#include "app/nvml/library.hpp"

#include <initializer_list>

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
    find(library, api.highest_clock_mhz, {"nvmlDeviceGetMaxClockInfo"});
    find(library, api.temperature_c, {"nvmlDeviceGetTemperature"});
    find(library, api.power_mw, {"nvmlDeviceGetPowerUsage"});
    find(library, api.power_limit_mw, {"nvmlDeviceGetEnforcedPowerLimit"});
    // Renamed with driver 535.
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

}  // namespace warpsieve::nvml
