#include "app/panels/follow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/follow_model.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/toolbar.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float strip_height = 28;
constexpr float ring_radius = 9;

/// Whether the shown view is drawn over the particles.
bool is_view_over_particles(const Ui& ui) {
    return ui.settings.window.tab == "particles" || ui.settings.compares();
}

/// Whether the mouse rests in a view where items move. The hovered item then stays, although others pass the
/// mouse.
bool rests_on_moving_items(const Ui& ui) {
    const ImVec2 mouse_delta = ImGui::GetIO().MouseDelta;
    const WindowPreferences& window = ui.settings.window;
    const bool items_move = window.tab == "particles" || ui.settings.races() ||
                            (ui.settings.compares() && window.lens_mode == LensMode::particles);
    return items_move && mouse_delta.x == 0 && mouse_delta.y == 0;
}

/// Whether the view plays an earlier compaction, of which it has its own card. The facts of the running frame
/// would contradict it.
bool plays_replay(const Ui& ui) {
    return ui.settings.shows_slow_motion() && ui.memory.slow_motion.replay;
}

bool is_known_empty(const scene::SlotSample* sample, std::uint64_t slot) {
    if (!sample || slot >= sample->slots) return false;
    const auto item = follow_item(*sample, slot);
    return item && item->live == false;
}

bool is_mouse_over_view(const Ui& ui) {
    return rect_of(ui.panes.view).contains(ImGui::GetIO().MousePos);
}

/// Draws the facts that fit, from left to right, and the key that unpins.
void draw_strip(Ui& ui, const std::vector<FollowedFact>& facts, const gl::Rectangle& strip) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane("follow", strip, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const auto [low, high] = rect_of(strip);
    list.AddRectFilled(low, high, palette.raised);
    const float baseline = low.y + std::round((high.y - low.y + fonts.text->Ascent) / 2) - ui.px(2);
    const std::string hint = "Esc unpins";
    const float hint_left = high.x - ui.px(12) - plots::text_width(fonts.small, hint);
    const char* const kernels = "in the kernels";
    const float button_left = hint_left - ui.px(12) - button_width(ui.style, kernels, "D");
    ImGui::SetCursorScreenPos(
        {button_left, low.y + std::round((high.y - low.y - ImGui::GetFrameHeight()) / 2)});
    if (key_button(ui, kernels,
                   "Shows every step of the lanes that load and store the item, as the scene is now.", "D"))
        follow_in_kernels(ui.settings, ui.snapshot.stream, *ui.follow.pinned);
    float x = low.x + ui.px(12);
    for (const FollowedFact& fact : facts) {
        const float width = plots::text_width(fonts.small, fact.name) + ui.px(6) +
                            plots::text_width(fonts.figures, fact.value);
        if (x + width > button_left - ui.px(12)) break;
        const float value_x =
            plots::draw_on_baseline(list, fonts.small, {x, baseline}, palette.label, fact.name) + ui.px(6);
        x = plots::draw_on_baseline(list, fonts.figures, {value_x, baseline}, palette.text, fact.value) +
            ui.px(18);
    }
    plots::draw_on_baseline(list, fonts.small, {hint_left, baseline}, palette.label, hint);
    ui.controls.record("followed item", low, high);
    ImGui::End();
    ImGui::PopStyleVar();
}

void draw_card(Ui& ui, const std::vector<FollowedFact>& facts) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(9)});
    ImGui::BeginTooltip();
    for (const FollowedFact& fact : facts) fact_line(ui, fact.name, fact.value);
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

}  // namespace

void fact_line(Ui& ui, const std::string& name, const std::string& value) {
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted(name.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(ui.px(112));
    ImGui::TextUnformatted(value.c_str());
}

int follow_strip_height(const FollowState& state, const Settings& settings, float scale) {
    const bool shows_strip = state.pinned && !settings.shows_slow_motion();
    return shows_strip ? static_cast<int>(std::lround(strip_height * scale)) : 0;
}

float room_for_follow_strip(const Ui& ui) {
    return std::max(0.0F, std::round(ui.px(strip_height)) - static_cast<float>(ui.follow.strip_height));
}

bool clicked_without_drag() {
    const ImGuiIO& io = ImGui::GetIO();
    return ImGui::IsItemDeactivated() && io.MouseClickedLastCount[ImGuiMouseButton_Left] == 1 &&
           io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < io.MouseDragThreshold * io.MouseDragThreshold;
}

void point_at_particles(Ui& ui) {
    FollowState& follow = ui.follow;
    if (!ImGui::IsItemHovered()) return;
    // While the button is held, the hovered item stays, so no pick is needed.
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        ui.requests.pick = WindowPoint{mouse.x, mouse.y};
    }
    if (follow.result.picked) follow.under_mouse = follow.result.picked;
    follow.output_index_under_mouse = follow.result.picked_output_index;
    if (clicked_without_drag() && follow.hovered) follow.pinned = follow.hovered;
}

