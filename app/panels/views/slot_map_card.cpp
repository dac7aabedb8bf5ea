#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/follow_model.hpp"
#include "app/panels/views/slot_map_parts.hpp"

namespace warpsieve::panels {
namespace {

using format::grouped;

std::optional<CellPlace> cell_under(const MapScene& map, const Box& picture, ImVec2 mouse) {
    if (!picture.holds(mouse)) return {};
    const auto column = static_cast<std::uint32_t>((mouse.x - picture.low.x) / map.cell);
    const auto row = static_cast<std::uint32_t>((mouse.y - picture.low.y) / map.cell);
    if (column >= map.window().columns || row >= map.window().rows) return {};
    return CellPlace{column, row};
}

/// Finds the place of the item: by the output itself or, for ordered output, by the count of items before it.
void find_place(const MapScene& map, std::size_t index, Pointed& pointed) {
    const scene::SlotSample& sample = map.sample;
    if (sample.request.wanted == pointed.cell.first) {
        pointed.missing = sample.found_place == scene::SlotSample::nowhere;
        if (pointed.missing) return;
        pointed.place = sample.found_place;
        pointed.place_is_found = true;
    } else if (map.ordered()) {
        pointed.place = rank_of_cell(sample, index);
    }
}

/// Outlines positions [begin, end) in a picture that starts with position `first`.
void outline_range(ImDrawList& list, const MapScene& map, const Box& picture, std::uint64_t first,
                   std::uint64_t begin, std::uint64_t end, float thickness, ImU32 colour) {
    const scene::SlotWindow& window = map.window();
    const std::uint64_t shown_end = first + window.row_slots() * window.rows;
    begin = std::clamp(begin, first, shown_end);
    end = std::clamp(end, begin, shown_end);
    const auto last = end > begin ? cell_of(window, first, end - 1) : std::nullopt;
    const auto start = cell_of(window, first, begin);
    if (!start || !last) return;
    const Box low = map.cell_box(picture, *start);
    const Box high = map.cell_box(picture, *last);
    const float right = picture.low.x + static_cast<float>(window.columns) * map.cell;
    if (start->row == last->row) {
        list.AddRect(low.low, high.high, colour, 0, ImDrawFlags_None, thickness);
        return;
    }
    const std::array corners{low.low,
                             ImVec2{right, low.low.y},
                             ImVec2{right, high.low.y},
                             ImVec2{high.high.x, high.low.y},
                             high.high,
                             ImVec2{picture.low.x, high.high.y},
                             ImVec2{picture.low.x, low.high.y},
                             ImVec2{low.low.x, low.high.y}};
    list.AddPolyline(corners.data(), static_cast<int>(corners.size()), colour, ImDrawFlags_Closed, thickness);
}

/// A cell, enlarged to be visible.
Box grown(const Box& box, float least) {
    const float more = std::max((least - box.width()) / 2, 0.0F);
    return {{box.low.x - more, box.low.y - more}, {box.high.x + more, box.high.y + more}};
}

void draw_link(Ui& ui, const MapScene& map, const Pointed& pointed) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float thickness = std::max(1.0F, ui.px(1.5F));
    const scene::SlotSample& sample = map.sample;
    const auto mark = [&](const Box& picture, CellPlace at) {
        const Box box = grown(map.cell_box(picture, at), ui.px(7));
        list.AddRect(box.low, box.high, palette.ground, 0, ImDrawFlags_None, thickness + 2);
        list.AddRect(box.low, box.high, palette.text, 0, ImDrawFlags_None, thickness);
        return box;
    };
    const auto slot_at =
        pointed.slot ? cell_of(map.window(), map.window().first_slot, *pointed.slot) : std::nullopt;
    const auto place_at =
        pointed.place ? cell_of(map.window(), sample.first_place, *pointed.place) : std::nullopt;
    std::optional<Box> from;
    std::optional<Box> to;
    if (slot_at) from = mark(map.slots, *slot_at);
    if (place_at) to = mark(map.places, *place_at);
    if (!from || !to) return;
    const ImVec2 start{from->high.x, (from->low.y + from->high.y) / 2};
    const ImVec2 end{to->low.x, (to->low.y + to->high.y) / 2};
    list.AddLine(start, end, palette.ground, thickness + 2);
    list.AddLine(start, end, palette.text, thickness);
}

/// A line of the card: a name and its value.
void line(Ui& ui, const char* name, const std::string& value) {
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted(name);
    ImGui::PopStyleColor();
    ImGui::SameLine(ui.px(112));
    ImGui::TextUnformatted(value.c_str());
}

std::string place_text(const MapScene& map, const Pointed& pointed) {
    if (pointed.cell.items == 0) return "none: the slot is empty";
    if (pointed.missing) return "missing in the output";
    if (!pointed.place) return map.ordered() ? "searching" : "unordered; searching";
    const std::string place = grouped(*pointed.place);
    if (!pointed.place_is_found) return place + ", by the count of items before it";
    if (map.ordered() && !pointed.in_output) return place + ", read there";
    return place;
}

void part_lines(Ui& ui, const MapScene& map, const Pointed& pointed) {
    const compaction::Partition& parts = map.sample.request.partition;
    if (!parts.known()) {
        line(ui, "part", "not known");
        return;
    }
    if (!pointed.part) return;
    const std::string kind{name_of(parts.kind)};
    line(ui, kind.c_str(), number_in_words(*pointed.part, parts.num_parts));
    const auto offset = rank_at(map.sample, parts.begin(*pointed.part));
    const auto end = rank_at(map.sample, parts.end(*pointed.part));
    const std::string size = grouped(parts.size(*pointed.part));
    line(ui, "its count", offset && end ? grouped(*end - *offset) + " of " + size : "counting");
    line(ui, "its offset",
         !map.ordered() ? "any free space (unordered)"
         : offset       ? grouped(*offset)
                        : "counting");
}

void draw_card(Ui& ui, const MapScene& map, const Pointed& pointed) {
    const scene::SlotSample& sample = map.sample;
    const scene::SlotCell& cell = pointed.cell;
    const std::uint64_t each = map.window().slots_per_cell;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(9)});
    ImGui::BeginTooltip();
    const std::string unit = pointed.in_output ? "place" : "slot";
    std::string title = unit + " " + grouped(pointed.position);
    if (each > 1)
        title = unit + "s " + grouped(pointed.position) + " to " + grouped(pointed.position + each - 1);
    ImGui::PushFont(ui.fonts().heading);
    ImGui::TextUnformatted(title.c_str());
    ImGui::PopFont();
    if (each > 1) {
        line(ui, pointed.in_output ? "filled" : "live", grouped(cell.items) + " of " + grouped(each));
        if (cell.items > 0) line(ui, "first item", pointed.slot ? "slot " + grouped(*pointed.slot) : "none");
    } else if (pointed.in_output) {
        line(ui, "from slot", pointed.slot ? grouped(*pointed.slot) : "none");
    } else if (cell.items == 0) {
        line(ui, "state", "empty");
    }
    if (cell.items > 0) {
        const bool of_slot = (cell.faults & scene::no_slot) == 0;
        line(ui, "item", grouped(cell.first) + (of_slot ? ", its slot plus 1" : ""));
        line(ui, "age", format::significant(cell.age / 2.55) + " % of its life");
    }
    part_lines(ui, map, pointed);
    line(ui, "output index", place_text(map, pointed));
    if ((cell.faults & scene::no_slot) != 0) line(ui, "fault", "not the item of any slot");
    if ((cell.faults & scene::out_of_order) != 0) {
        line(ui, map.ordered() ? "fault" : "order", "its slot precedes that of the place before");
    }
    line(ui, "frame", grouped(sample.frame));
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

}  // namespace

