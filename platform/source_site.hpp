#pragma once

/// Where a function was called: std::source_location, which Clang 14 lacks.
namespace warpsieve::platform {

struct SourceSite {
    const char* file = "";
    unsigned line = 0;

    /// As a default argument: the place of the call.
    static constexpr SourceSite current(const char* file = __builtin_FILE(),
                                        unsigned line = __builtin_LINE()) {
        return {file, line};
    }
};

}  // namespace warpsieve::platform
