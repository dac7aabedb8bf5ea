#pragma once

#include <string>
#include <tuple>

#include "platform/source_lines.hpp"
#include "platform/source_site.hpp"

namespace compaction::simulated {

using Site = warpsieve::platform::SourceSite;

/// A location in the source: the name of a file and a line, or an instruction if `line` is 0.
struct SourceLocation {
    const void* file_or_instruction = nullptr;
    unsigned line = 0;

    static SourceLocation of(const Site& site) { return {site.file, site.line}; }
    bool operator==(const SourceLocation&) const = default;
    bool operator<(const SourceLocation& other) const {
        return std::tie(file_or_instruction, line) < std::tie(other.file_or_instruction, other.line);
    }
};

/// The paths of the engine's headers and of the standard library.
inline constexpr const char* engine_paths = "compaction/simulated/:/usr/";

/// "kernels.cuh:12". Slow for an instruction.
inline std::string location_text(const SourceLocation& location) {
    std::string file;
    unsigned line = location.line;
    if (line > 0) {
        file = static_cast<const char*>(location.file_or_instruction);
    } else {
        const auto found = warpsieve::platform::source_line(location.file_or_instruction, engine_paths);
        file = found.file;
        line = found.line;
    }
    if (file.empty() || line == 0) return "an unknown line";
    return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(line);
}

}  // namespace compaction::simulated
