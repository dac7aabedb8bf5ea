#include "experiments/published/markup.hpp"

namespace published {

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
