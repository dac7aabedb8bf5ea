#include "app/panels/views/slot_map_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/follow.hpp"
#include "app/panels/views/slot_map_paint.hpp"

namespace warpsieve::panels {
namespace {

enum class BoundaryLines : std::uint8_t { vertical, vertical_and_rows };

/// Draws the boundary before cell `at`: a vertical line, and lines along the rows before and after it.
void draw_boundary(ImDrawList& list, const MapScene& map, const Rect& picture, CellPosition at,
                   BoundaryLines lines, ImU32 colour) {
    const Rect box = map.cell_box(picture, at);
    if (at.column > 0) list.AddRectFilled(box.low, {box.low.x + 1, box.high.y}, colour);
    if (lines == BoundaryLines::vertical) return;
    if (at.row > 0) list.AddRectFilled(box.low, {picture.high.x, box.low.y + 1}, colour);
    if (at.column > 0) {
        list.AddRectFilled({picture.low.x, box.high.y}, {box.low.x, box.high.y + 1}, colour);
    }
}

/// Whether the items of each bar are contiguous in the output.
bool has_all_bands(const MapScene& map) {
    return std::ranges::all_of(map.bars, [](const PartBar& bar) { return bar.offset || bar.count == 0U; });
}

/// Says what the trace does not tell about the parts or their output; empty if it tells everything.
std::string unknown_text(const MapScene& map, bool has_lines) {
    if (!map.run) return "Waiting for a trace of this frame.";
    if (map.run->launches.empty())
        return "The kernels of this algorithm belong to a library. They do not record which block processes "
               "which slots.";
    if (!map.stream.parts) return "The trace does not tell which block processes which slots.";
    if (!map.stream.parts->counts_selected) return "The trace does not tell how many items each part keeps.";
    const bool knows_counts =
        std::ranges::all_of(map.bars, [](const PartBar& bar) { return bar.count.has_value(); });
    if (!knows_counts)
        return map.run->spans_left_out > 0
                   ? "Some blocks are left out of the trace, which would be too long."
                   : "A block here has several parts. The trace has the sum of what they keep.";
    if (map.ordered() || has_all_bands(map)) return "";
    if (!map.stream.parts->appends)
        return "This algorithm keeps no order, and the trace does not tell where the items of a part lie.";
    return has_lines
               ? ""
               : "This algorithm keeps no order: zoom in until a line leads from each part to its items.";
}

void draw_unknown(Ui& ui, const MapScene& map, const std::string& text, float left, float right) {
    if (text.empty() || right - left < ui.px(60)) return;
    const ImFont* font = ui.fonts().small;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {left, map.gutter.low.y + ui.px(4)},
                                        ui.palette().muted, text.c_str(), nullptr, right - left);
}

/// Draws a line from each part to its items in the output, unless there are too many parts. Returns whether
/// it did.
bool draw_part_lines(Ui& ui, const MapScene& map, float left, float right) {
    // Software OpenGL draws lines slowly.
    const std::size_t max_lines = ui.style.plain ? 200 : 600;
    const auto groups = groups_in(map.stream.groups, map.window());
    if (groups.size() > max_lines) return false;
    const ImU32 colour =
        plots::mix(ui.palette().background, plots::style_of(compaction::PhaseRole::count).colour, 0.55F);
    for (const trace::PartGroup& group : groups)
        if (group.output_index && group.kept)
            ImGui::GetWindowDrawList()->AddLine({left, map.slot_y((group.begin + group.end) / 2)},
                                                {right, map.output_y(*group.output_index + *group.kept / 2)},
                                                colour, std::max(1.0F, ui.px(1)));
    return true;
}

/// Draws the output offsets of the parts, as far as they fit. They are drawn after all bands and on a
/// background, so that no band covers them.
void draw_offsets(Ui& ui, const MapScene& map, float left, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().small;
    float next_y = map.gutter.low.y;
    std::vector<std::uint64_t> offsets;
    for (const PartBar& bar : map.bars)
        if (bar.offset && map.slot_y(bar.end) - map.slot_y(bar.begin) >= 1) offsets.push_back(*bar.offset);
    std::ranges::sort(offsets);
    for (const std::uint64_t offset : offsets) {
        const float y = std::round(map.output_y(offset));
        if (y < next_y || y + font->FontSize > map.gutter.high.y) continue;
        const std::string text = format::grouped(offset);
        const float x = right - plots::text_width(font, text) - ui.px(2);
        if (x < left) continue;
        list.AddRectFilled({x - ui.px(3), y}, {right, y + font->FontSize}, palette.background);
        plots::draw_text(list, font, {x, y}, palette.text, text);
        next_y = y + font->FontSize + ui.px(1);
    }
}

/// "12 of 256": the kept items and the slots of a bar, or the kept items alone if there is too little room.
std::string count_text(const ImFont* font, const PartBar& bar, float width) {
    const std::string slots = " of " + format::grouped(bar.end - bar.begin);
    const std::string count = bar.count ? format::grouped(*bar.count) : "unknown";
    return plots::fitting(font, {count + slots, count}, width);
}

}  // namespace

