#include "app/panels/setting_control.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve::panels {
namespace {

using compaction::LegalRange;
using compaction::Option;

Row row_of(const Ui& ui, const Control& control) {
    const compaction::EngineId engine = ui.settings.run.engine;
    return {.label = control.label_on(engine),
            .tooltip = control.tooltip_on(engine),
            .key = control.shortcut,
            .disabled_reason = control.disabled_reason ? control.disabled_reason(ui.settings) : ""};
}

void draw_segments(Ui& ui, const SettingDescriptor& setting, const AllowedValues& allowed, const Row& row) {
    const bool is_toggle = setting.access.kind == Kind::toggle;
    const std::vector<std::string> words = is_toggle ? std::vector<std::string>{"off", "on"} : allowed.words;
    std::vector<Segment> choices;
    for (const std::string& word : words) choices.push_back({.label = allowed.name_of(word)});
    const auto selected =
        static_cast<std::size_t>(std::ranges::find(words, text_of(setting, ui.settings)) - words.begin());
    const auto clicked = segments(ui, row, choices, selected);
    if (!clicked) return;
    setting.access.set(ui.settings, is_toggle ? Value(*clicked == 1) : Value(words[*clicked]));
}

/// Draws a menu. If the current word is not in it, the first entry is shown as selected.
void draw_menu(Ui& ui, const SettingDescriptor& setting, const AllowedValues& allowed, Row row) {
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < allowed.words.size(); ++i)
        entries.push_back({allowed.names[i], allowed.meanings[i], {}});
    const auto found = std::ranges::find(allowed.words, text_of(setting, ui.settings));
    const auto selected = found == allowed.words.end()
                              ? std::size_t{0}
                              : static_cast<std::size_t>(found - allowed.words.begin());
    if (row.tooltip.empty()) row.tooltip = allowed.meanings[selected];
    if (const auto clicked = menu(ui, row, entries, selected))
        setting.access.set(ui.settings, allowed.words[*clicked]);
}

/// Maps the whole steps of a slider to the numbers of a range.
class SliderSteps {
  public:
    SliderSteps(const Control& control, const AllowedValues& allowed)
        : doubles_(control.kind == ControlKind::doubling_slider),
          min_(allowed.min),
          max_(std::min(allowed.max, control.slider_max.value_or(allowed.max))),
          steps_per_unit_(control.steps_per_unit) {}

    int last() const { return unclamped_step_of(max_); }
    int step_of(double value) const { return std::min(unclamped_step_of(value), last()); }
    double value_of(int step) const {
        return doubles_ ? std::ldexp(min_, step) : min_ + static_cast<double>(step) / steps_per_unit_;
    }

  private:
    int unclamped_step_of(double value) const {
        if (doubles_) return std::ilogb(value) - std::ilogb(min_);
        return static_cast<int>(std::lround((value - min_) * steps_per_unit_));
    }

    bool doubles_;  ///< each step doubles the number
    double min_;
    double max_;
    double steps_per_unit_;
};

void draw_slider(Ui& ui, const SettingDescriptor& setting, const AllowedValues& allowed, const Row& row,
                 double value) {
    const Control& control = setting.control;
    const SliderSteps steps(control, allowed);
    const bool is_singular = value == 1 && !control.unit_of_one.empty();
    const std::string unit(is_singular ? control.unit_of_one : control.unit);
    const SliderResult result = slider(ui, {.row = row,
                                            .step = steps.step_of(value),
                                            .last_step = steps.last(),
                                            .number = control.figure(value),
                                            .unit = unit});
    if (result.step) setting.access.set(ui.settings, steps.value_of(*result.step));
    if (!result.typed) return;
    if (allowed.whole) {
        if (const auto typed = typed_count(ui, row.label, *result.typed, allowed))
            setting.access.set(ui.settings, static_cast<double>(*typed));
    } else if (const auto typed = typed_number(ui, row.label, *result.typed, allowed, unit, control.scale)) {
        setting.access.set(ui.settings, static_cast<double>(*typed));
    }
}

