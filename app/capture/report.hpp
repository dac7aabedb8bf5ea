#pragma once

/// Reports of a run: the sidecar of a capture, the headless CSV and JSON, the table on stdout. All but the
/// frames of the CSV come from the Snapshot, so that they agree with the window.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::capture {

/// Describes machine, NVML reading, settings, medians, check and the command line that repeats the run.
nlohmann::json describe_run(const Snapshot& snapshot, const Settings& settings);

/// The whole run for a terminal: phases, throughput and checks of A and B.
experiments::format::TerminalText run_table(const Snapshot& snapshot);

/// One line per frame: frame, algorithm, the phases of `algorithm` and the time between calls (empty if not
/// timed), total, interop, simulate, frame, kept, clock (empty if unknown). Times in microseconds. If there
/// are frames of B, columns of B follow, empty in a frame without B.
std::string frames_csv(std::span<const experiments::FrameSample> frames,
                       const compaction::Algorithm& algorithm,
                       std::span<const experiments::FrameSample> frames_b = {});

/// Device, stream and the command that repeats the run as lines "# name: value" for the top of a CSV.
std::string csv_header(const Snapshot& snapshot, const Settings& settings);

/// Writes frames as CSV below `header` under a new name in `folder`, which is created if needed. Each side
/// has one algorithm, and A has frames. Returns the path. Throws std::filesystem::filesystem_error.
std::filesystem::path save_frames(const experiments::FrameLogs& frames, const std::string& header,
                                  const std::filesystem::path& folder);

/// Reads the figures of a sidecar. Throws compaction::Error{invalid_argument} if the file is not a sidecar,
/// or if its figures cannot come from a measurement.
RecordedFigures recorded_figures(const std::filesystem::path& file);

/// Recorded and present figures side by side, with a verdict in each row.
experiments::format::TerminalText replay_table(const RecordedFigures& recorded, const Snapshot& snapshot);

}  // namespace warpsieve::capture