float MapScene::slot_y(std::uint64_t slot) const {
    return slots.low.y + rows_before(window(), window().first_slot, slot) * cell_side;
}

float MapScene::output_y(std::uint64_t output_index) const {
    return output.low.y + rows_before(window(), sample.first_output_index, output_index) * cell_side;
}

Rect MapScene::cell_box(const Rect& picture, CellPosition at) const {
    const ImVec2 low{picture.low.x + static_cast<float>(at.column) * cell_side,
                     picture.low.y + static_cast<float>(at.row) * cell_side};
    return {low, {low.x + cell_side, low.y + cell_side}};
}

void draw_boundaries(Ui& ui, const MapScene& map) {
    if (!map.stream.parts) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = ui.palette().muted;
    const compaction::BlockParts& parts = *map.stream.parts;
    const scene::SlotWindow& window = map.window();
    constexpr std::uint32_t min_pixels = 3;
    // Software OpenGL draws lines slowly.
    const std::uint64_t max_boundaries = ui.style.plain ? 200 : 800;
    const std::uint64_t parts_per_line =
        boundary_step(parts, window, static_cast<std::uint32_t>(map.cell_side), min_pixels, max_boundaries);
    // Lines along rows are drawn only if a part spans several rows; otherwise they would cover everything.
    const BoundaryLines lines = parts_per_line * (parts.end(0) - parts.begin(0)) > window.row_slots()
                                    ? BoundaryLines::vertical_and_rows
                                    : BoundaryLines::vertical;
    const std::uint64_t end_slot =
        std::min(window.first_slot + window.row_slots() * window.rows, map.sample.slots);
    const std::uint64_t first_part = parts.partition.part_of(window.first_slot + parts.lead);
    for (std::uint64_t part = (first_part / parts_per_line + 1) * parts_per_line;
         part < parts.partition.num_parts && parts.begin(part) < end_slot; part += parts_per_line) {
        if (const auto at = cell_of(window, window.first_slot, parts.begin(part)))
            draw_boundary(list, map, map.slots, *at, lines, colour);
    }
    for (const PartBar& bar : map.bars) {
        if (!bar.offset || *bar.offset == 0) continue;
        const auto at = cell_of(window, map.sample.first_output_index, *bar.offset);
        if (at) draw_boundary(list, map, map.output, *at, BoundaryLines::vertical_and_rows, colour);
    }
}

