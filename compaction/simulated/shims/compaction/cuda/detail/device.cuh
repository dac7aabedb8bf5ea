#pragma once

#include "simulated/device.hpp"

namespace compaction::cuda::detail {

/// Gives a value of the running lane a name in the trace.
template <typename T>
void note(const char* name, T value, const Site& site = Site::current()) {
    note_value(name, static_cast<std::uint64_t>(value), site);
}

}  // namespace compaction::cuda::detail
