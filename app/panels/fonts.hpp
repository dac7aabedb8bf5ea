#pragma once

#include "app/plots/style.hpp"

namespace warpsieve::panels {

/// Rebuilds the font atlas of the current ImGui context with the embedded typefaces at `scale`. The renderer
/// uploads an atlas whose pixels are there and then frees them, so this needs no OpenGL. Call between frames.
plots::Fonts build_fonts(float scale);

}  // namespace warpsieve::panels
