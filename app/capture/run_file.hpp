#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// Reads a saved run: all frames from a CSV that frames_csv() made, or the summary from the JSON of a capture
/// or a headless run. Throws compaction::Error{invalid_argument} with the error and its line.
experiments::SavedRun load_saved_run(const std::filesystem::path& file);

/// The times of one row of "timings_us" in a sidecar; empty if it was not timed. Throws std::invalid_argument
/// with what is wrong with them.
experiments::Summary recorded_summary(const nlohmann::json& row);

}  // namespace warpsieve::capture
