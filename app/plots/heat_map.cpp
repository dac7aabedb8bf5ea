#include "app/plots/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace warpsieve::plots {
namespace {

struct Colour {
    int red;
    int green;
    int blue;
};
/// Cividis at ten even steps, from dark to light.
constexpr std::array cividis{Colour{0x00, 0x20, 0x4D}, Colour{0x00, 0x33, 0x6F}, Colour{0x39, 0x48, 0x6B},
                             Colour{0x57, 0x5C, 0x6D}, Colour{0x70, 0x71, 0x73}, Colour{0x8A, 0x87, 0x79},
                             Colour{0xA6, 0x9D, 0x75}, Colour{0xC4, 0xB5, 0x6C}, Colour{0xE4, 0xCF, 0x5B},
                             Colour{0xFF, 0xEA, 0x46}};

/// 0 for the best value, 1 for the worst, on a logarithmic scale.
double position_of(double ratio_to_best, double worst) {
    return std::clamp(std::log(std::max(ratio_to_best, 1.0)) / std::log(std::max(worst, 1.0001)), 0.0, 1.0);
}

/// Black or white, whichever contrasts with the cell.
ImU32 contrast_of(double ratio_to_best, double worst) {
    return position_of(ratio_to_best, worst) < 0.55 ? IM_COL32(0x10, 0x12, 0x16, 0xFF)
                                                    : IM_COL32(0xFF, 0xFF, 0xFF, 0xFF);
}

float max_width(std::span<const std::string> labels, const ImFont* font) {
    float width = 0;
    for (const std::string& label : labels) width = std::max(width, text_width(font, label));
    return width;
}

float scale_width(const Style& style) {
    return style.px(64);
}

/// Draws the labels, without those that would touch the previous one.
void draw_labels(ImDrawList& list, const HeatMapCells& cells, const HeatMap& map, const Style& style) {
    const ImFont* font = style.fonts.small;
    const ImU32 colour = style.palette.label;
    float free_from = -1e9F;
    const float below = cells.low.y + cells.size.y * static_cast<float>(cells.rows);
    for (std::size_t column = 0; column < cells.columns; ++column) {
        const std::string& label = map.column_labels[column];
        const float width = text_width(font, label);
        const float left =
            std::round(cells.low.x + (static_cast<float>(column) + 0.5F) * cells.size.x - width / 2);
        if (left < free_from) continue;
        draw_text(list, font, {left, below + style.px(2)}, colour, label);
        free_from = left + width + style.px(6);
    }
    float free_above = 1e9F;
    for (std::size_t row = 0; row < cells.rows; ++row) {
        const std::string& label = map.row_labels[row];
        const float middle = cells.low_of(row * cells.columns).y + cells.size.y / 2;
        const float top = std::round(middle - font->FontSize / 2);
        if (top + font->FontSize > free_above) continue;
        draw_text(list, font, {cells.low.x - style.px(6) - text_width(font, label), top}, colour, label);
        free_above = top;
    }
}

/// Draws the colour scale beside the map.
void draw_scale(ImDrawList& list, ImVec2 low, ImVec2 high, double worst, const Style& style) {
    constexpr int steps = 24;
    const float bar = style.px(12);
    const float height = (high.y - low.y) / steps;
    for (int step = 0; step < steps; ++step) {
        const double ratio = std::pow(worst, (step + 0.5) / steps);
        const float top = low.y + static_cast<float>(step) * height;
        list.AddRectFilled({low.x, std::round(top)}, {low.x + bar, std::round(top + height)},
                           heat_colour(ratio, worst));
    }
    const ImFont* font = style.fonts.small;
    const std::size_t labels = high.y - low.y > 5 * font->FontSize ? 3 : 2;
    for (std::size_t i = 0; i < labels; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(labels - 1);
        char text[32];
        std::snprintf(text, sizeof text, "%.2g×%s", std::pow(worst, share), i + 1 == labels ? "+" : "");
        const float y = low.y + static_cast<float>(share) * (high.y - low.y - font->FontSize);
        draw_text(list, font, {low.x + bar + style.px(4), std::round(y)}, style.palette.label, text);
    }
}

}  // namespace

ImU32 heat_colour(double ratio_to_best, double worst) {
    const double along = (1 - position_of(ratio_to_best, worst)) * (cividis.size() - 1);
    const auto index = std::min(static_cast<std::size_t>(along), cividis.size() - 2);
    const double share = along - static_cast<double>(index);
    const auto between = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    const Colour& from = cividis[index];
    const Colour& to = cividis[index + 1];
    return IM_COL32(between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue),
                    0xFF);
}

