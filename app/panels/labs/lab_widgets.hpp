#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/ui.hpp"
#include "app/panels/widgets.hpp"

/// Controls of the labs. Each records itself in the control map and offers its tooltip.
namespace warpsieve::panels {

/// Continues the line if `width` pixels are left beside the last control, else starts a new one.
void continue_line(const Ui& ui, float width);

/// The width of a menu that fits its widest entry and the arrow, in pixels.
float menu_width(const Ui& ui, std::span<const MenuEntry> entries);

/// A menu that shows the selected entry after `prefix`. Entries record themselves as "name: label". Returns
/// the index of a clicked entry.
std::optional<std::size_t> menu(Ui& ui, std::string_view name, float width,
                                std::span<const MenuEntry> entries, std::size_t selected,
                                std::string_view tooltip, std::string_view prefix = {});

/// A check box, `toggle_width` pixels wide.
void toggle(Ui& ui, const char* label, bool& value, std::string_view tooltip);
float toggle_width(const Ui& ui, const char* label);

/// Draws wrapped text in the middle of an empty area, to say what to do first.
void draw_hint(const Ui& ui, ImVec2 low, ImVec2 high, std::string_view text);

}  // namespace warpsieve::panels
