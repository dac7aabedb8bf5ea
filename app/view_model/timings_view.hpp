#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view_model/frame_view.hpp"
#include "compaction/engine.hpp"
#include "experiments/saved_run.hpp"
#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// The history of the frames, and how it was timed.
struct TimingsView {
    std::shared_ptr<const experiments::Timeline> timeline;
    std::shared_ptr<const experiments::Timeline> timeline_b;  ///< of B, while the A/B lens is shown
    const experiments::SavedRun* ghost = nullptr;             ///< a saved run to compare the totals with
    experiments::Summary frame_us;                            ///< refreshed at 5 Hz
    FrameView frame;                                          ///< where a frame goes; refreshed at 5 Hz
    double interface_us = 0;                                  ///< CPU time of the panels, smoothed
    std::uint64_t dropped_runs = 0;                           ///< runs left untimed because the ring was full
    std::string method;  ///< "CUDA events, phases by block stamps (32 ns step)"
    /// GPU launches of one compaction; empty where that is not known.
    std::optional<std::vector<compaction::Launch>> launches;
};

/// The processors' clock when it was last measured, in Hz; 0 where it is not known.
inline double last_clock_hz(const std::shared_ptr<const experiments::Timeline>& timeline) {
    const bool any = timeline && timeline->size() > 0;
    return any ? (*timeline)[timeline->size() - 1].clock_hz : 0;
}

}  // namespace warpsieve
