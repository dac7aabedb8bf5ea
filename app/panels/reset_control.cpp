#include "app/panels/reset_control.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "app/panels/choices.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve::panels {
namespace {

constexpr std::array controls{
    SettingControl{"source", "source"},
    SettingControl{"pattern", "pattern"},
    SettingControl{"slots", "slots"},
    SettingControl{"live fraction", "density"},
    SettingControl{"seed", "seed"},
    SettingControl{"speed", "speed"},
    SettingControl{"engine", "engine"},
    SettingControl{"algorithm", "algorithm"},
    SettingControl{"schedule seed", "schedule_seed"},
    SettingControl{"thread order", "schedule_seed"},
    SettingControl{"multiprocessors", "schedule_seed"},
    SettingControl{"iterations", "iterations"},
    SettingControl{"check", "check"},
    SettingControl{"check every", "check_every"},
    SettingControl{"theme", "theme"},
    SettingControl{"plots on", "plot_theme"},
    SettingControl{"UI scale", "scale"},
    SettingControl{"slot map colour", "slot_map_colour"},
    SettingControl{"quality", "labs.quality"},
    SettingControl{"lab pattern", "labs.pattern"},
    SettingControl{"item size", "labs.item_bytes"},
    SettingControl{"cache", "labs.cache"},
    SettingControl{"base", "labs.base"},
    SettingControl{"tuned algorithm", "labs.tuned"},
};

/// The buttons beside a number are clicked fast without a wish to reset it.
bool over_step_buttons(std::string_view label, const ControlMap::Control& control) {
    if (label != "seed" && label != "schedule seed") return false;
    const float buttons = 2 * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
    return ImGui::GetIO().MousePos.x >= control.high.x - buttons;
}

}  // namespace

std::span<const SettingControl> setting_controls() {
    return controls;
}

std::string setting_of_control(const Ui& ui, std::string_view label) {
    // A part of a control records itself as "control: part".
    const std::string_view whole = label.substr(0, label.find(": "));
    const std::string prefix = ui.edited() == Side::b ? "b." : "";
    for (const compaction::Option option : compaction::all_options) {
        if (label_of(option, ui.settings.run.engine) == whole)
            return prefix + "options." + std::string(flag_of(option));
    }
    const auto found = std::ranges::find(controls, whole, &SettingControl::label);
    if (found == controls.end()) return {};
    return found->key == "algorithm" ? prefix + "algorithm" : std::string(found->key);
}

void reset_setting(Ui& ui, const CatalogueView& catalogue, const std::string& key) {
    if (key == "engine") {
        const auto first = std::ranges::find(catalogue.engines, true, &compaction::EngineStatus::available);
        if (first != catalogue.engines.end()) choose_engine(catalogue, ui.settings, first->id);
        return;
    }
    const SettingDescriptor& row = field(key);
    const Value value = row.access.get(*ui.defaults);
    if (row.allowed(ui.settings).contains(value)) row.access.set(ui.settings, value);
}

void handle_double_click(Ui& ui, const CatalogueView& catalogue, std::string& clicked) {
    const ImGuiIO& io = ImGui::GetIO();
    constexpr ImGuiMouseButton left = ImGuiMouseButton_Left;
    if (ImGui::IsMouseClicked(left) && !ImGui::IsMouseDoubleClicked(left)) {
        const ControlMap::Control* const control = ui.controls.at(io.MousePos);
        const bool resets = control && !io.KeyCtrl && !over_step_buttons(control->label, *control);
        clicked = resets ? control->label : "";
    }
    // Two fast drags from the same place are no double-click.
    const float still = io.MouseDragThreshold * io.MouseDragThreshold;
    if (!ImGui::IsMouseReleased(left) || io.MouseClickedLastCount[left] != 2 ||
        io.MouseDragMaxDistanceSqr[left] > still)
        return;
    const std::string key = setting_of_control(ui, clicked);
    if (key.empty()) return;
    reset_setting(ui, catalogue, key);
    // A text field that the click opened would write its text back.
    ImGui::ClearActiveID();
    if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) ImGui::ClosePopupToLevel(0, true);
}

}  // namespace warpsieve::panels
