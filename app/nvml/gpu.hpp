#pragma once

#include <string>

#include "app/nvml/library.hpp"
#include "app/nvml/reading.hpp"

namespace warpsieve::nvml {

/// One GPU as NVML sees it. Use from one thread; every call may take milliseconds.
class Gpu {
  public:
    /// `library`: the file to load; `pci_bus_id`: DeviceInfo::pci_bus_id, which the order of the devices and
    /// CUDA_VISIBLE_DEVICES do not touch. Throws compaction::Error{unavailable} with the reason.
    Gpu(const std::string& library, const std::string& pci_bus_id);

    /// What can be read now.
    Reading read() const;

  private:
    Library library_;
    DeviceHandle device_ = nullptr;
};

}  // namespace warpsieve::nvml
