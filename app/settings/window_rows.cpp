// Settings of the window: what it shows, how it looks, where it puts files.
#include <limits>
#include <string>

#include "app/kernel_view/lessons.hpp"
#include "app/kernel_view/plants.hpp"
#include "app/settings/schema_rows.hpp"

namespace warpsieve {
namespace {

using Window = WindowPreferences;

SettingDescriptor window_row(const char* key, std::string_view help, Access access, Use use = Use::stored) {
    return {.key = key, .use = use, .help = help, .access = std::move(access), .group = groups::display};
}

/// How the window and its pictures look.
std::vector<SettingDescriptor> display_rows() {
    return in_group(
        groups::display,
        {
            {.key = "scale",
             .use = Use::flag,
             .help = "Scale of text and controls; 0 takes the scale of the display",
             .access = number(&Window::scale, 0.75, 3, /*zero_is_automatic=*/true),
             .control = {.label = "UI scale",
                         .tooltip = "The size of text and controls. The default follows the display; "
                                    "the view gets the rest of the window.",
                         .shortcut = "Ctrl+plus and Ctrl+minus"},
             .undoable = true},
            {.key = "theme",
             .use = Use::flag,
             .help = "Colours of the window",
             .access = word(&Window::theme, {"dark", "light"}),
             .control = {.kind = ControlKind::segments,
                         .label = "theme",
                         .tooltip = "Dark suits the screen, light suits print. Series keep their "
                                    "colours in both and never differ by colour alone.",
                         .shortcut = "L"},
             .undoable = true},
            {.key = "plot_theme",
             .help = "Colours of pictures of one plot",
             .access = word(&Window::plot_theme, {"dark", "light"}, {"dark", "white"}),
             .control = {.kind = ControlKind::segments,
                         .label = "plots on",
                         .tooltip =
                             "The background of a picture of one plot: white for print, dark for slides. The "
                             "window keeps its own theme."},
             .undoable = true},
            {.key = "slot_map_colour",
             .help = "What the colours of the slot map show",
             .access = word(&Window::slot_map_colour, {"age", "slot"}),
             .control = {.label = "slot map colour"}},
        });
}

constexpr auto all_slots = static_cast<double>(max_slots(compaction::EngineId::cuda));

/// "none", and the faults that can be planted into kernels.
AllowedValues plant_words() {
    AllowedValues allowed{.words = {"none"}, .names = {"none"}};
    for (const kernel_view::Plant& plant : kernel_view::plants()) {
        allowed.words.emplace_back(plant.id);
        allowed.names.push_back(std::string(plant.algorithm) + " " + std::string(plant.name));
    }
    return allowed;
}

/// "none", and the lessons that the kernel view can show.
AllowedValues lesson_words() {
    AllowedValues allowed{.words = {"none"}, .names = {"none"}};
    for (const kernel_view::Lesson& lesson : kernel_view::lessons()) {
        if (!can_show(lesson)) continue;
        allowed.words.emplace_back(lesson.id);
        allowed.names.emplace_back(lesson.name);
    }
    return allowed;
}

/// What the views show.
std::vector<SettingDescriptor> view_rows() {
    return {
        window_row("controls_width", "Width of the controls, in pixels at 100 %",
                   number(&Window::controls_width, 100, 4000), Use::internal),
        window_row("timings_height", "Height of the timings, in pixels at 100 %",
                   number(&Window::timings_height, 50, 4000), Use::internal),
        window_row("show_controls", "Show the controls beside the main area", toggle(&Window::show_controls)),
        window_row("show_timings", "Show the timings below the main area", toggle(&Window::show_timings)),
        window_row("show_frame_strip", "Show where the time of a frame goes",
                   toggle(&Window::show_frame_strip)),
        window_row("divider", "Share of the A/B lens that A has",
                   number(&Window::divider, min_divider, 1 - min_divider)),
        window_row("slot_map_zoom", "Zoom step of the slot map; 0 shows the whole stream",
                   number(&Window::slot_map_zoom, 0, 64), Use::internal),
        window_row("slot_map_first", "First slot of the slot map",
                   number(&Window::slot_map_first, 0, all_slots), Use::internal),
        window_row("timeline_frames", "Frames across the timeline",
                   number(&Window::timeline_frames, min_timeline_frames, max_timeline_frames)),
        window_row("timeline_log", "Logarithmic time axis of the timeline", toggle(&Window::timeline_log)),
        window_row("timeline_mode",
                   "What the timeline shows: the last frames, or the inside of one compaction",
                   word(&Window::timeline_mode, {"frames", "inside"}, {"frames", "inside one compaction"}),
                   Use::flag),
        window_row("lens_mode",
                   "What the A/B lens shows: particles, the inside of one compaction of each side, or the "
                   "difference of the outputs",
                   word(&Window::lens_mode, {"particles", "inside", "difference"},
                        {"particles", "inside one compaction", "difference"}),
                   Use::flag),
        window_row(
            "particles_mode", "What the particles show: both stages of the compaction, or its output alone",
            word(&Window::particles_mode, {"two_stage", "particles"}, {"sparse and dense", "output alone"}),
            Use::flag),
        window_row("moment",
                   "Where slow motion is paused at first, as a share of the compaction; 0 plays it from the "
                   "beginning",
                   number(&Window::initial_pause, 0, 1), Use::flag),
        window_row("kernel_items", "Items that the kernel view traces",
                   number(&Window::kernel_items, 1, max_kernel_items)),
        window_row("kernel_seed", "Seed of the simulated schedule in the kernel view",
                   number(&Window::kernel_seed, 0, std::numeric_limits<int>::max())),
        window_row("kernel_order",
                   "Order of the steps in the kernel view: warp by warp, or lane by lane as scheduled",
                   word(&Window::kernel_order, {"warps", "lanes"}, {"warp by warp", "lane by lane"})),
        window_row("kernel_memory",
                   "Memory in place of the source in the kernel view, where there is no room for both",
                   toggle(&Window::kernel_memory)),
        window_row("kernel_slot",
                   "First slot of the scene that the kernel view traces, from 1; 0 traces a random stream",
                   number(&Window::kernel_slot, 0, all_slots), Use::internal),
        window_row("kernel_phase", "Clock of the scene at which the kernel view traces its slots",
                   number(&Window::kernel_phase, 0, 0x1p53), Use::internal),
        window_row("kernel_plant", "Fault that is planted into the kernels of the kernel view",
                   text(&Window::kernel_plant, plant_words())),
        window_row("kernel_lesson", "Lesson that the kernel view shows",
                   text(&Window::kernel_lesson, lesson_words())),
        window_row("kernel_step", "Step that the kernel view shows",
                   number(&Window::kernel_step, 0, std::numeric_limits<int>::max()), Use::internal),
        window_row("kernel_warp", "Warp that the kernel view shows, from 1; 0 shows that of the step",
                   number(&Window::kernel_warp, 0, std::numeric_limits<int>::max()), Use::internal),
        window_row("kernel_item", "Item that the kernel view follows, from 1; 0 follows none",
                   number(&Window::kernel_item, 0, max_kernel_items), Use::internal),
        window_row("kernel_breakpoints", "Lines at which the kernel view stops",
                   text(&Window::kernel_breakpoints), Use::internal),
        window_row("kernel_watched", "Values that the kernel view keeps at the top",
                   text(&Window::kernel_watched), Use::internal),
        window_row("race", "Algorithms in the race, in the order of the lanes", list(&Window::race)),
        window_row("ghost", "Saved run shown behind the live one", text(&Window::ghost)),
    };
}

/// What the window remembers for the next start.
std::vector<SettingDescriptor> remembered_rows() {
    return {
        window_row("slots_before_simulated", "Slots before the simulated engine was chosen; 0: not shortened",
                   number(&Window::slots_before_simulated, 0, all_slots), Use::internal),
        window_row("window_width", "Width of the window in pixels; 0 takes the default",
                   number(&Window::window_width, 640, 16'384, /*zero_is_automatic=*/true), Use::internal),
        window_row("window_height", "Height of the window in pixels; 0 takes the default",
                   number(&Window::window_height, 400, 16'384, /*zero_is_automatic=*/true), Use::internal),
        window_row("window_x", "Left end of the window on the desktop",
                   number(&Window::window_x, -32'768, 32'767), Use::internal),
        window_row("window_y", "Upper end of the window on the desktop",
                   number(&Window::window_y, -32'768, 32'767), Use::internal),
        window_row("camera_around", "Azimuth of the camera, in radians",
                   number(&Window::camera_azimuth, -4, 4), Use::internal),
        window_row("camera_up", "Elevation of the camera, in radians",
                   number(&Window::camera_elevation, 0, 1.5), Use::internal),
        window_row("camera_distance", "Distance of the camera in metres; 0 takes that of the source",
                   number(&Window::camera_distance, 1, 100, /*zero_is_automatic=*/true), Use::internal),
        window_row("capture_folder", "Folder for pictures and recordings", text(&Window::capture_folder),
                   Use::flag),
        window_row("recent", "Captures whose settings were loaded, newest first", list(&Window::recent)),
    };
}

}  // namespace

std::vector<SettingDescriptor> tab_rows() {
    SettingDescriptor dial =
        window_row("slow_motion", "Dial of slow motion in the particles: 0 is real time, 100 the slowest",
                   number(&Window::slow_motion, 0, 100), Use::flag);
    const std::string old_tab = "slow_motion";
    SettingDescriptor tab = window_row(
        "tab", "View in the main area",
        text(&Window::tab, {.words = {tab_ids.begin(), tab_ids.end()}, .old_words = {old_tab}}), Use::view);
    tab.access.set = [old_tab, set = tab.access.set](Settings& settings, const Value& value) {
        const bool was_slow_motion = value == Value(old_tab);
        if (was_slow_motion && settings.window.slow_motion == 0)
            settings.window.slow_motion = watchable_slow_motion;
        set(settings, was_slow_motion ? std::string(particles_tab) : value);
    };
    tab.applies = [](const Settings& settings) { return settings.compares() || settings.races(); };
    return {dial, tab};
}

std::vector<SettingDescriptor> window_rows() {
    std::vector<SettingDescriptor> rows = view_rows();
    for (const auto& more : {display_rows(), remembered_rows()})
        rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

}  // namespace warpsieve
