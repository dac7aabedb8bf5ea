#include <algorithm>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/views/slot_map_parts.hpp"

namespace warpsieve::panels {
namespace {

using format::grouped;

std::string plural(std::string_view kind, std::uint64_t count) {
    return grouped(count) + " " + std::string(kind) + (count == 1 ? "" : "s");
}

std::string size_text(const compaction::Partition& parts) {
    if (parts.num_parts == 1) return "the whole stream";
    if (parts.num_longer == 0) return "of " + grouped(parts.items_each);
    if (parts.num_longer == parts.num_parts) return "of " + grouped(parts.items_each + parts.longer_by);
    return "of " + grouped(parts.items_each) + " or " + grouped(parts.items_each + parts.longer_by);
}

/// A choice of the colours' meaning; returns its right end.
float draw_choice(Ui& ui, MapColour colour, const char* name, const char* meaning, ImVec2 low, float height) {
    MapColour& chosen = ui.settings.window.slot_map_colour;
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().small;
    const float width = plots::text_width(font, name) + ui.px(14);
    const ImVec2 high{low.x + width, low.y + height};
    ImGui::SetCursorScreenPos(low);
    if (invisible_button(name, {width, height})) chosen = colour;
    const bool on = chosen == colour;
    const bool hot = ImGui::IsItemHovered();
    const std::string label = "slot map colour: " + std::string(name);
    ui.controls.record_item(label);
    if (ui.focus->presses_item(ui, label)) chosen = colour;
    ui.tooltips.offer_item(ui.style, meaning);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, on ? palette.accent_fill : hot ? palette.raised_more : palette.raised);
    if (on) list.AddRectFilled({low.x, high.y - ui.px(2)}, high, palette.accent);
    plots::draw_text(list, font, {low.x + ui.px(7), low.y + std::round((height - font->FontSize) / 2)},
                     on ? palette.text : palette.label, name);
    return high.x;
}

/// Draws the choices of the colours' meaning; returns their right end.
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

/// Writes small text at the middle of the footer's height; returns the position of the next text.
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
    constexpr int steps = 12;
    const float step = ui.px(6);
    for (int i = 0; i < steps; ++i, x += step) {
        const float share = (static_cast<float>(i) + 0.5F) / steps;
        list.AddRectFilled({x, top}, {x + step, bottom},
                           item_colour(ui.settings.window.theme, colour, share));
    }
    x = write(ui, {x + ui.px(5), low.y}, height, palette.muted, by_age ? "dying" : "last");
    constexpr std::string_view empty = "empty";
    const ImVec2 swatch{x + ui.px(8), top};
    const ImVec2 swatch_end{swatch.x + ui.px(12), bottom};
    const float words = swatch_end.x + ui.px(5);
    if (words + plots::text_width(ui.fonts().small, empty) > right) return x;
    list.AddRectFilled(swatch, swatch_end, empty_colour(ui.settings.window.theme));
    list.AddRect(swatch, swatch_end, palette.track);
    return write(ui, {words, low.y}, height, palette.muted, empty);
}

}  // namespace

bool is_low(const Ui& ui) {
    return static_cast<float>(ui.zones.view.height) < ui.px(220);
}

float rows_per_bar(const Ui& ui, float cell) {
    return (ui.fonts().small->FontSize + ui.px(3)) / cell;
}

void draw_title(Ui& ui, const Box& box, const std::string& title, const std::string& figures) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float first = box.low.y + ui.px(4);
    plots::draw_text(list, fonts.heading, {box.low.x, first}, ui.palette().text,
                     plots::elided(fonts.heading, title, box.width()));
    if (is_low(ui)) return;
    plots::draw_text(list, fonts.small, {box.low.x, first + fonts.heading->FontSize + ui.px(1)},
                     ui.palette().muted, plots::elided(fonts.small, figures, box.width()));
}

