#include "app/capture/ghost.hpp"

#include <chrono>
#include <exception>

#include "app/capture/capture.hpp"
#include "app/capture/report.hpp"
#include "app/capture/run_file.hpp"
#include "compaction/error.hpp"
#include "platform/background.hpp"

namespace warpsieve {

void Ghost::follow(std::filesystem::path& file) {
    if (load_.valid()) {
        // A load that got no thread has the status `deferred`; collect_loaded then runs it.
        if (load_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
        collect_loaded(file);
    }
    if (file == shown_ && !dropped_) return;
    if (file.empty()) {
        run_.reset();
        shown_.clear();
        return;
    }
    requested_ = file;
    load_ = platform::in_background([file] { return capture::load_saved_run(file); });
    if (wait_) collect_loaded(file);
}

void Ghost::save(const experiments::FrameLogs& frames, const std::string& header, Settings& settings) const {
    try {
        settings.window.ghost =
            std::filesystem::absolute(capture::save_frames(frames, header, capture::folder_of(settings)));
        notify_(Severity::info, "Saved " + std::to_string(frames.front().size()) + " frames as " +
                                    settings.window.ghost.string() + ". They are now the ghost.");
    } catch (const std::filesystem::filesystem_error& error) {
        notify_(Severity::error, capture::save_error_text("frames", error));
    }
}

void Ghost::open(std::span<const std::filesystem::path> files, std::filesystem::path& file) {
    if (files.empty()) return;
    if (files.size() > 1) {
        notify_(Severity::warning, "Only one run can be the ghost. Drop a single file on the window.");
        return;
    }
    file = files.front();
    dropped_ = true;
}

void Ghost::collect_loaded(std::filesystem::path& file) {
    const bool dropped = file == requested_ && std::exchange(dropped_, false);
    try {
        run_ = load_.get();
        shown_ = requested_;
        if (dropped)
            notify_(Severity::info, shown_.string() + " is now the ghost behind the timeline (key 4).");
    } catch (const compaction::Error& error) {
        notify_(Severity::warning, error.what());
        if (file == requested_) file = shown_;
    } catch (const std::exception& error) {
        notify_(Severity::warning, requested_.string() + " cannot be shown: " + error.what() + ".");
        if (file == requested_) file = shown_;
    }
}

}  // namespace warpsieve
