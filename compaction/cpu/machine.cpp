#include "cpu/machine.hpp"

#include <charconv>
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

}  // namespace compaction::cpu
