#include "platform/profiler.hpp"

#include <nvtx3/nvToolsExt.h>

namespace warpsieve::platform {

void begin_profiler_range(const char* name) {
    nvtxRangePushA(name);
}

void end_profiler_range() {
    nvtxRangePop();
}

bool has_profiler_ranges() {
    return true;
}

}  // namespace warpsieve::platform
