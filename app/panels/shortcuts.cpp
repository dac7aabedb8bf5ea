#include "app/panels/shortcuts.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/presentation.hpp"
#include "app/panels/query.hpp"
#include "app/panels/welcome_panel.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

constexpr float live_fraction_step = 0.05F;
constexpr std::string_view views_group = "Views";

void change_live_fraction(Ui& ui, float change) {
    ui.settings.run.live_fraction = std::clamp(ui.settings.run.live_fraction + change, 0.0F, 1.0F);
}

ViewPanel& shown_panel(const Ui& ui) {
    return panel_of(ui, current_view(ui.settings));
}
/// Pauses or resumes the playback of the view, or the scene if the view has none.
void pause_or_resume(Ui& ui) {
    if (!shown_panel(ui).pause_or_resume(ui)) ui.settings.run.paused = !ui.settings.run.paused;
}
void single_step(Ui& ui) {
    ui.settings.run.paused = true;
    ui.requests.single_step = true;
}
void reset_scene(Ui& ui) {
    ui.requests.reset_scene = true;
}
void next_source(Ui& ui) {
    step_source(ui.settings);
}
void next_pattern(Ui& ui) {
    step_pattern(ui.settings);
}
void next_engine(Ui& ui) {
    step_engine(ui.snapshot.catalogue, ui.settings);
}
void next_algorithm(Ui& ui) {
    step_algorithm(ui.snapshot.catalogue, ui.settings, 1, ui.edited());
}
void previous_algorithm(Ui& ui) {
    step_algorithm(ui.snapshot.catalogue, ui.settings, -1, ui.edited());
}
void next_vector_width(Ui& ui) {
    step_vector_width(ui.snapshot.catalogue, ui.settings, ui.edited());
}
// These act only while the A/B lens is shown: otherwise there is no B.
void swap(Ui& ui) {
    if (ui.settings.compares()) swap_sides(ui.snapshot.catalogue, ui.settings);
}
void copy_a_to_b(Ui& ui) {
    if (ui.settings.compares()) copy_side(ui.snapshot.catalogue, ui.settings, Side::a);
}
void copy_b_to_a(Ui& ui) {
    if (ui.settings.compares()) copy_side(ui.snapshot.catalogue, ui.settings, Side::b);
}
void edit_other_side(Ui& ui) {
    if (ui.settings.compares()) ui.lens_side = other(ui.lens_side);
}
void halve_slots(Ui& ui) {
    choose_slots(ui.settings, current_slots(ui.snapshot.stream, ui.settings) / 2);
}
void double_slots(Ui& ui) {
    choose_slots(ui.settings, current_slots(ui.snapshot.stream, ui.settings) * 2);
}
void fewer_live(Ui& ui) {
    change_live_fraction(ui, -live_fraction_step);
}
void more_live(Ui& ui) {
    change_live_fraction(ui, live_fraction_step);
}
void next_iterations(Ui& ui) {
    step_iterations(ui.settings);
}
void toggle_check(Ui& ui) {
    ui.settings.run.check = !ui.settings.run.check;
}
void toggle_theme(Ui& ui) {
    ui.settings.window.theme = ui.settings.window.theme == Theme::dark ? Theme::light : Theme::dark;
}
void larger_scale(Ui& ui) {
    step_scale(ui.settings, ui.style.scale, 1);
}
void smaller_scale(Ui& ui) {
    step_scale(ui.settings, ui.style.scale, -1);
}
void capture_window(Ui& ui) {
    ui.requests.capture = true;
}
void capture_plot(Ui& ui) {
    ui.requests.capture_plot = true;
}
void toggle_recording(Ui& ui) {
    ui.requests.toggle_recording = true;
}
void film_loop(Ui& ui) {
    ui.requests.film_loop = true;
}
void follow_item_in_kernels(Ui& ui) {
    if (const std::optional<std::uint64_t> slot = ui.follow.slot())
        follow_in_kernels(ui.settings, ui.snapshot.stream, *slot);
    else
        ui.requests.notice = "Point at an item first.";
}
void toggle_timings(Ui& ui) {
    ui.settings.window.show_timings = !ui.settings.window.show_timings;
}
void toggle_controls(Ui& ui) {
    ui.settings.window.show_controls = !ui.settings.window.show_controls;
}
void toggle_help(Ui& ui) {
    ui.memory.help_open = !ui.memory.help_open;
    ui.memory.help_query.clear();
}
void toggle_presentation(Ui& ui) {
    Presentation& presentation = ui.memory.presentation;
    if (presentation.runs()) {
        end_presentation(presentation, ui.settings);
    } else {
        start_presentation(presentation, ui.settings, ui.snapshot.display.now_s);
    }
}
void toggle_tour(Ui& ui) {
    if (ui.memory.tour.tour.runs()) {
        ui.requests.leave_tour = true;
    } else {
        ui.requests.tour_step = 0;
    }
}
void next_tour_step(Ui& ui) {
    const tour::Tour& running = ui.memory.tour.tour;
    if (running.runs() && running.index() + 1 < tour::num_steps) ui.requests.tour_step = running.index() + 1;
}
void previous_tour_step(Ui& ui) {
    const tour::Tour& running = ui.memory.tour.tour;
    if (running.runs() && running.index() > 0) ui.requests.tour_step = running.index() - 1;
}
/// Whether the tour or the welcome card follows the suggested item.
bool needs_suggestion(const Ui& ui) {
    return ui.memory.tour.tour.runs() || is_welcome_open(ui.memory, ui.snapshot);
}
/// Closes the foremost thing that is open. The order matters: Esc unpins before it leaves the tour, and
/// leaves the tour before it clears selections.
void close(Ui& ui) {
    Memory& memory = ui.memory;
    if (memory.help_open) {
        memory.help_open = false;
    } else if (memory.presentation.runs()) {
        end_presentation(memory.presentation, ui.settings);
    } else if (memory.follow.pinned) {
        memory.follow.pinned.reset();
    } else if (memory.follow.suggested && !needs_suggestion(ui)) {
        memory.follow.suggested.reset();
    } else if (std::ranges::any_of(memory.views, [](const auto& view) { return view->unpin(); })) {
        return;
    } else if (memory.tour.tour.runs()) {
        ui.requests.leave_tour = true;
    } else if (ui.snapshot.labs.running && ui.settings.labs.hold_scene) {
        ui.requests.cancel_lab = true;
    } else {
        // The first view with something to close closes it.
        std::ranges::any_of(memory.views, [&ui](const auto& view) { return view->close(ui); });
    }
}
void step_back(Ui& ui) {
    shown_panel(ui).step(ui, -1);
}
void step_forward(Ui& ui) {
    shown_panel(ui).step(ui, 1);
}
void hold_or_release_history(Ui& ui) {
    shown_panel(ui).toggle_hold(ui);
}
void next_mode(Ui& ui) {
    WindowPreferences& window = ui.settings.window;
    if (window.tab == timeline_tab) {
        window.timeline_mode =
            window.timeline_mode == TimelineMode::frames ? TimelineMode::inside : TimelineMode::frames;
    } else if (window.tab == particles_tab) {
        window.particles_mode = window.particles_mode == ParticlesMode::sparse_dense
                                    ? ParticlesMode::output_alone
                                    : ParticlesMode::sparse_dense;
    } else if (window.tab == kernel_tab) {
        window.kernel_memory = !window.kernel_memory;
    } else if (ui.settings.compares()) {
        step_lens_mode(ui.snapshot, ui.settings);
    }
}
void undo(Ui& ui) {
    if (ui.memory.tour.tour.runs()) {
        ui.requests.notice = "Undo waits for the end of the tour.";
    } else if (!ui.history->undo(ui.settings)) {
        ui.requests.notice = "There is nothing to undo.";
    }
}
void redo(Ui& ui) {
    if (ui.memory.tour.tour.runs()) {
        ui.requests.notice = "Redo waits for the end of the tour.";
    } else if (!ui.history->redo(ui.settings)) {
        ui.requests.notice = "There is nothing to redo.";
    }
}
void quit(Ui& ui) {
    ui.requests.quit = true;
}

