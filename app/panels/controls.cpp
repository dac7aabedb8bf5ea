#include "app/panels/controls.hpp"

#include <imgui.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/path_field.hpp"
#include "app/panels/setting_control.hpp"
#include "app/plots/style.hpp"
#include "app/settings/history.hpp"
#include "app/settings/presets.hpp"

namespace warpsieve::panels {
namespace {

void draw_edited_side(Ui& ui) {
    const std::array choices{Segment{.label = "A"}, Segment{.label = "B"}};
    const auto clicked =
        segments(ui,
                 {.label = "controls set",
                  .tooltip = "Selects the side that the controls below set: A, left of the divider, or B, "
                             "right of it. Stream, engine and iterations are the same for both.",
                  .key = "B"},
                 choices, index_of(ui.edited()));
    if (clicked) ui.lens_side = both_sides[*clicked];
}

void draw_swap_and_copy(Ui& ui) {
    const std::array buttons{
        RowButton{
            "swap",
            "Swaps A and B. A difference that stays on the same side of the picture is not caused by the "
            "algorithm.",
            "X"},
        RowButton{
            "A to B",
            "Copies A's algorithm and launch configuration to B. Then change one option: the ratio shows "
            "its effect alone.",
            ">"},
        RowButton{"B to A",
                  "Copies B's algorithm and launch configuration to A. The faster one then becomes the "
                  "baseline of the next comparison.",
                  "<"}};
    const auto pressed = button_row(ui, "A and B", buttons);
    if (pressed == 0) swap_sides(ui.snapshot.catalogue, ui.settings);
    if (pressed == 1) copy_side(ui.snapshot.catalogue, ui.settings, Side::a);
    if (pressed == 2) copy_side(ui.snapshot.catalogue, ui.settings, Side::b);
}

void draw_lens_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::lens, "A against B")) return;
    draw_edited_side(ui);
    draw_swap_and_copy(ui);
}

void draw_preset(Ui& ui) {
    ControlsMemory& memory = ui.memory.controls_panel;
    if (memory.preset_of != ui.settings.run) {
        memory.preset_of = ui.settings.run;
        memory.preset = current_preset(ui.settings, *ui.defaults);
    }
    std::vector<MenuEntry> entries;
    for (const Preset& preset : presets())
        entries.push_back({std::string(preset.name), format::with_powers(preset.meaning), {}});
    const std::size_t selected =
        memory.preset ? static_cast<std::size_t>(memory.preset - presets().data()) : entries.size();
    const Row row{.label = "preset",
                  .tooltip =
                      "A common stream: sets source, pattern, slots, live fraction "
                      "and seed at once. Algorithm and launch configuration stay."};
    begin_row(ui, row);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const MenuState state =
        bare_menu(ui, row.label, memory.preset ? entries[selected].label : "none", entries, selected);
    if (state.clicked) apply_preset(ui.settings, presets()[*state.clicked], *ui.defaults);
    // An open menu has no tooltip, which end_row() would add.
    if (state.open) return ImGui::PopID();
    end_row(ui, row);
}

void draw_kept_note(Ui& ui) {
    const format::Figure size = format::bytes(ui.snapshot.stream.memory_bytes);
    // These views show an earlier frame, which kept another number of items.
    const bool shows_earlier_frame = ui.settings.shows_slow_motion() || ui.settings.window.tab == "slot_map";
    const std::string kept = shows_earlier_frame ? " kept now" : " kept";
    const std::string memory = ", slots " + size.number + " " + size.unit;
    // The note stays on one line, or the controls below would move whenever the count gains a digit.
    const std::string longest = format::grouped(ui.snapshot.stream.slots) + kept + memory;
    const bool fits = plots::text_width(ui.fonts().small, longest) <= width_under_control(ui);
    note_under_control(ui, format::grouped(ui.snapshot.figures->a.num_kept) + kept + (fits ? memory : ""));
}

void draw_playback(Ui& ui) {
    bool& paused = ui.settings.run.paused;
    const std::array buttons{
        RowButton{.label = paused ? "resume" : "pause",
                  .tooltip = "Pauses the scene. Every frame still compacts the same buffer, so that only the "
                             "machine varies the timings.",
                  .key = "Space",
                  .widest_label = "resume"},
        RowButton{
            "step",
            "Advances the scene by one frame and pauses it. Use it to inspect one buffer after another.",
            "."},
        RowButton{"reset", "Restarts the scene at time 0. With the same seed it repeats the same buffers.",
                  "R"}};
    const auto pressed = button_row(ui, "playback", buttons);
    if (pressed == 0) paused = !paused;
    if (pressed == 1) {
        paused = true;
        ui.requests.single_step = true;
    }
    if (pressed == 2) ui.requests.reset_scene = true;
}

