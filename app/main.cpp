#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/application/application.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit.hpp"
#include "app/gl/context.hpp"
#include "app/gl/imgui_backend.hpp"
#include "app/gl/software.hpp"
#include "app/live/saved_view.hpp"
#include "app/settings/settings_file.hpp"
#include "app/settings/settings_writer.hpp"
#include "compaction/error.hpp"
#include "experiments/format/terminal.hpp"
#include "platform/files.hpp"
#include "platform/machine.hpp"
#include "platform/process.hpp"

namespace {

using namespace warpsieve;

void report(const std::string& sentence) {
    experiments::format::print_error_line("warpsieve: " + sentence);
}

constexpr const char* choose_another_folder = "Choose a folder that exists and can be written.";

/// "missing/run.csv cannot be written: No such file or directory".
std::string problem_with(const std::filesystem::filesystem_error& error) {
    return error.path1().string() + " cannot be written: " + error.code().message();
}

void report(const std::filesystem::filesystem_error& error) {
    report(problem_with(error) + ". " + choose_another_folder);
}

/// Saves the settings. Reports a failure and returns false, because what follows, such as a restart, goes on.
bool save_user_settings(SettingsWriter& writer, const std::filesystem::path& file, const Settings& settings) {
    try {
        writer.save(settings);
        return true;
    } catch (const std::filesystem::filesystem_error& error) {
        report("The settings cannot be written to " + file.string() + ": " + error.code().message() +
               ", so they are not saved. Set XDG_CONFIG_HOME, or name a file with --settings.");
        return false;
    }
}

/// The settings of the sidecar of --replay. Throws Error{unavailable} if its engine is missing and the
/// command line names no other: another engine would make another run.
Settings load_replay(const CommandLine& command_line) {
    Settings settings = sidecar_settings(command_line.replay);
    settings.window.window_width = settings.window.window_height = 0;
    const compaction::EngineStatus& engine = compaction::status_of(settings.run.engine);
    if (!engine.available && !command_line.overrides.contains("engine") &&
        !command_line.overrides.contains("algorithm"))
        throw compaction::Error(compaction::ErrorCode::unavailable, engine.reason);
    return settings;
}

/// Refuses a mistyped folder of --settings. Only the folder of the user's own settings is created.
void require_folder(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.parent_path();
    std::error_code error;
    if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            "There is no folder " + folder.string() + " for the settings file " +
                                file.filename().string() +
                                ". Make it, or name another file with --settings.");
}

/// The settings of `file`, if one is named. A window saves its settings; a run offscreen leaves the file as
/// it is.
LoadedSettings load_own_settings(const std::filesystem::path& file, const CommandLine& command_line) {
    const bool headless = command_line.task.headless;
    if (file.empty() && (headless || !command_line.replay.empty())) return {};
    if (file.empty())
        return {.warning = "HOME is not set, so settings are not saved. Name a file with --settings."};
    if (headless) return require_settings(file);
    if (!command_line.settings_file.empty()) require_folder(file);
    return load_settings(file);
}

/// Names every file that cannot be written, such as those in a mistyped folder, before the first frame.
void require_writable_files(const Task& task) {
    std::string problems;
    for (const std::filesystem::path* file : {&task.outputs.csv, &task.outputs.json, &task.outputs.screenshot,
                                              &task.outputs.loop, &task.outputs.trace}) {
        try {
            if (!file->empty()) platform::require_writable(*file);
        } catch (const std::filesystem::filesystem_error& error) {
            problems += (problems.empty() ? "" : "; ") + problem_with(error);
        }
    }
    if (!problems.empty()) throw std::runtime_error(problems + ". " + choose_another_folder);
}

/// Says that no window opens and, if the command line names no file for the results, how to name one.
std::string no_display_text(const Task& task) {
    const capture::OutputPaths& files = task.outputs;
    const bool names_files = !files.screenshot.empty() || !files.csv.empty() || !files.json.empty();
    return "There is no display, so " + std::to_string(task.frames) +
           (task.frames == 1 ? " frame is" : " frames are") +
           " rendered offscreen and a table is printed; set DISPLAY for the window." +
           (names_files ? "" : " Name files for the results with --screenshot, --csv or --json.");
}

/// Lets all threads share a few heaps, because threads of labs, captures and settings come and go. With a
/// limit of the address space, they share one.
void limit_heaps() {
    constexpr int max_heaps = 4;
    const bool is_limited = platform::memory_left_by_limits().address_space_bytes !=
                            platform::ProcessMemory{}.address_space_bytes;
    platform::share_heaps(is_limited ? 1 : max_heaps);
}

