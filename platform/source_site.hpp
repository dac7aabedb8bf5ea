#pragma once

/// The location of a call. Clang 14 lacks std::source_location.
namespace warpsieve::platform {

struct SourceSite {
    const char* file = "";
    unsigned line = 0;

    /// As a default argument, this is the location of the call.
    static constexpr SourceSite current(const char* file = __builtin_FILE(),
                                        unsigned line = __builtin_LINE()) {
        return {file, line};
    }
};

}  // namespace warpsieve::platform
