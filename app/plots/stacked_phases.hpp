#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/format/figures.hpp"
#include "app/plots/axis.hpp"
#include "app/plots/bands.hpp"
#include "app/plots/columns.hpp"
#include "app/plots/ghost_line.hpp"
#include "app/plots/style.hpp"
#include "compaction/algorithm.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::plots {

/// What a plot of phases is to show.
struct PhaseSeries {
    const experiments::Timeline& timeline;
    const compaction::Algorithm& algorithm;  ///< whose phases are named at the right edge
    Window window;
    bool logarithmic = false;
    std::optional<TotalsLine> compared = {};  ///< another run to hold the totals against
    std::optional<std::uint64_t> pinned;      ///< ordinal of a frame to mark
    bool held = false;                        ///< the newest frame of the timeline is not that of now
    bool fits_all = false;                    ///< the axis fits every visible frame
    SeriesSet hidden = 0;                     ///< series not to draw
};

/// The name of a series beside the plot.
struct NamePlace {
    SeriesSet series;
    std::string text;
    ImVec2 low;
    ImVec2 high;
};

/// The phases of frames and the time between calls, stacked, in time from left to right.
///
/// Each band carries its name at the right edge, at the height where the newest frames have it. The phases
/// and the time between calls reach up to the total. Lines run in front: the total, also where no phases are
/// known; the time of map and unmap, which is no part of the compaction; and the total of another run. On a
/// logarithmic axis edges are read off as on a linear one, but heights of bands do not add up. What is drawn
/// costs some ten thousand vertices, or on `Style::plain` some hundred rectangles.
///
/// The axis fits the frames with the settings of the newest visible one; what lies above it is marked.
class StackedPhases {
  public:
    /// Draws into the rectangle from `low` to `high` of the window. `seconds`: since the last call, for the
    /// calm axis.
    void draw(ImDrawList& list, ImVec2 low, ImVec2 high, const PhaseSeries& series, const Style& style,
              double seconds);

    /// The ordinal of the frame under the mouse, in what was drawn last.
    std::optional<std::uint64_t> hovered() const { return hovered_; }
    /// Where the data was drawn last; nothing where there was no room.
    const std::optional<PlotFrame>& place() const { return place_; }
    const Columns& columns() const { return columns_; }
    /// The names that were drawn last, from top to bottom.
    const std::vector<NamePlace>& names() const { return names_; }
    /// The pixel of the left edge of a frame, or of its right edge with the ordinal of the next, within the
    /// data.
    float x_of(std::uint64_t ordinal) const;

    /// "3 frames above 1,200 µs", while the axis cuts any; else empty.
    std::string left_out() const;
    double highest_us() const { return highest_us_; }

  private:
    /// The name of a band or of a line, and the height it belongs to.
    struct Name {
        std::string text;
        float y;
        ImU32 colour;
        float thickness;
        SeriesSet series;
    };
    /// Whether a line beside the stack is drawn; it may use only a part of the height.
    enum class Line : std::uint8_t { none, shown, above };
    /// Cache key of axis and labels.
    struct Basis {
        std::uint64_t end = 0;  ///< of the frames
        std::size_t frames = 0;
        std::size_t columns = 0;
        std::uint32_t epoch = 0;
        const compaction::Algorithm* algorithm = nullptr;
        SeriesSet hidden = 0;
        bool fits_all = false;
        bool logarithmic = false;
        double compared_us = 0;

        bool operator==(const Basis&) const = default;
    };
    /// Medians over the newest quarter of the plot: a name follows neither every frame nor a late one.
    struct UsualTimes {
        float stack_us = 0;
        float total_us = 0;
        float phases_us = 0;
        float interop_us = 0;
        std::array<float, compaction::max_phases> middles_us{};
    };

    void follow(const PhaseSeries& series, double seconds);
    bool is_cached(Basis basis) const;
    void recompute(const PhaseSeries& series, std::uint64_t begin, double seconds);
    /// The height of a frame in the plot: the total, or the visible bands where the total is hidden.
    float drawn_us(const experiments::FrameSample& sample) const;
    void count_above(const experiments::Timeline& timeline, std::uint64_t begin, std::uint64_t end);
    void decide_on_compared(const std::optional<TotalsLine>& compared, double usual_us);
    void draw_axes(const Area& area, std::uint64_t frames_after, bool held) const;
    void draw_times(const Area& area) const;
    void draw_runs(const Area& area);
    void draw_line(const Area& area, float Column::*value, ImU32 colour);
    void draw_changes(const Area& area) const;
    void draw_spike_marks(const Area& area) const;
    UsualTimes find_usual_times(const compaction::Algorithm& algorithm);
    std::vector<Name> place_names(const Area& area, const PhaseSeries& series) const;
    std::string_view interop_name() const;
    std::string compared_name(const TotalsLine& line) const;
    float names_width(const PhaseSeries& series, const Style& style) const;
    void draw_names(const Area& area, const PhaseSeries& series);
    void draw_pinned(const Area& area, std::uint64_t pinned) const;
    std::optional<std::uint64_t> draw_cursor(const Area& area, std::uint64_t frames_after) const;

    Columns columns_;
    std::vector<NamePlace> names_;
    SeriesSet hidden_ = 0;
    RangeHysteresis range_;
    std::uint32_t scaled_epoch_ = 0;  ///< whose frames set the axis
    std::size_t above_ = 0;           ///< visible frames above the axis
    double highest_us_ = 0;
    double log_low_us_ = 0;
    format::TimeUnit unit_;
    Line interop_ = Line::none;
    Line compared_ = Line::none;
    std::optional<PlotFrame> place_;
    std::optional<std::uint64_t> hovered_;
    std::vector<float> shown_us_;  ///< scratch memory
    std::vector<float> lowest_us_;
    std::vector<ImVec2> edge_;
    BandMemory bands_;
    Basis basis_;
    UsualTimes usual_;
};

}  // namespace warpsieve::plots