/// A name within a sentence: "Slot map" becomes "slot map"; "A/B lens" stays, because its second character is
/// not a small letter.
std::string within_sentence(std::string name) {
    if (name.size() > 1 && std::islower(static_cast<unsigned char>(name[1])))
        name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    return name;
}

/// Adds shortcuts to a group of the list on F1.
void add_group(std::vector<Shortcut>& table, std::string_view group, std::vector<Shortcut> shortcuts) {
    for (Shortcut& shortcut : shortcuts) {
        shortcut.group = group;
        table.push_back(std::move(shortcut));
    }
}

/// Adds the shortcuts that change the run.
void add_shortcuts_of_run(std::vector<Shortcut>& table) {
    add_group(table, "Scene and stream",
              {{"Space", "pause or resume scene, slow motion", {.keys = {GLFW_KEY_SPACE}}, pause_or_resume},
               {".", "step by one frame", {.character = '.', .repeats = true}, single_step},
               {"R", "restart the scene", {.keys = {GLFW_KEY_R}}, reset_scene},
               {"G", "next source of particles", {.keys = {GLFW_KEY_G}}, next_source},
               {"Shift+G",
                "next pattern of the synthetic source",
                {.keys = {GLFW_KEY_G}, .shift = true},
                next_pattern},
               {"[", "half as many slots", {.character = '['}, halve_slots},
               {"]", "twice as many slots", {.character = ']'}, double_slots},
               {"-", "live fraction 5 % less", {.character = '-', .repeats = true}, fewer_live},
               {"=", "live fraction 5 % more", {.character = '=', .repeats = true}, more_live}});
    add_group(table, "Engine and algorithm",
              {{"E", "next engine", {.keys = {GLFW_KEY_E}}, next_engine},
               {"A", "next algorithm", {.keys = {GLFW_KEY_A}}, next_algorithm},
               {"Shift+A", "previous algorithm", {.keys = {GLFW_KEY_A}, .shift = true}, previous_algorithm},
               {"V", "next vector width", {.keys = {GLFW_KEY_V}}, next_vector_width},
               {"I", "double the iterations; after 64, one", {.keys = {GLFW_KEY_I}}, next_iterations},
               {"C", "check on or off", {.keys = {GLFW_KEY_C}}, toggle_check}});
    add_group(table, "A/B lens",
              {{"X", "lens: swap A and B", {.keys = {GLFW_KEY_X}}, swap},
               {">", "lens: copy A to B", {.character = '>'}, copy_a_to_b},
               {"<", "lens: copy B to A", {.character = '<'}, copy_b_to_a},
               {"B", "lens: controls set A or B", {.keys = {GLFW_KEY_B}}, edit_other_side}});
}

