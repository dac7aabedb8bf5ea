#include "app/panels/tabs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "app/panels/memory.hpp"
#include "app/panels/views/particles_view.hpp"

namespace warpsieve::panels {
namespace {

void draw_particles_tab(Ui& ui) {
    draw_particles(ui, !ui.memory.tour.tour.runs());
}
void draw_lens_tab(Ui& ui) {
    if (ui.settings.shows_inside()) return draw_inside(ui);
    if (ui.settings.shows_difference()) return draw_difference(ui);
    draw_lens(ui);
}
void draw_timeline_tab(Ui& ui) {
    if (ui.settings.shows_inside()) return draw_inside(ui);
    draw_timeline(ui);
}

constexpr std::array all_tabs{
    Tab{particles_tab, "Particles", '1',
        "The kept particles, drawn directly from the compacted output. A missing or doubled particle is an "
        "error of the algorithm.",
        true, draw_particles_tab},
    Tab{"slot_map", "Slot map", '2',
        "The sparse buffer beside the compacted one, slot by slot, with the algorithm's parts marked. Point "
        "at a slot to see where its item goes.",
        false, draw_slot_map},
    Tab{lens_tab, "A/B lens", '3',
        "Two algorithms, or two configurations of one, compact the same stream in every frame: A's result is "
        "left of the divider, B's right of it. The box at the divider shows which is faster, with its "
        "confidence interval.",
        true, draw_lens_tab},
    Tab{timeline_tab, "Timeline", '4',
        "The phases of the last 6,000 frames: hold, scroll and inspect them frame by frame. Beside the plot "
        "is the distribution of totals, behind it a saved run, below it the processor clock.",
        false, draw_timeline_tab},
    Tab{labs_tab, "Labs", '5',
        "Measurements without drawing, with algorithms interleaved: which algorithm is fastest here, and its "
        "best launch configuration. Use these figures for publication; those of the running frames are "
        "interactive.",
        false, draw_labs},
    Tab{slow_motion_tab, "Slow motion", '6',
        "What the algorithm does, step by step, with 64 slots; then the way back to the full stream. Play, "
        "pause, step or drag through time.",
        false, draw_slow_motion},
    Tab{race_tab, "Race", '7',
        "Up to eight algorithms compact the stream of every frame, each in a lane of its own. A strip fills "
        "at "
        "the true relative speed of its algorithm; all are slowed down by the same factor.",
        false, draw_race},
};

/// Between the name of a tab and its key.
constexpr float key_gap = 6;

enum class TabText : std::uint8_t { name_and_key, name, key };

float tab_width(const Ui& ui, const Tab& tab, TabText shown) {
    const plots::Fonts& fonts = ui.fonts();
    const float key = plots::text_width(fonts.small, std::string_view(&tab.key, 1));
    const float name = plots::text_width(fonts.text, tab.name);
    const float text = shown == TabText::key    ? key
                       : shown == TabText::name ? name
                                                : name + ui.px(key_gap) + key;
    return 2 * ui.px(12) + text;
}

/// What fits into the strip, with something of that width beside it if possible.
TabText fitting_text(const Ui& ui, float beside) {
    const auto room = static_cast<float>(ui.zones.tabs.width);
    const auto width_of_all = [&](TabText shown) {
        float width = 0;
        for (const Tab& tab : all_tabs) width += tab_width(ui, tab, shown);
        return width;
    };
    if (width_of_all(TabText::name_and_key) + beside <= room) return TabText::name_and_key;
    if (width_of_all(TabText::name) + beside <= room) return TabText::name;
    return width_of_all(TabText::name_and_key) <= room ? TabText::name_and_key : TabText::key;
}

/// One tab of the strip, its left end at `x`; returns its right end.
float draw_tab(Ui& ui, const Tab& tab, float x, bool shown, TabText text) {
    const Rectangle& zone = ui.zones.tabs;
    const plots::Fonts& fonts = ui.fonts();
    const std::string key(1, tab.key);
    const float air = ui.px(12);
    const float width = tab_width(ui, tab, text);
    const ImVec2 low{x, static_cast<float>(zone.y)};
    const ImVec2 high{x + width, static_cast<float>(zone.y + zone.height)};
    ImGui::SetCursorScreenPos(low);
    ImGui::PushID(tab.name);
    if (invisible_button("##tab", {width, high.y - low.y})) ui.settings.window.tab = tab.id;
    ImGui::PopID();
    const bool hot = ImGui::IsItemHovered();
    const std::string name = "tab: " + std::string(tab.id);
    ui.controls.record_item(name);
    if (ui.focus->presses_item(ui, name)) ui.settings.window.tab = tab.id;
    ui.tooltips.offer(ui.style, low, high, tab.meaning, key, text == TabText::key ? tab.name : "");

    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (shown || hot) list.AddRectFilled(low, high, shown ? palette.ground : palette.raised);
    // The mark is at the top, so that tab and view form one surface.
    if (shown) list.AddRectFilled(low, {high.x, low.y + ui.px(2)}, palette.accent);
    const float baseline = low.y + std::round((high.y - low.y + fonts.text->Ascent) / 2) - ui.px(2);
    float key_x = low.x + air;
    if (text != TabText::key) {
        key_x = plots::draw_on_baseline(list, fonts.text, {key_x, baseline},
                                        shown ? palette.text : palette.label, tab.name) +
                ui.px(key_gap);
    }
    if (text != TabText::name)
        plots::draw_on_baseline(list, fonts.small, {key_x, baseline},
                                text == TabText::key ? palette.label : palette.muted, key);
    return high.x;
}

}  // namespace

std::span<const Tab> tabs() {
    return all_tabs;
}

const Tab& tab_in_force(const Settings& settings) {
    const auto found = std::ranges::find(all_tabs, settings.window.tab, &Tab::id);
    return found == all_tabs.end() ? all_tabs.front() : *found;
}

float draw_tabs(Ui& ui, float beside) {
    const Rectangle& zone = ui.zones.tabs;
    auto x = static_cast<float>(zone.x);
    if (zone.width <= 0 || zone.height <= 0) return x;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_zone("tabs", zone, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const Tab& shown = tab_in_force(ui.settings);
    // If the names do not all fit, only the current tab shows its own.
    const TabText text = fitting_text(ui, beside);
    for (const Tab& tab : all_tabs) {
        const bool alone = text == TabText::key && &tab == &shown;
        x = draw_tab(ui, tab, x, &tab == &shown, alone ? TabText::name_and_key : text);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return x;
}

}  // namespace warpsieve::panels
