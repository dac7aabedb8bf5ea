// The algorithms that call a library of NVIDIA's: they are listed with the reason why they cannot run.
#include "registration.hpp"

namespace compaction {
namespace {

Registration not_ported(const char* library) {
    Algorithm algorithm;
    algorithm.unavailable_reason = "Not in this build: " + std::string(library) +
                                   " launches kernels of its own, which only NVIDIA's compiler can build.";
    algorithm.item_sizes = {};
    return {algorithm, nullptr};
}

}  // namespace

Registration register_simulated_cub_select() {
    return not_ported("CUB");
}
Registration register_simulated_scan_cub() {
    return not_ported("CUB");
}
Registration register_simulated_scan_thrust() {
    return not_ported("Thrust");
}
Registration register_simulated_scan_thrust_per_call() {
    return not_ported("Thrust");
}
Registration register_simulated_thrust_copy_if() {
    return not_ported("Thrust");
}

}  // namespace compaction
