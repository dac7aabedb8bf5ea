#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/panel_frame.hpp"
#include "app/panels/widgets.hpp"

/// Controls that stand beside each other in a line, as the labs need them. Each records itself in the control
/// map and offers its tooltip.
namespace warpsieve::panels {

/// Where the next control of a line goes: beside the last one where `width` pixels are left, else below.
void continue_line(const PanelFrame& frame, float width);

/// The width of a menu in which each of its entries fits, beside the arrow.
float menu_width(const PanelFrame& frame, std::span<const MenuEntry> entries);

/// A menu that shows what is chosen, after `prefix`. Entries record themselves as "name: label".
std::optional<std::size_t> menu(PanelFrame& frame, std::string_view name, float width,
                                std::span<const MenuEntry> entries, std::size_t selected,
                                std::string_view tooltip, std::string_view prefix = {});

/// A button; greyed out where `off_because` says why.
bool action(PanelFrame& frame, const char* label, float width, std::string_view tooltip, std::string_view key,
            const std::string& off_because = {});

/// A box to tick. Its width in pixels is `toggle_width`.
void toggle(PanelFrame& frame, const char* label, bool& value, std::string_view tooltip);
float toggle_width(const PanelFrame& frame, const char* label);

/// Words, wrapped, in the middle of nothing: what to do where there is nothing to show yet.
void hint(const PanelFrame& frame, ImVec2 low, ImVec2 high, std::string_view text);

}  // namespace warpsieve::panels
