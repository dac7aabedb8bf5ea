#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "experiments/timeline.hpp"

namespace warpsieve::plots {

/// What one column of the plot shows: a frame, its phases summed up from the bottom. The stack and the total
/// are two measurements: phases are timed one by one now and then and carried on in between, totals in every
/// frame.
struct Column {
    std::size_t age = 0;                               ///< columns back from the newest one
    std::size_t sample = 0;                            ///< index into the timeline
    const compaction::Algorithm* algorithm = nullptr;  ///< whose phases are stacked
    bool stacked = false;                              ///< false where the frame has no usable timing: a gap
    std::array<float, compaction::max_phases> tops_us{};  ///< [phases of the algorithm], running sums
    float total_us = 0;                                   ///< timed from outside; 0 where there is none
    float interop_us = 0;

    /// The phases added up.
    float stack_us() const { return stacked ? tops_us[algorithm->phases.size() - 1] : 0.0F; }
    float bottom_us(std::size_t phase) const { return phase == 0 ? 0.0F : tops_us[phase - 1]; }
};

/// The timeline, reduced to what fits on the screen, oldest first.
struct Columns {
    std::size_t frames_per_column = 1;
    std::size_t across = 0;  ///< columns that the full width holds
    std::vector<Column> columns;
};

/// Reduces `timeline` to at most about `most` columns. Where several frames share a column the one with the
/// largest total stands for it, because an average would hide the late frames a person is looking for. Groups
/// are fixed to frame numbers, so a frame keeps its neighbours while the plot scrolls and nothing flickers. A
/// frame whose timing is missing or not finite is a gap. Reuses the memory of `out`.
void reduce(const experiments::Timeline& timeline, std::size_t most, Columns& out);

}  // namespace warpsieve::plots
