#pragma once

#include <cstdint>
#include <string>

/// What the operating system reports about the machine.
namespace compaction::cpu {

/// The processor's model name, or "unknown processor".
std::string processor_name();

/// Installed memory; 0 if unknown.
std::uint64_t total_memory_bytes();

/// Memory that this process can use without swapping and without exceeding its limits (ulimit) or those of
/// its control groups (as in containers and services); 0 if unknown. `own_groups`: the file that lists the
/// process's groups; `groups`: the folder that contains them.
std::uint64_t available_memory_bytes(const std::string& own_groups = "/proc/self/cgroup",
                                     const std::string& groups = "/sys/fs/cgroup");

/// The largest cache; 0 if unknown.
std::uint64_t last_level_cache_bytes();

/// The second-level cache, which usually belongs to one core; a usual size if unknown.
std::uint64_t core_cache_bytes();

/// Whether software prefetches of sequential input would slow this processor down: see
/// tuning::vendors_with_hardware_prefetch_alone.
bool hardware_prefetch_suffices();

/// The highest clock the processor is allowed; 0 if unknown.
double max_clock_hz();

/// The current clock of this thread's core as the operating system reports it; 0 if it does not. `cpus`: the
/// folder with one folder per core.
double reported_clock_hz(const std::string& cpus = "/sys/devices/system/cpu");

/// The current clock of this core, measured with a chain of additions that take one cycle each.
double measure_clock_hz();

}  // namespace compaction::cpu
