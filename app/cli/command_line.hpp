#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/cli/exit_code.hpp"
#include "app/gl/pixels.hpp"
#include "app/settings/settings.hpp"

namespace warpsieve {

/// What one start was asked to do, besides the settings.
struct Task {
    bool headless = false;
    std::uint64_t frames = 0;  ///< 0: until the window is closed
    gl::PixelSize size;
    std::filesystem::path screenshot;
    std::filesystem::path csv;
    std::filesystem::path json;
    std::filesystem::path control_map;
    std::uint64_t memory_limit_bytes = 0;
    std::optional<std::uint64_t> rehearse_failure_at;
    std::optional<std::string> gpu_failure;  ///< why this process takes over from one whose GPU failed
};

/// The settings that the command line names; each goes over what the settings file says.
struct Overrides {
    std::optional<compaction::EngineId> engine;
    std::optional<std::string> algorithm;
    std::optional<std::string> source;
    std::optional<workloads::Pattern> pattern;
    /// As typed: what they mean depends on the algorithm.
    using Options = std::map<compaction::Option, std::string>;
    Options options;
    std::optional<std::string> rival;
    Options rival_options;
    std::optional<std::string> tab;
    std::optional<std::uint64_t> slots;
    std::optional<float> density;
    std::optional<std::uint32_t> seed;
    std::optional<std::uint32_t> iterations;
    std::optional<std::uint32_t> check_every;
    std::optional<float> scale;
    std::optional<Theme> theme;
    std::optional<std::filesystem::path> capture_folder;
};

struct CommandLine {
    Task task;
    Overrides overrides;
    std::filesystem::path replay;         ///< sidecar whose settings are taken; empty: none
    std::filesystem::path settings_file;  ///< empty: the user's own, or none where headless
};

/// Either what was asked for, or the code to exit with at once (help, version, list, a usage error: already
/// told).
struct ParsedCommandLine {
    CommandLine command_line;
    std::optional<int> exit_code;
};

ParsedCommandLine parse_command_line(int argc, char** argv);

/// What to ask for after a GPU failure: the same, as far as the CPU engine has it.
void turn_to_cpu(CommandLine& command_line, Settings& settings, const std::string& why);

/// Puts the overrides over the settings and picks an engine: the one asked for; else the algorithm's own;
/// else the settings' where it is available; else the CPU. Throws compaction::Error: invalid_option and
/// invalid_argument are usage errors, unavailable means that the device asked for is not there.
Settings resolve_settings(Settings settings, const Overrides& overrides);

}  // namespace warpsieve
