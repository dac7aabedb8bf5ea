#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/histogram.hpp"
#include "app/plots/stacked_phases.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::panels {

/// What the timeline view remembers between frames. Frames go by their ordinals in the timeline.
struct TimelineMemory {
    plots::StackedPhases plot;
    std::optional<experiments::Timeline> held;  ///< a copy, while the history is held still
    std::optional<std::uint64_t> end;  ///< one past the newest frame shown; empty: follows the newest
    std::optional<std::uint64_t> pinned;

    // Where the mouse took hold of the plot: no frame counts as being under it while it is held.
    std::optional<std::uint64_t> pressed_on;
    std::uint64_t drag_end = 0;
    bool dragged = false;

    // The histogram, held for a fifth of a second so that it can be read.
    bool all_shown = false;  ///< of the frames shown, rather than of those under the newest one's settings
    plots::Histogram histogram;
    double histogram_until_s = 0;
    std::vector<float> totals_us;  ///< memory to work in

    std::string ghost_path;
    bool typing_ghost = false;
};

}  // namespace warpsieve::panels
