#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/labs/sweep.hpp"

/// The Copy, Count and Scan labs of the posts on Parallel Stream Compaction: the steps that compactions are
/// made of, swept like algorithms. Pure functions.
namespace warpsieve::labs {

/// What to look for where the steps of a problem are swept along an axis; for a pair that nobody asked about,
/// what the axis itself shows.
std::string_view what_to_look_for(compaction::Operation operation, SweepAxis axis);

/// Every step of the problem in every vector width, or once where the width is the axis or the step has none,
/// along the axis of the settings.
Job steps_job(const Settings& settings, std::uint64_t slots);

}  // namespace warpsieve::labs
