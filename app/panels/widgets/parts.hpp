#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/panels/ui.hpp"

/// Internals shared by the controls of widgets.hpp.
namespace warpsieve::panels {

/// The baseline of the text of a control whose upper edge is at `top`.
float baseline_of(const Ui& ui, float top);

/// The colour; muted where the control is off.
ImU32 dimmed(const Ui& ui, ImU32 colour, bool off);

/// Draws the outline of a control that Dear ImGui does not draw itself.
void draw_edge(const Ui& ui, ImVec2 low, ImVec2 high, bool off);

/// The index `steps` usable choices after `selected`, or before it if `steps` is negative, as far as there
/// are any. Nothing if `steps` is 0. Where `selected` is past the end, nothing is selected.
std::optional<std::size_t> stepped_choice(const std::vector<bool>& usable, std::size_t selected, int steps);

/// Draws an item's key, muted, at its right end if text that ends at `text_right` leaves room for it.
void draw_key(const Ui& ui, std::string_view key, ImVec2 low, ImVec2 high, float text_right);

}  // namespace warpsieve::panels
