#pragma once

#include "app/diagnostics/provenance.hpp"
#include "app/plots/style.hpp"

/// The strip below a picture with the provenance of its figures.
namespace warpsieve::panels {

/// Height of the strip for a picture `width` pixels wide, in pixels.
float provenance_strip_height(const plots::Style& style, float width, const Provenance& provenance);

/// Draws the strip with its top left at `low`.
void draw_provenance_strip(ImDrawList& list, const plots::Style& style, ImVec2 low, float width,
                           const Provenance& provenance);

}  // namespace warpsieve::panels
