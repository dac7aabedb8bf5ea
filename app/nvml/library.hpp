#pragma once

#include <memory>
#include <string>

/// NVML, the library by which the NVIDIA driver tells how a GPU is doing. It comes with the driver and is
/// loaded at run time, so that the program starts without it. Of its header only what is called here is
/// declared, as the documentation has it.
/// Source: NVIDIA, "NVML API Reference Guide".
namespace warpsieve::nvml {

using Result = int;  ///< nvmlReturn_t
inline constexpr Result success = 0;
inline constexpr Result function_not_found = 13;

using DeviceHandle = void*;                ///< nvmlDevice_t
inline constexpr int sm_clock = 1;         ///< nvmlClockType_t: NVML_CLOCK_SM
inline constexpr int gpu_temperature = 0;  ///< nvmlTemperatureSensors_t: NVML_TEMPERATURE_GPU

/// Null where the library lacks it; the first three are always there.
struct EntryPoints {
    Result (*init)() = nullptr;
    Result (*shutdown)() = nullptr;
    Result (*handle_by_pci_bus_id)(const char* pci_bus_id, DeviceHandle* device) = nullptr;
    const char* (*error_string)(Result result) = nullptr;
    Result (*clock_mhz)(DeviceHandle device, int clock, unsigned* mhz) = nullptr;
    Result (*highest_clock_mhz)(DeviceHandle device, int clock, unsigned* mhz) = nullptr;
    Result (*temperature_c)(DeviceHandle device, int sensor, unsigned* degrees) = nullptr;
    Result (*power_mw)(DeviceHandle device, unsigned* milliwatts) = nullptr;
    Result (*power_limit_mw)(DeviceHandle device, unsigned* milliwatts) = nullptr;
    Result (*clock_reasons)(DeviceHandle device, unsigned long long* mask) = nullptr;
};

/// The library, loaded and started; stopped and unloaded at the end.
class Library {
  public:
    /// Throws compaction::Error{unavailable} with the reason.
    explicit Library(const std::string& file);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    const EntryPoints& api() const { return api_; }
    /// What a result other than success means, in NVML's words.
    std::string meaning_of(Result result) const;

  private:
    struct Unload {
        void operator()(void* library) const;
    };

    std::unique_ptr<void, Unload> library_;
    EntryPoints api_;
};

}  // namespace warpsieve::nvml
