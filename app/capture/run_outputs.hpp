#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/capture/png.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// The files that a run is asked to write. An empty path asks for none.
struct OutputPaths {
    std::filesystem::path screenshot;
    std::filesystem::path loop;  ///< written by Captures
    std::filesystem::path csv;
    std::filesystem::path json;
    std::filesystem::path trace;
    std::filesystem::path control_map;
};

/// Writes the requested files of a run. Reports a file that cannot be written once, and writes the others.
class RunOutputs {
  public:
    using Notify = std::function<void(const std::string& sentence)>;

    /// `frames`: the number of frames of the run, 0 if unknown.
    RunOutputs(OutputPaths paths, std::uint64_t frames, Notify notify);

    /// Where the run appends its frames for the CSV; nullptr if no CSV is requested.
    experiments::FrameLogs* frame_logs() { return paths_.csv.empty() ? nullptr : &frames_; }

    /// Whether a screenshot is requested and not taken yet.
    bool wants_screenshot() const { return !paths_.screenshot.empty() && !screenshot_taken_; }
    /// Writes the screenshot with `sidecar` in it.
    void write_screenshot(const Image& image, const nlohmann::json& sidecar);

    /// Whether to write the positions of the controls in each frame, for tests of the window.
    bool wants_control_map() const { return !paths_.control_map.empty(); }
    void write_control_map(const std::string& map);

    /// Whether the last compaction of the run is to be traced.
    bool wants_trace() const { return !paths_.trace.empty(); }

    /// Writes the CSV and the JSON so far in the background, at intervals: a run may be ended while it waits
    /// for a display or a GPU that does not answer. Pipes and devices are written only at the end of the run,
    /// which also reports what cannot be written.
    void write_at_intervals(const Snapshot& snapshot, const Settings& settings);

    /// Writes the CSV and the JSON of the whole run, and the trace of its last traced compaction.
    void write_results(const Snapshot& snapshot, const Settings& settings);

    /// Writes the CSV so far as "NAME-before-restart.csv", because the process that replaces this one writes
    /// NAME.csv.
    void write_before_restart(const Snapshot& snapshot);

    /// Whether a file could not be written.
    bool failed() const { return !failed_files_.empty(); }

  private:
    std::string csv_of_frames(const Snapshot& snapshot) const;
    void write_trace(const Snapshot& snapshot);
    /// Calls `write_file`, unless no `file` is requested, and reports a failure.
    void write(const std::filesystem::path& file, const std::function<void()>& write_file);

    using Clock = std::chrono::steady_clock;

    OutputPaths paths_;
    Notify notify_;
    bool csv_at_intervals_;                 ///< whether write_at_intervals() writes the CSV
    bool json_at_intervals_;                ///< whether write_at_intervals() writes the JSON
    Clock::time_point next_write_;          ///< of write_at_intervals()
    std::future<Clock::duration> writing_;  ///< returns the time that a write took; invalid without a write
    experiments::FrameLogs frames_;
    bool screenshot_taken_ = false;
    std::vector<std::filesystem::path> failed_files_;
};

}  // namespace warpsieve::capture
