#pragma once

#include <cstdint>
#include <span>

#include "app/labs/sweep.hpp"

/// Roofline plot of all algorithms: useful bytes per second against the share of the moved bytes that is
/// useful. The measured copy and read speeds are the ceilings. Pure functions.
///
/// Source: Williams, Waterman and Patterson 2009, "Roofline: An Insightful Visual Performance Model for
/// Multicore Architectures"; with useful bytes instead of operations.
namespace warpsieve::labs {

/// Every algorithm of the engine on the stream of the settings, and the count step, which only reads.
Job roofline_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
                 std::span<const compaction::Algorithm> catalogue);

/// One dot per algorithm. x: useful bytes over bytes moved. y: useful bytes per second. The diagonals of copy
/// and read speed are the ceilings. If the moved bytes are unknown, the dot is at x = 1, and a line reaches
/// to the smallest x that its speed allows.
SweepPlot plot_roofline(const Report& report);

}  // namespace warpsieve::labs
