#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/timeline.hpp"

namespace warpsieve::plots {

/// Series of a plot of phases, one bit each: phases by their index, then these.
using SeriesSet = std::uint32_t;
inline constexpr SeriesSet between_series = SeriesSet{1} << compaction::max_phases;
inline constexpr SeriesSet total_series = between_series << 1;
inline constexpr SeriesSet interop_series = between_series << 2;
inline constexpr SeriesSet ghost_series = between_series << 3;
inline constexpr SeriesSet every_series = (between_series << 4) - 1;
constexpr SeriesSet phase_series(std::size_t phase) {
    return SeriesSet{1} << phase;
}

/// Which frames a plot shows, by their ordinals in the timeline.
struct Window {
    std::uint64_t end = 0;     ///< one past the newest
    std::size_t frames = 600;  ///< across the full width, even if fewer exist
};

/// One column of the plot: a frame with its phases and the time between calls, summed from the bottom.
struct Column {
    std::size_t age = 0;                               ///< columns back from the newest one
    std::uint64_t ordinal = 0;                         ///< of the frame, in the timeline
    const compaction::Algorithm* algorithm = nullptr;  ///< whose phases are stacked
    bool stacked = false;                              ///< false: the frame has no usable timing and is a gap
    /// [phases of the algorithm + 1], running sums; the last band is the time between calls.
    std::array<float, compaction::max_phases + 1> tops_us{};
    float total_us = 0;  ///< 0 where there is none
    float interop_us = 0;
    double clock_hz = 0;  ///< the lowest of the frames that share the column; 0 where it is not known
    bool settings_changed = false;  ///< before one of these frames

    /// All bands added up.
    float stack_us() const { return stacked ? tops_us[algorithm->phases.size()] : 0.0F; }
    float bottom_us(std::size_t band) const { return band == 0 ? 0.0F : tops_us[band - 1]; }
};

/// The timeline reduced to the columns on the screen, oldest first.
struct Columns {
    Window window;
    std::size_t frames_per_column = 1;
    std::size_t across = 0;  ///< columns that the full width holds
    std::vector<Column> columns;
};

/// Reduces the frames in the window to at most about `most` columns. If several frames share a column, the
/// one with the largest total represents it, because an average would hide late frames. Groups are fixed to
/// ordinals, so that nothing flickers while the plot scrolls. A frame whose timing is missing or not finite
/// is a gap. Hidden bands have no height. Reuses the memory of `out`.
void reduce(const experiments::Timeline& timeline, const Window& window, std::size_t most, Columns& out,
            SeriesSet hidden = 0);

/// The height of the visible bands of a frame; 0 where its phases are not known.
float visible_us(const experiments::FrameSample& sample, SeriesSet hidden);

}  // namespace warpsieve::plots
