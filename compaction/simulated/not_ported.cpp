// Algorithms that call a library of NVIDIA: the catalogue lists them with the reason why they cannot run.
#include <string>

#include "registration.hpp"

namespace compaction {
namespace {

Registration calls_library(const std::string& library) {
    Algorithm algorithm;
    algorithm.unavailable_reason = "Not in this build: " + library +
                                   " launches kernels of its own, which only NVIDIA's compiler can build.";
    algorithm.item_sizes = {};
    return {algorithm, nullptr};
}

}  // namespace

Registration register_simulated_cub_select() {
    return calls_library("CUB");
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
