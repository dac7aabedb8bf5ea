#include "app/panels/follow.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/follow_model.hpp"
#include "app/panels/window_frame.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float strip_height = 28;
constexpr float ring_radius = 9;

bool over_scene(const PanelFrame& frame) {
    return frame.settings.window.tab == "particles" || frame.settings.compares();
}

bool over_view(const PanelFrame& frame) {
    const Rectangle& view = frame.zones.view;
    const ImVec2 low{static_cast<float>(view.x), static_cast<float>(view.y)};
    const Box box{low, {low.x + static_cast<float>(view.width), low.y + static_cast<float>(view.height)}};
    return box.holds(ImGui::GetIO().MousePos);
}

/// The facts that fit, from left to right, and how to let go.
void draw_strip(WindowFrame& frame, const std::vector<FollowedFact>& facts, const gl::Rectangle& strip) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_zone("follow", strip, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = frame.fonts();
    const plots::Palette& palette = frame.palette();
    const ImVec2 low{static_cast<float>(strip.x), static_cast<float>(strip.y)};
    const ImVec2 high{low.x + static_cast<float>(strip.width), low.y + static_cast<float>(strip.height)};
    list.AddRectFilled(low, high, palette.raised);
    const float baseline = low.y + std::round((high.y - low.y + fonts.text->Ascent) / 2) - frame.px(2);
    const std::string hint = "Esc lets go";
    const float right = high.x - frame.px(12) - plots::text_width(fonts.small, hint);
    float x = low.x + frame.px(12);
    for (const FollowedFact& fact : facts) {
        const float width = plots::text_width(fonts.small, fact.name) + frame.px(6) +
                            plots::text_width(fonts.figures, fact.value);
        if (x + width > right - frame.px(12)) break;
        const float value =
            plots::draw_on_baseline(list, fonts.small, {x, baseline}, palette.label, fact.name) + frame.px(6);
        x = plots::draw_on_baseline(list, fonts.figures, {value, baseline}, palette.text, fact.value) +
            frame.px(18);
    }
    plots::draw_on_baseline(list, fonts.small, {right, baseline}, palette.label, hint);
    frame.controls.record("followed item", low, high);
    ImGui::End();
    ImGui::PopStyleVar();
}

void draw_card(WindowFrame& frame, const std::vector<FollowedFact>& facts) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(12), frame.px(9)});
    ImGui::BeginTooltip();
    for (const FollowedFact& fact : facts) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.palette().muted);
        ImGui::TextUnformatted(fact.name.c_str());
        ImGui::PopStyleColor();
        ImGui::SameLine(frame.px(112));
        ImGui::TextUnformatted(fact.value.c_str());
    }
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

}  // namespace

int follow_strip_height(const FollowMemory& memory, float scale) {
    return memory.pinned ? static_cast<int>(std::lround(strip_height * scale)) : 0;
}

bool clicked_in_place() {
    const ImGuiIO& io = ImGui::GetIO();
    return ImGui::IsItemDeactivated() && io.MouseClickedLastCount[ImGuiMouseButton_Left] == 1 &&
           io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < io.MouseDragThreshold * io.MouseDragThreshold;
}

void point_at_particles(PanelFrame& frame) {
    FollowMemory& follow = frame.follow;
    if (!ImGui::IsItemHovered()) return;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        frame.requests.pick = WindowPoint{mouse.x, mouse.y};
    }
    if (follow.answers.picked) follow.under_mouse = follow.answers.picked;
    follow.place_under_mouse = follow.answers.picked_place;
    if (clicked_in_place() && follow.hovered) follow.pinned = follow.hovered;
}

void draw_follow_marker(PanelFrame& frame, ImVec2 low, ImVec2 high) {
    if (!frame.follow.slot()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(low, high, true);
    for (const std::optional<WindowPoint>& marker : frame.follow.answers.markers) {
        if (!marker) continue;
        const ImVec2 centre{marker->x, marker->y};
        list.AddCircle(centre, frame.px(ring_radius), frame.palette().ground, 24, frame.px(5));
        list.AddCircle(centre, frame.px(ring_radius), frame.palette().text, 24, std::max(2.0F, frame.px(2)));
        frame.controls.record("followed in scene",
                              {centre.x - frame.px(ring_radius), centre.y - frame.px(ring_radius)},
                              {centre.x + frame.px(ring_radius), centre.y + frame.px(ring_radius)});
    }
    list.PopClipRect();
}

void draw_item_frame(const PanelFrame& frame, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect(low, high, frame.palette().ground, 0, ImDrawFlags_None, frame.px(4));
    list.AddRect(low, high, frame.palette().text, 0, ImDrawFlags_None, std::max(1.5F, frame.px(2)));
}

void draw_follow(WindowFrame& frame, const gl::Rectangle& strip) {
    FollowMemory& follow = frame.follow;
    const SlotMapView& map = frame.view.slot_map;
    if (follow.place_under_mouse) {
        follow.whole_stream = true;
        if (map.sample) follow.under_mouse = slot_at_place(*map.sample, *follow.place_under_mouse);
        // The next sample may be of one slot; the item stays while the mouse is at the same place.
        if (!follow.under_mouse && follow.place_under_mouse == follow.hovered_place)
            follow.under_mouse = follow.hovered;
    }
    // While a button is held, nothing is looked for: a click pins what was under the mouse before.
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        follow.hovered = follow.under_mouse;
        follow.hovered_place = follow.place_under_mouse;
    }
    follow.under_mouse.reset();
    follow.place_under_mouse.reset();
    const std::uint64_t slots = frame.view.stream.slots;
    if (follow.pinned && *follow.pinned >= slots) follow.pinned.reset();
    // The first click of a double click, which fits a view, has pinned something.
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && over_view(frame)) follow.pinned.reset();
    const std::optional<std::uint64_t> slot = follow.slot();
    const bool whole = follow.whole_stream && !follow.pinned;
    follow.whole_stream = false;
    if (!frame.requests.slot_map && map.partition.num_items > 0 && (slot || whole)) {
        follow.request = whole ? request_for_stream(map.partition) : request_for_slot(*slot, map.partition);
        if (whole && slot) {
            follow.request.wanted = static_cast<std::uint32_t>(*slot + 1);
            follow.request.marks = {*slot};
        }
        frame.requests.slot_map.emplace().sample = &follow.request;
    }
    if (!slot || *slot >= slots) return;
    frame.requests.locate = slot;
    const auto item =
        map.sample && map.sample->slots == slots ? follow_item(*map.sample, *slot) : std::nullopt;
    if (item && item->place) frame.requests.locate_place = item->place;
    const std::vector<FollowedFact> facts =
        facts_of(item.value_or(FollowedItem{.slot = *slot}), map.partition);
    if (follow.pinned) {
        draw_strip(frame, facts, strip);
    } else if (over_scene(frame) && frame.shows_cards() && !frame.view.display.for_picture) {
        draw_card(frame, facts);
    }
}

}  // namespace warpsieve::panels
