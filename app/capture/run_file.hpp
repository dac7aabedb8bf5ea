#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// Reads a saved run: all frames from a CSV that frames_csv() made, or the summary from the JSON of a capture
/// or a headless run. Throws compaction::Error{invalid_argument} that says what is wrong, and in which line.
experiments::SavedRun load_saved_run(const std::filesystem::path& file);

/// The times of one row of "timings_us" in a sidecar, in microseconds; with n = 0 if it was not timed. Throws
/// std::invalid_argument that says what is wrong.
experiments::Summary recorded_summary(const nlohmann::json& row);

}  // namespace warpsieve::capture
