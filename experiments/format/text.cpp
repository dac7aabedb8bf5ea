#include "experiments/format/text.hpp"

#include <algorithm>
#include <cmath>

namespace experiments::format {

std::string printable(std::string_view text) {
    std::string safe(text);
    for (std::size_t i = 0; i < safe.size(); ++i) {
        const auto byte = static_cast<unsigned char>(safe[i]);
        const auto next = static_cast<unsigned char>(i + 1 < safe.size() ? safe[i + 1] : '\0');
        // UTF-8 writes the control characters U+0080 to U+009F as 0xC2 and a second byte.
        const bool is_two_byte = byte == 0xC2 && next >= 0x80 && next < 0xA0;
        if (is_two_byte) safe[i + 1] = '?';
        if (is_two_byte || (byte < 0x20 && byte != '\n') || byte == 0x7F) safe[i] = '?';
    }
    return safe;
}

std::size_t num_characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::string rough_duration(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 90) return std::to_string(whole) + " s";
    const long long minutes = (whole + 30) / 60;
    if (minutes < 60) return std::to_string(minutes) + " min";
    const std::string hours = std::to_string(minutes / 60) + " h";
    return minutes % 60 == 0 ? hours : hours + " " + std::to_string(minutes % 60) + " min";
}

}  // namespace experiments::format
