#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

/// Facts that the operating system reports about the machine.
namespace warpsieve::platform {

/// The processor's model name, or its architecture where the system does not name it; "" if unknown.
std::string processor_name();
/// "" if unknown.
std::string processor_vendor();

/// Installed memory; 0 if unknown.
std::uint64_t total_memory_bytes();

/// Memory that this process can use without swapping and without exceeding its limits (ulimit) or those of
/// its control groups (as in containers and services); 0 if unknown. `own_groups`: the file that lists the
/// process's groups; `groups`: the folder that contains them.
std::uint64_t available_memory_bytes(const std::string& own_groups = "/proc/self/cgroup",
                                     const std::string& groups = "/sys/fs/cgroup");

/// Memory of a process, by the two counts that have a limit each.
struct ProcessMemory {
    std::uint64_t address_space_bytes = std::numeric_limits<std::uint64_t>::max();  ///< ulimit -v
    std::uint64_t data_bytes = std::numeric_limits<std::uint64_t>::max();           ///< ulimit -d
};
/// What the limits leave; the maximum of the type where there is no limit.
ProcessMemory memory_left_by_limits();
/// What this process uses; 0 if unknown.
ProcessMemory memory_used();

/// From now on, all threads together use at most `heaps` heaps (arenas of malloc). By default, the C library
/// makes up to eight for each processor. A heap keeps what its threads have freed, so memory grows as threads
/// come and go. For each heap, up to 128 MiB of addresses are reserved, which count towards a limit of the
/// address space.
void share_heaps(int heaps);

/// Gives pages back to the system that hold nothing but freed memory. A heap keeps them otherwise, also those
/// between blocks in use.
void return_freed_memory();

/// The number of threads, up to `wanted`, that this process can start now (ulimit -u, pids.max). Starts them
/// and waits for their end.
std::uint32_t startable_threads(std::uint32_t wanted);

/// Asks for huge pages, which avoid most page-table look-ups. The system may decline.
void request_huge_pages(void* memory, std::size_t size_bytes);

/// The largest cache; 0 if unknown.
std::uint64_t last_level_cache_bytes();

/// The second-level cache of the first core; 0 if unknown.
std::uint64_t second_level_cache_bytes();

/// Whether the system's clock is the processor's cycle counter, which read_ticks reads (builtins.hpp). The
/// counter then has a constant rate and is the same on all cores.
bool clock_is_cycle_counter();

/// The maximum allowed clock of the processor; 0 if unknown.
double max_clock_hz();

/// The current clock of this thread's core, as reported by the operating system; 0 if unknown. `cpus`: the
/// folder with one folder per core.
double reported_clock_hz(const std::string& cpus = "/sys/devices/system/cpu");

}  // namespace warpsieve::platform
