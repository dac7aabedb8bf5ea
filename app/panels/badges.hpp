#pragma once

#include <span>

#include "app/diagnostics/quality_flags.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// Draws the badges from `x` on, most severe first, up to `right`; each has a tooltip. Without room for all
/// names, the last ones show their sign alone.
/// Returns the right end of the last one.
float draw_badges(Ui& ui, std::span<const QualityFlag> badges, float x, float top, float baseline,
                  float right);

/// The sign of a quality: a tick, a triangle or a cross.
void draw_sign(const Ui& ui, ImVec2 centre, Quality quality);

/// One word in a box after the sign of its quality, or the sign alone; returns its right end.
float draw_badge(Ui& ui, ImVec2 at, float baseline, const QualityFlag& badge, bool named = true);
float badge_width(const Ui& ui, const QualityFlag& badge);

}  // namespace warpsieve::panels
