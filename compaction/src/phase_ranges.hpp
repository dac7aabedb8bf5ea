#pragma once

#include "compaction/algorithm.hpp"
#include "platform/profiler.hpp"

/// Shows the phases of the work that this thread enqueues as ranges in profilers.
namespace compaction {

/// Names the phases of the run that this thread enqueues next. `algorithm` may be null.
void name_phase_ranges(const Algorithm* algorithm);

/// Begins the range of the next phase, and ends it.
void begin_named_range();
void end_named_range();

/// Begins and ends a range if a profiler is attached. Recorders call both for every phase.
inline void begin_phase_range() {
    if (warpsieve::platform::has_profiler()) begin_named_range();
}
inline void end_phase_range() {
    if (warpsieve::platform::has_profiler()) end_named_range();
}

}  // namespace compaction
