#include "app/panels/interface.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/panels/choices.hpp"
#include "app/panels/fonts.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/provenance_strip.hpp"
#include "app/panels/setting_control.hpp"
#include "app/panels/shortcuts.hpp"
#include "app/panels/theme.hpp"
#include "app/panels/welcome_panel.hpp"
#include "app/plots/svg.hpp"
#include "experiments/format/counts.hpp"

namespace warpsieve::panels {

bool is_clicked(ImVec2 low, ImVec2 high) {
    return ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
           ImGui::IsMouseHoveringRect(low, high);
}

bool invisible_button(const char* id, ImVec2 size) {
    return ImGui::InvisibleButton(id, {std::max(size.x, 1.0F), std::max(size.y, 1.0F)});
}

void begin_pane(const char* name, const Rectangle& pane, int extra_flags) {
    ImGui::SetNextWindowPos({static_cast<float>(pane.x), static_cast<float>(pane.y)});
    ImGui::SetNextWindowSize({static_cast<float>(pane.width), static_cast<float>(pane.height)});
    // Panes never come to the front, so that messages and help stay above them. A pane that appears must not
    // take the focus: Dear ImGui would give up the button that is held, and lose its click.
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing |
                     extra_flags);
}

struct Interface::Implementation {
    plots::Style style;
    Theme theme = Theme::dark;
    Memory memory;

    void rebuild(float scale, Theme wanted) {
        if (!style.fonts.text || scale != style.scale) style.fonts = build_fonts(scale);
        style.scale = scale;
        style.palette =
            plots::palette_of(wanted == Theme::dark ? plots::PaletteId::dark : plots::PaletteId::light);
        theme = wanted;
        apply_style(style);
    }
};

namespace {

void draw_panels(Ui& ui, const Rectangle& docked) {
    const Snapshot& snapshot = ui.snapshot;
    Memory& memory = ui.memory;
    if (memory.presentation.runs()) {
        draw_presentation(ui, memory.presentation, snapshot);
        // Messages about captures, such as the end of a recording, would disturb the presentation.
        memory.messages_height =
            draw_messages(ui, snapshot.messages, snapshot.checks, CaptureMessages::left_out);
        draw_help(ui, memory.help_open, memory.help_query);
        draw_picker(ui);
        return draw_palette(ui);
    }
    // A step of the tour changes many settings at once, and its own text explains them.
    const ChangeCard* const change = memory.tour.tour.runs() ? nullptr : snapshot.quality.change;
    const float tabs_end = draw_tabs(ui, min_width_of_change_card(ui, change));
    if (memory.tour.tour.runs()) {
        draw_tour(ui, docked);
    } else {
        draw_welcome(ui, docked);
    }
    ViewPanel& view = panel_of(ui, current_view(ui.settings));
    memory.above_scene = memory.below_scene = 0;
    view.draw(ui);
    ui.focus->start_here();
    draw_controls(ui);
    memory.view_takes_timings_pane = view.takes_timings_pane(ui);
    if (!memory.view_takes_timings_pane) draw_timings(ui);
    draw_status_line(ui);
    draw_splitters(ui, memory.drag_start_size);
    draw_change_card(ui, change, tabs_end, memory.change_card_open);
    draw_view_notes(ui);
    memory.messages_height =
        draw_messages(ui, snapshot.messages, snapshot.checks,
                      snapshot.display.for_picture ? CaptureMessages::left_out : CaptureMessages::shown);
    draw_help(ui, memory.help_open, memory.help_query);
    draw_picker(ui);
    draw_palette(ui);
}

/// Height of the tour or of the welcome card above a view of that size, in pixels.
int docked_panel_height(const Memory& memory, const plots::Style& style, const Snapshot& snapshot,
                        gl::PixelSize area) {
    if (memory.presentation.runs()) return 0;
    if (memory.tour.tour.runs()) return tour_panel_height(memory.tour, style, snapshot, area);
    const bool is_shown = is_welcome_open(memory, snapshot) && !snapshot.display.for_picture;
    return is_shown ? welcome_height(style, area) : 0;
}

void handle_tour_requests(Ui& ui) {
    Memory& memory = ui.memory;
    Requests& requests = ui.requests;
    if (requests.tour_step && ui.snapshot.labs.running) {
        requests.notice = "A lab is measuring. Start the tour when it has ended.";
        return;
    }
    if (requests.tour_step) {
        show_tour_step(memory.tour, *requests.tour_step, ui.settings, *ui.defaults);
        memory.welcome_closed = true;
        // A step that points the camera moves it smoothly from where it is.
        requests.place_camera = memory.tour.tour.step().part == tour::ScenePart::none;
    }
    if (requests.leave_tour && memory.tour.tour.runs()) {
        memory.tour.tour.leave(ui.settings);
        requests.place_camera = true;
    }
}

/// Says that a change to the simulated engine has shortened the stream.
void note_shorter_stream(const Settings& before, const Settings& now, Requests& requests) {
    const std::uint64_t slots_before = now.window.slots_before_simulated;
    if (slots_before == 0 || slots_before == before.window.slots_before_simulated) return;
    using experiments::format::count_text;
    requests.notice = "The simulated GPU starts with " + count_text(now.run.slots) +
                      " slots: " + count_text(slots_before) + " come back with another engine.";
}

}  // namespace

