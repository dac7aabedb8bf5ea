#include "phase_ranges.hpp"

#include <cstddef>

#include "platform/profiler.hpp"

namespace compaction {
namespace {

namespace platform = warpsieve::platform;

thread_local const Algorithm* enqueued = nullptr;
thread_local std::size_t next_phase = 0;

}  // namespace

void name_phase_ranges(const Algorithm* algorithm) {
    enqueued = algorithm;
    next_phase = 0;
}

void begin_named_range() {
    const bool named = enqueued && next_phase < enqueued->phases.size();
    platform::begin_profiler_range(named ? enqueued->phases[next_phase].name.c_str() : "phase");
    ++next_phase;
}

void end_named_range() {
    platform::end_profiler_range();
}

}  // namespace compaction
