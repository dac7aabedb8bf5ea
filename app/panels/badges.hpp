#pragma once

#include <span>

#include "app/diagnostics/quality_flags.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// Draws the badges from `x` on, most severe first, up to `right`; each has a tooltip. Without room for all
/// names, the last ones show their icon alone. Returns the right end of the last badge.
float draw_badges(Ui& ui, std::span<const QualityFlag> badges, float x, float top, float baseline,
                  float right);

/// Draws the icon of a quality: a tick, a triangle or a cross.
void draw_quality_icon(const Ui& ui, ImVec2 centre, Quality quality);

/// Draws a badge: the icon of its quality, then its name if `named`, in a box. Returns the right end.
float draw_badge(Ui& ui, ImVec2 at, float baseline, const QualityFlag& badge, bool named = true);
float badge_width(const Ui& ui, const QualityFlag& badge);

}  // namespace warpsieve::panels
