#include "simulated/source_location.hpp"

#include "platform/code_places.hpp"

namespace compaction::simulated {

std::string location_text(const SourceLocation& location) {
    std::string file;
    unsigned line = location.line;
    if (line > 0) {
        file = static_cast<const char*>(location.code);
    } else {
        // Skips the frames of the engine's headers and of the standard library.
        const auto found = warpsieve::platform::code_place(location.code, "/compaction/simulated/:/usr/");
        file = found.file;
        line = found.line;
    }
    if (file.empty() || line == 0) return "an unknown line";
    return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(line);
}

}  // namespace compaction::simulated
