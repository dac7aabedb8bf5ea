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

/// Asks NVML how a GPU is doing, twice a second on a thread of its own, because an answer can take
/// milliseconds. What cannot be loaded or read is in the reading, as the reason.
class Watch {
  public:
    static constexpr std::chrono::milliseconds usual_period{500};

    /// Returns at once. `pci_bus_id`: of the GPU; `library`: the file to load.
    explicit Watch(std::string pci_bus_id, std::string library = "libnvidia-ml.so.1",
                   std::chrono::milliseconds period = usual_period);
    /// Waits for no more than the call under way and NVML's shutdown.
    ~Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// The last answer, which never changes; null before the first. Never waits for NVML.
    std::shared_ptr<const Reading> last() const;

  private:
    void run(const std::stop_token& stop);
    void publish(Reading reading);

    std::string pci_bus_id_;
    std::string library_;
    std::chrono::milliseconds period_;
    mutable std::mutex mutex_;  ///< held to copy a pointer, and to wait; never during a call
    std::condition_variable_any stopped_;
    std::shared_ptr<const Reading> last_;
    std::jthread thread_;  ///< last: it is stopped and joined before what it uses goes
};

}  // namespace warpsieve::nvml
