#include "app/format/powers.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpsieve::format {
namespace {

struct Superscript {
    char plain;
    std::string_view raised;
};
constexpr std::array<Superscript, 11> superscripts{{{'0', "⁰"},
                                                    {'1', "¹"},
                                                    {'2', "²"},
                                                    {'3', "³"},
                                                    {'4', "⁴"},
                                                    {'5', "⁵"},
                                                    {'6', "⁶"},
                                                    {'7', "⁷"},
                                                    {'8', "⁸"},
                                                    {'9', "⁹"},
                                                    {'i', "ⁱ"}}};

bool is_digit(std::string_view text, std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

bool is_letter(std::string_view text, std::size_t at) {
    return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at]));
}

/// Where the power ends that begins there; there where none begins: "2^18", or "2^i" but not "2^items".
std::size_t end_of_power(std::string_view text, std::size_t at) {
    const bool follows_digit = at > 0 && is_digit(text, at - 1);
    if (follows_digit || !text.substr(at).starts_with("2^")) return at;
    std::size_t end = at + 2;
    if (end < text.size() && text[end] == 'i' && !is_letter(text, end + 1)) return end + 1;
    while (is_digit(text, end)) ++end;
    return end > at + 2 ? end : at;
}

}  // namespace

std::string with_powers(std::string_view text) {
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = end_of_power(text, i);
        made += text[i++];
        if (end < i) continue;
        for (++i; i < end; ++i) made += std::ranges::find(superscripts, text[i], &Superscript::plain)->raised;
    }
    return made;
}

std::string without_powers(std::string_view text) {
    std::string made;
    bool in_power = false;
    while (!text.empty()) {
        const auto superscript = std::ranges::find_if(
            superscripts, [&](const Superscript& each) { return text.starts_with(each.raised); });
        const bool found = superscript != superscripts.end();
        if (found && !in_power) made += '^';
        in_power = found;
        made += found ? superscript->plain : text.front();
        text.remove_prefix(found ? superscript->raised.size() : 1);
    }
    return made;
}

}  // namespace warpsieve::format
