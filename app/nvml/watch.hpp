#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "app/nvml/reading.hpp"

namespace warpsieve::nvml {

/// Reads a GPU through NVML twice a second, on a thread of its own because a call may take milliseconds.
/// Errors are reported in Reading::unknown.
class Watch {
  public:
    static constexpr std::chrono::milliseconds default_period{500};

    /// Returns at once. `library`: the file to load.
    explicit Watch(std::string pci_bus_id, std::string library = "libnvidia-ml.so.1",
                   std::chrono::milliseconds period = default_period);
    /// Waits for the current call and NVML's shutdown, not for the period.
    ~Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// The newest reading, immutable; null before the first. Never waits for NVML.
    std::shared_ptr<const Reading> last() const;

  private:
    void run(const std::stop_token& stop);
    void publish(Reading reading);

    std::string pci_bus_id_;
    std::string library_;
    std::chrono::milliseconds period_;
    mutable std::mutex mutex_;  ///< never held during an NVML call
    std::condition_variable_any stopped_;
    std::shared_ptr<const Reading> last_;
    std::jthread thread_;  ///< last member: joined before the others are destroyed
};

}  // namespace warpsieve::nvml
