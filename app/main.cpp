#include <imgui.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/application.hpp"
#include "app/command_line.hpp"
#include "app/gl/context.hpp"
#include "app/settings_file.hpp"
#include "compaction/error.hpp"

namespace {

using namespace warpsieve;

/// Dear ImGui's state, for as long as anything draws with it.
struct ImGuiState {
    ImGuiState() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;  // the settings file is ours
    }
    ~ImGuiState() { ImGui::DestroyContext(); }
    ImGuiState(const ImGuiState&) = delete;
    ImGuiState& operator=(const ImGuiState&) = delete;
};

int exit_code_for(const compaction::Error& error) {
    switch (error.code()) {
        case compaction::ErrorCode::invalid_option:
        case compaction::ErrorCode::invalid_argument: return exit_usage;
        case compaction::ErrorCode::unavailable: return exit_no_device;
        case compaction::ErrorCode::out_of_memory:
        case compaction::ErrorCode::device_failure: return exit_failure;
    }
    return exit_failure;
}

int run(const CommandLine& command_line, std::chrono::steady_clock::time_point started) {
    const Task& task = command_line.task;
    // An offscreen run repeats itself, so it looks at a settings file only when told to.
    std::filesystem::path file = command_line.settings_file;
    if (file.empty() && !task.headless) file = default_settings_file();
    const LoadedSettings loaded = file.empty() ? LoadedSettings{} : load_settings(file);
    const Settings settings = resolve_settings(loaded.settings, command_line.overrides);

    const ImGuiState imgui;
    const std::unique_ptr<gl::Context> context = task.headless ? gl::open_headless(task.size) : gl::open_window(task.size, "Warpsieve");
    Application application(*context, task, settings, started);
    if (loaded.warning) application.tell(Severity::warning, *loaded.warning);
    const int code = application.run();
    if (!file.empty()) save_settings(file, application.settings());
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    const auto started = std::chrono::steady_clock::now();
    try {
        const ParsedCommandLine parsed = parse_command_line(argc, argv);
        return parsed.exit_code ? *parsed.exit_code : run(parsed.command_line, started);
    } catch (const compaction::Error& error) {
        std::fprintf(stderr, "warpsieve: %s\n", error.what());
        return exit_code_for(error);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warpsieve: %s\n", error.what());
        return exit_failure;
    }
}
