#pragma once

#if !defined(__CUDACC__) && !defined(__clang__)
#include <source_location>
#endif

/// The location of a call. Clang 14 lacks std::source_location.
namespace warpsieve::platform {

struct SourceSite {
    const char* file = "";
    unsigned line = 0;
    unsigned column = 0;  ///< 0 if not known, as in code that nvcc compiles

    /// As a default argument, this is the location of the call.
#if defined(__CUDACC__)
    static constexpr SourceSite current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                        unsigned column = 0) {
#elif defined(__clang__)
    static constexpr SourceSite current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                        unsigned column = __builtin_COLUMN()){
#else
    static constexpr SourceSite current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                        unsigned column = std::source_location::current().column()) {
#endif
        return {file, line, column};
    }
};  // namespace warpsieve::platform

}  // namespace warpsieve::platform