void draw_follow_markers(Ui& ui, ImVec2 low, ImVec2 high) {
    if (!ui.follow.slot()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(low, high, true);
    constexpr std::array names{"particle", "slot", "output"};
    const auto& markers = ui.follow.result.markers;
    const bool shows_names =
        std::ranges::count_if(markers, [](const auto& each) { return each.has_value(); }) > 1;
    for (std::size_t i = 0; i < markers.size(); ++i) {
        if (!markers[i]) continue;
        const ImVec2 centre{markers[i]->x, markers[i]->y};
        if (shows_names) {
            const ImFont* const font = ui.fonts().small;
            const ImVec2 at{centre.x + ui.px(ring_radius + 4), std::round(centre.y - font->FontSize / 2)};
            list.AddRectFilled({at.x - ui.px(2), at.y - ui.px(1)},
                               {at.x + plots::text_width(font, names[i]) + ui.px(2), at.y + font->FontSize},
                               plots::with_alpha(ui.palette().background, 0xAA), ui.px(2));
            plots::draw_text(list, font, at, ui.palette().text, names[i]);
        }
        list.AddCircle(centre, ui.px(ring_radius), ui.palette().background, 24, ui.px(5));
        list.AddCircle(centre, ui.px(ring_radius), ui.palette().text, 24, std::max(2.0F, ui.px(2)));
        ui.controls.record("followed in scene",
                           {centre.x - ui.px(ring_radius), centre.y - ui.px(ring_radius)},
                           {centre.x + ui.px(ring_radius), centre.y + ui.px(ring_radius)});
    }
    list.PopClipRect();
}

void draw_item_frame(const Ui& ui, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect(low, high, ui.palette().background, 0, ImDrawFlags_None, ui.px(4));
    list.AddRect(low, high, ui.palette().text, 0, ImDrawFlags_None, std::max(1.5F, ui.px(2)));
}

namespace {

/// Decides which item is hovered, from what the views have found under the mouse.
void update_hovered(Ui& ui) {
    FollowState& follow = ui.follow;
    const SlotMapData& map = ui.snapshot.slot_map;
    if (follow.output_index_under_mouse) {
        follow.needs_whole_stream = true;
        if (map.sample)
            follow.under_mouse = slot_at_output_index(*map.sample, *follow.output_index_under_mouse);
        // The next sample may be of one slot; the item stays while the mouse is at the same output index.
        if (!follow.under_mouse && follow.output_index_under_mouse == follow.hovered_output_index)
            follow.under_mouse = follow.hovered;
    }
    // An item that has died no longer stays.
    if (follow.under_mouse && follow.hovered && rests_on_moving_items(ui) &&
        !is_known_empty(map.sample.get(), *follow.hovered))
        follow.under_mouse = follow.hovered;
    // While a button is held, the hovered item stays, because a click pins the item when it is released.
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        follow.hovered = follow.under_mouse;
        follow.hovered_output_index = follow.output_index_under_mouse;
    }
    follow.under_mouse.reset();
    follow.output_index_under_mouse.reset();
}

/// Requests a sample of the followed item or of the whole stream, unless a view has requested another one.
void request_sample(Ui& ui) {
    FollowState& follow = ui.follow;
    const std::uint64_t slots = ui.snapshot.stream.slots;
    const std::optional<std::uint64_t> slot = follow.slot();
    const bool needs_whole_stream = follow.needs_whole_stream && !follow.pinned;
    follow.needs_whole_stream = false;
    const bool view_requests_sample = ui.requests.slot_map.has_value();
    if (view_requests_sample || slots == 0 || (!slot && !needs_whole_stream)) return;
    follow.request = needs_whole_stream ? request_for_stream(slots) : request_for_slot(*slot);
    if (needs_whole_stream && slot)
        follow.request.wanted_handle = scene::handle_of(static_cast<std::uint32_t>(*slot));
    ui.requests.slot_map.emplace().sample = &follow.request;
    // The inside of a compaction and the replay request their own traces.
    ui.requests.slot_map->with_trace = !ui.settings.shows_inside() && !ui.requests.memory;
}

}  // namespace

void draw_follow(Ui& ui, const gl::Rectangle& strip) {
    FollowState& follow = ui.follow;
    const SlotMapData& map = ui.snapshot.slot_map;
    update_hovered(ui);
    const std::uint64_t slots = ui.snapshot.stream.slots;
    if (follow.pinned && *follow.pinned >= slots) follow.pinned.reset();
    // A double-click fits the view, so this undoes the pin of its first click.
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && is_mouse_over_view(ui)) follow.pinned.reset();
    request_sample(ui);
    const std::optional<std::uint64_t> slot = follow.slot();
    if (!slot || *slot >= slots) return;
    ui.requests.locate = slot;
    const auto item =
        map.sample && map.sample->slots == slots ? follow_item(*map.sample, *slot) : std::nullopt;
    if (item && item->output_index) ui.requests.locate_output_index = item->output_index;
    const std::vector<FollowedFact> facts =
        facts_of(item.value_or(FollowedItem{.slot = *slot}),
                 map.traced ? map.traced.get() : ui.snapshot.runs.a.traced.get());
    if (follow.pinned) {
        if (strip.height > 0) draw_strip(ui, facts, strip);
    } else if (is_view_over_particles(ui) && ui.shows_cards() && !plays_replay(ui) &&
               !ui.snapshot.display.for_picture) {
        draw_card(ui, facts);
    }
}

}  // namespace warpsieve::panels