/// Draws segments: "automatic" and the widths. `range`: null if the option is disabled.
void draw_vector_width(Ui& ui, const LegalRange* range, const Row& row, std::uint32_t& chosen,
                       std::uint32_t resolved) {
    const LegalRange every_width = compaction::every_vector_width();
    // A disabled control shows every width.
    const LegalRange& shown = range ? *range : every_width;
    std::vector<std::uint32_t> widths{compaction::automatic};
    for (const std::uint32_t width : shown.values()) widths.push_back(width);
    std::vector<std::string> names;
    for (const std::uint32_t width : widths) names.push_back(every_width.text_of(width));
    std::vector<Segment> choices;
    for (const std::uint32_t width : widths) {
        const bool is_resolved = width != compaction::automatic && width == resolved;
        choices.push_back({.label = names[choices.size()],
                           .is_effective = range && chosen == compaction::automatic && is_resolved});
    }
    const auto selected = static_cast<std::size_t>(std::ranges::find(widths, chosen) - widths.begin());
    if (const auto clicked = segments(ui, row, choices, selected)) chosen = widths[*clicked];
}

std::string figure_of(const LegalRange& range, std::uint32_t value) {
    if (value == compaction::automatic) return {};
    return range.names.empty() ? format::grouped(value) : range.text_of(value);
}

/// Sets `chosen` to the legal value nearest to the typed text, or to automatic for an empty text, 0 or
/// "auto". Other text changes nothing. Notes a changed or refused value below the control with that label.
void apply_typed_option(Ui& ui, const LegalRange& range, std::string_view label, const std::string& text,
                        std::uint32_t& chosen) {
    const std::optional<std::uint32_t> named = range.parse(text);
    const auto typed = named ? std::optional<std::uint64_t>(*named) : format::parse_count(text);
    const bool means_automatic = text.starts_with("auto") || text.empty() || typed == 0;
    if (means_automatic) {
        chosen = compaction::automatic;
    } else if (typed) {
        chosen =
            nearest_legal(range, static_cast<std::uint32_t>(std::min<std::uint64_t>(*typed, range.maximum)));
        if (chosen != *typed)
            note_below(ui, label, figure_of(range, chosen) + " is the nearest legal value.");
    } else {
        note_below(ui, label, "'" + text + "' is not a legal value.");
    }
}

/// Draws a slider whose step 0 is `automatic`. The legal values are the steps after it. `range`: null if the
/// option is disabled.
void draw_number_option(Ui& ui, const LegalRange* range, const Row& row, std::uint32_t& chosen,
                        std::uint32_t resolved) {
    const std::vector<std::uint32_t> values = range ? range->values() : std::vector<std::uint32_t>{};
    const bool is_automatic = chosen == compaction::automatic;
    const auto num_not_above = std::ranges::upper_bound(values, chosen) - values.begin();
    const std::uint32_t shown = is_automatic ? resolved : chosen;
    const SliderResult result = slider(ui, {.row = row,
                                            .step = is_automatic ? 0 : static_cast<int>(num_not_above),
                                            .last_step = static_cast<int>(values.size()),
                                            .before = is_automatic ? "automatic" : "",
                                            .number = range ? figure_of(*range, shown) : ""});
    if (result.step)
        chosen =
            *result.step == 0 ? compaction::automatic : values[static_cast<std::size_t>(*result.step) - 1];
    if (result.typed && range) apply_typed_option(ui, *range, row.label, *result.typed, chosen);
}

/// Whether the mouse is over the buttons that step a number. Fast clicks on them are not a double-click.
bool is_mouse_over_step_buttons(const SettingDescriptor& setting, const ControlMap::Control& control) {
    if (setting.control.kind != ControlKind::number_field || setting.control.label != control.label)
        return false;
    const float buttons_width = 2 * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
    return ImGui::GetIO().MousePos.x >= control.high.x - buttons_width;
}

}  // namespace

Row row_of(const Ui& ui, std::string_view key) {
    return row_of(ui, field(key).control);
}

