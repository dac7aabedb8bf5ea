#pragma once

#include "compaction/algorithm.hpp"

/// The phases of what this thread enqueues, as ranges in profilers.
namespace compaction {

/// Names the phases of the run that this thread enqueues next. `algorithm` may be null.
void name_phase_ranges(const Algorithm* algorithm);

/// Begins the range of the next phase, and ends it. Recorders call both.
void begin_phase_range();
void end_phase_range();

}  // namespace compaction
