#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "app/capture/report.hpp"
#include "app/capture/run_outputs.hpp"
#include "app/cli/exit.hpp"
#include "app/gl/pixels.hpp"
#include "app/settings/settings.hpp"

namespace warpsieve {

/// --loop films from this frame on.
inline constexpr std::uint64_t film_from_frame = 60;
/// If the view needs a ratio or a replay that is not there yet, the film begins at most this many frames
/// later.
inline constexpr std::uint64_t max_frames_of_wait = 600;
/// The least --frames of an offscreen run with --loop.
inline constexpr std::uint64_t min_film_frames = 480;

/// The requests of the command line, besides the settings.
struct Task {
    bool headless = false;
    bool without_display = false;  ///< headless only because there is no display
    bool engine_chosen = false;    ///< the command line or the replayed run names the engine
    std::uint64_t frames = 0;      ///< number of frames; 0: until the window is closed
    gl::PixelSize size;
    bool size_given = false;  ///< the command line names the size
    capture::OutputPaths outputs;
    std::uint64_t memory_limit_bytes = 0;          ///< of the slots; 0: the free memory
    std::uint64_t tour_step = 0;                   ///< step of the guided tour, from 1; 0: no tour
    bool first_start = false;                      ///< there are no settings of an earlier start
    std::optional<std::uint64_t> inject_fault_at;  ///< the frame in which the GPU is made to fail
    std::optional<RecordedFigures> replayed;       ///< figures that the run is compared with at its end
    std::optional<std::string> gpu_failure;        ///< why this process replaces one whose GPU failed
};

/// Settings as typed on the command line, by their key in the schema. They replace the values of the settings
/// file.
using Overrides = std::map<std::string, std::string, std::less<>>;

struct CommandLine {
    Task task;
    Overrides overrides;
    std::filesystem::path replay;         ///< sidecar with the settings of the run; empty: none
    std::filesystem::path settings_file;  ///< empty: the file of the user in a window, and none if headless
};

/// The command line, or an exit code if the program must end (help, version, list, or a usage error that was
/// printed).
struct ParsedCommandLine {
    CommandLine command_line;
    std::optional<int> exit_code;
};

ParsedCommandLine parse_command_line(int argc, char** argv);

/// Changes the command line and the settings to the CPU engine after a failure of the GPU. Keeps what the CPU
/// engine supports.
void switch_to_cpu(CommandLine& command_line, Settings& settings, const std::string& why);

/// Applies the overrides and chooses an engine: the named one, else that of the named algorithm, else that of
/// the settings if it is available, else the CPU. An algorithm of another engine is replaced by its
/// counterpart; `remarks` gets a sentence about it. Throws compaction::Error: invalid_option and
/// invalid_argument for usage errors, unavailable if the device of the engine is missing.
Settings resolve_settings(Settings settings, const Overrides& overrides, std::vector<std::string>& remarks);

}  // namespace warpsieve
