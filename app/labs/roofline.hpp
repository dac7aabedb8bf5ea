#pragma once

#include <cstdint>
#include <span>

#include "app/labs/sweep.hpp"

/// Every algorithm between the bytes that must move and those that it moves, under the measured speeds of
/// copying and reading. Pure functions.
///
/// Source: Williams, Waterman and Patterson 2009, "Roofline: An Insightful Visual Performance Model for
/// Multicore Architectures"; here with useful bytes in the place of operations.
namespace warpsieve::labs {

/// Every algorithm of the engine on the stream of the settings, and its count step, which only reads.
Job roofline_job(const Settings& settings, std::uint64_t slots,
                 std::span<const compaction::Algorithm> catalogue);

/// A dot an algorithm: across, its useful bytes over those that it moves; up, useful bytes a second. Nobody
/// passes the diagonals of copying and reading. Where moved bytes are not known, the dot stands where all of
/// them are useful, and a line leads to the least share that the speed allows.
SweepPlot plot_roofline(const Report& report);

}  // namespace warpsieve::labs