Interface::Interface(float scale, Theme theme) : implementation_(std::make_unique<Implementation>()) {
    // The settings file stores the settings; ImGui writes no file.
    ImGui::GetIO().IniFilename = nullptr;
    implementation_->rebuild(scale, theme);
}

Interface::~Interface() = default;

void Interface::set_style(float scale, Theme theme) {
    if (scale != implementation_->style.scale || theme != implementation_->theme)
        implementation_->rebuild(scale, theme);
}

Rectangle Interface::scene_rectangle(gl::PixelSize window, const Settings& settings) const {
    if (presents()) return {0, 0, window.width, window.height};
    if (!current_view(settings).over_scene) return {};
    const Memory& memory = implementation_->memory;
    // The tour or the welcome card takes the upper end of the view.
    Rectangle view = lay_out(window, settings, implementation_->style.scale, memory.messages_height).view;
    const int docked_height = std::min(memory.docked_height, view.height);
    view.y += docked_height;
    view.height -= docked_height;
    view.height -=
        std::min(view.height, follow_strip_height(memory.follow, settings, implementation_->style.scale));
    const int above = std::min(view.height, memory.above_scene);
    view.y += above;
    view.height -= above;
    view.height -= std::min(view.height, memory.below_scene);
    return view;
}

Rectangle Interface::view_rectangle(gl::PixelSize window, const Settings& settings) const {
    if (presents()) return {0, 0, window.width, window.height};
    const Memory& memory = implementation_->memory;
    const Panes panes = lay_out(window, settings, implementation_->style.scale, memory.messages_height);
    Rectangle area = panes.view;
    if (memory.view_takes_timings_pane) area.height = panes.timings.y + panes.timings.height - area.y;
    return area;
}

bool Interface::presents() const {
    return implementation_->memory.presentation.runs();
}

void Interface::show_tour_step(std::size_t index, Settings& settings, const Settings& defaults) {
    Memory& memory = implementation_->memory;
    panels::show_tour_step(memory.tour, index, settings, defaults);
}

bool Interface::overrides_settings() const {
    return presents() || implementation_->memory.tour.tour.runs();
}

Settings Interface::user_settings(Settings settings) const {
    Presentation presentation = implementation_->memory.presentation;
    end_presentation(presentation, settings);
    implementation_->memory.tour.tour.restore(settings);
    return settings;
}

void Interface::end_overrides(Settings& settings) {
    Memory& memory = implementation_->memory;
    end_presentation(memory.presentation, settings);
    memory.tour.tour.leave(settings);
}

Requests Interface::build(const Snapshot& snapshot, Settings& settings, gl::PixelSize window) {
    // A text field takes the keys itself.
    return build(snapshot, settings, window,
                 ImGui::GetIO().WantTextInput ? std::span<const gl::KeyEvent>{} : snapshot.keys);
}

