#pragma once

#include "app/plots/look.hpp"

namespace warpsieve::panels {

/// Sets colours, spacing and rounding of the current ImGui context. Everything is sized by `look.scale`.
void apply_style(const plots::Look& look);

/// Switches anti-aliasing and rounded corners off, or on again: on software OpenGL they cost more than the
/// panels themselves.
void apply_detail(const plots::Look& look);

}  // namespace warpsieve::panels
