#include <imgui.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/path_field.hpp"
#include "app/panels/widgets.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve::panels {
namespace {

void draw_iterations(Ui& ui) {
    std::uint32_t& iterations = ui.settings.run.iterations;
    const std::string tooltip = with_range(
        "Compactions of the same buffer per frame. A GPU lowers its clock when it idles "
        "between short runs, so more iterations measure short streams at full speed.",
        "iterations", ui.settings);
    const SliderAnswer answer =
        slider(ui, {.row = {.label = "iterations", .tooltip = tooltip, .key = "I", .off_because = {}},
                    .step = static_cast<int>(iterations) - 1,
                    .last_step = static_cast<int>(max_iterations) - 1,
                    .before = {},
                    .figure = std::to_string(iterations),
                    .unit = "per frame"});
    if (answer.step) iterations = static_cast<std::uint32_t>(*answer.step) + 1;
    if (answer.typed) {
        if (const auto typed =
                typed_count(ui, "iterations", *answer.typed, allowed_of("iterations", ui.settings)))
            iterations = static_cast<std::uint32_t>(*typed);
    }
}

void draw_check(Ui& ui) {
    Settings& settings = ui.settings;
    const std::array choices{Segment{.label = "off", .off_because = {}, .in_force = false},
                             Segment{.label = "on", .off_because = {}, .in_force = false}};
    const auto clicked =
        segments(ui,
                 {.label = "check",
                  .tooltip = "Compares the output with a reference: count, order and content. The comparison "
                             "runs asynchronously and never stalls a frame; a failure stays on the screen.",
                  .key = "C",
                  .off_because = {}},
                 choices, settings.run.check ? 1 : 0);
    if (clicked) settings.run.check = *clicked == 1;

    constexpr int longest = 10;  // 2^10 frames
    const AllowedValues allowed = allowed_of("check_every", ui.settings);
    const std::string tooltip = with_range(
        "Frames from one comparison to the next. Comparing uses the same device, "
        "so comparing every frame slows the frames but never the timed phases.",
        "check_every", ui.settings);
    const SliderAnswer answer =
        slider(ui, {.row = {.label = "check every",
                            .tooltip = tooltip,
                            .key = {},
                            .off_because = settings.run.check ? "" : "The check is off."},
                    .step = std::min(static_cast<int>(std::bit_width(settings.run.check_every)) - 1, longest),
                    .last_step = longest,
                    .before = {},
                    .figure = format::grouped(settings.run.check_every),
                    .unit = settings.run.check_every == 1 ? "frame" : "frames"});
    if (answer.step) settings.run.check_every = 1U << *answer.step;
    if (answer.typed) {
        if (const auto typed = typed_count(ui, "check every", *answer.typed, allowed))
            settings.run.check_every = static_cast<std::uint32_t>(*typed);
    }
}

void draw_clear(Ui& ui) {
    const Row row{.label = "statistics", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(ui, row);
    if (button(ui, "reset statistics", ImGui::GetContentRegionAvail().x,
               "Discards the timings of the last frames. Medians then cover only the frames from now on.",
               {})) {
        ui.requests.clear_timings = true;
    }
    end_row(ui, row);
}

void draw_capture(Ui& ui) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "capture", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(ui, row);
    const char* const record = ui.view.display.recording ? "end" : "record";
    const auto widths = shared_widths(ui, {"window", "plot", "record"});
    if (button(ui, "window", widths[0],
               "Writes the window as a PNG, with a JSON file of the device, algorithm, options and medians "
               "beside it. The JSON file shows how the picture was made.",
               "F12")) {
        ui.requests.capture = true;
    }
    ImGui::SameLine(0, gap);
    if (button(
            ui, "plot", widths[1],
            "Writes the plot that the mouse was over last as a PNG at twice the scale. Device, settings and "
            "figures stand below it, and the JSON file beside it has the command that repeats the run.",
            "Shift+F12")) {
        ui.requests.capture_plot = true;
    }
    ImGui::SameLine(0, gap);
    if (button(ui, record, widths[2],
               "Writes up to 600 frames, 30 per second, as numbered PNGs into a new folder, and a GIF where "
               "ffmpeg is installed. Writing occupies "
               "a processor core, so do not trust figures of the CPU engine meanwhile.",
               "Ctrl+F12")) {
        ui.requests.toggle_recording = true;
    }
    end_row(ui, row);
}

void draw_folder(Ui& ui) {
    const Row row{.label = "folder", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(ui, row);
    ControlsMemory& memory = ui.memory.controls_panel;
    if (!memory.typing_folder) memory.folder = ui.settings.window.capture_folder.string();
    ImGui::SetNextItemWidth(-FLT_MIN);
    path_field(ui, "folder", "captures", memory.folder);
    memory.typing_folder = ImGui::IsItemActive();
    // Applied when the field loses focus, so that no half-typed folder is used.
    if (ImGui::IsItemDeactivatedAfterEdit()) take_path(ui, memory.folder, ui.settings.window.capture_folder);
    ui.tooltips.offer_item(ui.style,
                           "The folder for pictures; it is created if it does not exist. A picture never "
                           "overwrites another one. Drop one on the window to load its settings.");
    end_row(ui, row);
}

/// The captures that were opened before; nothing before the first.
void draw_open(Ui& ui) {
    const std::vector<std::string>& recent = ui.settings.window.recent;
    if (recent.empty()) return;
    const Row row{.label = "open",
                  .tooltip =
                      "Loads the settings of a capture that was opened before. Drop a picture or its "
                      "JSON file on the window to open another one.",
                  .key = {},
                  .off_because = {}};
    std::vector<MenuEntry> entries;
    for (const std::string& path : recent)
        entries.push_back({std::filesystem::path(path).filename().string(), path, {}});
    begin_row(ui, row);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const MenuState state = bare_menu(ui, row.label, "recent captures", entries, entries.size());
    if (state.clicked) ui.requests.open = recent[*state.clicked];
    if (state.open) return ImGui::PopID();
    end_row(ui, row);
}

void draw_style(Ui& ui) {
    const std::array themes{Segment{.label = "dark", .off_because = {}, .in_force = false},
                            Segment{.label = "light", .off_because = {}, .in_force = false}};
    const auto theme = segments(ui,
                                {.label = "theme",
                                 .tooltip = "Dark suits the screen, light suits print. Series keep their "
                                            "colours in both and never differ by colour alone.",
                                 .key = "L",
                                 .off_because = {}},
                                themes, ui.settings.window.theme == Theme::dark ? 0 : 1);
    if (theme) ui.settings.window.theme = *theme == 0 ? Theme::dark : Theme::light;

    const auto plot_theme =
        segments(ui,
                 {.label = "plots on",
                  .tooltip = "The background of a picture of one plot: white for print, dark for slides. The "
                             "window keeps its own theme.",
                  .key = {},
                  .off_because = {}},
                 std::array{Segment{.label = "dark", .off_because = {}, .in_force = false},
                            Segment{.label = "white", .off_because = {}, .in_force = false}},
                 ui.settings.window.plot_theme == Theme::dark ? 0 : 1);
    if (plot_theme) ui.settings.window.plot_theme = *plot_theme == 0 ? Theme::dark : Theme::light;

    const std::array labels{"100", "125", "150", "175", "200"};
    std::vector<Segment> choices;
    std::size_t selected = scales.size();
    for (std::size_t i = 0; i < scales.size(); ++i) {
        choices.push_back({.label = labels[i], .off_because = {}, .in_force = false});
        if (std::abs(ui.style.scale - scales[i]) < 0.01F) selected = i;
    }
    const auto scale = segments(ui,
                                {.label = "UI scale",
                                 .tooltip = "The size of text and controls. The default follows the display; "
                                            "the view gets the rest of the window.",
                                 .key = "Ctrl+plus and Ctrl+minus",
                                 .off_because = {}},
                                choices, selected);
    if (scale) ui.settings.window.scale = scales[*scale];
}

void draw_settings(Ui& ui) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "settings", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(ui, row);
    const auto widths = shared_widths(ui, {"undo", "redo", "reset all"});
    const auto off_because = [&](bool possible, const std::string& what) -> std::string {
        if (ui.memory.tour.tour.runs()) return "It waits for the end of the tour.";
        return possible ? std::string() : "There is nothing to " + what + ".";
    };
    if (action(
            ui, "undo", widths[0],
            "Takes back the last change of the run, the labs, the theme or the scale. A drag is one change.",
            "Ctrl+Z", off_because(ui.history->can_undo(), "undo")))
        ui.history->undo(ui.settings);
    ImGui::SameLine(0, gap);
    if (action(ui, "redo", widths[1], "Makes the change again that was taken back last.", "Ctrl+Shift+Z",
               off_because(ui.history->can_redo(), "redo")))
        ui.history->redo(ui.settings);
    ImGui::SameLine(0, gap);
    if (button(ui, "reset all", widths[2],
               "Sets the run, the labs, the theme and the scale to their defaults; the engine stays. A "
               "double-click on one control resets that control alone.",
               {})) {
        if (same_step(ui.settings, *ui.defaults))
            ui.requests.notice = "All settings are at their defaults.";
        else
            take_step(ui.settings, *ui.defaults);
    }
    end_row(ui, row);
}

}  // namespace

void draw_timing_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::clock, "Measurement")) return;
    draw_iterations(ui);
    draw_check(ui);
    draw_clear(ui);
}

void draw_window_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::display, "Capture and display")) return;
    draw_capture(ui);
    draw_folder(ui);
    draw_open(ui);
    draw_style(ui);
    draw_settings(ui);
}

}  // namespace warpsieve::panels