void draw_bars(Ui& ui, const MapScene& map) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().small;
    const float padding = ui.px(6);
    const float left = map.gutter.low.x + padding;
    const float bars_end = std::round(left + (map.gutter.width() - 2 * padding) * 0.5F);
    const float right = map.gutter.high.x - padding;
    const ImU32 colour = plots::style_of(compaction::PhaseRole::count).colour;
    // Neighbouring bands differ in shade.
    const ImU32 band_colours[2] = {plots::mix(palette.background, colour, 0.16F),
                                   plots::mix(palette.background, colour, 0.30F)};
    const bool needs_lines = !map.ordered() && !has_all_bands(map);
    const bool has_lines = needs_lines && draw_part_lines(ui, map, bars_end, right);
    draw_unknown(ui, map, unknown_text(map, has_lines), map.bars.empty() ? left : bars_end + padding, right);
    for (std::size_t i = 0; i < map.bars.size(); ++i) {
        const PartBar& bar = map.bars[i];
        const float top = map.slot_y(bar.begin);
        const float bottom = map.slot_y(bar.end);
        if (bottom - top < 1) continue;
        const float kept_fraction = static_cast<float>(bar.count.value_or(0)) /
                                    static_cast<float>(std::max<std::uint64_t>(bar.end - bar.begin, 1));
        if (bar.offset) {
            list.AddQuadFilled({bars_end, top}, {right, map.output_y(*bar.offset)},
                               {right, map.output_y(*bar.offset + *bar.count)}, {bars_end, bottom},
                               band_colours[i % 2]);
        }
        const ImVec2 low{left, std::round(top)};
        const ImVec2 high{bars_end, std::max(std::round(bottom) - 1, low.y + 1)};
        list.AddRectFilled(low, high, palette.raised);
        list.AddRectFilled(low, {std::round(low.x + (high.x - low.x) * kept_fraction), high.y},
                           plots::mix(palette.background, colour, 0.55F));
        if (high.y - low.y >= font->FontSize) {
            const std::string text = count_text(font, bar, bars_end - left - padding);
            const float y = std::round((low.y + high.y - font->FontSize) / 2);
            plots::draw_text(list, font, {left + ui.px(4), y}, bar.count ? palette.text : palette.muted,
                             text);
        }
    }
    draw_offsets(ui, map, bars_end + padding, right);
}

namespace {

using format::grouped;

std::string plural(std::string_view kind, std::uint64_t count) {
    return grouped(count) + " " + std::string(kind) + (count == 1 ? "" : "s");
}

/// "of 256 or 288": the lengths of the parts.
std::string size_text(const compaction::Partition& parts) {
    if (parts.num_parts == 1) return "the whole stream";
    if (parts.num_longer == 0) return "of " + grouped(parts.items_each);
    if (parts.num_longer == parts.num_parts) return "of " + grouped(parts.items_each + parts.longer_by);
    return "of " + grouped(parts.items_each) + " or " + grouped(parts.items_each + parts.longer_by);
}

/// The number of parts that a typical bar merges.
std::uint64_t typical_parts_per_bar(const MapScene& map) {
    if (map.bars.empty()) return 0;
    // The second bar, because the first and the last may be shorter.
    const PartBar& bar = map.bars[map.bars.size() > 2 ? 1 : 0];
    const compaction::BlockParts& parts = *map.stream.parts;
    return parts.partition.part_of(bar.end - 1 + parts.lead) -
           parts.partition.part_of(bar.begin + parts.lead) + 1;
}

/// Draws one choice of what the colours mean; returns its right end.
float draw_choice(Ui& ui, MapColour colour, const char* name, const char* meaning, ImVec2 low, float height) {
    MapColour& chosen = ui.settings.window.slot_map_colour;
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().small;
    const float width = plots::text_width(font, name) + ui.px(14);
    const ImVec2 high{low.x + width, low.y + height};
    ImGui::SetCursorScreenPos(low);
    if (invisible_button(name, {width, height})) chosen = colour;
    const bool is_chosen = chosen == colour;
    const bool hovered = ImGui::IsItemHovered();
    const std::string label = "slot map colour: " + std::string(name);
    ui.controls.record_item(label);
    if (ui.focus->presses_item(ui, label)) chosen = colour;
    ui.tooltips.offer_item(ui.style, meaning);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high,
                       is_chosen ? palette.accent_fill
                       : hovered ? palette.raised_more
                                 : palette.raised);
    if (is_chosen) list.AddRectFilled({low.x, high.y - ui.px(2)}, high, palette.accent);
    plots::draw_text(list, font, {low.x + ui.px(7), low.y + std::round((height - font->FontSize) / 2)},
                     is_chosen ? palette.text : palette.label, name);
    return high.x;
}

/// Draws the choices of what the colours mean; returns their right end.
float draw_choices(Ui& ui, ImVec2 low, float height) {
    low.x = draw_choice(
        ui, MapColour::age, "age",
        "Colours items by age: bright when born, dim before they die. It shows which items die next.", low,
        height);
    return draw_choice(ui, MapColour::slot, "slot",
                       "Colours items by the slot they come from, among the visible slots. An ordered output "
                       "shows the same sequence of colours as the input, without the gaps.",
                       low, height);
}

