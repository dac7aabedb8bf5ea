#pragma once

#include <string>

#include "compaction/lane_trace.hpp"

namespace warpsieve::trace {

/// Every step of every lane as CSV: a heading, and a line for each step. docs/reference/file_formats.md
/// describes the columns.
std::string lanes_csv(const compaction::LaneTrace& trace);

}  // namespace warpsieve::trace
