#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/labs/sweep.hpp"

/// The Copy, Count and Scan labs of the posts on Parallel Stream Compaction: sweeps over the steps of a
/// compaction. Pure functions.
namespace warpsieve::labs {

/// What to look for in a sweep of an operation's steps along an axis; by default, the description of the
/// axis.
std::string_view what_to_look_for(compaction::Operation operation, SweepAxis axis);

/// The operations that have steps.
std::span<const compaction::Operation> step_operations();

/// Every step of the operation along the axis of the settings, in every vector width; once if the width is
/// the axis or the step has none.
Job steps_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots);

}  // namespace warpsieve::labs
