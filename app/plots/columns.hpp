#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/timeline.hpp"

namespace warpsieve::plots {

/// A set of the series in a plot of phases, with one bit each: first the phases by their index, then the
/// constants below.
using SeriesSet = std::uint32_t;
inline constexpr SeriesSet between_series = SeriesSet{1} << compaction::max_phases;
inline constexpr SeriesSet total_series = between_series << 1;
inline constexpr SeriesSet interop_series = between_series << 2;
inline constexpr SeriesSet compared_series = between_series << 3;
inline constexpr SeriesSet every_series = (between_series << 4) - 1;
constexpr SeriesSet phase_series(std::size_t phase) {
    return SeriesSet{1} << phase;
}

/// The frames that a plot shows, by their ordinals in the timeline.
struct Window {
    std::uint64_t end = 0;     ///< one past the newest frame
    std::size_t frames = 600;  ///< number of frames that the full width stands for, even if fewer exist
};

/// One column of the plot: the phases of a frame and the time between calls, stacked.
struct Column {
    std::size_t num_newer = 0;                         ///< number of columns that are newer
    std::uint64_t ordinal = 0;                         ///< ordinal of the frame in the timeline
    const compaction::Algorithm* algorithm = nullptr;  ///< its phases are the bands
    bool stacked = false;  ///< false: the frame has no usable times, so the column is a gap
    /// [phases of the algorithm + 1] upper ends of the bands. The last band is the time between calls.
    std::array<float, compaction::max_phases + 1> tops_us{};
    float total_us = 0;  ///< 0 if unknown
    float interop_us = 0;
    double clock_hz = 0;            ///< lowest clock of the frames that share the column; 0 if unknown
    bool settings_changed = false;  ///< the settings changed before one of these frames

    /// The height of all bands.
    float stack_us() const { return stacked ? tops_us[algorithm->phases.size()] : 0.0F; }
    float bottom_us(std::size_t band) const { return band == 0 ? 0.0F : tops_us[band - 1]; }
};

/// The timeline reduced to the columns on the screen, oldest first.
struct Columns {
    Window window;
    std::size_t frames_per_column = 1;
    std::size_t num_across = 0;  ///< number of columns of the full width
    std::vector<Column> columns;
};

/// Reduces the frames in the window to about `max_columns` columns at most. If several frames share a column,
/// the one with the largest total represents it, because an average would hide late frames; frames without
/// the times of all phases represent it only if there is no other. Groups are fixed to ordinals, so that
/// nothing flickers while the plot scrolls. A frame whose times are missing or not finite is a gap. Hidden
/// bands have no height. Reuses the memory of `out`.
void reduce(const experiments::Timeline& timeline, const Window& window, std::size_t max_columns,
            Columns& out, SeriesSet hidden = 0);

/// The height of the visible bands of a frame; 0 if its phases are unknown.
float visible_us(const experiments::FrameSample& sample, SeriesSet hidden);

}  // namespace warpsieve::plots
