#include "app/format/powers.hpp"

#include <algorithm>
#include <array>

namespace warpsieve::format {
namespace {

constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

bool is_digit(std::string_view text, std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

}  // namespace

std::string with_powers(std::string_view text) {
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
        const bool follows_digit = i > 0 && is_digit(text, i - 1);
        if (follows_digit || !text.substr(i).starts_with("2^") || !is_digit(text, i + 2)) {
            made += text[i++];
            continue;
        }
        made += '2';
        for (i += 2; is_digit(text, i); ++i) made += superscripts[static_cast<std::size_t>(text[i] - '0')];
    }
    return made;
}

std::string without_powers(std::string_view text) {
    std::string made;
    bool in_power = false;
    while (!text.empty()) {
        const auto superscript = std::ranges::find_if(
            superscripts, [&](std::string_view each) { return text.starts_with(each); });
        const bool found = superscript != superscripts.end();
        if (found && !in_power) made += '^';
        in_power = found;
        made += found ? static_cast<char>('0' + (superscript - superscripts.begin())) : text.front();
        text.remove_prefix(found ? superscript->size() : 1);
    }
    return made;
}

}  // namespace warpsieve::format
