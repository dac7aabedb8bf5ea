#pragma once

#include "simulated/device.hpp"

/// The functions of the CUDA file of this name on the simulated GPU.
namespace compaction::cuda::detail {

/// Records a value of the running lane in the trace, under `name`.
template <typename T>
void note(const char* name, T value, const Site& site = Site::current()) {
    note_value(name, static_cast<std::uint64_t>(value), site);
}

/// Whether a planted fault leaves out the test at the line of the call.
inline bool is_left_out(const Site& site = Site::current()) {
    return simulated::is_left_out(site);
}

}  // namespace compaction::cuda::detail
