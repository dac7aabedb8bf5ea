#pragma once

#include "simulated/device.hpp"

/// The function of the CUDA file of this name on the simulated GPU.
namespace compaction::cuda::detail {

/// Records a value of the running lane in the trace, under `name`.
template <typename T>
void note(const char* name, T value, const Site& site = Site::current()) {
    note_value(name, static_cast<std::uint64_t>(value), site);
}

}  // namespace compaction::cuda::detail
