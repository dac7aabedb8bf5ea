#include "app/plots/style.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace warpsieve::plots {

float text_width(const ImFont* font, std::string_view text) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text) {
    list.AddText(font, font->FontSize, {std::round(position.x), std::round(position.y)}, colour, text.data(),
                 text.data() + text.size());
}

float draw_on_baseline(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour,
                       std::string_view text) {
    draw_text(list, font, {position.x, position.y - std::round(font->Ascent)}, colour, text);
    return position.x + text_width(font, text);
}

void draw_wrapped(ImDrawList& list, const ImFont* font, ImVec2 low, ImVec2 high, ImU32 colour,
                  std::string_view text) {
    const float width = high.x - low.x;
    const float line = font->FontSize;
    // In a box of a few letters no sentence can be read.
    if (width < 4 * line) return;
    while (!text.empty() && low.y + line <= high.y) {
        const bool last = low.y + 2 * line > high.y;
        const char* const end = font->CalcWordWrapPositionA(1, text.data(), text.data() + text.size(), width);
        const auto length = static_cast<std::size_t>(end - text.data());
        draw_text(list, font, low, colour, last ? elided(font, text, width) : text.substr(0, length));
        text.remove_prefix(length);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        low.y += line;
    }
}

std::string elided(const ImFont* font, std::string_view text, float width) {
    if (text_width(font, text) <= width) return std::string(text);
    constexpr std::string_view ellipsis = "…";
    const char* end = text.data();
    font->CalcTextSizeA(font->FontSize, width - text_width(font, ellipsis), 0, text.data(),
                        text.data() + text.size(), &end);
    std::string kept(text.data(), end);
    while (kept.ends_with(' ')) kept.pop_back();
    return kept + std::string(ellipsis);
}

std::string fitting(const ImFont* font, std::initializer_list<std::string_view> texts, float width) {
    for (const std::string_view text : texts) {
        if (text_width(font, text) <= width) return std::string(text);
    }
    return elided(font, *std::prev(texts.end()), width);
}

}  // namespace warpsieve::plots
