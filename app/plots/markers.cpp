#include "app/plots/markers.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::plots {

LineStyle line_style(const Palette& palette, std::size_t index) {
    constexpr std::size_t num_markers = static_cast<std::size_t>(Marker::cross) + 1;
    // Shares no factor with the number of markers, so that the pairs differ.
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
    const ImVec2 way{to.x - from.x, to.y - from.y};
    const float length = std::hypot(way.x, way.y);
    if (!(length > 0)) return;
    const float period = dash * 5 / 3;
    for (float at = 0; at < length; at += period) {
        const float begin = at / length;
        const float end = std::min(at + dash, length) / length;
        list.AddLine({from.x + way.x * begin, from.y + way.y * begin},
                     {from.x + way.x * end, from.y + way.y * end}, colour, thickness);
    }
}

}  // namespace warpsieve::plots
