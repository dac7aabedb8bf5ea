#include "experiments/published/text.hpp"

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

std::string escaped(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (const char letter : text) {
        switch (letter) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                if (static_cast<unsigned char>(letter) >= ' ' || letter == '\n' || letter == '\t')
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
