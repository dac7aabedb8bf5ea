#include "platform/profiler.hpp"

namespace warpsieve::platform {

bool find_profiler() {
    return false;
}

void begin_profiler_range(const char*) {}

void end_profiler_range() {}

bool has_profiler_ranges() {
    return false;
}

}  // namespace warpsieve::platform