void draw_header(Ui& ui, float top, float bottom, const MapScene& map) {
    const scene::SlotSample& sample = map.sample;
    const auto above = [&](const Box& box, float air) {
        return Box{{box.low.x + air, top}, {box.high.x - air, bottom}};
    };
    const double share =
        static_cast<double>(sample.kept) / static_cast<double>(std::max<std::uint64_t>(sample.slots, 1));
    const format::Figure percent = format::percent(share);
    const std::string live = grouped(sample.slots) + " slots, " + grouped(sample.live) + " live";
    const std::string kept = grouped(sample.kept) + " kept, " + percent.number + " " + percent.unit;
    // Titles of narrow pictures extend into a wide gutter.
    const ImFont* font = ui.fonts().small;
    const float spare = std::max((map.gutter.width() - ui.px(220)) / 2, 0.0F);
    const auto more = [&](const std::string& text, const Box& picture) {
        return std::clamp(std::ceil(plots::text_width(font, text)) + 1 - picture.width(), 0.0F, spare);
    };
    Box left = above(map.slots, 0);
    Box right = above(map.places, 0);
    left.high.x += more(live, map.slots);
    right.low.x -= more(kept, map.places);
    draw_title(ui, left, "Sparse",
               plots::fitting(font, {live, grouped(sample.live) + " live"}, left.width()));
    draw_title(ui, right, "Compacted", kept);
    const compaction::Partition& parts = sample.request.partition;
    const float air = ui.px(6);
    const Box middle{
        {(left.high.x > map.slots.high.x ? left.high.x + air : map.gutter.low.x) + air, top},
        {(right.low.x < map.places.low.x ? right.low.x - air : map.gutter.high.x) - air, bottom}};
    if (!parts.known()) {
        draw_title(ui, middle, "Parts unknown", "shown in sixteenths");
    } else {
        std::string figures = size_text(parts);
        const BarPlan plan = plan_bars(map.parts, map.window(), rows_per_bar(ui, map.cell));
        if (plan.parts_per_bar > 1) figures += ", " + grouped(plan.parts_per_bar) + " a bar";
        draw_title(ui, middle, plural(name_of(parts.kind), parts.num_parts), figures);
    }
    std::string meaning =
        parts.known()
            ? "How the algorithm divides the stream. A bar shows how many slots of its parts are live; the "
              "band leads to their place in the output, and the figure beside it is the output offset."
            : parts.unknown_because + " The bars show sixteenths of the stream instead.";
    if (!map.ordered())
        meaning +=
            "\n\nThe output is unordered: a part's items lie wherever space was free, so there are no bands.";
    ui.tooltips.offer(ui.style, middle.low, middle.high, meaning);
}

void draw_footer(Ui& ui, const Box& box, const MapScene* map) {
    const ImFont* font = ui.fonts().small;
    const float height = ui.px(20);
    const float top = std::round(box.low.y + (box.height() - height) / 2);
    float x = draw_choices(ui, {box.low.x, top}, height) + ui.px(10);
    x = draw_key(ui, {x, top}, height, box.high.x) + ui.px(8);
    if (!map) return;
    const std::uint32_t each = map->window().slots_per_cell;
    const std::string cell = each == 1 ? "a cell is a slot" : "a cell is " + grouped(each) + " slots";
    const std::string meaning =
        each == 1 ? cell : cell + ", in the colour of its first item; fainter means fewer live";
    const std::string when = "frame " + grouped(map->sample.frame);
    const float when_x = box.high.x - plots::text_width(font, when);
    const float room = when_x - ui.px(12) - x;
    if (room > ui.px(60))
        write(ui, {x, top}, height, ui.palette().label,
              plots::fitting(font, {meaning, cell + "; fainter: fewer live", cell}, room));
    if (when_x > x) write(ui, {when_x, top}, height, ui.palette().muted, when);
    ui.tooltips.offer(
        ui.style, {x, top}, {box.high.x, top + height},
        "All data here is from one frame; slots, places and parts are counted from 0. The item of a live "
        "slot is its number plus 1, because 0 means empty. Scroll to zoom until a cell is one slot, drag to "
        "move, double-click to see the whole stream.");
}

}  // namespace warpsieve::panels
