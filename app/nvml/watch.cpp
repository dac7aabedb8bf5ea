#include "app/nvml/watch.hpp"

#include <exception>
#include <utility>

#include "app/nvml/gpu.hpp"

namespace warpsieve::nvml {

Watch::Watch(std::string pci_bus_id, std::string library, std::chrono::milliseconds period)
    : pci_bus_id_(std::move(pci_bus_id)),
      library_(std::move(library)),
      period_(period),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

std::shared_ptr<const Reading> Watch::last() const {
    const std::lock_guard lock(mutex_);
    return last_;
}

void Watch::run(const std::stop_token& stop) {
    try {
        const Gpu gpu(library_, pci_bus_id_);
        while (!stop.stop_requested()) {
            publish(gpu.read());
            std::unique_lock lock(mutex_);
            stopped_.wait_for(lock, stop, period_, [] { return false; });
        }
    } catch (const std::exception& error) {
        publish({.unknown = error.what()});
    }
}

void Watch::publish(Reading reading) {
    auto newest = std::make_shared<const Reading>(std::move(reading));
    const std::lock_guard lock(mutex_);
    last_.swap(newest);
}

}  // namespace warpsieve::nvml
