#pragma once

#include <cstdint>

/// Properties of the processor that choose how kernels read and write.
namespace compaction::cpu {

/// The second-level cache, which usually belongs to one core; a usual size if unknown.
std::uint64_t core_cache_bytes();

/// Whether software prefetches of sequential input would slow this processor down: see
/// tuning::vendors_with_hardware_prefetch_alone.
bool hardware_prefetch_suffices();

/// The current clock of this core, measured with a chain of additions that take one cycle each.
double measure_clock_hz();

}  // namespace compaction::cpu