/// How many threads of OpenGL in software the limits of memory allow for frames of that size, at most
/// `wanted`. Throws Error{out_of_memory} if there is too little for a program without such threads.
unsigned driver_threads_in_memory(gl::PixelSize size, unsigned wanted) {
    // Mesa 22.3: libraries and compiled shaders; for each thread, a stack and its part of the heap.
    constexpr std::uint64_t mib = 1 << 20;
    constexpr platform::ProcessMemory required{.address_space_bytes = 512 * mib, .data_bytes = 112 * mib};
    constexpr platform::ProcessMemory for_thread{.address_space_bytes = 32 * mib, .data_bytes = 20 * mib};
    constexpr std::uint64_t bytes_per_pixel = 48;  // of render targets, bloom and the picture
    const std::uint64_t frame_bytes =
        bytes_per_pixel * static_cast<unsigned>(size.width) * static_cast<unsigned>(size.height);
    const platform::ProcessMemory left = platform::memory_left_by_limits();
    const platform::ProcessMemory used = platform::memory_used();
    const auto needed_text = [&](std::uint64_t platform::ProcessMemory::*bytes) {
        constexpr std::uint64_t step = 64 * mib;
        const std::uint64_t needed = used.*bytes + required.*bytes + frame_bytes;
        return std::to_string((needed / step + 1) * (step / mib)) + " MiB";
    };
    const auto fitting_threads = [&](std::uint64_t platform::ProcessMemory::*bytes) {
        if (left.*bytes < required.*bytes + frame_bytes)
            throw compaction::Error(
                compaction::ErrorCode::out_of_memory,
                "The memory limits of the system leave too little for OpenGL and a frame of " +
                    std::to_string(size.width) + "x" + std::to_string(size.height) +
                    " pixels. Set ulimit -v to " +
                    needed_text(&platform::ProcessMemory::address_space_bytes) + " and ulimit -d to " +
                    needed_text(&platform::ProcessMemory::data_bytes) +
                    " or more, or make the frame smaller.");
        return (left.*bytes - required.*bytes - frame_bytes) / (for_thread.*bytes);
    };
    return static_cast<unsigned>(
        std::min<std::uint64_t>({wanted, fitting_threads(&platform::ProcessMemory::address_space_bytes),
                                 fitting_threads(&platform::ProcessMemory::data_bytes)}));
}

/// Limits the threads of OpenGL in software to those that memory and the system allow: it crashes where
/// memory runs out, and waits for ever for threads that the system refuses.
void limit_driver_threads(gl::PixelSize size) {
    constexpr unsigned max_driver_threads = 32;
    constexpr unsigned other_threads = 8;
    const unsigned wanted = std::min(std::thread::hardware_concurrency(), max_driver_threads);
    const unsigned fitting = driver_threads_in_memory(size, wanted);
    const bool startable = platform::startable_threads(fitting + other_threads) == fitting + other_threads;
    if (fitting == wanted && startable) return;
    // With 0, the thread that calls OpenGL draws.
    platform::set_environment("LP_NUM_THREADS", std::to_string(startable ? fitting : 0));
    report(std::string("the system allows ") +
           (startable ? "little memory (ulimit -v, ulimit -d)" : "few threads (ulimit -u, pids.max)") +
           "; drawing in software uses fewer threads.");
}

/// A window where the last one was, with the size of the command line if it has one; or an offscreen context.
std::unique_ptr<gl::Context> open_context(const Task& task, const Settings& settings) {
    if (task.headless) return gl::open_headless(task.size);
    std::optional<gl::WindowGeometry> geometry = window_geometry(settings);
    if (geometry && task.size_given) geometry->size = task.size;
    std::optional<gl::PixelSize> size;
    if (task.size_given) size = task.size;
    if (geometry) size = geometry->size;
    return gl::open_window(size, "Warpsieve", geometry);
}

/// From its destructor on, a lost display ends the process with `exit_code`: there is nothing left to save.
/// Declare it after the application, which must not be saved once its destructor runs.
class ExitOnLostDisplay {
  public:
    explicit ExitOnLostDisplay(const int& exit_code) : exit_code_(exit_code) {}
    ~ExitOnLostDisplay() {
        gl::when_display_is_lost([code = exit_code_] {
            std::fflush(stdout);
            std::_Exit(code);
        });
    }
    ExitOnLostDisplay(const ExitOnLostDisplay&) = delete;
    ExitOnLostDisplay& operator=(const ExitOnLostDisplay&) = delete;

