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
#include "app/panels/path_field.hpp"
#include "app/panels/widgets.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve::panels {
namespace {

void draw_iterations(ControlsFrame& frame) {
    std::uint32_t& iterations = frame.settings.run.iterations;
    const std::string tooltip = with_range(
        "Compactions of the same buffer per frame. A GPU lowers its clock when it idles "
        "between short runs, so more iterations measure short streams at full speed.",
        "iterations", frame.settings);
    const SliderAnswer answer =
        slider(frame, {.row = {.label = "iterations", .tooltip = tooltip, .key = "I", .off_because = {}},
                       .step = static_cast<int>(iterations) - 1,
                       .last_step = static_cast<int>(max_iterations) - 1,
                       .before = {},
                       .figure = std::to_string(iterations),
                       .unit = "per frame"});
    if (answer.step) iterations = static_cast<std::uint32_t>(*answer.step) + 1;
    if (answer.typed) {
        if (const auto typed =
                typed_count(frame, "iterations", *answer.typed, legal_of("iterations", frame.settings)))
            iterations = static_cast<std::uint32_t>(*typed);
    }
}

void draw_check(ControlsFrame& frame) {
    Settings& settings = frame.settings;
    const std::array choices{Segment{.label = "off", .off_because = {}, .in_force = false},
                             Segment{.label = "on", .off_because = {}, .in_force = false}};
    const auto clicked =
        segments(frame,
                 {.label = "check",
                  .tooltip = "Compares the output with a reference: count, order and content. The comparison "
                             "runs asynchronously and never stalls a frame; a failure stays on the screen.",
                  .key = "C",
                  .off_because = {}},
                 choices, settings.run.check ? 1 : 0);
    if (clicked) settings.run.check = *clicked == 1;

    constexpr int longest = 10;  // 2^10 frames
    const Legal legal = legal_of("check_every", frame.settings);
    const std::string tooltip = with_range(
        "Frames from one comparison to the next. Comparing uses the same device, "
        "so comparing every frame slows the frames but never the timed phases.",
        "check_every", frame.settings);
    const SliderAnswer answer = slider(
        frame, {.row = {.label = "check every",
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
        if (const auto typed = typed_count(frame, "check every", *answer.typed, legal))
            settings.run.check_every = static_cast<std::uint32_t>(*typed);
    }
}

void draw_clear(ControlsFrame& frame) {
    const Row row{.label = "statistics", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(frame, row);
    if (button(frame, "reset statistics", ImGui::GetContentRegionAvail().x,
               "Discards the timings of the last frames. Medians then cover only the frames from now on.",
               {})) {
        frame.requests.clear_timings = true;
    }
    end_row(frame, row);
}

void draw_capture(ControlsFrame& frame) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "capture", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(frame, row);
    const char* const record = frame.display.recording ? "end" : "record";
    const auto widths = shared_widths(frame, {"window", "plot", "record"});
    if (button(frame, "window", widths[0],
               "Writes the window as a PNG, with a JSON file of the device, algorithm, options and medians "
               "beside it. The JSON file shows how the picture was made.",
               "F12")) {
        frame.requests.capture = true;
    }
    ImGui::SameLine(0, gap);
    if (button(
            frame, "plot", widths[1],
            "Writes the plot that the mouse was over last as a PNG at twice the scale. Device, settings and "
            "figures stand below it, and the JSON file beside it has the command that repeats the run.",
            "Shift+F12")) {
        frame.requests.capture_plot = true;
    }
    ImGui::SameLine(0, gap);
    if (button(frame, record, widths[2],
               "Writes up to 600 frames, 30 per second, as numbered PNGs into a new folder, and a GIF where "
               "ffmpeg is installed. Writing occupies "
               "a processor core, so do not trust figures of the CPU engine meanwhile.",
               "Ctrl+F12")) {
        frame.requests.toggle_recording = true;
    }
    end_row(frame, row);
}

void draw_folder(ControlsFrame& frame) {
    const Row row{.label = "folder", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(frame, row);
    ControlsMemory& memory = frame.memory;
    if (!memory.typing_folder) memory.folder = frame.settings.window.capture_folder.string();
    ImGui::SetNextItemWidth(-FLT_MIN);
    path_field(frame, "folder", "captures", memory.folder);
    memory.typing_folder = ImGui::IsItemActive();
    // Applied when the field loses focus, so that no half-typed folder is used.
    if (ImGui::IsItemDeactivatedAfterEdit())
        take_path(frame, memory.folder, frame.settings.window.capture_folder);
    frame.tooltips.offer_item(frame.style,
                              "The folder for pictures; it is created if it does not exist. A picture never "
                              "overwrites another one. Drop one on the window to load its settings.");
    end_row(frame, row);
}

/// The captures that were opened before; nothing before the first.
void draw_open(ControlsFrame& frame) {
    const std::vector<std::string>& recent = frame.settings.window.recent;
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
    begin_row(frame, row);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const MenuState state = bare_menu(frame, row.label, "recent captures", entries, entries.size());
    if (state.clicked) frame.requests.open = recent[*state.clicked];
    if (state.open) return ImGui::PopID();
    end_row(frame, row);
}

void draw_style(ControlsFrame& frame) {
    const std::array themes{Segment{.label = "dark", .off_because = {}, .in_force = false},
                            Segment{.label = "light", .off_because = {}, .in_force = false}};
    const auto theme = segments(frame,
                                {.label = "theme",
                                 .tooltip = "Dark suits the screen, light suits print. Series keep their "
                                            "colours in both and never differ by colour alone.",
                                 .key = "L",
                                 .off_because = {}},
                                themes, frame.settings.window.theme == Theme::dark ? 0 : 1);
    if (theme) frame.settings.window.theme = *theme == 0 ? Theme::dark : Theme::light;

    const auto plot_theme =
        segments(frame,
                 {.label = "plots on",
                  .tooltip = "The background of a picture of one plot: white for print, dark for slides. The "
                             "window keeps its own theme.",
                  .key = {},
                  .off_because = {}},
                 std::array{Segment{.label = "dark", .off_because = {}, .in_force = false},
                            Segment{.label = "white", .off_because = {}, .in_force = false}},
                 frame.settings.window.plot_theme == Theme::dark ? 0 : 1);
    if (plot_theme) frame.settings.window.plot_theme = *plot_theme == 0 ? Theme::dark : Theme::light;

    const std::array labels{"100", "125", "150", "175", "200"};
    std::vector<Segment> choices;
    std::size_t selected = scales.size();
    for (std::size_t i = 0; i < scales.size(); ++i) {
        choices.push_back({.label = labels[i], .off_because = {}, .in_force = false});
        if (std::abs(frame.style.scale - scales[i]) < 0.01F) selected = i;
    }
    const auto scale = segments(frame,
                                {.label = "UI scale",
                                 .tooltip = "The size of text and controls. The default follows the display; "
                                            "the view gets the rest of the window.",
                                 .key = "Ctrl+plus and Ctrl+minus",
                                 .off_because = {}},
                                choices, selected);
    if (scale) frame.settings.window.scale = scales[*scale];
}

void draw_settings(ControlsFrame& frame) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "settings", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(frame, row);
    const auto widths = shared_widths(frame, {"undo", "redo", "reset all"});
    const auto off_because = [&](bool possible, const std::string& what) -> std::string {
        if (frame.tour_runs) return "It waits for the end of the tour.";
        return possible ? std::string() : "There is nothing to " + what + ".";
    };
    if (action(
            frame, "undo", widths[0],
            "Takes back the last change of the run, the labs, the theme or the scale. A drag is one change.",
            "Ctrl+Z", off_because(frame.history->can_undo(), "undo")))
        frame.history->undo(frame.settings);
    ImGui::SameLine(0, gap);
    if (action(frame, "redo", widths[1], "Makes the change again that was taken back last.", "Ctrl+Shift+Z",
               off_because(frame.history->can_redo(), "redo")))
        frame.history->redo(frame.settings);
    ImGui::SameLine(0, gap);
    if (button(frame, "reset all", widths[2],
               "Sets the run, the labs, the theme and the scale to their defaults; the engine stays. A "
               "double-click on one control resets that control alone.",
               {})) {
        if (same_step(frame.settings, *frame.defaults))
            frame.requests.notice = "All settings are at their defaults.";
        else
            take_step(frame.settings, *frame.defaults);
    }
    end_row(frame, row);
}

}  // namespace

void draw_timing_controls(ControlsFrame& frame) {
    if (!control_group(frame, GroupIcon::clock, "Measurement")) return;
    draw_iterations(frame);
    draw_check(frame);
    draw_clear(frame);
}

void draw_window_controls(ControlsFrame& frame) {
    if (!control_group(frame, GroupIcon::display, "Capture and display")) return;
    draw_capture(frame);
    draw_folder(frame);
    draw_open(frame);
    draw_style(frame);
    draw_settings(frame);
}

}  // namespace warpsieve::panels
