#include "experiments/machine.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>
#include <utility>

#include "platform/time.hpp"

namespace experiments {
namespace {

bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=^,:+@%").find(c) != std::string_view::npos;
}

/// One argument for a shell. Control characters become escapes, so that the text stays on one line.
std::string quoted(std::string_view argument) {
    if (!argument.empty() && std::ranges::all_of(argument, is_plain)) return std::string(argument);
    const auto is_control = [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; };
    const bool escapes = std::ranges::any_of(argument, is_control);
    std::string text = escapes ? "$'" : "'";
    for (const char c : argument) {
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
        if (escapes && (is_control(c) || c == '\'' || c == '\\'))
            text += octal;
        else
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + '\'';
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
    for (int i = 0; i < argc; ++i) text += (i > 0 ? " " : "") + quoted(argv[i]);
    return text;
}

}  // namespace experiments
