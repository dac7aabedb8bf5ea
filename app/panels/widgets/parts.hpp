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

/// The colour, muted if the control is disabled.
ImU32 dimmed(const Ui& ui, ImU32 colour, bool disabled);

/// Draws the outline of a control that Dear ImGui does not draw itself.
void draw_edge(const Ui& ui, ImVec2 low, ImVec2 high, bool disabled);

/// The index `steps` usable choices after `selected`, or before it if `steps` is negative; at most the last
/// or first usable one. Nullopt if `steps` is 0. If `selected` is past the end, nothing is selected.
std::optional<std::size_t> stepped_choice(const std::vector<bool>& usable, std::size_t selected, int steps);

/// Draws an item's key, muted, at its right end if text that ends at `text_right` leaves room for it.
void draw_key(const Ui& ui, std::string_view key, ImVec2 low, ImVec2 high, float text_right);

}  // namespace warpsieve::panels
