#pragma once

#include "app/plots/style.hpp"

namespace warpsieve::panels {

/// Rebuilds the font atlas of the current ImGui context with the embedded typefaces at `scale`. Needs no
/// OpenGL: the renderer uploads the atlas later. Call between frames.
plots::Fonts build_fonts(float scale);

}  // namespace warpsieve::panels