  private:
    const int& exit_code_;
};

int run(CommandLine command_line, char** argv, std::chrono::steady_clock::time_point started) {
    const Task& task = command_line.task;
    // An offscreen run is repeatable, so it reads a settings file only with --settings.
    std::filesystem::path file = command_line.settings_file;
    // A replay neither reads nor replaces the user's own settings.
    const bool replay = !command_line.replay.empty();
    if (file.empty() && !task.headless && !replay) file = default_settings_file();
    LoadedSettings loaded = load_own_settings(file, command_line);
    if (!loaded.may_replace) file.clear();
    const Settings settings_in_file = loaded.settings;
    command_line.task.first_start = loaded.first_start && !task.headless;
    if (replay) {
        loaded.settings = load_replay(command_line);
        command_line.task.replayed = capture::recorded_figures(command_line.replay);
    }
    const std::optional<std::string> gpu_failure = take_reason_of_restart();
    if (gpu_failure) switch_to_cpu(command_line, loaded.settings, *gpu_failure);
    std::vector<std::string> remarks;
    const Settings settings = resolve_settings(loaded.settings, command_line.overrides, remarks);
    for (const std::string& remark : remarks) report(remark);

    // A picture that the command line or a replay names must be there.
    if (task.headless || replay || command_line.overrides.contains("picture")) {
        Settings with_picture = settings;
        RunControl::load_picture(with_picture);
    }
    require_writable_files(task);
    if (task.without_display) report(no_display_text(task));
    limit_heaps();
    limit_driver_threads(task.size);
    const std::string cache_warning = gl::check_shader_cache();
    const gl::ImGuiState imgui;
    const auto open = [&] { return open_context(task, settings); };
    // OpenGL on a GPU that has failed may take ten seconds for a frame.
    const std::unique_ptr<gl::Context> context = gpu_failure ? gl::open_in_software(open) : open();
    SettingsWriter writer(file, settings_in_file, [](const std::string& sentence) { report(sentence); });
    const auto restart = [&](const std::string& why, const Settings& saved) {
        save_user_settings(writer, file, saved);
        restart_after_gpu_failure(argv, why);
    };
    int code = exit_failure;
    Application application(*context, task, settings, started, restart, writer);
    const ExitOnLostDisplay at_end(code);
    if (loaded.warning) application.notify(Severity::warning, *loaded.warning);
    if (!cache_warning.empty()) application.notify(Severity::warning, cache_warning);
    gl::when_display_is_lost([&] {
        application.end_without_display();
        save_user_settings(writer, file, application.settings());
        std::_Exit(exit_failure);
    });
    code = application.run();
    if (!save_user_settings(writer, file, application.settings()) && code == exit_ok) code = exit_failure;
    return code;
}

int run_program(int argc, char** argv) {
    const auto started = std::chrono::steady_clock::now();
    platform::prepare_process();
    catch_interrupts();
    try {
        const Command* command = argc > 1 ? find_command(argv[1]) : nullptr;
        if (command) return command->run(argc - 1, argv + 1);
        const ParsedCommandLine parsed = parse_command_line(argc, argv);
        return parsed.exit_code ? *parsed.exit_code : run(parsed.command_line, argv, started);
    } catch (const compaction::Error& error) {
        report(error.what());
        return exit_code_for(error);
    } catch (const std::filesystem::filesystem_error& error) {
        report(error);
        return exit_failure;
    } catch (const std::bad_alloc&) {
        report(
            "host memory ran out. Choose fewer slots, a shorter stream or fewer frames, or raise the memory "
            "limit.");
        return exit_failure;
    } catch (const std::exception& error) {
        report(error.what());
        return exit_failure;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int code = run_program(argc, argv);
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const int why = errno;
    // The reader has closed the pipe, as in `warpsieve --list | head`.
    if (platform::reader_is_gone(stdout)) return code == exit_ok ? exit_closed_pipe : code;
    // errno is 0 if an earlier write failed.
    report("The standard output cannot be written" +
           (why == 0 ? "" : " (" + std::generic_category().message(why) + ")") +
           ", so the output is incomplete.");
    return code == exit_ok ? exit_failure : code;
}
