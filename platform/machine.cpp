#include "platform/machine.hpp"

#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <latch>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace warpsieve::platform {
namespace {

/// Waits, for a second at most, until the kernel has released a thread that was joined. It counts towards the
/// limits of the process until then.
void wait_for_release(pid_t thread) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    const std::filesystem::path entry = "/proc/self/task/" + std::to_string(thread);
    std::error_code unknown;
    while (std::filesystem::exists(entry, unknown) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
}

/// The value of the first line "key : value", "key: value" or "key value" in a file of the kernel; "" if
/// there is none.
std::string kernel_value(const std::string& path, std::string_view key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t value = line.find_first_not_of(" \t:", key.size());
        return value == std::string::npos ? "" : line.substr(value);
    }
    return {};
}

/// The value of a key as a number; 0 without one.
std::uint64_t kernel_number(const std::string& path, std::string_view key) {
    const std::string value = kernel_value(path, key);
    std::uint64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

std::uint64_t meminfo_bytes(std::string_view key) {
    return kernel_number("/proc/meminfo", key) * 1024;  // "24092164 kB"
}

/// The names of the memory files in one version of Linux control groups.
struct GroupFiles {
    const char* limit;
    const char* used;
    std::array<const char*, 2> cached_files;  ///< in memory.stat: can be reclaimed
};
constexpr GroupFiles version_1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};
constexpr GroupFiles version_2{"memory.max", "memory.current", {"active_file", "inactive_file"}};

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// Memory that the group in `folder` may still use.
std::uint64_t bytes_left_in_group(const std::string& folder, const GroupFiles& names) {
    std::uint64_t limit_bytes = 0;
    std::uint64_t used_bytes = 0;
    // Without a limit, version 2 has the word "max" and version 1 a huge number. The file of a root group may
    // be missing.
    if (!(std::ifstream(folder + "/" + names.limit) >> limit_bytes)) return no_limit;
    std::ifstream(folder + "/" + names.used) >> used_bytes;
    for (const char* key : names.cached_files)
        used_bytes -= std::min(used_bytes, kernel_number(folder + "/memory.stat", key));
    return limit_bytes - std::min(limit_bytes, used_bytes);
}

/// Memory that a group and its ancestors may still use: a limit applies to all descendants. Skips folders
/// that are not visible, as from within a container.
std::uint64_t bytes_left_in_group_and_ancestors(std::string group, const std::string& root,
                                                const GroupFiles& names) {
    std::uint64_t left = bytes_left_in_group(root, names);
    for (; group.size() > 1; group.resize(group.rfind('/')))
        left = std::min(left, bytes_left_in_group(root + group, names));
    return left;
}

/// Memory that the control groups of this process still allow. `own_groups` has a line
/// "id:controllers:/group" per hierarchy; the controllers are empty for version 2.
std::uint64_t bytes_left_by_groups(const std::string& own_groups, const std::string& groups) {
    std::uint64_t left = no_limit;
    std::ifstream file(own_groups);
    for (std::string line; std::getline(file, line);) {
        const std::size_t id_end = line.find(':');
        const std::size_t controllers_end = line.find(":/", id_end + 1);
        if (controllers_end == std::string::npos) continue;
        const std::string controllers = line.substr(id_end + 1, controllers_end - id_end - 1);
        const std::string group = line.substr(controllers_end + 1);
        if (controllers.empty())
            left = std::min(left, bytes_left_in_group_and_ancestors(group, groups, version_2));
        if (controllers == "memory")
            left = std::min(left, bytes_left_in_group_and_ancestors(group, groups + "/memory", version_1));
    }
    return left;
}

/// The size of the first processor's cache of that level, from the kernel; 0 if unknown.
std::uint64_t cache_bytes_of_level(int wanted_level) {
    constexpr int max_caches = 8;  // with separate ones for data and instructions
    for (int index = 0; index < max_caches; ++index) {
        const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
        std::ifstream level_file(cache + "/level");
        std::ifstream size_file(cache + "/size");
        int level = 0;
        std::uint64_t kibibytes = 0;
        if (level_file >> level && level == wanted_level && size_file >> kibibytes)
            return kibibytes * 1024;  // "32768K"
    }
    return 0;
}

