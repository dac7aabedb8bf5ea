#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/histogram.hpp"
#include "app/plots/stacked_phases.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::panels {

/// Frames by their ordinals, without `end`.
struct FrameRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const FrameRange&) const = default;
};

/// The strip with the whole history, written again with the figures.
struct TimelineOverview {
    plots::Columns columns;
    plots::CalmRange range;
    std::vector<float> totals_us;         ///< scratch memory
    std::optional<std::uint64_t> serial;  ///< DisplayView::figures_serial
    float width = 0;
    std::int64_t grip = 0;  ///< frames from the mouse to the end of the viewport while it is dragged
};

/// What the timeline view remembers between frames. Frames are identified by their ordinals in the timeline.
struct TimelineMemory {
    plots::StackedPhases plot;
    std::optional<experiments::Timeline> held;  ///< a copy, while the history is held
    bool held_by_scrolling = false;             ///< the newest frame of the copy leads back to the live ones
    bool let_go = false;                        ///< before the next frame: follow the newest frame again
    bool fits_all = false;             ///< the time axis fits every visible frame; a double-click switches
    std::optional<std::uint64_t> end;  ///< one past the newest frame shown; empty: follows the newest
    std::optional<std::uint64_t> pinned;

    plots::SeriesSet hidden = 0;                       ///< series hidden by clicks on the legend
    const compaction::Algorithm* legend_of = nullptr;  ///< whose phases `hidden` names
    std::optional<FrameRange> range;                   ///< selected with Shift+drag
    experiments::Summary range_us;                     ///< of its totals
    std::optional<std::uint64_t> range_from;           ///< where the selecting drag began
    TimelineOverview overview;

    // Where a drag of the plot began. While the mouse is held, no frame is hovered.
    std::optional<std::uint64_t> pressed_on;
    std::uint64_t drag_end = 0;
    bool dragged = false;

    // The histogram, written again with the figures.
    bool all_shown =
        false;  ///< counts the visible frames rather than all frames with the newest one's settings
    plots::Histogram histogram;
    std::optional<std::uint64_t>
        histogram_serial;          ///< DisplayView::figures_serial; empty: to be written again
    std::vector<float> totals_us;  ///< scratch memory

    std::string ghost_path;
    bool typing_ghost = false;
};

}  // namespace warpsieve::panels
