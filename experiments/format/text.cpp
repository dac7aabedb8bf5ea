#include "experiments/format/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace experiments::format {

namespace {

/// A character of a UTF-8 text.
struct Character {
    std::size_t bytes = 1;
    char32_t code = 0;  ///< 0, a control character, if the bytes are not UTF-8
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

/// The characters of the Unicode categories Cc, Cf, Zl and Zp (control and format characters, the line and
/// paragraph separators), and those with the property Default_Ignorable_Code_Point, which terminals do not
/// draw: direction marks, joiners, fillers, tags.
bool is_non_printing(char32_t code) {
    struct Range {
        char32_t first, last;
    };
    constexpr Range ranges[] = {
        {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x0600, 0x0605},
        {0x061C, 0x061C},   {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x0890, 0x0891},   {0x08E2, 0x08E2},
        {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
        {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    return std::ranges::any_of(ranges,
                               [&](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string printable(std::string_view text) {
    std::string safe;
    for (Character next; !text.empty(); text.remove_prefix(next.bytes)) {
        next = first_character(text);
        if (is_non_printing(next.code)) {
            safe += '?';
        } else {
            safe += text.substr(0, next.bytes);
        }
    }
    return safe;
}

namespace {

/// The optimal string alignment distance: how many bytes to insert, remove, replace or swap with the next one
/// to turn `from` into `to`.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    // Distances between the first i bytes of `from` and the first j of `to`, for the last three i.
    std::vector<std::size_t> before_last, last, now(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j) now[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before_last = std::exchange(last, now);
        now[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                now[j] = std::min(now[j], before_last[j - 2] + 1);
        }
    }
    return now.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::string_view list) {
    constexpr std::string_view number_starts = "0123456789.+";
    constexpr std::size_t max_bytes = 64;
    if (word.empty() || word.size() > max_bytes || number_starts.find(word.front()) != std::string_view::npos)
        return {};
    std::size_t nearest = 1 + std::max<std::size_t>(1, word.size() / 3);
    std::string_view found;
    while (!list.empty()) {
        const std::string_view separator = list.find(", ") < list.find(" or ") ? ", " : " or ";
        const std::string_view entry = list.substr(0, list.find(separator));
        list.remove_prefix(std::min(entry.size() + separator.size(), list.size()));
        if (entry.empty() || entry.size() > max_bytes || entry.find(' ') != std::string_view::npos) continue;
        const std::size_t distance = edit_distance(word, entry);
        if (distance >= nearest) continue;
        nearest = distance;
        found = entry;
    }
    return found.empty() ? "" : " Did you mean " + std::string(found) + "?";
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
