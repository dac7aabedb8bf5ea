#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/widgets.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/presets.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve::panels {
namespace {

void draw_preset(Ui& ui) {
    ControlsMemory& memory = ui.memory.controls_panel;
    if (memory.preset_of != ui.settings.run) {
        memory.preset_of = ui.settings.run;
        memory.preset = preset_in_force(ui.settings, *ui.defaults);
    }
    std::vector<MenuEntry> entries;
    for (const Preset& preset : presets())
        entries.push_back({std::string(preset.name), format::with_powers(preset.meaning), {}});
    const std::size_t selected =
        memory.preset ? static_cast<std::size_t>(memory.preset - presets().data()) : entries.size();
    const Row row{.label = "preset",
                  .tooltip =
                      "A stream that is often asked for: sets source, pattern, slots, live fraction "
                      "and seed at once. Algorithm and launch configuration stay.",
                  .key = {},
                  .off_because = {}};
    begin_row(ui, row);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const MenuState state =
        bare_menu(ui, row.label, memory.preset ? entries[selected].label : "none", entries, selected);
    if (state.clicked) take_preset(ui.settings, presets()[*state.clicked], *ui.defaults);
    if (state.open) return ImGui::PopID();
    end_row(ui, row);
}

void draw_source(Ui& ui) {
    const std::span<const scene::SourceInfo* const> sources = scene::sources();
    const scene::SourceInfo* const chosen = &scene::source_in_force(ui.settings.run.source);
    std::vector<MenuEntry> entries;
    for (const scene::SourceInfo* source : sources) {
        entries.push_back({std::string(source->name), std::string(source->meaning), {}});
    }
    const auto selected = static_cast<std::size_t>(std::ranges::find(sources, chosen) - sources.begin());
    const auto clicked =
        menu(ui, {.label = "source", .tooltip = chosen->meaning, .key = "G", .off_because = {}}, entries,
             selected);
    if (clicked) ui.settings.run.source = sources[*clicked]->id;
}

void draw_pattern(Ui& ui) {
    const std::span<const workloads::PatternInfo> patterns = workloads::patterns();
    std::vector<MenuEntry> entries;
    for (const workloads::PatternInfo& info : patterns) {
        entries.push_back({std::string(info.name), std::string(info.meaning), {}});
    }
    const auto clicked = menu(ui,
                              {.label = "pattern",
                               .tooltip = workloads::info_of(ui.settings.run.pattern).meaning,
                               .key = "Shift+G",
                               .off_because = {}},
                              entries, static_cast<std::size_t>(ui.settings.run.pattern));
    if (clicked) ui.settings.run.pattern = patterns[*clicked].pattern;
}

/// Why the live fraction has no effect; empty where it has one.
std::string live_fraction_off_because(const Settings& settings) {
    if (uses_live_fraction(settings)) return {};
    return "The pattern '" + std::string(workloads::info_of(settings.run.pattern).name) +
           "' fixes which slots are kept. Choose 'random' or 'runs' to set the live fraction.";
}

void draw_slots(Ui& ui) {
    Settings& settings = ui.settings;
    const std::uint64_t slots = slots_in_force(ui.view.stream, settings);
    constexpr int lowest = std::countr_zero(min_slots);
    const int highest = std::countr_zero(max_slots(settings.run.engine));
    const std::string tooltip = with_range(
        "The length of the stream: all slots of the particle buffer, empty "
        "ones included. Long streams show bandwidth, short ones launch "
        "overhead; Ctrl+click types any length, such as 2^20 or 1000003.",
        "slots", ui.settings);
    const SliderAnswer answer =
        slider(ui, {.row = {.label = "slots", .tooltip = tooltip, .key = "[ and ]", .off_because = {}},
                    .step = static_cast<int>(std::bit_width(slots)) - 1 - lowest,
                    .last_step = highest - lowest,
                    .before = {},
                    .figure = format::slot_count(slots),
                    .unit = {}});
    if (answer.step) choose_slots(settings, std::uint64_t{1} << (lowest + *answer.step));
    if (answer.typed) {
        if (const auto typed = typed_count(ui, "slots", *answer.typed, allowed_of("slots", settings)))
            choose_slots(settings, *typed);
    }
}

void draw_live_fraction(Ui& ui) {
    float& density = ui.settings.run.density;
    const SliderAnswer answer = slider(
        ui, {.row = {.label = "live fraction",
                     .tooltip = "The share of slots that hold a live particle. A higher fraction means "
                                "more items to write; algorithms differ most at low fractions.",
                     .key = "- and =",
                     .off_because = live_fraction_off_because(ui.settings)},
             .step = static_cast<int>(std::lround(density * 100)),
             .last_step = 100,
             .before = {},
             .figure = format::percent(static_cast<double>(density)).number,
             .unit = "%"});
    if (answer.step) density = static_cast<float>(*answer.step) / 100;
    if (answer.typed) {
        if (const auto typed = typed_number(ui, "live fraction", *answer.typed,
                                            allowed_of("density", ui.settings), "%", 100))
            density = *typed;
    }
}

void draw_kept_note(Ui& ui) {
    ControlsMemory& memory = ui.memory.controls_panel;
    if (std::exchange(memory.shown_kept_serial, ui.view.display.figures_serial) !=
        ui.view.display.figures_serial)
        memory.shown_kept = ui.view.runs.a.num_kept;
    const format::Figure size = format::bytes(ui.view.stream.memory_bytes);
    note(ui, format::grouped(memory.shown_kept) + " kept, " + size.number + " " + size.unit, true);
}

void draw_seed(Ui& ui) {
    number_field(
        ui,
        {.label = "seed",
         .tooltip = "Determines which slots hold a particle at each moment. The same seed gives the same "
                    "buffer on every engine, so results can be compared.",
         .key = {},
         .off_because = {}},
        allowed_of("seed", ui.settings), ui.settings.run.seed);
}

void draw_speed(Ui& ui) {
    float& speed = ui.settings.run.speed;
    constexpr int steps_per_unit = 10;
    const AllowedValues allowed = allowed_of("speed", ui.settings);
    const std::string tooltip = with_range(
        "Scene seconds per real second. It changes how fast particles are "
        "born and die, not the work of a compaction.",
        "speed", ui.settings);
    const SliderAnswer answer =
        slider(ui, {.row = {.label = "speed", .tooltip = tooltip, .key = {}, .off_because = {}},
                    .step = static_cast<int>(std::lround(speed * static_cast<float>(steps_per_unit))),
                    .last_step = static_cast<int>(allowed.max) * steps_per_unit,
                    .before = {},
                    .figure = format::significant(static_cast<double>(speed)),
                    .unit = "×"});
    if (answer.step) speed = static_cast<float>(*answer.step) / static_cast<float>(steps_per_unit);
    if (answer.typed) {
        if (const auto typed = typed_number(ui, "speed", *answer.typed, allowed, "×")) speed = *typed;
    }
}

void draw_playback(Ui& ui) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "playback", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(ui, row);
    const char* const pause = ui.settings.run.paused ? "resume" : "pause";
    // Sized for the longer label, so that the other buttons do not move.
    const auto widths = shared_widths(ui, {"resume", "step", "reset"});
    if (button(ui, pause, widths[0],
               "Pauses the scene. Every frame still compacts the same buffer, so that only the machine "
               "varies the timings.",
               "Space")) {
        ui.settings.run.paused = !ui.settings.run.paused;
    }
    ImGui::SameLine(0, gap);
    if (button(ui, "step", widths[1],
               "Advances the scene by one frame and pauses it. Use it to inspect one buffer after another.",
               ".")) {
        ui.settings.run.paused = true;
        ui.requests.single_step = true;
    }
    ImGui::SameLine(0, gap);
    if (button(ui, "reset", widths[2],
               "Restarts the scene at time 0. With the same seed it repeats the same buffers.", "R")) {
        ui.requests.reset_scene = true;
    }
    end_row(ui, row);
}

}  // namespace

void draw_stream_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::stream, "Stream")) return;
    draw_preset(ui);
    draw_source(ui);
    if (scene::source_in_force(ui.settings.run.source).has_patterns) draw_pattern(ui);
    draw_slots(ui);
    draw_live_fraction(ui);
    draw_kept_note(ui);
    draw_seed(ui);
    draw_speed(ui);
    draw_playback(ui);
}

}  // namespace warpsieve::panels
