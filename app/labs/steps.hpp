#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/labs/sweep.hpp"

/// The Copy, Count and Scan labs of the series Parallel Stream Compaction: sweeps over the steps of a
/// compaction. Pure functions.
namespace warpsieve::labs {

/// The hint for a sweep of the steps of an operation along an axis: which features of the plot to look for.
/// Returns the description of the axis if there is no hint.
std::string_view what_to_look_for(compaction::Operation operation, SweepAxis axis);

/// A sweep of the steps of the operation in `labs.steps` along its axis, each step with every vector width. A
/// step without a vector width appears once, and so does every step if the vector width is the axis.
Job steps_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots);

}  // namespace warpsieve::labs
