#include "simulated/place.hpp"

#include "platform/code_places.hpp"

namespace compaction::simulated {

std::string place_text(const Place& place) {
    std::string file;
    unsigned line = place.line;
    if (line > 0) {
        file = static_cast<const char*>(place.code);
    } else {
        // The frames of our own headers and of the standard library say nothing of the kernel.
        const auto found = warpsieve::platform::code_place(place.code, "/compaction/simulated/:/usr/");
        file = found.file;
        line = found.line;
    }
    if (file.empty() || line == 0) return "an unknown line";
    return file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(line);
}

}  // namespace compaction::simulated