void draw_picture(Ui& ui) {
    const SettingDescriptor& setting = field("picture");
    if (!setting.applies_to(ui.settings)) return;
    const Row row{.label = setting.control.label};
    begin_row(ui, row);
    ControlsMemory& memory = ui.memory.controls_panel;
    RunConfig& run = ui.settings.run;
    if (!memory.typing_picture) memory.picture = run.picture;
    ImGui::SetNextItemWidth(-FLT_MIN);
    path_field(ui, "picture", "a word, or the path of a PNG file", memory.picture);
    memory.typing_picture = ImGui::IsItemActive();
    // Applied when the field loses focus, so that no half-typed path is opened.
    if (ImGui::IsItemDeactivatedAfterEdit() && memory.picture != run.picture) {
        std::filesystem::path stored = run.picture;
        store_path(ui, memory.picture, stored);
        run.picture = stored.string();
        run.picture_sha256.clear();
    }
    ui.tooltips.offer_item(ui.style, setting.control.tooltip);
    end_row(ui, row);
}

void draw_stream_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::stream, "Stream")) return;
    draw_preset(ui);
    setting_control(ui, "source");
    setting_control(ui, "pattern");
    draw_picture(ui);
    setting_control(ui, "slots", static_cast<double>(current_slots(ui.snapshot.stream, ui.settings)));
    setting_control(ui, "density");
    draw_kept_note(ui);
    setting_control(ui, "seed");
    setting_control(ui, "speed");
    draw_playback(ui);
}

void draw_launch_controls(Ui& ui) {
    const compaction::Algorithm* algorithm =
        chosen_algorithm(ui.snapshot.catalogue, ui.settings, ui.edited());
    if (!algorithm) return;
    if (!control_group(ui, GroupIcon::launch, "Launch configuration",
                       of_edited_side(ui, "Launch configuration")))
        return;
    // Options without effect stay, disabled, so that no row moves when the algorithm changes.
    for (const compaction::Option option : compaction::all_options) {
        const bool has_effect = algorithm->range_of(option) != nullptr;
        option_control(
            ui, *algorithm, option,
            has_effect ? options_of(ui.snapshot.runs, ui.edited())[option] : compaction::automatic);
    }
}

void draw_reset_statistics(Ui& ui) {
    const Row row{.label = "statistics"};
    begin_row(ui, row);
    if (button(ui, "reset statistics", ImGui::GetContentRegionAvail().x,
               "Discards the timings of the last frames. Medians then cover only the frames from now on.",
               {})) {
        ui.requests.clear_timings = true;
    }
    end_row(ui, row);
}

void draw_measurement_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::clock, "Measurement")) return;
    setting_control(ui, "iterations");
    setting_control(ui, "check");
    setting_control(ui, "check_every");
    draw_reset_statistics(ui);
}

void draw_capture(Ui& ui) {
    const std::array buttons{
        RowButton{
            "window",
            "Writes the window as a PNG, with a JSON file of the device, algorithm, options and medians "
            "beside it. The JSON file shows how the picture was made.",
            "F12"},
        RowButton{
            "plot",
            "Writes the plot that the mouse was over last as a PNG at twice the scale. Device, settings "
            "and figures stand below it, and the JSON file beside it has the command that repeats the "
            "run.",
            "Shift+F12"}};
    const auto pressed = button_row(ui, "capture", buttons);
    if (pressed == 0) ui.requests.capture = true;
    if (pressed == 1) ui.requests.capture_plot = true;
}

void draw_film(Ui& ui) {
    const std::array buttons{
        RowButton{"loop",
                  "Films the view for six seconds as an animated WebP that ends where it begins. Device, "
                  "command and, in the A/B lens, the ratio stand below it; tooltips stay away meanwhile.",
                  "F9"},
        RowButton{.label = ui.snapshot.display.recording ? "end" : "record",
                  .tooltip =
                      "Writes up to 600 frames, 30 per second, as numbered PNGs into a new folder, and "
                      "a GIF where ffmpeg is installed. Writing occupies a processor core, so do not "
                      "trust figures of the CPU engine meanwhile.",
                  .key = "Ctrl+F12",
                  .widest_label = "record"}};
    const auto pressed = button_row(ui, "film", buttons);
    if (pressed == 0) ui.requests.film_loop = true;
    if (pressed == 1) ui.requests.toggle_recording = true;
}

