#pragma once

#include "app/plots/style.hpp"

namespace warpsieve::panels {

/// Sets colours, spacing and rounding of the current ImGui context. Everything is sized by `style.scale`.
void apply_style(const plots::Style& style);

/// Switches anti-aliasing and rounded corners on or off. On software OpenGL they cost more than the panels.
void apply_detail(const plots::Style& style);

}  // namespace warpsieve::panels
