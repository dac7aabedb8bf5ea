#pragma once

// Clang 14 lacks std::source_location.
#if defined(__CUDACC__)
#define WARPSIEVE_COLUMN_OF_CALL 0
#elif defined(__clang__)
#define WARPSIEVE_COLUMN_OF_CALL __builtin_COLUMN()
#else
#include <source_location>
#define WARPSIEVE_COLUMN_OF_CALL std::source_location::current().column()
#endif

/// The location of a call.
namespace warpsieve::platform {

struct SourceSite {
    const char* file = "";
    unsigned line = 0;
    unsigned column = 0;  ///< 0 if not known, as in code that nvcc compiles

    /// As a default argument, this is the location of the call.
    static constexpr SourceSite current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                        unsigned column = WARPSIEVE_COLUMN_OF_CALL) {
        return {file, line, column};
    }
};

}  // namespace warpsieve::platform

#undef WARPSIEVE_COLUMN_OF_CALL