ImVec2 HeatMapCells::low_of(std::size_t cell) const {
    const auto column = static_cast<float>(cell % columns);
    const auto row = static_cast<float>(rows - 1 - cell / columns);
    return {low.x + column * size.x, low.y + row * size.y};
}

HeatMapCells cells_of(ImVec2 low, ImVec2 high, const HeatMap& map, const Style& style) {
    const ImFont* font = style.fonts.small;
    HeatMapCells cells;
    cells.columns = std::max<std::size_t>(1, map.columns);
    cells.rows = std::max<std::size_t>(1, map.values.size() / cells.columns);
    const float left = low.x + max_width(map.row_labels, font) + style.px(8);
    const float top = low.y + (map.row_title.empty() ? 0 : font->FontSize + style.px(2));
    const float right = high.x - scale_width(style);
    const float bottom = high.y - 2 * font->FontSize - style.px(6);
    cells.low = {left, top};
    cells.size = {std::max(1.0F, (right - left) / static_cast<float>(cells.columns)),
                  std::clamp((bottom - top) / static_cast<float>(cells.rows), 1.0F, style.px(90))};
    return cells;
}

void draw_cell_mark(ImDrawList& list, ImVec2 centre, float radius, CellMark mark, ImU32 colour,
                    const Style& style) {
    const float line = std::max(1.5F, style.px(1.75F));
    const auto [x, y] = centre;
    switch (mark) {
        case CellMark::ring:
            list.AddCircle(centre, radius, colour, 16, line);
            break;
        case CellMark::square:
            list.AddRect({x - radius, y - radius}, {x + radius, y + radius}, colour, 0, ImDrawFlags_None,
                         line);
            break;
        case CellMark::diamond:
            list.AddQuad({x, y - radius}, {x + radius, y}, {x, y + radius}, {x - radius, y}, colour, line);
            break;
        case CellMark::dot:
            list.AddRectFilled({x - radius / 3, y - radius / 3}, {x + radius / 3, y + radius / 3}, colour);
            break;
        case CellMark::cross:
            list.AddLine({x - radius, y - radius}, {x + radius, y + radius}, colour, line);
            list.AddLine({x - radius, y + radius}, {x + radius, y - radius}, colour, line);
            break;
    }
}

std::optional<std::size_t> draw_heat_map(ImDrawList& list, ImVec2 low, ImVec2 high, const HeatMap& map,
                                         const Style& style) {
    const HeatMapCells cells = cells_of(low, high, map, style);
    const ImFont* font = style.fonts.small;
    std::optional<std::size_t> hovered;
    for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
        const ImVec2 corner = cells.low_of(cell);
        const ImVec2 from{std::round(corner.x), std::round(corner.y)};
        const ImVec2 to{std::round(corner.x + cells.size.x), std::round(corner.y + cells.size.y)};
        const bool known = map.values[cell] > 0;
        list.AddRectFilled(from, {to.x - 1, to.y - 1},
                           known ? heat_colour(map.values[cell], map.worst) : style.palette.raised);
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to)) hovered = cell;
    }
    const float radius =
        std::max(2.0F, std::min({cells.size.x, cells.size.y, style.px(22)}) / 2 - style.px(3));
    for (const PlacedMark& placed : map.marks) {
        const auto column = static_cast<std::size_t>(std::lround(placed.column));
        const double value =
            map.values[static_cast<std::size_t>(std::lround(placed.row)) * cells.columns + column];
        const ImVec2 centre{
            cells.low.x + (static_cast<float>(placed.column) + 0.5F) * cells.size.x,
            cells.low.y +
                (static_cast<float>(cells.rows - 1) - static_cast<float>(placed.row) + 0.5F) * cells.size.y};
        draw_cell_mark(list, centre, radius, placed.mark,
                       value > 0 ? contrast_of(value, map.worst) : style.palette.text, style);
    }
    if (hovered) {
        const ImVec2 corner = cells.low_of(*hovered);
        list.AddRect({std::round(corner.x), std::round(corner.y)},
                     {std::round(corner.x + cells.size.x), std::round(corner.y + cells.size.y)},
                     style.palette.accent, 0, ImDrawFlags_None, std::max(2.0F, style.px(2)));
    }
    draw_labels(list, cells, map, style);
    const float bottom = cells.low.y + cells.size.y * static_cast<float>(cells.rows);
    draw_text(list, font, low, style.palette.muted, map.row_title);
    draw_text(list, font, {cells.low.x, bottom + font->FontSize + style.px(4)}, style.palette.muted,
              map.column_title);
    const float right = cells.low.x + cells.size.x * static_cast<float>(cells.columns);
    draw_scale(list, {right + style.px(10), cells.low.y}, {right + scale_width(style), bottom}, map.worst,
               style);
    return hovered;
}

}  // namespace warpsieve::plots