void setting_control(Ui& ui, std::string_view key, std::optional<double> effective) {
    const SettingDescriptor& setting = field(key);
    if (!setting.applies_to(ui.settings)) return;
    const AllowedValues allowed = setting.allowed(ui.settings, ui.snapshot.catalogue);
    const Control& control = setting.control;
    Row row = row_of(ui, control);
    std::string tooltip(row.tooltip);
    if (control.names_range) tooltip += " Range: " + allowed.describe() + ".";
    row.tooltip = tooltip;
    const Value value = setting.access.get(ui.settings);
    switch (control.kind) {
        case ControlKind::segments:
            return draw_segments(ui, setting, allowed, row);
        case ControlKind::menu:
            return draw_menu(ui, setting, allowed, row);
        case ControlKind::slider:
        case ControlKind::doubling_slider:
            return draw_slider(ui, setting, allowed, row, effective.value_or(std::get<double>(value)));
        case ControlKind::number_field:
            return setting.access.set(ui.settings, number_field(ui, row, allowed, std::get<double>(value)));
        case ControlKind::custom:
            break;
    }
}

void option_control(Ui& ui, const compaction::Algorithm& algorithm, Option option, std::uint32_t resolved) {
    Row row = row_of(ui, "options." + std::string(flag_of(option)));
    const LegalRange* range = algorithm.range_of(option);
    if (!range) row.disabled_reason = reason_without_option(algorithm, option);
    std::uint32_t& chosen = ui.settings.run.algorithm_config(ui.edited()).options[option];
    if (option == Option::vector_width) return draw_vector_width(ui, range, row, chosen, resolved);
    draw_number_option(ui, range, row, chosen, resolved);
}

std::string reason_without_option(const compaction::Algorithm& algorithm, Option option) {
    if (option == Option::blocks && algorithm.engine == compaction::EngineId::cpu)
        return "The CPU engine has no blocks.";
    return algorithm.id + (option == Option::variant ? " has one variant only." : " chooses this itself.");
}

std::string setting_of_control(const Ui& ui, std::string_view label) {
    // A part of a control records itself as "control: part".
    const std::string_view control_label = label.substr(0, label.find(": "));
    if (control_label.empty()) return {};
    // These controls choose among the seeds.
    if (control_label == "thread order" || control_label == "multiprocessors") return "schedule_seed";
    const auto found = std::ranges::find_if(schema(), [&](const SettingDescriptor& setting) {
        return setting.control.label_on(ui.settings.run.engine) == control_label &&
               setting.side.value_or(ui.edited()) == ui.edited();
    });
    return found == schema().end() ? std::string() : found->key;
}

void reset_setting(Ui& ui, const std::string& key) {
    const CatalogueInfo& catalogue = ui.snapshot.catalogue;
    if (key == "engine") {
        const auto first_available =
            std::ranges::find(catalogue.engines, true, &compaction::EngineStatus::available);
        if (first_available != catalogue.engines.end())
            choose_engine(catalogue, ui.settings, first_available->id);
        return;
    }
    const SettingDescriptor& setting = field(key);
    const Value value = setting.access.get(*ui.defaults);
    if (setting.allowed(ui.settings, catalogue).contains(value)) setting.access.set(ui.settings, value);
}

void handle_double_click(Ui& ui, std::string& first_clicked) {
    const ImGuiIO& io = ImGui::GetIO();
    constexpr ImGuiMouseButton left = ImGuiMouseButton_Left;
    if (ImGui::IsMouseClicked(left) && !ImGui::IsMouseDoubleClicked(left)) {
        const ControlMap::Control* const control = ui.controls.at(io.MousePos);
        // Ctrl+click types a value.
        const std::string key = control && !io.KeyCtrl ? setting_of_control(ui, control->label) : "";
        const bool resets = !key.empty() && !is_mouse_over_step_buttons(field(key), *control);
        first_clicked = resets ? control->label : "";
    }
    // Two fast drags from the same point are not a double-click.
    const float max_drag_sqr = io.MouseDragThreshold * io.MouseDragThreshold;
    const bool was_dragged = io.MouseDragMaxDistanceSqr[left] > max_drag_sqr;
    if (!ImGui::IsMouseReleased(left) || io.MouseClickedLastCount[left] != 2 || was_dragged) return;
    const std::string key = setting_of_control(ui, first_clicked);
    if (key.empty()) return;
    reset_setting(ui, key);
    // A text field that the first click opened would write its text back.
    ImGui::ClearActiveID();
    if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
        ImGui::ClosePopupToLevel(0, /*restore_focus_to_window_under_popup=*/true);
}

}  // namespace warpsieve::panels