std::optional<Pointed> pointed_at(const MapScene& map, ImVec2 mouse) {
    const scene::SlotSample& sample = map.sample;
    Pointed pointed;
    auto at = cell_under(map, map.slots, mouse);
    if (!at) {
        at = cell_under(map, map.places, mouse);
        pointed.in_output = true;
    }
    if (!at) return {};
    pointed.at = *at;
    const std::size_t index = std::size_t{at->row} * map.window().columns + at->column;
    const std::uint64_t before = index * map.window().slots_per_cell;
    pointed.cell = (pointed.in_output ? sample.out : sample.in)[index];
    pointed.position = (pointed.in_output ? sample.first_place : map.window().first_slot) + before;
    if (pointed.position >= sample.slots) return {};
    const std::uint32_t handle = pointed.cell.first;
    if (pointed.in_output) {
        if (pointed.cell.items == 0) return pointed;
        pointed.place = pointed.position;
        pointed.place_is_found = true;
        if (handle != 0 && handle <= sample.slots) pointed.slot = handle - 1;
    } else {
        pointed.slot = handle != 0 ? handle - 1 : pointed.position;
        if (handle != 0) find_place(map, index, pointed);
    }
    if (pointed.slot && sample.request.partition.known()) {
        pointed.part = sample.request.partition.part_of(*pointed.slot);
    }
    return pointed;
}

namespace {

void draw_path(Ui& ui, const MapScene& map, const Pointed& pointed) {
    if (pointed.part) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const compaction::Partition& parts = map.sample.request.partition;
        const float thickness = std::max(1.0F, ui.px(1.5F));
        const std::uint64_t begin = parts.begin(*pointed.part);
        const std::uint64_t end = parts.end(*pointed.part);
        outline_range(list, map, map.slots, map.window().first_slot, begin, end, thickness,
                      ui.palette().accent);
        const auto offset = rank_at(map.sample, begin);
        const auto behind = rank_at(map.sample, end);
        if (map.ordered() && offset && behind) {
            outline_range(list, map, map.places, map.sample.first_place, *offset, *behind, thickness,
                          ui.palette().accent);
        }
    }
    draw_link(ui, map, pointed);
}

}  // namespace

void draw_followed(Ui& ui, const MapScene& map, std::uint64_t slot) {
    const std::optional<FollowedItem> item = follow_item(map.sample, slot);
    if (!item) return;
    Pointed path;
    path.slot = slot;
    path.part = item->part;
    path.place = item->place;
    draw_path(ui, map, path);
}

void draw_pointed(Ui& ui, const MapScene& map, const Pointed& pointed) {
    draw_path(ui, map, pointed);
    if (ui.shows_cards()) draw_card(ui, map, pointed);
}

}  // namespace warpsieve::panels
