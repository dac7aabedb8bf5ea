#include "app/plots/bands.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpsieve::plots {
namespace {

/// One band of a run: a phase, or the time between calls.
struct Band {
    std::span<const Column> run;
    std::size_t index;
    ImU32 fill;
    ImU32 edge;
};

void draw_smooth(const Area& area, const Band& band, std::vector<ImVec2>& edge) {
    // One strip of quads; neighbours share their vertices.
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    const std::size_t quads = band.run.size() + 1;
    area.list.PrimReserve(static_cast<int>(6 * quads), static_cast<int>(2 * (quads + 1)));
    edge.clear();
    const auto add = [&](float x, const Column& column, bool last) {
        const ImVec2 top{x, area.y_of(column.tops_us[band.index])};
        const auto first = static_cast<ImDrawIdx>(area.list._VtxCurrentIdx);
        constexpr std::array corners{0, 1, 3, 0, 3, 2};
        for (std::size_t i = 0; !last && i < corners.size(); ++i) {
            area.list.PrimWriteIdx(static_cast<ImDrawIdx>(first + corners[i]));
        }
        area.list.PrimWriteVtx(top, white, band.fill);
        area.list.PrimWriteVtx({x, area.y_of(column.bottom_us(band.index))}, white, band.fill);
        edge.push_back(top);
    };
    // Vertices in the middles of the columns, and the two outer edges.
    add(area.left_of(band.run.front()), band.run.front(), false);
    for (const Column& column : band.run) add(area.middle_of(column), column, false);
    add(area.right_of(band.run.back()), band.run.back(), true);
    area.list.AddPolyline(edge.data(), static_cast<int>(edge.size()), band.edge, ImDrawFlags_None,
                          1.25F * area.style.scale);
}

void draw_plain(const Area& area, const Band& band) {
    const float line = std::round(std::max(1.0F, area.style.scale));
    const auto top_of = [&](const Column& column) {
        return std::round(area.y_of(column.tops_us[band.index]));
    };
    const auto bottom_of = [&](const Column& column) {
        return std::round(area.y_of(column.bottom_us(band.index)));
    };
    // Neighbours with the same height in pixels form one rectangle.
    for (std::size_t begin = 0; begin < band.run.size();) {
        const float top = top_of(band.run[begin]);
        const float bottom = bottom_of(band.run[begin]);
        std::size_t end = begin + 1;
        while (end < band.run.size() && top_of(band.run[end]) == top && bottom_of(band.run[end]) == bottom)
            ++end;
        const float left = std::round(area.left_of(band.run[begin]));
        const float right = std::round(area.right_of(band.run[end - 1]));
        if (bottom > top + line) area.list.AddRectFilled({left, top + line}, {right, bottom}, band.fill);
        if (bottom > top)
            area.list.AddRectFilled({left, top}, {right, std::min(top + line, bottom)}, band.edge);
        begin = end;
    }
}

void draw_hatch(const Area& area, const Band& band, std::vector<ImVec2>& heights) {
    const float spacing = area.style.px(8);
    const float thickness = std::max(1.0F, 1.1F * area.style.scale);
    heights.clear();  // top and bottom of each column, looked up by every diagonal
    for (const Column& column : band.run) {
        heights.push_back({area.y_of(column.tops_us[band.index]), area.y_of(column.bottom_us(band.index))});
    }
    // Diagonals of the whole area, each cut to where it lies within the band. `start` is where one meets the
    // bottom; they are counted from the right edge, so they stand still while the data moves.
    const float rise = area.high.y - area.low.y;
    const auto right_of_x = [&](const Column& column, float x) { return area.right_of(column) <= x; };
    for (float start = area.high.x; start > area.low.x - rise; start -= spacing) {
        const auto point = [&](float x) { return ImVec2{x, area.high.y - (x - start)}; };
        float from = 0;
        float to = 0;
        const auto finish = [&] {
            if (to > from) area.list.AddLine(point(from), point(to), band.edge, thickness);
            from = to = 0;
        };
        auto column = std::lower_bound(band.run.begin(), band.run.end(), start, right_of_x);
        for (; column != band.run.end() && area.left_of(*column) < start + rise; ++column) {
            const ImVec2& height = heights[static_cast<std::size_t>(column - band.run.begin())];
            const float y = point(area.middle_of(*column)).y;
            if (y < height.x || y > height.y) {
                finish();
                continue;
            }
            if (from == 0) from = area.left_of(*column);
            to = area.right_of(*column);
        }
        finish();
    }
}

}  // namespace

void draw_bands(const Area& area, std::span<const Column> run, std::vector<ImVec2>& edge) {
    const compaction::Algorithm& algorithm = *run.front().algorithm;
    const bool any_between = std::ranges::any_of(run, [&](const Column& column) {
        return column.stack_us() > column.bottom_us(algorithm.phases.size());
    });
    const std::size_t num_bands = algorithm.phases.size() + (any_between ? 1 : 0);
    for (std::size_t index = 0; index < num_bands; ++index) {
        const SeriesStyle style = index < algorithm.phases.size() ? style_of(algorithm.phases[index].role)
                                                                  : between_calls_style(area.style.palette);
        const ImU32 fill = mix(area.style.palette.panel, style.colour, style.hatched ? 0.32F : 0.72F);
        const Band band{run, index, fill, style.colour};
        if (area.style.plain) {
            draw_plain(area, band);
        } else {
            draw_smooth(area, band, edge);
        }
        if (style.hatched) draw_hatch(area, band, edge);
    }
}

}  // namespace warpsieve::plots