/// Adds the shortcuts that change the window.
void add_shortcuts_of_window(std::vector<Shortcut>& table) {
    add_group(
        table, views_group,
        {{"M", "next mode of the view", {.keys = {GLFW_KEY_M}}, next_mode},
         {"H", "timeline: hold the history", {.keys = {GLFW_KEY_H}}, hold_or_release_history},
         {"Left", "timeline, slow motion: step back", {.keys = {GLFW_KEY_LEFT}, .repeats = true}, step_back},
         {"Right",
          "timeline, slow motion: step forward",
          {.keys = {GLFW_KEY_RIGHT}, .repeats = true},
          step_forward},
         {"D", "followed item in the kernel view", {.keys = {GLFW_KEY_D}}, follow_item_in_kernels},
         {"T", "show or hide the timings", {.keys = {GLFW_KEY_T}}, toggle_timings},
         {"Shift+T", "show or hide the controls", {.keys = {GLFW_KEY_T}, .shift = true}, toggle_controls}});
    add_group(
        table, "Capture",
        {{"F12", "capture a picture", {.keys = {GLFW_KEY_F12}}, capture_window},
         {"Shift+F12", "picture of one plot", {.keys = {GLFW_KEY_F12}, .shift = true}, capture_plot},
         {"Ctrl+F12", "start or end a recording", {.keys = {GLFW_KEY_F12}, .ctrl = true}, toggle_recording},
         {"F9", "film a loop of six seconds", {.keys = {GLFW_KEY_F9}}, film_loop},
         {"Ctrl+O", "open a capture", {.keys = {GLFW_KEY_O}, .ctrl = true}, open_picker}});
    add_group(table, "Tour and presentation",
              {{"F2", "guided tour", {.keys = {GLFW_KEY_F2}}, toggle_tour},
               {"PgDn", "tour: next step", {.keys = {GLFW_KEY_PAGE_DOWN}}, next_tour_step},
               {"PgUp", "tour: previous step", {.keys = {GLFW_KEY_PAGE_UP}}, previous_tour_step},
               {"F11", "presentation without panels", {.keys = {GLFW_KEY_F11}}, toggle_presentation}});
    add_group(table, "Window",
              {{"F1", "this list", {.keys = {GLFW_KEY_F1}}, toggle_help},
               {"Ctrl+P", "find anything by name", {.keys = {GLFW_KEY_P}, .ctrl = true}, open_palette},
               {"Ctrl+Z", "undo a change of the settings", {.keys = {GLFW_KEY_Z}, .ctrl = true}, undo},
               {"Ctrl+Shift+Z", "redo", {.keys = {GLFW_KEY_Z}, .ctrl = true, .shift = true}, redo},
               {"L", "light or dark theme", {.keys = {GLFW_KEY_L}}, toggle_theme},
               {"Ctrl+plus",
                "larger text and controls",
                {.keys = {GLFW_KEY_EQUAL, GLFW_KEY_KP_ADD}, .ctrl = true, .any_shift = true},
                larger_scale},
               {"Ctrl+minus",
                "smaller text and controls",
                {.keys = {GLFW_KEY_MINUS, GLFW_KEY_KP_SUBTRACT}, .ctrl = true},
                smaller_scale},
               {"Esc", "close, unpin, leave the tour, cancel", {.keys = {GLFW_KEY_ESCAPE}}, close},
               {"Ctrl+Q", "quit", {.keys = {GLFW_KEY_Q}, .ctrl = true, .always = true}, quit}});
}

