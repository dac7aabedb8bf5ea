#pragma once

#include <cstdint>
#include <string>

/// What the operating system says of the machine the CPU engine runs on.
namespace compaction::cpu {

/// The processor as its maker calls it, or "unknown processor" where the system does not say.
std::string processor_name();

/// Installed memory; 0 where the system does not say.
std::uint64_t total_memory_bytes();

/// Memory that this process can have without swapping, and without being killed for it by a limit on its
/// control groups, which containers and services have; 0 where the system does not say. `own_groups`: names
/// the groups; `groups`: the folder with a folder for each.
std::uint64_t available_memory_bytes(const std::string& own_groups = "/proc/self/cgroup",
                                     const std::string& groups = "/sys/fs/cgroup");

/// The largest cache; 0 where the system does not say.
std::uint64_t last_level_cache_bytes();

/// The second-level cache, which a core usually has for itself; a usual size where the system does not say.
std::uint64_t core_cache_bytes();

/// Whether the processor reads ahead of its programs so well that a program which asks for lines ahead slows
/// it down: each line asked for takes one of the few places for misses of the first level, which what the
/// processor fetches into the second does not need. So AMD's (Zen 4: reading alone takes up to 1.5 times as
/// long if asked); Intel's gain by it in server processors.
bool processor_reads_ahead();

/// The highest clock the processor is allowed; 0 where the system does not say.
double max_clock_hz();

/// The clock that the operating system gives for the core this thread runs on just now; 0 where it gives
/// none. `cpus`: the folder with a folder for each core.
double reported_clock_hz(const std::string& cpus = "/sys/devices/system/cpu");

/// The clock that this core runs at just now, from a chain of additions that take a cycle each.
double measure_clock_hz();

}  // namespace compaction::cpu
