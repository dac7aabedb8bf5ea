#include "cpu/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <string_view>

namespace compaction::cpu {
namespace {

/// The value of the first line "key : value" or "key: value" of a file in /proc, or "" where there is none.
std::string proc_value(const char* path, std::string_view key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t value = line.find_first_not_of(" \t:", key.size());
        return value == std::string::npos ? "" : line.substr(value);
    }
    return {};
}

std::uint64_t meminfo_bytes(std::string_view key) {
    const std::string value = proc_value("/proc/meminfo", key);  // "24092164 kB"
    std::uint64_t kibibytes = 0;
    std::from_chars(value.data(), value.data() + value.size(), kibibytes);
    return kibibytes * 1024;
}

/// The cache of that level that the first processor uses, as the kernel tells it; 0 where it does not.
std::uint64_t cache_bytes_of_level(int wanted) {
    for (int index = 0; index < 8; ++index) {
        const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
        std::ifstream level_file(cache + "/level");
        std::ifstream size_file(cache + "/size");
        int level = 0;
        std::uint64_t kibibytes = 0;
        if (level_file >> level && level == wanted && size_file >> kibibytes)
            return kibibytes * 1024;  // "32768K"
    }
    return 0;
}

}  // namespace

std::string processor_name() {
    const std::string name = proc_value("/proc/cpuinfo", "model name");
    return name.empty() ? "unknown processor" : name;
}

std::uint64_t total_memory_bytes() {
    return meminfo_bytes("MemTotal:");
}

std::uint64_t available_memory_bytes() {
    return meminfo_bytes("MemAvailable:");
}

std::uint64_t last_level_cache_bytes() {
    // Asked of the kernel first: the C library works it out from the processor's registers, which in a
    // virtual machine may tell of ten times the cache that its processors share.
    std::uint64_t largest = 0;
    for (int level = 1; level <= 4; ++level) largest = std::max(largest, cache_bytes_of_level(level));
    if (largest > 0) return largest;
    for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE}) {
        const long bytes = sysconf(level);
        if (bytes > 0) largest = std::max(largest, static_cast<std::uint64_t>(bytes));
    }
    return largest;
}

std::uint64_t core_cache_bytes() {
    static const std::uint64_t bytes = [] {
        constexpr std::uint64_t usual_bytes = 512 << 10;
        const std::uint64_t told = cache_bytes_of_level(2);
        return told > 0 ? told : usual_bytes;
    }();
    return bytes;
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

double measure_clock_hz() {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint32_t rounds = 8'192;
    constexpr double cycles_per_round = 2;
    double highest = 0;
    // The highest of a few: whatever interrupts the chain makes the clock look slow, never fast.
    for (int attempt = 0; attempt < 4; ++attempt) {
        const auto start = Clock::now();
        std::uint32_t chain = static_cast<std::uint32_t>(start.time_since_epoch().count());
        for (std::uint32_t i = 0; i < rounds; ++i) chain += chain ^ i;
        // Stored where the compiler cannot tell that nobody reads it, or it would leave out the chain.
        [[maybe_unused]] volatile std::uint32_t end_of_chain = chain;
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (seconds > 0) highest = std::max(highest, rounds * cycles_per_round / seconds);
    }
    return highest;
}

}  // namespace compaction::cpu
