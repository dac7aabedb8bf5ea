#pragma once

#include <filesystem>

#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// Reads a saved run: all frames from a CSV that frames_csv() made, or the summary from the JSON of a capture
/// or a headless run. Throws compaction::Error{invalid_argument} with the error and its line.
experiments::SavedRun load_saved_run(const std::filesystem::path& file);

}  // namespace warpsieve::capture
