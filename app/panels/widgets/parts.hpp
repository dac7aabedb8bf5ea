#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/panels/panel_frame.hpp"

/// What several of the controls of widgets.hpp share, and no panel needs.
namespace warpsieve::panels {

/// Where the text of a control with its upper edge at `top` stands.
float baseline_of(const PanelFrame& frame, float top);

/// The colour; muted where the control is off.
ImU32 dimmed(const PanelFrame& frame, ImU32 colour, bool off);

/// The choice that many steps on that can be chosen; nothing without a step.
std::optional<std::size_t> stepped_choice(const std::vector<bool>& usable, std::size_t selected, int steps);

/// The key of an item, muted at its right end, if there is room beside text that ends at `text_right`.
void draw_key(const PanelFrame& frame, std::string_view key, ImVec2 low, ImVec2 high, float text_right);

}  // namespace warpsieve::panels
