#include "app/plots/style.hpp"

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
