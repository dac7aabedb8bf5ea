#pragma once

#include <string>

#include "app/nvml/reading.hpp"
#include "platform/dynamic_library.hpp"

/// NVML, the NVIDIA driver's management library. It is loaded at run time, so that the program starts without
/// it. The declarations here are the used part of its interface.
/// Source: NVIDIA, "NVML API Reference Guide".
namespace warpsieve::nvml {

using Result = int;  ///< nvmlReturn_t
inline constexpr Result success = 0;
inline constexpr Result function_not_found = 13;

using DeviceHandle = void*;                ///< nvmlDevice_t
inline constexpr int sm_clock = 1;         ///< nvmlClockType_t: NVML_CLOCK_SM
inline constexpr int gpu_temperature = 0;  ///< nvmlTemperatureSensors_t: NVML_TEMPERATURE_GPU

/// A pointer is null if the library lacks the function. In Library::api(), the first three are never null.
struct EntryPoints {
    Result (*init)() = nullptr;
    Result (*shutdown)() = nullptr;
    Result (*handle_by_pci_bus_id)(const char* pci_bus_id, DeviceHandle* device) = nullptr;
    const char* (*error_string)(Result result) = nullptr;
    Result (*clock_mhz)(DeviceHandle device, int clock, unsigned* mhz) = nullptr;
    Result (*max_clock_mhz)(DeviceHandle device, int clock, unsigned* mhz) = nullptr;
    Result (*temperature_c)(DeviceHandle device, int sensor, unsigned* degrees) = nullptr;
    Result (*power_mw)(DeviceHandle device, unsigned* milliwatts) = nullptr;
    Result (*power_limit_mw)(DeviceHandle device, unsigned* milliwatts) = nullptr;
    Result (*clock_reasons)(DeviceHandle device, unsigned long long* mask) = nullptr;
};

/// Loads and initialises the library; shuts it down and unloads it at the end.
class Library {
  public:
    /// Throws compaction::Error{unavailable} with the reason.
    explicit Library(const std::string& file);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    const EntryPoints& api() const { return api_; }
    /// NVML's text for a result other than success.
    std::string error_text(Result result) const;

  private:
    platform::DynamicLibrary library_;
    EntryPoints api_;
};

/// Reads one GPU through NVML. Use it from one thread. Every call may take milliseconds.
class Gpu {
  public:
    /// `library`: the file to load; `pci_bus_id`: DeviceInfo::pci_bus_id, which does not depend on
    /// CUDA_VISIBLE_DEVICES. Throws compaction::Error{unavailable} with the reason.
    Gpu(const std::string& library, const std::string& pci_bus_id);

    /// Values that NVML does not report are empty; see Reading::unknown.
    Reading read() const;

  private:
    Library library_;
    DeviceHandle device_ = nullptr;
};

}  // namespace warpsieve::nvml