Requests Interface::build(const Snapshot& snapshot, Settings& settings, gl::PixelSize window,
                          std::span<const gl::KeyEvent> keys) {
    Implementation& self = *implementation_;
    if (snapshot.display.plain_plots != self.style.plain) {
        self.style.plain = snapshot.display.plain_plots;
        apply_detail(self.style);
    }
    Memory& memory = self.memory;
    memory.controls.clear();
    memory.pictures.begin_frame();
    memory.typed.note_is_new = false;

    Requests requests;
    Panes panes = lay_out(window, settings, self.style.scale, memory.messages_height);
    if (settings.window.tab != particles_tab || memory.tour.tour.runs()) memory.welcome_closed = true;
    Rectangle docked = panes.view;
    memory.docked_height = docked_panel_height(memory, self.style, snapshot, {docked.width, docked.height});
    docked.height = memory.docked_height;
    panes.view.y += docked.height;
    panes.view.height -= docked.height;
    // The strip of the followed item takes the lower end of the view.
    Rectangle strip = panes.view;
    strip.height =
        std::min(follow_strip_height(memory.follow, settings, self.style.scale), panes.view.height);
    panes.view.height -= strip.height;
    strip.y += panes.view.height;
    memory.follow.result = snapshot.follow;
    memory.follow.strip_height = strip.height;
    const Settings settings_before = settings;
    static const Settings plain_defaults;
    // The history leaves out changes by tour and presentation.
    if (!overrides_settings()) memory.history.observe(settings, ImGui::IsAnyMouseDown());
    Ui ui{snapshot,
          memory,
          settings,
          requests,
          self.style,
          panes,
          window,
          memory.tooltips,
          memory.controls,
          memory.pictures,
          memory.typed,
          memory.help_open,
          memory.palette.open,
          memory.picker.open,
          memory.follow,
          memory.lens_side,
          snapshot.defaults ? snapshot.defaults : &plain_defaults,
          &memory.history,
          &memory.focus,
          keys};
    handle_shortcuts(ui);
    memory.tooltips.begin_frame(static_cast<double>(ImGui::GetIO().DeltaTime),
                                !snapshot.display.for_picture && ui.shows_cards());
    // A window above the panels takes all keys.
    if (memory.palette.open || memory.picker.open || memory.help_open) ui.keys = {};
    draw_panels(ui, docked);
    draw_follow(ui, strip);
    handle_double_click(ui, memory.clicked);
    handle_tour_requests(ui);
    sanitize(settings, snapshot.catalogue);
    if (!overrides_settings()) note_shorter_stream(settings_before, settings, requests);
    if (!overrides_settings()) memory.history.observe(settings, ImGui::IsAnyMouseDown());
    if (!memory.typed.note_is_new && !(settings == settings_before)) memory.typed.note_below.clear();
    return requests;
}

const PlotArea* Interface::focused_plot() const {
    return implementation_->memory.pictures.focused();
}

std::optional<PlotArea> Interface::build_picture(const Snapshot& snapshot, Settings settings,
                                                 gl::PixelSize window) {
    Memory& memory = implementation_->memory;
    const ControlMap controls = memory.controls;
    const Pictures pictures = memory.pictures;
    const float messages_height = memory.messages_height;
    const int docked_height = memory.docked_height;
    memory.messages_height *= implementation_->style.scale / snapshot.display.scale;
    build(snapshot, settings, window, {});
    memory.messages_height = messages_height;
    memory.docked_height = docked_height;
    std::optional<PlotArea> plot;
    if (const PlotArea* focused = memory.pictures.focused()) plot = *focused;
    memory.controls = controls;
    memory.pictures = pictures;
    return plot;
}

void Interface::build_strip(const Provenance& provenance, int width) {
    const plots::Style& style = implementation_->style;
    draw_provenance_strip(*ImGui::GetForegroundDrawList(), style, {0, 0}, static_cast<float>(width),
                          provenance);
}

int Interface::strip_height(const Provenance& provenance, int width) const {
    return static_cast<int>(
        provenance_strip_height(implementation_->style, static_cast<float>(width), provenance));
}

std::string Interface::svg_elements(ImVec2 low, ImVec2 high, float top) const {
    return plots::svg_elements(*ImGui::GetDrawData(), implementation_->style.fonts, low, high, top);
}

std::string Interface::svg_document(const std::string& elements, ImVec2 size, float scale) const {
    return plots::svg_document(elements, size, scale, implementation_->style.palette.panel);
}

std::string Interface::control_map() const {
    return implementation_->memory.controls.json();
}

const std::string& Interface::focused_control() const {
    return implementation_->memory.focus.label();
}

}  // namespace warpsieve::panels
