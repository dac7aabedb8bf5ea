#include "app/panels/interface.hpp"

#include <imgui.h>

#include "app/panels/choices.hpp"
#include "app/panels/fonts.hpp"
#include "app/panels/panel_frame.hpp"
#include "app/panels/provenance_strip.hpp"
#include "app/panels/shortcuts.hpp"
#include "app/panels/tabs.hpp"
#include "app/panels/theme.hpp"

namespace warpsieve::panels {

void begin_zone(const char* name, const Rectangle& zone, int extra_flags) {
    ImGui::SetNextWindowPos({static_cast<float>(zone.x), static_cast<float>(zone.y)});
    ImGui::SetNextWindowSize({static_cast<float>(zone.width), static_cast<float>(zone.height)});
    // Zones never come to the front: messages and help stay above them.
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | extra_flags);
}

struct Interface::Implementation {
    plots::Style style;
    Theme theme = Theme::dark;
    Memory memory;

    void rebuild(float scale, Theme wanted) {
        if (!style.fonts.text || scale != style.scale) style.fonts = build_fonts(scale);
        style.scale = scale;
        style.palette = plots::palette_of(wanted);
        theme = wanted;
        apply_style(style);
    }
};

Interface::Interface(float scale, Theme theme) : implementation_(std::make_unique<Implementation>()) {
    // What people set is kept by the settings file; ImGui keeps nothing of its own.
    ImGui::GetIO().IniFilename = nullptr;
    implementation_->rebuild(scale, theme);
}

Interface::~Interface() = default;

void Interface::set_style(float scale, Theme theme) {
    if (scale != implementation_->style.scale || theme != implementation_->theme)
        implementation_->rebuild(scale, theme);
}

Rectangle Interface::scene_rectangle(gl::PixelSize window, const Settings& settings) const {
    if (!tab_in_force(settings).over_scene) return {};
    return lay_out(window, settings, implementation_->style.scale).view;
}

Requests Interface::build(const View& view, Settings& settings, gl::PixelSize window) {
    Implementation& self = *implementation_;
    if (view.display.plain_plots != self.style.plain) {
        self.style.plain = view.display.plain_plots;
        apply_detail(self.style);
    }
    self.memory.controls.clear();
    self.memory.pictures.begin_frame();

    Requests requests;
    const Zones zones = lay_out(window, settings, self.style.scale);
    PanelFrame frame{view, settings, requests, self.style, zones, window, self.memory};
    make_legal(view, settings);
    self.memory.told_now = false;
    const Settings before = settings;
    handle_shortcuts(frame);
    self.memory.tooltips.begin_frame(static_cast<double>(ImGui::GetIO().DeltaTime),
                                     !view.display.for_picture && frame.shows_cards());
    const float tabs_end = draw_tabs(frame);
    self.memory.messages_bottom = static_cast<float>(zones.view.y + zones.view.height) - frame.px(12);
    tab_in_force(settings).draw(frame);
    draw_controls(frame);
    draw_timings(frame);
    draw_status_line(frame);
    draw_splitters(frame);
    draw_change_card(frame, tabs_end);
    draw_messages(frame);
    draw_help(frame);
    make_legal(view, settings);
    if (!self.memory.told_now && !(settings == before)) self.memory.told_below.clear();
    return requests;
}

const PlotPlace* Interface::focused_plot() const {
    return implementation_->memory.pictures.focused();
}

std::optional<PlotPlace> Interface::build_picture(const View& view, Settings settings, gl::PixelSize window) {
    Memory& memory = implementation_->memory;
    const ControlMap controls = memory.controls;
    const Pictures pictures = memory.pictures;
    build(view, settings, window);
    std::optional<PlotPlace> plot;
    if (const PlotPlace* focused = memory.pictures.focused()) plot = *focused;
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

std::string Interface::control_map() const {
    return implementation_->memory.controls.json();
}

}  // namespace warpsieve::panels
