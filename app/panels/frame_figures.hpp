#pragma once

#include <cstdint>
#include <string>

#include "app/panels/ui.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::panels {

/// "Frame 5,053".
std::string frame_name(const experiments::FrameSample& sample);

/// Draws the figures of one frame, a line each, at the cursor of the current window. `ordinal`: a frame that
/// the timeline holds. `width`: the width of names and numbers, in pixels; units follow.
void draw_frame_figures(Ui& ui, const experiments::Timeline& timeline, std::uint64_t ordinal, float width);

}  // namespace warpsieve::panels
