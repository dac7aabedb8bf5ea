#include <algorithm>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/views/slot_map_parts.hpp"

namespace warpsieve::panels {
namespace {

/// A boundary before cell `at`: a step between the row above and the row below.
void draw_step(ImDrawList& list, const MapScene& map, const Box& picture, CellPlace at, bool with_rows,
               ImU32 colour) {
    const Box box = map.cell_box(picture, at);
    if (at.column > 0) list.AddRectFilled(box.low, {box.low.x + 1, box.high.y}, colour);
    if (!with_rows) return;
    if (at.row > 0) list.AddRectFilled(box.low, {picture.high.x, box.low.y + 1}, colour);
    if (at.column > 0) {
        list.AddRectFilled({picture.low.x, box.high.y}, {box.low.x, box.high.y + 1}, colour);
    }
}

/// Lines from single rows to the output, for a part that fills the view.
void draw_threads(Ui& ui, const MapScene& map, float left, float right) {
    constexpr std::uint32_t threads = 16;
    const scene::SlotWindow& window = map.window();
    const std::uint32_t step = std::max(window.rows / threads, 1U);
    for (std::uint32_t row = 0; row < window.rows; row += step) {
        const std::uint64_t slot = window.first_slot + row * window.row_slots();
        if (slot >= map.sample.slots) break;
        const std::uint64_t place = rank_of_cell(map.sample, std::size_t{row} * window.columns);
        ImGui::GetWindowDrawList()->AddLine({left, map.slot_y(slot)}, {right, map.place_y(place)},
                                            ui.palette().muted, 1);
    }
}

/// Explains why there are no bands.
void draw_no_order(Ui& ui, const MapScene& map, float left, float right) {
    const ImFont* font = ui.fonts().small;
    if (right - left < ui.px(60)) return;
    ImGui::GetWindowDrawList()->AddText(
        font, font->FontSize, {left, map.gutter.low.y + ui.px(4)}, ui.palette().muted,
        "Unordered output: items lie wherever space was free.", nullptr, right - left);
}

/// Output offsets of the parts, as far as they fit. Drawn after all bands, on a background, so that no band
/// covers them.
void draw_offsets(Ui& ui, const MapScene& map, float left, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().small;
    float next_y = map.gutter.low.y;
    for (const PartBar& bar : map.bars) {
        if (map.slot_y(bar.end) - map.slot_y(bar.begin) < 1) continue;
        const float y = std::round(map.place_y(bar.offset));
        if (y < next_y || y + font->FontSize > map.gutter.high.y) continue;
        const std::string text = format::grouped(bar.offset);
        const float x = right - plots::text_width(font, text) - ui.px(2);
        if (x < left) continue;
        list.AddRectFilled({x - ui.px(3), y}, {right, y + font->FontSize}, palette.ground);
        plots::draw_text(list, font, {x, y}, palette.text, text);
        next_y = y + font->FontSize + ui.px(1);
    }
}

/// The number of kept items, with the number of slots where it fits.
std::string count_text(const ImFont* font, const PartBar& bar, float width) {
    const std::string both = format::grouped(bar.count) + " of " + format::grouped(bar.end - bar.begin);
    if (plots::text_width(font, both) <= width) return both;
    return plots::elided(font, format::grouped(bar.count), width);
}

}  // namespace

float MapScene::slot_y(std::uint64_t slot) const {
    return slots.low.y + rows_before(window(), window().first_slot, slot) * cell;
}

float MapScene::place_y(std::uint64_t place) const {
    return places.low.y + rows_before(window(), sample.first_place, place) * cell;
}

Box MapScene::cell_box(const Box& picture, CellPlace at) const {
    const ImVec2 low{picture.low.x + static_cast<float>(at.column) * cell,
                     picture.low.y + static_cast<float>(at.row) * cell};
    return {low, {low.x + cell, low.y + cell}};
}

void draw_boundaries(Ui& ui, const MapScene& map, std::uint64_t step) {
    if (!map.sample.request.partition.known()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = ui.palette().muted;
    const compaction::Partition& parts = map.parts;
    const scene::SlotWindow& window = map.window();
    // Lines along rows are drawn only if a part spans several rows; otherwise they would cover everything.
    const bool with_rows = step * parts.size(0) > window.row_slots();
    const std::uint64_t last =
        std::min(window.first_slot + window.row_slots() * window.rows, parts.num_items);
    for (std::uint64_t part = (parts.part_of(window.first_slot) / step + 1) * step;
         part < parts.num_parts && parts.begin(part) < last; part += step) {
        if (const auto at = cell_of(window, window.first_slot, parts.begin(part))) {
            draw_step(list, map, map.slots, *at, with_rows, colour);
        }
    }
    if (!map.ordered()) return;
    for (const PartBar& bar : map.bars) {
        const auto at = cell_of(window, map.sample.first_place, bar.offset);
        if (at && bar.offset > 0) draw_step(list, map, map.places, *at, true, colour);
    }
}

void draw_bars(Ui& ui, const MapScene& map) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().small;
    const float air = ui.px(6);
    const float left = map.gutter.low.x + air;
    const float bars_end = std::round(left + (map.gutter.width() - 2 * air) * 0.5F);
    const float right = map.gutter.high.x - air;
    const ImU32 full = plots::style_of(compaction::PhaseRole::count).colour;
    const ImU32 bands[2] = {plots::mix(palette.ground, full, 0.16F), plots::mix(palette.ground, full, 0.30F)};
    if (!map.ordered()) draw_no_order(ui, map, bars_end + air, right);
    for (std::size_t i = 0; i < map.bars.size(); ++i) {
        const PartBar& bar = map.bars[i];
        const float top = map.slot_y(bar.begin);
        const float bottom = map.slot_y(bar.end);
        if (bottom - top < 1) continue;
        const float share = static_cast<float>(bar.count) /
                            static_cast<float>(std::max<std::uint64_t>(bar.end - bar.begin, 1));
        if (map.ordered()) {
            list.AddQuadFilled({bars_end, top}, {right, map.place_y(bar.offset)},
                               {right, map.place_y(bar.offset + bar.count)}, {bars_end, bottom},
                               bands[i % 2]);
        }
        const ImVec2 low{left, std::round(top)};
        const ImVec2 high{bars_end, std::max(std::round(bottom) - 1, low.y + 1)};
        list.AddRectFilled(low, high, palette.raised);
        list.AddRectFilled(low, {std::round(low.x + (high.x - low.x) * share), high.y},
                           plots::mix(palette.ground, full, 0.55F));
        if (high.y - low.y >= font->FontSize) {
            const std::string text = count_text(font, bar, bars_end - left - air);
            const float y = std::round((low.y + high.y - font->FontSize) / 2);
            plots::draw_text(list, font, {left + ui.px(4), y}, palette.text, text);
        }
    }
    if (!map.ordered()) return;
    constexpr std::size_t few = 3;
    if (map.bars.size() <= few) draw_threads(ui, map, bars_end, right);
    draw_offsets(ui, map, bars_end + air, right);
}

}  // namespace warpsieve::panels
