#include "app/capture/run_outputs.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "app/capture/capture.hpp"
#include "app/capture/report.hpp"
#include "app/trace/trace_json.hpp"
#include "experiments/result_file.hpp"
#include "platform/background.hpp"
#include "platform/files.hpp"

namespace warpsieve::capture {
namespace {

/// The most frames for which memory is reserved in advance, so that the frame loop does not allocate.
constexpr std::uint64_t max_reserved_frames = std::uint64_t{1} << 20;

bool is_replaced_when_written(const std::filesystem::path& file) {
    return !file.empty() && !platform::is_stream(file);
}

}  // namespace

RunOutputs::RunOutputs(OutputPaths paths, std::uint64_t frames, Notify notify)
    : paths_(std::move(paths)),
      notify_(std::move(notify)),
      csv_at_intervals_(is_replaced_when_written(paths_.csv)),
      json_at_intervals_(is_replaced_when_written(paths_.json)),
      next_write_(Clock::now() + platform::min_write_interval) {
    if (!frame_logs()) return;
    for (std::vector<experiments::FrameSample>& log : frames_)
        log.reserve(std::min(frames, max_reserved_frames));
}

void RunOutputs::write_screenshot(const Image& image, const nlohmann::json& sidecar) {
    screenshot_taken_ = true;
    write(paths_.screenshot, [&] { write_png(paths_.screenshot, image, text_of_sidecar(sidecar)); });
}

void RunOutputs::write_control_map(const std::string& map) {
    // Waiting for the disk would slow the frames.
    write(paths_.control_map,
          [&] { platform::write_file(paths_.control_map, map, platform::Flush::left_to_system); });
}

std::string RunOutputs::csv_of_frames(const Snapshot& snapshot) const {
    const auto& [a, b] = frames_;
    return frames_csv(a, *snapshot.runs.a.algorithm, b);
}

void RunOutputs::write_at_intervals(const Snapshot& snapshot, const Settings& settings) {
    const bool writes_csv = csv_at_intervals_ && !frames_[0].empty();
    const bool writes_json = json_at_intervals_;
    if (Clock::now() < next_write_ || (!writes_csv && !writes_json)) return;
    if (writing_.valid()) {
        if (writing_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
        next_write_ = Clock::now() + platform::interval_after_write(writing_.get());
        return;
    }
    writing_ = platform::in_background(
        [csv_file = writes_csv ? paths_.csv : "", json_file = writes_json ? paths_.json : "",
         frames = writes_csv ? frames_ : experiments::FrameLogs(), algorithm = snapshot.runs.a.algorithm,
         summary = writes_json ? describe_run(snapshot, settings) : nlohmann::json()] {
            const Clock::time_point start = Clock::now();
            try {
                if (!csv_file.empty())
                    platform::write_file(csv_file, frames_csv(frames[0], *algorithm, frames[1]));
                if (!json_file.empty()) platform::write_file(json_file, experiments::json_text(summary));
            } catch (const std::exception&) {
                // write_results() tries again and reports it.
            }
            return Clock::now() - start;
        });
}

void RunOutputs::write_results(const Snapshot& snapshot, const Settings& settings) {
    if (writing_.valid()) writing_.wait();
    write(paths_.csv, [&] { platform::write_file(paths_.csv, csv_of_frames(snapshot)); });
    write(paths_.json, [&] {
        platform::write_file(paths_.json, experiments::json_text(describe_run(snapshot, settings)));
    });
    write(paths_.trace, [&] { write_trace(snapshot); });
}

void RunOutputs::write_trace(const Snapshot& snapshot) {
    std::vector<trace::NamedRun> runs;
    for (const Side side : both_sides) {
        const RunInfo* const run = snapshot.runs.of(side);
        if (run && run->traced) runs.push_back({run->traced.get(), name_of(side)});
    }
    if (runs.empty()) throw std::runtime_error("no compaction was traced");
    platform::write_file(paths_.trace, trace::trace_json(runs));
}

void RunOutputs::write_before_restart(const Snapshot& snapshot) {
    if (frames_.front().empty()) return;
    const std::filesystem::path file =
        paths_.csv.parent_path() /
        (paths_.csv.stem().string() + "-before-restart" + paths_.csv.extension().string());
    write(file, [&] { platform::write_file(file, csv_of_frames(snapshot)); });
}

void RunOutputs::write(const std::filesystem::path& file, const std::function<void()>& write_file) {
    if (file.empty()) return;
    std::string why;
    try {
        write_file();
        return;
    } catch (const std::filesystem::filesystem_error& error) {
        why = error.code().message();
    } catch (const std::bad_alloc&) {
        why = "host memory ran out";
    } catch (const std::exception& error) {
        why = error.what();
    }
    if (std::ranges::find(failed_files_, file) != failed_files_.end()) return;
    failed_files_.push_back(file);
    notify_(file.string() + " cannot be written: " + why + ".");
}

}  // namespace warpsieve::capture
