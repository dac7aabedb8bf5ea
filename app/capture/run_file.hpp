#pragma once

#include <filesystem>
#include <span>

#include "experiments/saved_run.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// Reads a saved run: all frames from a CSV of `frames_csv`, or the summary from the JSON of a capture or a
/// headless run. Throws compaction::Error{invalid_argument} with the fault and its line.
experiments::SavedRun load_saved_run(const std::filesystem::path& file);

/// Writes frames of one algorithm as CSV under a new name in `folder`, which is created if needed. Returns
/// the path. Throws std::filesystem::filesystem_error.
std::filesystem::path save_frames(std::span<const experiments::FrameSample> frames,
                                  const std::filesystem::path& folder);

}  // namespace warpsieve::capture
