#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/panels/ui.hpp"
#include "app/view_model/snapshot.hpp"

/// Which control sets which setting: a double-click on any control resets its setting.
namespace warpsieve::panels {

struct SettingControl {
    std::string_view label;  ///< of the control in the control map
    std::string_view key;    ///< of the row in the schema; of A where both sides have one
};

/// Every control that sets a row of the schema, except launch options, whose labels depend on the engine.
std::span<const SettingControl> setting_controls();

/// The key of the setting that the control with that label sets for the edited side; "" if it sets none.
std::string setting_of_control(const Ui& ui, std::string_view label);

/// Sets a setting to its default on this machine.
void reset_setting(Ui& ui, const CatalogueView& catalogue, const std::string& key);

/// Resets the setting of the control under a double-click. Call after all panels. `clicked` keeps the label
/// under the first click, which may have opened a menu.
void handle_double_click(Ui& ui, const CatalogueView& catalogue, std::string& clicked);

}  // namespace warpsieve::panels
