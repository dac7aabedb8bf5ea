#include "app/plots/style.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace warpsieve::plots {
namespace {

constexpr ImU32 rgb(std::uint32_t hex) {
    return IM_COL32((hex >> 16) & 0xFF, (hex >> 8) & 0xFF, hex & 0xFF, 0xFF);
}

constexpr Palette dark{
    .background = rgb(0x14171C),
    .panel = rgb(0x1B1F26),
    .raised = rgb(0x242A33),
    .raised_more = rgb(0x2D3540),
    .control_edge = rgb(0x6C7786),
    .track = rgb(0x3A4451),
    .outline = rgb(0x2B313B),
    .grid = rgb(0x262C35),
    .text = rgb(0xE6E9EF),
    .label = rgb(0xC3CAD5),
    .muted = rgb(0x9AA4B2),
    .accent = rgb(0x4CC2FF),
    .accent_fill = rgb(0x2A4E66),
    .good = rgb(0x3CC79A),
    .warning = rgb(0xF0B429),
    .warning_text = rgb(0xF0B429),
    .error = rgb(0xFF6B5E),
    .on_warning = rgb(0x14171C),
    .on_error = rgb(0x14171C),
    .interop = rgb(0x999999),
    .compared = rgb(0xF0E442),
    .series = {rgb(0x8B8CF5), rgb(0xF0E442), rgb(0xE05A2B), rgb(0x3FD6D0), rgb(0xB58863), rgb(0xE6E9EF),
               rgb(0xA8D860), rgb(0x8A939F)},
};

constexpr Palette light{
    .background = rgb(0xFFFFFF),
    .panel = rgb(0xF7F8FA),
    .raised = rgb(0xE7EAEF),
    .raised_more = rgb(0xDADFE7),
    .control_edge = rgb(0x7A8594),
    .track = rgb(0xC6CDD7),
    .outline = rgb(0xCDD3DC),
    .grid = rgb(0xE3E7EC),
    .text = rgb(0x14171C),
    .label = rgb(0x353D48),
    .muted = rgb(0x566070),
    .accent = rgb(0x0072B2),
    .accent_fill = rgb(0xB5D6EA),
    .good = rgb(0x00785A),
    .warning = rgb(0xF0B429),
    .warning_text = rgb(0x8A5A00),
    .error = rgb(0xC62F22),
    .on_warning = rgb(0x14171C),
    .on_error = rgb(0xFFFFFF),
    .interop = rgb(0x6B6B6B),
    .compared = rgb(0x6A3D9A),
    .series = {rgb(0x4B4FA8), rgb(0x746400), rgb(0xB83A00), rgb(0x00747A), rgb(0x7A4E2A), rgb(0x14171C),
               rgb(0x4C6E10), rgb(0x566070)},
};

}  // namespace

const Palette& palette_of(PaletteId id) {
    return id == PaletteId::dark ? dark : light;
}

SeriesStyle style_of(compaction::PhaseRole role) {
    switch (role) {
        case compaction::PhaseRole::count:
            return {rgb(0x56B4E9), false};
        case compaction::PhaseRole::prefix:
            return {rgb(0xE69F00), false};
        case compaction::PhaseRole::scatter:
            return {rgb(0x009E73), false};
        case compaction::PhaseRole::fused:
            return {rgb(0xCC79A7), true};
    }
    return {rgb(0x999999), false};
}

SeriesStyle between_calls_style(const Palette& palette) {
    return {palette.muted, false};
}

ImU32 mix(ImU32 background, ImU32 colour, float share) {
    const ImVec4 below = ImGui::ColorConvertU32ToFloat4(background);
    const ImVec4 above = ImGui::ColorConvertU32ToFloat4(colour);
    const auto between = [share](float from, float to) { return from + (to - from) * share; };
    return ImGui::ColorConvertFloat4ToU32(
        {between(below.x, above.x), between(below.y, above.y), between(below.z, above.z), 1.0F});
}

