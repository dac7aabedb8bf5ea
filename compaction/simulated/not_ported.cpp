// The algorithms that call a library of NVIDIA's or launch kernels from the device: they are listed with the
// reason why they cannot run.
#include <string>

#include "registration.hpp"

namespace compaction {
namespace {

Registration not_ported(const std::string& reason) {
    Algorithm algorithm;
    algorithm.unavailable_reason = "Not in this build: " + reason;
    algorithm.item_sizes = {};
    return {algorithm, nullptr};
}

Registration calls_library(const std::string& library) {
    return not_ported(library + " launches kernels of its own, which only NVIDIA's compiler can build.");
}

}  // namespace

Registration register_simulated_cub_select() {
    return calls_library("CUB");
}
Registration register_simulated_device_launch() {
    return not_ported("its kernel launches itself; the simulated GPU runs launches of the host alone.");
}
Registration register_simulated_scan_cub() {
    return calls_library("CUB");
}
Registration register_simulated_scan_thrust() {
    return calls_library("Thrust");
}
Registration register_simulated_scan_thrust_per_call() {
    return calls_library("Thrust");
}
Registration register_simulated_thrust_copy_if() {
    return calls_library("Thrust");
}

}  // namespace compaction
