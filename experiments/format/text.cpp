#include "experiments/format/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace experiments::format {

namespace {

/// A character of a UTF-8 text.
struct Character {
    std::size_t bytes = 1;
    char32_t code = 0;  ///< 0, a control character, if the bytes are no UTF-8
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return {1, first};
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
    char32_t code = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> min_code{0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    if (code < min_code[bytes] || code > 0x10FFFF || is_surrogate) return {};
    return {bytes, code};
}

/// Control characters, the line and paragraph separators, and the characters with the Unicode property
/// Default_Ignorable_Code_Point, which terminals do not draw: direction marks, joiners, fillers, tags.
bool acts(char32_t code) {
    struct Range {
        char32_t first, last;
    };
    constexpr Range ranges[] = {
        {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
        {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    return std::ranges::any_of(ranges,
                               [&](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string printable(std::string_view text) {
    std::string safe;
    for (Character next; !text.empty(); text.remove_prefix(next.bytes)) {
        next = first_character(text);
        if (acts(next.code)) {
            safe += '?';
        } else {
            safe += text.substr(0, next.bytes);
        }
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
