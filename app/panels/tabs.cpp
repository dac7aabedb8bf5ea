#include "app/panels/tabs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "app/panels/views/particles_view.hpp"

namespace warpsieve::panels {
namespace {

void draw_particles_tab(WindowFrame& window) {
    draw_particles(window, !window.memory.tour.tour.runs());
}
void draw_slot_map_tab(WindowFrame& window) {
    SlotMapFrame frame = window.for_slot_map();
    draw_slot_map(frame);
}
void draw_lens_tab(WindowFrame& window) {
    if (window.settings.shows_inside()) {
        InsideFrame inside = window.for_inside();
        return draw_inside(inside);
    }
    if (window.settings.shows_difference()) {
        DifferenceFrame difference = window.for_difference();
        return draw_difference(difference);
    }
    LensFrame frame = window.for_lens();
    draw_lens(frame);
}
void draw_timeline_tab(WindowFrame& window) {
    if (window.settings.shows_inside()) {
        InsideFrame inside = window.for_inside();
        return draw_inside(inside);
    }
    TimelineFrame frame = window.for_timeline();
    draw_timeline(frame);
}
void draw_labs_tab(WindowFrame& window) {
    LabsFrame frame = window.for_labs();
    draw_labs(frame);
}

void draw_slow_motion_tab(WindowFrame& window) {
    SlowMotionFrame frame = window.for_slow_motion();
    draw_slow_motion(frame);
}

void draw_race_tab(WindowFrame& window) {
    RaceFrame frame = window.for_race();
    draw_race(frame);
}

constexpr std::array all_tabs{
    Tab{particles_tab, "Particles", '1',
        "The kept particles, drawn directly from the compacted output. A missing or doubled particle is an "
        "error of the algorithm.",
        true, draw_particles_tab},
    Tab{"slot_map", "Slot map", '2',
        "The sparse buffer beside the compacted one, slot by slot, with the algorithm's parts marked. Point "
        "at a slot to see where its item goes.",
        false, draw_slot_map_tab},
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
        false, draw_labs_tab},
    Tab{slow_motion_tab, "Slow motion", '6',
        "What the algorithm does, step by step, with 64 slots; then the way back to the full stream. Play, "
        "pause, step or drag through time.",
        false, draw_slow_motion_tab},
    Tab{race_tab, "Race", '7',
        "Up to eight algorithms compact the stream of every frame, each in a lane of its own. A strip fills "
        "at "
        "the true relative speed of its algorithm; all are slowed down by the same factor.",
        false, draw_race_tab},
};

/// Between the name of a tab and its key.
constexpr float key_gap = 6;

/// A tab without its name shows only its key.
float tab_width(const PanelFrame& frame, const Tab& tab, bool named) {
    const plots::Fonts& fonts = frame.fonts();
    const float key = plots::text_width(fonts.small, std::string_view(&tab.key, 1));
    const float name = named ? plots::text_width(fonts.text, tab.name) + frame.px(key_gap) : 0;
    return 2 * frame.px(12) + name + key;
}

/// One tab of the strip, its left end at `x`; returns its right end.
float draw_tab(PanelFrame& frame, const Tab& tab, float x, bool shown, bool named) {
    const Rectangle& zone = frame.zones.tabs;
    const plots::Fonts& fonts = frame.fonts();
    const std::string key(1, tab.key);
    const float air = frame.px(12);
    const float width = tab_width(frame, tab, named);
    const ImVec2 low{x, static_cast<float>(zone.y)};
    const ImVec2 high{x + width, static_cast<float>(zone.y + zone.height)};
    ImGui::SetCursorScreenPos(low);
    ImGui::PushID(tab.name);
    if (invisible_button("##tab", {width, high.y - low.y})) frame.settings.window.tab = tab.id;
    ImGui::PopID();
    const bool hot = ImGui::IsItemHovered();
    const std::string name = "tab: " + std::string(tab.id);
    frame.controls.record_item(name);
    if (frame.focus->presses_item(frame, name)) frame.settings.window.tab = tab.id;
    frame.tooltips.offer(frame.style, low, high, tab.meaning, key, named ? "" : tab.name);

    const plots::Palette& palette = frame.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (shown || hot) list.AddRectFilled(low, high, shown ? palette.ground : palette.raised);
    // The mark is at the top, so that tab and view form one surface.
    if (shown) list.AddRectFilled(low, {high.x, low.y + frame.px(2)}, palette.accent);
    const float baseline = low.y + std::round((high.y - low.y + fonts.text->Ascent) / 2) - frame.px(2);
    float key_x = low.x + air;
    if (named) {
        key_x = plots::draw_on_baseline(list, fonts.text, {key_x, baseline},
                                        shown ? palette.text : palette.label, tab.name) +
                frame.px(key_gap);
    }
    plots::draw_on_baseline(list, fonts.small, {key_x, baseline}, named ? palette.muted : palette.label, key);
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

float draw_tabs(PanelFrame& frame) {
    const Rectangle& zone = frame.zones.tabs;
    auto x = static_cast<float>(zone.x);
    if (zone.width <= 0 || zone.height <= 0) return x;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_zone("tabs", zone, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const Tab& shown = tab_in_force(frame.settings);
    // If they do not all fit, only the current tab shows its name.
    float whole = 0;
    for (const Tab& tab : all_tabs) whole += tab_width(frame, tab, true);
    const bool all_named = whole <= static_cast<float>(zone.width);
    for (const Tab& tab : all_tabs) x = draw_tab(frame, tab, x, &tab == &shown, all_named || &tab == &shown);
    ImGui::End();
    ImGui::PopStyleVar();
    return x;
}

}  // namespace warpsieve::panels
