#pragma once

#include <span>

#include "app/diagnostics/quality_flags.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// Draws the badges from `x` on, most severe first, up to `right`. Each has a tooltip. Without room for all
/// names, the last badges show only their icons. Returns the right end of the last badge.
float draw_badges(Ui& ui, std::span<const QualityFlag> badges, float x, float baseline, float right);

/// Draws the icon of a quality: a tick, a triangle or a cross.
void draw_quality_icon(const Ui& ui, ImVec2 centre, Quality quality);

}  // namespace warpsieve::panels
