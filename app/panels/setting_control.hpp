#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/panels/ui.hpp"
#include "app/panels/widgets.hpp"

/// Controls drawn from the descriptors of settings: see app/settings/schema.hpp.
namespace warpsieve::panels {

/// Draws the control of the setting with that key, unless the setting has no effect now. `effective`: the
/// current value of a number that is chosen automatically.
void setting_control(Ui& ui, std::string_view key, std::optional<double> effective = {});

/// Draws the control of a launch option of the edited side. `resolved`: the value that the run uses if the
/// option is automatic.
void option_control(Ui& ui, const compaction::Algorithm& algorithm, compaction::Option option,
                    std::uint32_t resolved);

/// Why an option that the algorithm does not have cannot be set.
std::string reason_without_option(const compaction::Algorithm& algorithm, compaction::Option option);

/// Label, tooltip and shortcut of a setting, for a control that a panel draws itself.
Row row_of(const Ui& ui, std::string_view key);

/// The key of the setting that the control with that label sets for the edited side; "" if it sets none.
std::string setting_of_control(const Ui& ui, std::string_view label);

/// Sets a setting to its default on this machine.
void reset_setting(Ui& ui, const std::string& key);

/// Resets the setting of the control under a double-click. Call after all panels. `first_clicked` keeps the
/// label under the first click between frames, because that click may have opened a menu over the control.
void handle_double_click(Ui& ui, std::string& first_clicked);

}  // namespace warpsieve::panels