ImU32 with_alpha(ImU32 colour, ImU32 alpha) {
    return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

namespace {

/// Relative luminance of WCAG 2.1, without the linear part of its gamma curve.
float luminance(ImU32 colour) {
    const ImVec4 part = ImGui::ColorConvertU32ToFloat4(colour);
    return 0.2126F * std::pow(part.x, 2.2F) + 0.7152F * std::pow(part.y, 2.2F) +
           0.0722F * std::pow(part.z, 2.2F);
}

float contrast(ImU32 a, ImU32 b) {
    constexpr float flare = 0.05F;
    const float first = luminance(a) + flare;
    const float second = luminance(b) + flare;
    return std::max(first, second) / std::min(first, second);
}

}  // namespace

ImU32 ink_on(const Palette& palette, ImU32 colour) {
    return contrast(palette.text, colour) >= contrast(palette.background, colour) ? palette.text
                                                                                  : palette.background;
}

void draw_swatch(ImDrawList& list, ImVec2 centre, float size, SeriesStyle style, ImU32 background) {
    const float half = std::round(size / 2);
    const ImVec2 low{std::round(centre.x) - half, std::round(centre.y) - half};
    const ImVec2 high{low.x + 2 * half, low.y + 2 * half};
    if (!style.hatched) {
        list.AddRectFilled(low, high, style.colour);
        return;
    }
    list.AddRectFilled(low, high, mix(background, style.colour, 0.35F));
    list.AddLine({low.x, centre.y}, {centre.x, low.y}, style.colour, std::max(1.0F, size / 8));
    list.AddLine({low.x, high.y}, {high.x, low.y}, style.colour, std::max(1.0F, size / 8));
    list.AddLine({centre.x, high.y}, {high.x, centre.y}, style.colour, std::max(1.0F, size / 8));
}

LineStyle line_style(const Palette& palette, std::size_t index) {
    constexpr std::size_t num_markers = static_cast<std::size_t>(Marker::cross) + 1;
    // Coprime to the number of markers, so that pairs repeat late.
    constexpr std::size_t num_colours = 7;
    return {palette.series[index % num_colours], static_cast<Marker>(index % num_markers)};
}

void draw_marker(ImDrawList& list, ImVec2 centre, float radius, LineStyle style) {
    const auto [x, y] = centre;
    const float stroke = std::max(1.0F, radius * 0.5F);
    const float r = radius;
    const float d = radius * 0.8F;
    switch (style.marker) {
        case Marker::circle:
            list.AddCircleFilled(centre, r, style.colour, 12);
            return;
        case Marker::square:
            list.AddRectFilled({x - d, y - d}, {x + d, y + d}, style.colour);
            return;
        case Marker::triangle:
            list.AddTriangleFilled({x, y - r}, {x + r, y + d}, {x - r, y + d}, style.colour);
            return;
        case Marker::diamond:
            list.AddQuadFilled({x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}, style.colour);
            return;
        case Marker::inverted:
            list.AddTriangleFilled({x - r, y - d}, {x + r, y - d}, {x, y + r}, style.colour);
            return;
        case Marker::cross:
            list.AddLine({x - d, y - d}, {x + d, y + d}, style.colour, stroke);
            list.AddLine({x - d, y + d}, {x + d, y - d}, style.colour, stroke);
            return;
        case Marker::plus:
            list.AddLine({x - r, y}, {x + r, y}, style.colour, stroke);
            list.AddLine({x, y - r}, {x, y + r}, style.colour, stroke);
            return;
        case Marker::ring:
            list.AddCircle(centre, d, style.colour, 12, stroke);
            return;
    }
}

void draw_dashed(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash) {
    const ImVec2 delta{to.x - from.x, to.y - from.y};
    const float length = std::hypot(delta.x, delta.y);
    if (!(length > 0)) return;
    const float period = dash * 5 / 3;
    for (float at = 0; at < length; at += period) {
        const float begin = at / length;
        const float end = std::min(at + dash, length) / length;
        list.AddLine({from.x + delta.x * begin, from.y + delta.y * begin},
                     {from.x + delta.x * end, from.y + delta.y * end}, colour, thickness);
    }
}

float text_width(const ImFont* font, std::string_view text) {
    // Dear ImGui reads a text without an end up to its terminating 0, and an empty view may be null.
    if (text.empty()) return 0;
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text) {
    if (text.empty()) return;
    list.AddText(font, font->FontSize, {std::round(position.x), std::round(position.y)}, colour, text.data(),
                 text.data() + text.size());
}

void draw_playhead(ImDrawList& list, const Style& style, float x, float top, float bottom) {
    const float half_width = std::max(1.0F, style.px(1));
    const float handle = style.px(6);
    const ImU32 colour = style.palette.text;
    list.AddRectFilled({x - half_width, top}, {x + half_width, bottom}, colour);
    list.AddTriangleFilled({x, bottom - style.px(2)}, {x + handle, bottom + handle},
                           {x - handle, bottom + handle}, colour);
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
    // Few letters per line are unreadable.
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

void draw_paragraph(ImDrawList& list, const ImFont* font, ImVec2 position, float width, ImU32 colour,
                    std::string_view text) {
    if (text.empty()) return;
    list.AddText(font, font->FontSize, position, colour, text.data(), text.data() + text.size(), width);
}

float paragraph_height(const ImFont* font, std::string_view text, float width) {
    if (text.empty()) return 0;
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.data(), text.data() + text.size()).y;
}

std::string elided(const ImFont* font, std::string_view text, float width) {
    if (text_width(font, text) <= width) return std::string(text);
    constexpr std::string_view ellipsis = "…";
    const char* end = text.data();
    font->CalcTextSizeA(font->FontSize, width - text_width(font, ellipsis), 0, text.data(),
                        text.data() + text.size(), &end);
    std::string shortened(text.data(), end);
    while (shortened.ends_with(' ')) shortened.pop_back();
    return shortened + std::string(ellipsis);
}

std::string fitting(const ImFont* font, std::initializer_list<std::string_view> texts, float width) {
    for (const std::string_view text : texts) {
        if (text_width(font, text) <= width) return std::string(text);
    }
    return elided(font, *std::prev(texts.end()), width);
}

}  // namespace warpsieve::plots
