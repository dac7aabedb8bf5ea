#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"
#include "experiments/timeline.hpp"

/// What a run says of itself: the sidecar of a capture, the headless CSV and JSON, the table on stdout. All
/// from the View, so that they can say nothing the window does not.
namespace warpsieve::capture {

/// Machine, what the driver says of the GPU, settings, medians, check and the command line that repeats the
/// run.
nlohmann::json describe_run(const View& view, const Settings& settings);

/// The phase table of a side, aligned for a terminal.
std::string phase_table(const View& view, Side side);

/// One line a frame: frame, algorithm, the algorithm's phases, `split` (1: these phases were timed in this
/// frame, 0: carried on from an earlier one), `plain` (the same for the total), total, interop, simulate,
/// frame, kept, clock (empty where it is not known). Times in microseconds.
std::string frames_csv(std::span<const experiments::FrameSample> frames,
                       const compaction::Algorithm& algorithm);

}  // namespace warpsieve::capture
