// Without a guard: <assert.h> may be included again after a change of NDEBUG.
#include_next <assert.h>

#ifndef NDEBUG
#include "simulated/gpu.hpp"

#undef assert
/// Ends the launch with a fault in a kernel, and the program on the host.
#define assert(condition)         \
    (static_cast<bool>(condition) \
         ? void()                 \
         : ::compaction::simulated::fail_assertion(#condition, ::compaction::simulated::Site::current()))
#endif
