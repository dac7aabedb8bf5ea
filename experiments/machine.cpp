#include "experiments/machine.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "platform/time.hpp"

namespace experiments {
namespace {

bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=^,:+@%").find(c) != std::string_view::npos;
}

}  // namespace

Machine describe_machine(const compaction::Engine& engine, std::string version, std::string commit,
                         std::string command) {
    const compaction::DeviceInfo& device = engine.device();
    return {.engine = std::string(id_of(engine.id())),
            .device = device.name,
            .driver = device.driver,
            .memory_bytes = device.memory_bytes,
            .cache_bytes = device.cache_bytes,
            .max_clock_hz = device.max_clock_hz,
            .version = std::move(version),
            .commit = std::move(commit),
            .command = std::move(command),
            .date = warpsieve::platform::utc_time("%Y-%m-%dT%H:%M:%SZ")};
}

std::string command_text(int argc, const char* const* argv) {
    std::string text;
    for (int i = 0; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (i > 0) text += ' ';
        if (!argument.empty() && std::ranges::all_of(argument, is_plain)) {
            text += argument;
            continue;
        }
        text += '\'';
        for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

}  // namespace experiments
