#pragma once

#include <string>

#include "app/nvml/library.hpp"
#include "app/nvml/reading.hpp"

namespace warpsieve::nvml {

/// Reads one GPU through NVML. Use from one thread; every call may take milliseconds.
class Gpu {
  public:
    /// `library`: the file to load; `pci_bus_id`: DeviceInfo::pci_bus_id, which does not depend on
    /// CUDA_VISIBLE_DEVICES. Throws compaction::Error{unavailable} with the reason.
    Gpu(const std::string& library, const std::string& pci_bus_id);

    /// Reads all available values.
    Reading read() const;

  private:
    Library library_;
    DeviceHandle device_ = nullptr;
};

}  // namespace warpsieve::nvml
