#include "app/plots/bands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warpsieve::plots {
namespace {

/// One band of neighbouring columns: a phase, or the time between calls.
struct Band {
    std::span<const Column> columns;
    ImU32 fill;
    ImU32 edge;
};

void find_x(const Area& area, std::span<const Column> columns, std::vector<float>& x) {
    x.clear();
    x.push_back(area.left_of(columns.front()));
    for (const Column& column : columns) x.push_back(area.middle_of(column));
    x.push_back(area.right_of(columns.back()));
}

void find_tops(const Area& area, std::span<const Column> columns, std::size_t index,
               std::vector<float>& tops) {
    tops.clear();
    tops.push_back(area.y_of(columns.front().tops_us[index]));
    for (const Column& column : columns) tops.push_back(area.y_of(column.tops_us[index]));
    tops.push_back(tops.back());
}

/// The vertical extent of a line of thickness 1, sqrt(1 + slope²), within 4 %. `slope`: at least 0.
float line_height(float slope) {
    return std::max(slope, 1.0F) * 0.96F + std::min(slope, 1.0F) * 0.4F;
}

/// Draws a strip of quads that share vertices. The colour of the upper edge fades into that of the filling.
void draw_smooth(const Area& area, const Band& band, const BandMemory& memory) {
    // Each point has three vertices: the upper edge, its lower side, and the bottom.
    constexpr int vertices_per_point = 3;
    constexpr std::array corners{0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    const float edge_thickness = 1.75F * area.style.scale;
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    const std::vector<float>& x = memory.x;
    const std::vector<float>& tops = memory.tops;
    const std::size_t points = x.size();
    const int vertices = vertices_per_point * static_cast<int>(points);
    area.list.PrimReserve(static_cast<int>(corners.size() * (points - 1)), vertices);
    ImDrawVert* vertex = area.list._VtxWritePtr;
    ImDrawIdx* index = area.list._IdxWritePtr;
    unsigned first_vertex = area.list._VtxCurrentIdx;
    float slope_before = 0;
    for (std::size_t i = 0; i < points; ++i, first_vertex += vertices_per_point) {
        const bool last = i + 1 == points;
        const float slope = last ? 0.0F : (tops[i + 1] - tops[i]) / std::max(x[i + 1] - x[i], 0.01F);
        // The flatter neighbour decides: at the foot of a spike, one side is level.
        const float flatter = std::min(std::abs(slope), std::abs(slope_before));
        const float inner = std::min(tops[i] + edge_thickness * line_height(flatter), memory.bottoms[i]);
        *vertex++ = {{x[i], tops[i]}, white, band.edge};
        *vertex++ = {{x[i], inner}, white, band.fill};
        *vertex++ = {{x[i], memory.bottoms[i]}, white, band.fill};
        slope_before = slope;
        if (last) break;
        for (const int corner : corners)
            *index++ = static_cast<ImDrawIdx>(first_vertex + static_cast<unsigned>(corner));
    }
    area.list._VtxWritePtr = vertex;
    area.list._IdxWritePtr = index;
    area.list._VtxCurrentIdx += static_cast<unsigned>(vertices);
}

void draw_edge_line(const Area& area, const Band& band, BandMemory& memory) {
    memory.line.clear();
    for (std::size_t i = 0; i < memory.x.size(); ++i) memory.line.push_back({memory.x[i], memory.tops[i]});
    area.list.AddPolyline(memory.line.data(), static_cast<int>(memory.line.size()), band.edge,
                          ImDrawFlags_None, 1.25F * area.style.scale);
}

void draw_plain(const Area& area, const Band& band, const BandMemory& memory) {
    const float edge_height = std::round(std::max(1.0F, area.style.scale));
    const auto top_of = [&](std::size_t column) { return std::round(memory.tops[column + 1]); };
    const auto bottom_of = [&](std::size_t column) { return std::round(memory.bottoms[column + 1]); };
    // Neighbours with the same height in pixels form one rectangle.
    for (std::size_t begin = 0; begin < band.columns.size();) {
        const float top = top_of(begin);
        const float bottom = bottom_of(begin);
        std::size_t end = begin + 1;
        while (end < band.columns.size() && top_of(end) == top && bottom_of(end) == bottom) ++end;
        const float left = std::round(area.left_of(band.columns[begin]));
        const float right = std::round(area.right_of(band.columns[end - 1]));
        if (bottom > top + edge_height)
            area.list.AddRectFilled({left, top + edge_height}, {right, bottom}, band.fill);
        if (bottom > top)
            area.list.AddRectFilled({left, top}, {right, std::min(top + edge_height, bottom)}, band.edge);
        begin = end;
    }
}

/// Draws the parts of the area's diagonals that lie within the band. Diagonals are counted from the right
/// edge, so that they stand still while the data moves.
void draw_hatch(const Area& area, const Band& band, BandMemory& memory) {
    const float spacing = area.style.px(8);
    const float thickness = std::max(1.0F, 1.1F * area.style.scale);
    const float rise = area.high.y - area.low.y;
    memory.strokes.assign(static_cast<std::size_t>((area.high.x - area.low.x + rise) / spacing) + 2, {});
    const auto finish = [&](std::size_t diagonal) {
        BandMemory::Stroke& stroke = memory.strokes[diagonal];
        if (stroke.end == 0) return;
        const float start = area.high.x - static_cast<float>(diagonal) * spacing;
        const auto point = [&](float x) { return ImVec2{x, area.high.y - (x - start)}; };
        area.list.AddLine(point(stroke.left), point(stroke.right), band.edge, thickness);
        stroke.end = 0;
    };
    const auto last_diagonal = static_cast<float>(memory.strokes.size() - 1);
    for (std::size_t i = 0; i < band.columns.size(); ++i) {
        // The diagonals that cross the band in the middle of the column. A diagonal d passes through the
        // points with x + y = high.x + high.y - d * spacing.
        const float x_plus_y_at_corner = area.high.x + area.high.y;
        const float to_corner = x_plus_y_at_corner - memory.x[i + 1];
        const float from = std::max(std::ceil((to_corner - memory.bottoms[i + 1]) / spacing), 0.0F);
        const float to = std::min(std::floor((to_corner - memory.tops[i + 1]) / spacing), last_diagonal);
        for (float each = from; each <= to; ++each) {
            const auto diagonal = static_cast<std::size_t>(each);
            BandMemory::Stroke& stroke = memory.strokes[diagonal];
            if (stroke.end != i) finish(diagonal);
            if (stroke.end == 0) stroke.left = area.left_of(band.columns[i]);
            stroke.right = area.right_of(band.columns[i]);
            stroke.end = i + 1;
        }
    }
    for (std::size_t diagonal = 0; diagonal < memory.strokes.size(); ++diagonal) finish(diagonal);
}

}  // namespace

void draw_bands(const Area& area, std::span<const Column> columns, bool with_edge_lines, BandMemory& memory) {
    const compaction::Algorithm& algorithm = *columns.front().algorithm;
    const bool any_between = std::ranges::any_of(columns, [&](const Column& column) {
        return column.stack_us() > column.bottom_us(algorithm.phases.size());
    });
    const std::size_t num_bands = algorithm.phases.size() + (any_between ? 1 : 0);
    find_x(area, columns, memory.x);
    memory.bottoms.assign(memory.x.size(), area.high.y);
    for (std::size_t index = 0; index < num_bands; ++index) {
        find_tops(area, columns, index, memory.tops);
        if (memory.tops == memory.bottoms) continue;  // the band is hidden
        const SeriesStyle style = index < algorithm.phases.size() ? style_of(algorithm.phases[index].role)
                                                                  : between_calls_style(area.style.palette);
        const ImU32 fill = mix(area.style.palette.panel, style.colour, style.hatched ? 0.32F : 0.72F);
        const Band band{columns, fill, style.colour};
        if (area.style.plain) {
            draw_plain(area, band, memory);
        } else {
            draw_smooth(area, band, memory);
            if (with_edge_lines) draw_edge_line(area, band, memory);
        }
        if (style.hatched) draw_hatch(area, band, memory);
        std::swap(memory.tops, memory.bottoms);
    }
}

void reduce_totals(std::span<const float> total_us, std::uint64_t frames_after, const Columns& columns,
                   std::vector<float>& out) {
    out.assign(columns.num_across, 0.0F);
    if (frames_after >= total_us.size()) return;
    const std::size_t end = total_us.size() - static_cast<std::size_t>(frames_after);
    const std::size_t newest_group = (end - 1) / columns.frames_per_column;
    for (std::size_t newer = 0; newer < columns.num_across && newer <= newest_group; ++newer) {
        const std::size_t begin = (newest_group - newer) * columns.frames_per_column;
        const auto group = total_us.subspan(begin, std::min(begin + columns.frames_per_column, end) - begin);
        for (const float us : group) {
            if (std::isfinite(us)) out[newer] = std::max(out[newer], us);
        }
    }
}

namespace {

/// Draws the quartiles as a band and the median as a dashed line.
void draw_summary(const Area& area, const experiments::Summary& us, ImU32 colour) {
    const float top = std::round(area.y_of(us.q3));
    const float bottom = std::round(area.y_of(us.q1));
    if (area.style.plain) {
        area.list.AddRectFilled({area.low.x, top}, {area.high.x, top + 1}, colour);
        area.list.AddRectFilled({area.low.x, bottom}, {area.high.x, bottom + 1}, colour);
    } else {
        const ImU32 veil = with_alpha(colour, 0x38);
        area.list.AddRectFilled({area.low.x, top}, {area.high.x, std::max(bottom, top + 1)}, veil);
    }
    const float median = std::round(area.y_of(us.median));
    const float dash = area.style.px(9);
    const float thickness = std::max(1.0F, area.style.px(1.5F));
    // A rim separates the line from a phase with a similar colour.
    const ImU32 rim = area.style.palette.panel;
    for (float x = area.low.x; x < area.high.x; x += 2 * dash) {
        const float end = std::min(x + dash, area.high.x);
        area.list.AddRectFilled({x - 1, median - 1}, {end + 1, median + thickness + 1}, rim);
        area.list.AddRectFilled({x, median}, {end, median + thickness}, colour);
    }
}

}  // namespace

void draw_totals(const Area& area, const Columns& columns, const TotalsLine& line, std::uint64_t frames_after,
                 std::vector<ImVec2>& points) {
    const ImU32 colour = area.style.palette.compared;
    if (line.with_quartiles) draw_summary(area, line.us, colour);
    std::vector<float> newest_first;
    reduce_totals(line.total_us, frames_after, columns, newest_first);
    points.clear();
    for (std::size_t newer = 0; newer < newest_first.size() && newest_first[newer] > 0; ++newer) {
        const float x = area.high.x - (static_cast<float>(newer) + 0.5F) * area.column_width;
        points.push_back({x, std::round(area.y_of(static_cast<double>(newest_first[newer]))) + 0.5F});
    }
    if (points.size() > 1) {
        area.list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None,
                              std::max(1.0F, area.style.scale));
    }
}

}  // namespace warpsieve::plots
