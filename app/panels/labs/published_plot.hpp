#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/plots/style.hpp"
#include "experiments/published/plot.hpp"

namespace warpsieve::panels {

/// Draws a plot of the page of `reproduce` in the colours of the window, with its top left corner at `low`.
/// `width`: in pixels at 100 %. Returns the text of the mark under the mouse; empty if there is none.
std::string draw_published_plot(ImDrawList& list, ImVec2 low, const published::Plot& plot, double width,
                                const plots::Style& style, std::optional<ImVec2> mouse);

}  // namespace warpsieve::panels