/// Writes small text at the middle of the footer's height; returns the x of the next text.
float write(Ui& ui, ImVec2 low, float height, ImU32 colour, std::string_view text) {
    const ImFont* font = ui.fonts().small;
    plots::draw_text(*ImGui::GetWindowDrawList(), font,
                     {low.x, low.y + std::round((height - font->FontSize) / 2)}, colour, text);
    return low.x + plots::text_width(font, text) + ui.px(5);
}

/// Draws the colour scale, and the colour of empty slots if it fits; returns their right end.
float draw_key(Ui& ui, ImVec2 low, float height, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const MapColour colour = ui.settings.window.slot_map_colour;
    const bool by_age = colour == MapColour::age;
    const float top = low.y + ui.px(4);
    const float bottom = low.y + height - ui.px(4);
    float x = write(ui, low, height, palette.muted, by_age ? "born" : "first");
    constexpr int num_swatches = 12;
    const float swatch_width = ui.px(6);
    for (int i = 0; i < num_swatches; ++i, x += swatch_width) {
        const float share = (static_cast<float>(i) + 0.5F) / num_swatches;
        list.AddRectFilled({x, top}, {x + swatch_width, bottom},
                           item_colour(ui.settings.window.theme, colour, share));
    }
    x = write(ui, {x + ui.px(5), low.y}, height, palette.muted, by_age ? "dying" : "last");
    constexpr std::string_view empty = "empty";
    const ImVec2 empty_low{x + ui.px(8), top};
    const ImVec2 empty_high{empty_low.x + ui.px(12), bottom};
    const float word_x = empty_high.x + ui.px(5);
    if (word_x + plots::text_width(ui.fonts().small, empty) > right) return x;
    list.AddRectFilled(empty_low, empty_high, empty_colour(ui.settings.window.theme));
    list.AddRect(empty_low, empty_high, palette.track);
    return write(ui, {word_x, low.y}, height, palette.muted, empty);
}

}  // namespace

bool lacks_height(const Ui& ui) {
    return static_cast<float>(ui.panes.view.height) < ui.px(220);
}

float min_rows_per_bar(const Ui& ui, float cell_side) {
    return (ui.fonts().small->FontSize + ui.px(3)) / cell_side;
}

void draw_title(Ui& ui, const Rect& box, const std::string& title, const std::string& figures) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float top = box.low.y + ui.px(4);
    plots::draw_text(list, fonts.heading, {box.low.x, top}, ui.palette().text,
                     plots::elided(fonts.heading, title, box.width()));
    if (lacks_height(ui)) return;
    plots::draw_text(list, fonts.small, {box.low.x, top + fonts.heading->FontSize + ui.px(1)},
                     ui.palette().muted, plots::elided(fonts.small, figures, box.width()));
}

void draw_header(Ui& ui, float top, float bottom, const MapScene& map) {
    const scene::SlotSample& sample = map.sample;
    const double share =
        static_cast<double>(sample.kept) / static_cast<double>(std::max<std::uint64_t>(sample.slots, 1));
    const std::string live = grouped(sample.slots) + " slots, " + grouped(sample.live) + " live";
    const std::string kept = grouped(sample.kept) + " kept, " + format::percent_text(share);
    // Titles of narrow pictures extend into a wide gutter, and then narrow the title of the parts.
    const ImFont* font = ui.fonts().small;
    const float max_extension = std::max((map.gutter.width() - ui.px(220)) / 2, 0.0F);
    const auto extension = [&](const std::string& text, const Rect& picture) {
        return std::clamp(std::ceil(plots::text_width(font, text)) + 1 - picture.width(), 0.0F,
                          max_extension);
    };
    Rect left{{map.slots.low.x, top}, {map.slots.high.x, bottom}};
    Rect right{{map.output.low.x, top}, {map.output.high.x, bottom}};
    left.high.x += extension(live, map.slots);
    right.low.x -= extension(kept, map.output);
    draw_title(ui, left, "Sparse",
               plots::fitting(font, {live, grouped(sample.live) + " live"}, left.width()));
    draw_title(ui, right, "Compacted", kept);
    const float padding = ui.px(6);
    const float middle_left = left.high.x > map.slots.high.x ? left.high.x + padding : map.gutter.low.x;
    const float middle_right = right.low.x < map.output.low.x ? right.low.x - padding : map.gutter.high.x;
    const Rect middle{{middle_left + padding, top}, {middle_right - padding, bottom}};
    if (!map.stream.parts) {
        draw_title(ui, middle, map.run ? "Parts unknown" : "Parts", "");
    } else {
        const compaction::Partition& parts = map.stream.parts->partition;
        const std::uint64_t parts_per_bar = typical_parts_per_bar(map);
        draw_title(ui, middle, plural(name_of(parts.kind), parts.num_parts),
                   size_text(parts) + (parts_per_bar > 1 ? ", " + grouped(parts_per_bar) + " a bar" : ""));
    }
    ui.tooltips.offer(
        ui.style, middle.low, middle.high,
        "How the algorithm divides the stream, from a trace of this frame. A bar shows how many items its "
        "parts keep; the band leads to where they lie in the output, and the figure beside the band is the "
        "output offset.");
}

