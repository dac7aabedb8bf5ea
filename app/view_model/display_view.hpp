#pragma once

#include <cstdint>

namespace warpsieve {

/// The frame that is drawn.
struct DisplayView {
    double now_s = 0;
    std::uint64_t frame = 0;
    std::uint64_t frames_in_all = 0;   ///< of a run offscreen; 0: in a window
    std::uint64_t figures_serial = 0;  ///< another number where figures are written again: 5 Hz, readable
    float scale = 1;
    bool first_start = false;  ///< in a window, without settings of an earlier one
    bool for_picture = false;  ///< a picture is taken of this frame: transient items are left out
    bool plain_plots = false;  ///< software OpenGL: lines instead of filled, anti-aliased areas
    bool recording = false;
    std::uint64_t frames_recorded = 0;  ///< of the recording that runs
};

}  // namespace warpsieve
