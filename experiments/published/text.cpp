#include "experiments/published/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "experiments/format/numbers.hpp"

namespace published {

namespace format = experiments::format;

std::string figure(double value) {
    if (!std::isfinite(value)) return "-";
    return std::abs(value) >= 999.5 ? format::group_thousands(format::fixed(value, 0))
                                    : format::significant(value, 3);
}

std::string figure(std::optional<double> value) {
    return value ? figure(*value) : "-";
}

std::string unit_text(const std::string& unit) {
    return unit == "us" ? "µs" : unit;
}

std::string factor(double value) {
    return "x" + figure(value);
}

std::string percent(double share) {
    const double value = share * 100;
    return format::fixed(value, std::abs(value) >= 10 ? 0 : std::abs(value) >= 1 ? 1 : 2) + " %";
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](unsigned char left, unsigned char right) {
        return std::tolower(left) == std::tolower(right);
    });
}

std::string escaped(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    constexpr std::string_view special = "&<>\"'";
    constexpr std::array names{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (const char letter : text) {
        const std::size_t at = special.find(letter);
        if (at != std::string_view::npos) {
            result += names[at];
        } else if (static_cast<unsigned char>(letter) >= ' ' || letter == '\n' || letter == '\t') {
            result += letter;
        }
    }
    return result;
}

std::string element(std::string_view tag, std::string_view text) {
    const std::string name(tag);
    return "<" + name + ">" + escaped(text) + "</" + name + ">";
}

}  // namespace published