void draw_footer(Ui& ui, const Rect& box, const MapScene* map) {
    const ImFont* font = ui.fonts().small;
    const float height = ui.px(20);
    const float top = std::round(box.low.y + (box.height() - height) / 2);
    float x = draw_choices(ui, {box.low.x, top}, height) + ui.px(10);
    x = draw_key(ui, {x, top}, height, box.high.x) + ui.px(8);
    if (!map) return;
    const std::uint32_t slots_per_cell = map->window().slots_per_cell;
    const std::string cell =
        slots_per_cell == 1 ? "a cell is a slot" : "a cell is " + grouped(slots_per_cell) + " slots";
    const std::string meaning =
        slots_per_cell == 1 ? cell : cell + ", in the colour of its first item; fainter means fewer live";
    const std::string when = "frame " + grouped(map->sample.frame);
    const float when_x = box.high.x - plots::text_width(font, when);
    const float room = when_x - ui.px(12) - x;
    if (room > ui.px(60))
        write(ui, {x, top}, height, ui.palette().label,
              plots::fitting(font, {meaning, cell + "; fainter: fewer live", cell}, room));
    if (when_x > x) write(ui, {when_x, top}, height, ui.palette().muted, when);
    ui.tooltips.offer(
        ui.style, {x, top}, {box.high.x, top + height},
        "All data here is from one frame; slots and output indices begin at 0, parts are counted from 1. The "
        "item of a live slot is its number plus 1, because 0 means empty. Scroll to zoom until a cell is one "
        "slot, drag to move, double-click to see the whole stream.");
}

namespace {

std::optional<CellPosition> cell_under(const MapScene& map, const Rect& picture, ImVec2 mouse) {
    if (!picture.contains(mouse)) return {};
    const auto column = static_cast<std::uint32_t>((mouse.x - picture.low.x) / map.cell_side);
    const auto row = static_cast<std::uint32_t>((mouse.y - picture.low.y) / map.cell_side);
    if (column >= map.window().columns || row >= map.window().rows) return {};
    return CellPosition{column, row};
}

/// Outlines positions [begin, end) in a picture that starts with position `first`.
void outline_range(ImDrawList& list, const MapScene& map, const Rect& picture, std::uint64_t first,
                   std::uint64_t begin, std::uint64_t end, float thickness, ImU32 colour) {
    const scene::SlotWindow& window = map.window();
    const std::uint64_t shown_end = first + window.row_slots() * window.rows;
    begin = std::clamp(begin, first, shown_end);
    end = std::clamp(end, begin, shown_end);
    const auto first_at = cell_of(window, first, begin);
    const auto last_at = end > begin ? cell_of(window, first, end - 1) : std::nullopt;
    if (!first_at || !last_at) return;
    const Rect first_cell = map.cell_box(picture, *first_at);
    const Rect last_cell = map.cell_box(picture, *last_at);
    const float right = picture.low.x + static_cast<float>(window.columns) * map.cell_side;
    if (first_at->row == last_at->row) {
        list.AddRect(first_cell.low, last_cell.high, colour, 0, ImDrawFlags_None, thickness);
        return;
    }
    const std::array corners{first_cell.low,
                             ImVec2{right, first_cell.low.y},
                             ImVec2{right, last_cell.low.y},
                             ImVec2{last_cell.high.x, last_cell.low.y},
                             last_cell.high,
                             ImVec2{picture.low.x, last_cell.high.y},
                             ImVec2{picture.low.x, first_cell.high.y},
                             ImVec2{first_cell.low.x, first_cell.high.y}};
    list.AddPolyline(corners.data(), static_cast<int>(corners.size()), colour, ImDrawFlags_Closed, thickness);
}

/// The box of a cell, enlarged to at least `min_width` around its centre.
Rect enlarged(const Rect& box, float min_width) {
    const float margin = std::max((min_width - box.width()) / 2, 0.0F);
    return {{box.low.x - margin, box.low.y - margin}, {box.high.x + margin, box.high.y + margin}};
}

/// Marks the cells of a slot and of an output index, and draws a line from one to the other.
void draw_link(Ui& ui, const MapScene& map, std::optional<std::uint64_t> slot,
               std::optional<std::uint64_t> output_index) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float thickness = std::max(1.0F, ui.px(1.5F));
    const scene::SlotSample& sample = map.sample;
    const auto mark = [&](const Rect& picture, CellPosition at) {
        const Rect box = enlarged(map.cell_box(picture, at), ui.px(7));
        list.AddRect(box.low, box.high, palette.background, 0, ImDrawFlags_None, thickness + 2);
        list.AddRect(box.low, box.high, palette.text, 0, ImDrawFlags_None, thickness);
        return box;
    };
    const auto slot_cell = slot ? cell_of(map.window(), map.window().first_slot, *slot) : std::nullopt;
    const auto output_cell =
        output_index ? cell_of(map.window(), sample.first_output_index, *output_index) : std::nullopt;
    std::optional<Rect> from;
    std::optional<Rect> to;
    if (slot_cell) from = mark(map.slots, *slot_cell);
    if (output_cell) to = mark(map.output, *output_cell);
    if (!from || !to) return;
    const ImVec2 start{from->high.x, (from->low.y + from->high.y) / 2};
    const ImVec2 end{to->low.x, (to->low.y + to->high.y) / 2};
    list.AddLine(start, end, palette.background, thickness + 2);
    list.AddLine(start, end, palette.text, thickness);
}

