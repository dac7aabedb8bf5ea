#include "app/capture/ghost.hpp"

#include "app/capture/capture.hpp"
#include "app/capture/run_file.hpp"
#include "compaction/error.hpp"

namespace warpsieve {

void Ghost::follow(std::filesystem::path& file) {
    if (file == shown_) return;
    if (!file.empty()) {
        show(file);
        return;
    }
    run_.reset();
    shown_.clear();
}

void Ghost::keep(std::span<const experiments::FrameSample> frames, Settings& settings) const {
    try {
        const std::filesystem::path folder = capture::folder_of(settings);
        settings.window.ghost = std::filesystem::absolute(capture::save_frames(frames, folder));
        notify_(Severity::info, "Saved " + std::to_string(frames.size()) + " frames as " +
                                    settings.window.ghost.string() + ". They are now the ghost.");
    } catch (const std::filesystem::filesystem_error& error) {
        notify_(Severity::error, capture::not_saved("frames", error));
    }
}

void Ghost::take_dropped(std::span<const std::filesystem::path> dropped, std::filesystem::path& file) {
    if (dropped.empty()) return;
    if (dropped.size() > 1) {
        notify_(Severity::warning, "Only one run can be the ghost. Drop a single file on the window.");
        return;
    }
    file = dropped.front();
    if (show(file)) notify_(Severity::info, file.string() + " is now the ghost behind the timeline (key 4).");
}

bool Ghost::show(std::filesystem::path& file) {
    try {
        run_ = capture::load_saved_run(file);
    } catch (const compaction::Error& error) {
        notify_(Severity::warning, error.what());
        file = shown_;
        return false;
    }
    shown_ = file;
    return true;
}

}  // namespace warpsieve