void draw_capture_folder(Ui& ui) {
    const Row row{.label = "folder"};
    begin_row(ui, row);
    ControlsMemory& memory = ui.memory.controls_panel;
    if (!memory.typing_folder) memory.folder = ui.settings.window.capture_folder.string();
    ImGui::SetNextItemWidth(-FLT_MIN);
    path_field(ui, "folder", "captures", memory.folder);
    memory.typing_folder = ImGui::IsItemActive();
    // Applied when the field loses focus, so that no half-typed folder is used.
    if (ImGui::IsItemDeactivatedAfterEdit()) store_path(ui, memory.folder, ui.settings.window.capture_folder);
    ui.tooltips.offer_item(ui.style,
                           "The folder for pictures; it is created if it does not exist. A picture never "
                           "overwrites another one. Drop one on the window to load its settings.");
    end_row(ui, row);
}

void draw_open_capture(Ui& ui) {
    const std::array buttons{RowButton{
        "open a capture",
        "Shows the recent captures and those in the folder, and loads the settings of one. A picture or "
        "its JSON file can be dropped on the window as well.",
        "Ctrl+O"}};
    if (button_row(ui, "open", buttons)) open_picker(ui);
}

void draw_scale(Ui& ui) {
    const std::array labels{"100", "125", "150", "175", "200"};
    std::vector<Segment> choices;
    std::size_t selected = scales.size();  // none
    for (std::size_t i = 0; i < scales.size(); ++i) {
        choices.push_back({.label = labels[i]});
        const bool is_current = std::abs(ui.style.scale - scales[i]) < 0.01F;
        if (is_current) selected = i;
    }
    const auto clicked = segments(ui, row_of(ui, "scale"), choices, selected);
    if (clicked) ui.settings.window.scale = scales[*clicked];
}

void reset_all(Ui& ui) {
    if (same_undoable(ui.settings, *ui.defaults))
        ui.requests.notice = "All settings are at their defaults.";
    else
        copy_undoable(ui.settings, *ui.defaults);
}

void draw_undo_and_reset(Ui& ui) {
    const auto reason_unless = [&](bool possible, const std::string& what) -> std::string {
        if (ui.memory.tour.tour.runs()) return "Undo and redo wait for the end of the tour.";
        return possible ? std::string() : "There is nothing to " + what + ".";
    };
    const std::array buttons{
        RowButton{
            "undo",
            "Undoes the last change of the run, the labs, the theme or the scale. A drag is one change.",
            "Ctrl+Z", reason_unless(ui.history->can_undo(), "undo")},
        RowButton{"redo", "Repeats the change that was undone last.", "Ctrl+Shift+Z",
                  reason_unless(ui.history->can_redo(), "redo")},
        RowButton{"reset all",
                  "Sets the run, the labs, the theme and the scale to their defaults; the engine stays. A "
                  "double-click on one control resets that control alone."}};
    const auto pressed = button_row(ui, "settings", buttons);
    if (pressed == 0) ui.history->undo(ui.settings);
    if (pressed == 1) ui.history->redo(ui.settings);
    if (pressed == 2) reset_all(ui);
}

void draw_display_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::display, "Capture and display")) return;
    draw_capture(ui);
    draw_film(ui);
    draw_capture_folder(ui);
    draw_open_capture(ui);
    setting_control(ui, "theme");
    setting_control(ui, "plot_theme");
    draw_scale(ui);
    draw_undo_and_reset(ui);
}

}  // namespace

void draw_controls(Ui& ui) {
    if (ui.panes.controls.width <= 0) return;
    begin_pane("controls", ui.panes.controls);
    // A choice in one group can change what another offers, so every group reads the settings itself.
    if (ui.settings.compares()) draw_lens_controls(ui);
    draw_stream_controls(ui);
    draw_algorithm_controls(ui);
    draw_launch_controls(ui);
    draw_measurement_controls(ui);
    draw_display_controls(ui);
    ImGui::End();
}

}  // namespace warpsieve::panels