void add_shortcuts_of_views(std::vector<Shortcut>& table) {
    for (const ViewType& view : tabs()) {
        table.push_back({std::string(1, view.key),
                         "show " + within_sentence(view.name),
                         {.character = static_cast<ImWchar>(view.key)},
                         [&view](Ui& ui) { ui.settings.window.tab = view.id; },
                         views_group});
        for (const ViewKey& key : view.keys) {
            table.push_back({key.keys, key.action, key.trigger,
                             [&view, &key](Ui& ui) {
                                 if (&current_tab(ui.settings) == &view) key.act(panel_of(ui, view), ui);
                             },
                             views_group});
        }
    }
}

bool fires(const Trigger& trigger, const gl::KeyEvent& event) {
    using Kind = gl::KeyEvent::Kind;
    // A held key sends its character repeatedly, whatever `repeats` says.
    if (trigger.character != 0) return event.kind == Kind::character && event.character == trigger.character;
    const bool is_down = event.kind == Kind::press || (trigger.repeats && event.kind == Kind::repeat);
    if (!is_down || trigger.ctrl != event.ctrl || event.alt) return false;
    if (trigger.shift != event.shift && !trigger.any_shift) return false;
    return event.key != 0 && std::ranges::find(trigger.keys, event.key) != trigger.keys.end();
}

/// Runs the shortcuts that an event fires, if their Trigger::always equals `always`.
void run_shortcuts(const gl::KeyEvent& event, Ui& ui, bool always) {
    for (const Shortcut& shortcut : shortcuts()) {
        if (shortcut.trigger.always == always && fires(shortcut.trigger, event)) shortcut.act(ui);
    }
}

/// Whether a key acts while the list of keys is open. Letters and signs do not, because they filter the list.
bool acts_in_help(const gl::KeyEvent& event) {
    return event.ctrl || event.key == GLFW_KEY_ESCAPE || event.key >= GLFW_KEY_F1;
}

}  // namespace

std::span<const Shortcut> shortcuts() {
    static const std::vector<Shortcut> table = [] {
        std::vector<Shortcut> all;
        add_shortcuts_of_run(all);
        add_shortcuts_of_window(all);
        add_shortcuts_of_views(all);
        // The list shows each group once.
        std::stable_partition(all.begin(), all.end(),
                              [](const Shortcut& shortcut) { return shortcut.group != views_group; });
        return all;
    }();
    return table;
}

void handle_shortcuts(Ui& ui) {
    for (const gl::KeyEvent& event : ui.snapshot.keys) run_shortcuts(event, ui, /*always=*/true);
    // An open menu blocks clicks on what is behind it, so it blocks keys as well.
    if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) {
        // ImGui's public function closes a menu only from inside it.
        if (ui.presses(GLFW_KEY_ESCAPE) > 0)
            ImGui::ClosePopupToLevel(0, /*restore_focus_to_window_under_popup=*/true);
        ui.keys = ui.focus->begin_frame(ui.keys);
        return;
    }
    Memory& memory = ui.memory;
    const bool is_covered = memory.palette.open || memory.picker.open || memory.help_open;
    if (!is_covered) ui.keys = ui.focus->begin_frame(ui.keys);
    for (const gl::KeyEvent& event : ui.keys) {
        if (memory.palette.open) {
            handle_palette_key(ui, event);
        } else if (memory.picker.open) {
            handle_picker_key(ui, event);
        } else if (memory.help_open && edit_query(memory.help_query, event)) {
            continue;
        } else if (!memory.help_open || acts_in_help(event)) {
            run_shortcuts(event, ui, /*always=*/false);
        }
    }
}

}  // namespace warpsieve::panels
