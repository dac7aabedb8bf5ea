#pragma once

#include <string>
#include <tuple>

#include "platform/source_site.hpp"

namespace compaction::simulated {

using Site = warpsieve::platform::SourceSite;

/// A location in the source: `code` is an instruction, or the name of a file if `line` is not 0.
struct SourceLocation {
    const void* code = nullptr;
    unsigned line = 0;

    static SourceLocation of(const Site& site) { return {site.file, site.line}; }
    bool operator==(const SourceLocation&) const = default;
    bool operator<(const SourceLocation& other) const {
        return std::tie(code, line) < std::tie(other.code, other.line);
    }
};

/// "kernels.cuh:12". Slow where `code` is an instruction.
std::string location_text(const SourceLocation& location);

}  // namespace compaction::simulated