/// The size of the pages that sysconf counts under that name; 0 if unknown. For machines without a readable
/// /proc.
std::uint64_t sysconf_pages_bytes(int name) {
    const long count = sysconf(name);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    return count > 0 && page_bytes > 0
               ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(page_bytes)
               : 0;
}

}  // namespace

ProcessMemory memory_used() {
    std::uint64_t total = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;  // in pages
    if (!(std::ifstream("/proc/self/statm") >> total >> resident >> shared >> text >> library >> data))
        return {0, 0};
    const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return {total * page_bytes, data * page_bytes};
}

ProcessMemory memory_left_by_limits() {
    const ProcessMemory used = memory_used();
    const auto left = [](auto resource, std::uint64_t used_bytes) {
        rlimit limit{};
        if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
        return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used_bytes);
    };
    return {left(RLIMIT_AS, used.address_space_bytes), left(RLIMIT_DATA, used.data_bytes)};
}

void share_heaps(int heaps) {
    mallopt(M_ARENA_MAX, heaps);
}

void return_freed_memory() {
    malloc_trim(0);
}

std::string processor_name() {
    std::string name = kernel_value("/proc/cpuinfo", "model name");
    utsname system{};
    if (!name.empty() || uname(&system) != 0) return name;
    return std::string(system.machine) + " processor";
}

std::string processor_vendor() {
    return kernel_value("/proc/cpuinfo", "vendor_id");
}

std::uint64_t total_memory_bytes() {
    const std::uint64_t total = meminfo_bytes("MemTotal:");
    return total > 0 ? total : sysconf_pages_bytes(_SC_PHYS_PAGES);
}

std::uint64_t available_memory_bytes(const std::string& own_groups, const std::string& groups) {
    const ProcessMemory by_limits = memory_left_by_limits();
    const std::uint64_t left = std::min(
        {bytes_left_by_groups(own_groups, groups), by_limits.address_space_bytes, by_limits.data_bytes});
    const std::uint64_t reported = meminfo_bytes("MemAvailable:");
    const std::uint64_t available = reported > 0 ? reported : sysconf_pages_bytes(_SC_AVPHYS_PAGES);
    if (left == no_limit) return available;
    // 0 would mean unknown.
    return std::max<std::uint64_t>(1, available > 0 ? std::min(available, left) : left);
}

std::uint32_t startable_threads(std::uint32_t wanted) {
    std::latch leave(1);
    std::vector<pid_t> ids(wanted);
    std::vector<std::jthread> started;
    started.reserve(wanted);
    try {
        while (started.size() < wanted) {
            started.emplace_back([&leave, &id = ids[started.size()]] {
                id = ::gettid();
                leave.wait();
            });
        }
    } catch (const std::system_error&) {
    }
    leave.count_down();
    const auto count = static_cast<std::uint32_t>(started.size());
    started.clear();
    for (std::uint32_t i = 0; i < count; ++i) wait_for_release(ids[i]);
    return count;
}

std::uint64_t last_level_cache_bytes() {
    // The kernel is asked first: the C library reads processor registers, which in a virtual machine may
    // report ten times the cache that its processors share.
    std::uint64_t largest = 0;
    for (int level = 1; level <= 4; ++level) largest = std::max(largest, cache_bytes_of_level(level));
    if (largest > 0) return largest;
    for (const int name : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE}) {
        const long bytes = sysconf(name);
        if (bytes > 0) largest = std::max(largest, static_cast<std::uint64_t>(bytes));
    }
    return largest;
}

std::uint64_t second_level_cache_bytes() {
    return cache_bytes_of_level(2);
}

void request_huge_pages(void* memory, std::size_t size_bytes) {
    madvise(memory, size_bytes, MADV_HUGEPAGE);
}

bool clock_is_cycle_counter() {
    std::string source;
    std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource") >> source;
    return source == "tsc";
}

double max_clock_hz() {
    double kilohertz = 0;
    std::ifstream("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") >> kilohertz;
    return kilohertz * 1'000;
}

double reported_clock_hz(const std::string& cpus) {
    double kilohertz = 0;
    std::ifstream(cpus + "/cpu" + std::to_string(std::max(sched_getcpu(), 0)) +
                  "/cpufreq/scaling_cur_freq") >>
        kilohertz;
    return kilohertz * 1'000;
}

}  // namespace warpsieve::platform
