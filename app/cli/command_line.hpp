#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "app/capture/report.hpp"
#include "app/capture/run_outputs.hpp"
#include "app/cli/exit_code.hpp"
#include "app/gl/pixels.hpp"
#include "app/settings/settings.hpp"

namespace warpsieve {

/// The task of one start, besides the settings.
struct Task {
    bool headless = false;
    bool without_display = false;  ///< headless only because there is no display
    bool engine_chosen = false;    ///< by the command line or by the run that is replayed
    std::uint64_t frames = 0;      ///< 0: until the window is closed
    gl::PixelSize size;
    bool size_given = false;  ///< by the command line
    capture::OutputPaths outputs;
    std::uint64_t memory_limit_bytes = 0;
    std::uint64_t tour_step = 0;  ///< of the guided tour, from 1; 0: none
    bool first_start = false;     ///< there are no settings of an earlier start
    std::optional<std::uint64_t> inject_fault_at;
    std::optional<capture::RecordedFigures> replayed;  ///< to compare with at the end
    std::optional<std::string> gpu_failure;            ///< why this process replaces one whose GPU failed
};

/// Settings as typed on the command line, by the key of their row in the schema. They replace those of the
/// settings file.
using Overrides = std::map<std::string, std::string, std::less<>>;

struct CommandLine {
    Task task;
    Overrides overrides;
    std::filesystem::path replay;         ///< sidecar with the settings to run; empty: none
    std::filesystem::path settings_file;  ///< empty: the user's own, or none where headless
};

/// The command line, or the code to exit with at once (help, version, list, or a usage error that was
/// printed).
struct ParsedCommandLine {
    CommandLine command_line;
    std::optional<int> exit_code;
};

ParsedCommandLine parse_command_line(int argc, char** argv);

/// Changes the command line and the settings to the CPU engine after a GPU failure; keeps whatever that
/// engine supports.
void turn_to_cpu(CommandLine& command_line, Settings& settings, const std::string& why);

/// Applies the overrides and chooses an engine: the one named, else that of the algorithm named, else that of
/// the settings if it is available, else the CPU. Throws compaction::Error: invalid_option and
/// invalid_argument for usage errors, unavailable where the engine's device is missing.
Settings resolve_settings(Settings settings, const Overrides& overrides);

}  // namespace warpsieve