std::string output_index_text(const MapScene& map, const HoveredCell& hovered) {
    if (hovered.cell.items == 0) return "none: the slot is empty";
    if (hovered.in_output) return grouped(hovered.position);
    const FollowedItem& item = *hovered.item;
    if (item.missing) return "missing in the output";
    if (!item.output_index) return "searching";
    const std::string index = grouped(*item.output_index);
    // Only the wanted item is searched for in the output.
    const bool was_searched =
        map.sample.request.wanted_handle == scene::handle_of(static_cast<std::uint32_t>(item.slot));
    if (!was_searched) return index + ", by the count of items before it";
    return map.ordered() ? index + ", found in the output" : index;
}

void draw_part_facts(Ui& ui, const MapScene& map, std::uint64_t slot) {
    if (!map.stream.parts)
        return fact_line(ui, "part", map.run ? "unknown" : "waiting for a trace of this frame");
    const compaction::BlockParts& parts = *map.stream.parts;
    const FollowedFact fact = *part_fact(*map.run, slot);
    fact_line(ui, fact.name, fact.value);
    const trace::PartGroup& group = map.stream.group_of(slot);
    const std::uint64_t part = parts.partition.part_of(slot + parts.lead);
    const bool is_single_part = parts.begin(part) == group.begin && parts.end(part) == group.end;
    fact_line(ui, is_single_part ? "its count" : "block's count",
              group.kept              ? grouped(*group.kept) + " of " + grouped(group.end - group.begin)
              : parts.counts_selected ? "unknown: the trace has the sum of all parts of its block"
                                      : "unknown: the kernel does not count");
    fact_line(ui, is_single_part ? "its offset" : "block's offset",
              group.output_index ? grouped(*group.output_index)
              : group.kept == 0U ? "none: it keeps no item"
                                 : "unknown");
    for (const FollowedFact& block : block_facts(*map.run, slot, BlockDetail::processor_and_order))
        fact_line(ui, block.name, block.value);
}

