#include "app/plots/ghost_line.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::plots {

ImU32 ghost_colour(const Style& style) {
    return style.palette.ghost;
}

void reduce_totals(std::span<const float> total_us, std::uint64_t frames_after, const Columns& columns,
                   std::vector<float>& out) {
    out.assign(columns.across, 0.0F);
    if (frames_after >= total_us.size()) return;
    const std::size_t end = total_us.size() - static_cast<std::size_t>(frames_after);
    const std::size_t newest_group = (end - 1) / columns.frames_per_column;
    for (std::size_t age = 0; age < columns.across && age <= newest_group; ++age) {
        const std::size_t begin = (newest_group - age) * columns.frames_per_column;
        const auto group = total_us.subspan(begin, std::min(begin + columns.frames_per_column, end) - begin);
        for (const float us : group) {
            if (std::isfinite(us)) out[age] = std::max(out[age], us);
        }
    }
}

namespace {

/// The quartiles as a band, and the median dashed.
void draw_summary(const Area& area, const experiments::Summary& us, ImU32 colour) {
    const float top = std::round(area.y_of(us.q3));
    const float bottom = std::round(area.y_of(us.q1));
    if (area.style.plain) {
        area.list.AddRectFilled({area.low.x, top}, {area.high.x, top + 1}, colour);
        area.list.AddRectFilled({area.low.x, bottom}, {area.high.x, bottom + 1}, colour);
    } else {
        const ImU32 veil = (colour & ~IM_COL32_A_MASK) | (ImU32{0x38} << IM_COL32_A_SHIFT);
        area.list.AddRectFilled({area.low.x, top}, {area.high.x, std::max(bottom, top + 1)}, veil);
    }
    const float median = std::round(area.y_of(us.median));
    const float dash = area.style.px(9);
    const float thickness = std::max(1.0F, area.style.px(1.5F));
    // With a rim, because a phase may have a similar colour.
    const ImU32 rim = area.style.palette.panel;
    for (float x = area.low.x; x < area.high.x; x += 2 * dash) {
        const float end = std::min(x + dash, area.high.x);
        area.list.AddRectFilled({x - 1, median - 1}, {end + 1, median + thickness + 1}, rim);
        area.list.AddRectFilled({x, median}, {end, median + thickness}, colour);
    }
}

}  // namespace

void draw_totals(const Area& area, const Columns& columns, const TotalsLine& line, std::uint64_t frames_after,
                 std::vector<ImVec2>& edge) {
    const ImU32 colour = ghost_colour(area.style);
    if (line.with_quartiles) draw_summary(area, line.us, colour);
    std::vector<float> newest_first;
    reduce_totals(line.total_us, frames_after, columns, newest_first);
    edge.clear();
    for (std::size_t age = 0; age < newest_first.size() && newest_first[age] > 0; ++age) {
        const float x = area.high.x - (static_cast<float>(age) + 0.5F) * area.column_width;
        edge.push_back({x, std::round(area.y_of(static_cast<double>(newest_first[age]))) + 0.5F});
    }
    if (edge.size() > 1) {
        area.list.AddPolyline(edge.data(), static_cast<int>(edge.size()), colour, ImDrawFlags_None,
                              std::max(1.0F, area.style.scale));
    }
}

}  // namespace warpsieve::plots
