#pragma once

#include "app/diagnostics/evidence.hpp"
#include "app/plots/look.hpp"

/// The strip below a picture that says where its figures come from.
namespace warpsieve::panels {

/// Its height for a picture `width` pixels wide.
float evidence_strip_height(const plots::Look& look, float width, const Evidence& evidence);

/// Draws it with its top left at `low`.
void draw_evidence_strip(ImDrawList& list, const plots::Look& look, ImVec2 low, float width,
                         const Evidence& evidence);

}  // namespace warpsieve::panels