void draw_card(Ui& ui, const MapScene& map, const HoveredCell& hovered) {
    const scene::SlotSample& sample = map.sample;
    const scene::SlotCell& cell = hovered.cell;
    const std::uint64_t slots_per_cell = map.window().slots_per_cell;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(9)});
    ImGui::BeginTooltip();
    std::string title = (hovered.in_output ? "output index " : "slot ") + grouped(hovered.position);
    if (slots_per_cell > 1)
        title = (hovered.in_output ? "output indices " : "slots ") + grouped(hovered.position) + " to " +
                grouped(hovered.position + slots_per_cell - 1);
    ImGui::PushFont(ui.fonts().heading);
    ImGui::TextUnformatted(title.c_str());
    ImGui::PopFont();
    if (slots_per_cell > 1) {
        fact_line(ui, hovered.in_output ? "filled" : "live",
                  grouped(cell.items) + " of " + grouped(slots_per_cell));
        if (cell.items > 0)
            fact_line(ui, "first item", hovered.item ? "slot " + grouped(hovered.item->slot) : "none");
    } else if (hovered.in_output) {
        fact_line(ui, "from slot", hovered.item ? grouped(hovered.item->slot) : "none");
    } else if (cell.items == 0) {
        fact_line(ui, "state", "empty");
    }
    if (cell.items > 0) {
        const bool has_slot = (cell.faults & scene::no_slot) == 0;
        fact_line(ui, "item", grouped(cell.first_handle) + (has_slot ? ", its slot plus 1" : ""));
        fact_line(ui, "age", format::significant(100.0 * cell.age / 255) + " % of its life");
    }
    if (hovered.item) draw_part_facts(ui, map, hovered.item->slot);
    fact_line(ui, "output index", output_index_text(map, hovered));
    if ((cell.faults & scene::no_slot) != 0) fact_line(ui, "fault", "not the item of any slot");
    if ((cell.faults & scene::out_of_order) != 0) {
        fact_line(ui, map.ordered() ? "fault" : "order", "its slot precedes the slot of the previous item");
    }
    fact_line(ui, "frame", grouped(sample.frame));
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

}  // namespace

std::optional<HoveredCell> hovered_cell(const MapScene& map, ImVec2 mouse) {
    const scene::SlotSample& sample = map.sample;
    HoveredCell hovered;
    auto at = cell_under(map, map.slots, mouse);
    if (!at) {
        at = cell_under(map, map.output, mouse);
        hovered.in_output = true;
    }
    if (!at) return {};
    const std::size_t index = std::size_t{at->row} * map.window().columns + at->column;
    const std::uint64_t offset = index * map.window().slots_per_cell;
    hovered.cell = (hovered.in_output ? sample.out : sample.in)[index];
    hovered.position = (hovered.in_output ? sample.first_output_index : map.window().first_slot) + offset;
    if (hovered.position >= sample.slots) return {};
    if (hovered.cell.first_handle != 0) {
        hovered.item = follow_item(sample, hovered.cell.first_handle - 1);
    } else if (!hovered.in_output) {
        hovered.item = follow_item(sample, hovered.position);
    }
    return hovered;
}

namespace {

/// Outlines the part of an item and the output of that part, and links the item's slot to its output index.
void draw_path(Ui& ui, const MapScene& map, const std::optional<FollowedItem>& item,
               std::optional<std::uint64_t> output_index) {
    if (item && map.stream.parts) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const compaction::BlockParts& parts = *map.stream.parts;
        const float thickness = std::max(1.0F, ui.px(1.5F));
        const std::uint64_t part = parts.partition.part_of(item->slot + parts.lead);
        outline_range(list, map, map.slots, map.window().first_slot, parts.begin(part), parts.end(part),
                      thickness, ui.palette().accent);
        const trace::PartGroup& group = map.stream.group_of(item->slot);
        if (group.output_index && group.kept)
            outline_range(list, map, map.output, map.sample.first_output_index, *group.output_index,
                          *group.output_index + *group.kept, thickness, ui.palette().accent);
    }
    draw_link(ui, map, item ? std::optional(item->slot) : std::nullopt, output_index);
}

}  // namespace

void draw_followed(Ui& ui, const MapScene& map, std::uint64_t slot) {
    if (const auto item = follow_item(map.sample, slot)) draw_path(ui, map, item, item->output_index);
}

void draw_hovered(Ui& ui, const MapScene& map, const HoveredCell& hovered) {
    std::optional<std::uint64_t> output_index;
    if (hovered.in_output && hovered.cell.items > 0) {
        output_index = hovered.position;
    } else if (!hovered.in_output && hovered.item) {
        output_index = hovered.item->output_index;
    }
    draw_path(ui, map, hovered.item, output_index);
    if (ui.shows_cards()) draw_card(ui, map, hovered);
}

}  // namespace warpsieve::panels
