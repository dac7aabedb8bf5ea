#include "app/capture/ghost.hpp"

#include <chrono>
#include <exception>

#include "app/capture/capture.hpp"
#include "app/capture/report.hpp"
#include "app/capture/run_file.hpp"
#include "compaction/error.hpp"
#include "platform/background.hpp"

namespace warpsieve {

void Ghost::follow(std::filesystem::path& setting) {
    if (load_.valid()) {
        // A load that got no thread has the status `deferred`; collect_loaded then runs it.
        if (load_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
        collect_loaded(setting);
    }
    if (setting == shown_ && !was_dropped_) return;
    if (setting.empty()) {
        run_.reset();
        shown_.clear();
        return;
    }
    requested_ = setting;
    load_ = platform::in_background([file = requested_] { return capture::load_saved_run(file); });
    if (wait_) collect_loaded(setting);
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

void Ghost::open(std::span<const std::filesystem::path> files, std::filesystem::path& setting) {
    if (files.empty()) return;
    if (files.size() > 1) {
        notify_(Severity::warning, "Only one run can be the ghost. Drop a single file on the window.");
        return;
    }
    setting = files.front();
    was_dropped_ = true;
}

void Ghost::collect_loaded(std::filesystem::path& setting) {
    const bool was_dropped = setting == requested_ && std::exchange(was_dropped_, false);
    try {
        run_ = load_.get();
        shown_ = requested_;
        if (was_dropped)
            notify_(Severity::info, shown_.string() + " is now the ghost behind the timeline (key 4).");
    } catch (const compaction::Error& error) {
        notify_(Severity::warning, error.what());
        if (setting == requested_) setting = shown_;
    } catch (const std::exception& error) {
        notify_(Severity::warning, requested_.string() + " cannot be shown: " + error.what() + ".");
        if (setting == requested_) setting = shown_;
    }
}

}  // namespace warpsieve
