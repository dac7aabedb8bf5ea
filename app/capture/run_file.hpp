#pragma once

#include <filesystem>
#include <span>

#include "experiments/saved_run.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// Reads a run that was saved: frame by frame from what `frames_csv` writes, or its summary from the JSON of
/// a capture or of a run. Throws compaction::Error{invalid_argument} with what is wrong with the file, and
/// where.
experiments::SavedRun load_saved_run(const std::filesystem::path& file);

/// Writes frames of one algorithm as CSV into `folder`, which is made where it is missing, under a name that
/// no file has yet, and returns it. Throws std::filesystem::filesystem_error.
std::filesystem::path save_frames(std::span<const experiments::FrameSample> frames,
                                  const std::filesystem::path& folder);

}  // namespace warpsieve::capture
