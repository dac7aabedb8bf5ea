#pragma once

#include <cstdint>
#include <span>

#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"
#include "platform/profiler.hpp"

/// Parts that the recorders of all engines share: profiler ranges of phases, and phase times from stamps.
namespace compaction {

/// The ranges that this thread begins from now on have the names of the phases of `algorithm`, in order. If
/// it is null, every range is named "phase".
void use_phase_names_of(const Algorithm* algorithm);

/// Begins the range of the next phase.
void begin_named_range();
/// Ends the range that began last.
void end_named_range();

/// Begins and ends a range if a profiler is attached. Recorders call both for every phase.
inline void begin_phase_range() {
    if (warpsieve::platform::has_profiler()) begin_named_range();
}
inline void end_phase_range() {
    if (warpsieve::platform::has_profiler()) end_named_range();
}

/// The stamps of one phase, in nanoseconds of one clock: the first and the last of all its blocks.
struct PhaseStamps {
    std::uint64_t arrived;  ///< when the first block became resident
    std::uint64_t begin;  ///< when the first block could begin; the highest value if no block recorded times
    std::uint64_t end;    ///< when the last block ended; 0 if none recorded it

    bool known() const { return begin != ~std::uint64_t{0}; }
};

/// Converts the stamps of a run to phase times that add up from its first block to its last: a phase begins
/// at PhaseStamps::begin, but not before the preceding phase begins. A phase without stamps, such as a
/// library call, lasts from the last block of the phase before it to the first block of the one after it; at
/// either end of the run it takes no time. `previous_end`: the end of the previous run in the same batch, 0
/// if there is none.
///
/// The last phase with stamps must record its end, and so must every phase directly before one without
/// stamps. Gaps are known if all phases with stamps record their ends.
///
/// The result has no phases if no phase has stamps. phases: at most max_phases.
RunTiming times_of(std::uint64_t run, std::span<const PhaseStamps> phases, std::uint64_t previous_end);

/// Sets WorkSpan::wait of each span that is one block which processed one part: the wait of that part.
void add_waits_to_spans(RunTrace& trace);

/// When the last block of the run ended; 0 if no phase has stamps.
std::uint64_t end_of(std::span<const PhaseStamps> phases);

}  // namespace compaction
