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
#include "app/plots/style.hpp"
#include "compaction/algorithm.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::plots {

/// The content of a plot of phases.
struct PhaseSeries {
    const experiments::Timeline& timeline;
    const compaction::Algorithm& algorithm;  ///< the right edge names the phases of this algorithm
    Window window;
    bool logarithmic = false;
    std::optional<TotalsLine> compared = {};  ///< the totals of another run
    std::optional<std::uint64_t> pinned;      ///< ordinal of a marked frame
    bool held = false;                        ///< the timeline is paused
    bool fits_all = false;                    ///< the axis fits every visible frame
    SeriesSet hidden = 0;                     ///< series that are not drawn
    std::string last_change = {};             ///< the newest change of the settings in words; empty: unknown
};

/// The name of a series beside the plot, and its rectangle.
struct DrawnName {
    SeriesSet series;
    std::string text;
    ImVec2 low;
    ImVec2 high;
};

/// A stacked area plot of the phases of each frame and the time between calls, over time.
///
/// Each band has its name at the right edge, at its height in the newest frames. The stack ends at the total.
/// Lines in front of it show the total, also of frames without known phases; the time of map and unmap, which
/// is not part of the compaction; and the total of another run. On a logarithmic axis, the height of a band
/// has no meaning, only its edges have. A plot has about ten thousand vertices, or a few hundred rectangles
/// with `Style::plain`.
///
/// The axis fits the frames that have the settings of the newest visible one. Frames above it are marked.
class StackedPhases {
  public:
    /// Draws into the rectangle from `low` to `high` of the window. `seconds`: time since the last call.
    void draw(ImDrawList& list, ImVec2 low, ImVec2 high, const PhaseSeries& series, const Style& style,
              double seconds);

    /// The ordinal of the frame that was under the mouse when the plot was last drawn.
    std::optional<std::uint64_t> hovered() const { return hovered_; }
    /// The rectangle of the data when the plot was last drawn; empty if there was too little room.
    const std::optional<PlotFrame>& plot_frame() const { return plot_frame_; }
    const Columns& columns() const { return columns_; }
    /// The names of the last drawing, from top to bottom.
    const std::vector<DrawnName>& names() const { return names_; }
    /// The x of the left edge of a frame, clamped to the data.
    float x_of(std::uint64_t ordinal) const;

    /// "3 frames above 1,200 µs", or "" if the axis fits all frames.
    std::string left_out_text() const;
    double highest_us() const { return highest_us_; }

  private:
    /// The name of a band or a line, at its height.
    struct Name {
        std::string text;
        float y;
        ImU32 colour;
        float thickness;
        SeriesSet series;
    };
    /// Whether a line beside the stack is drawn. A line that is too high would flatten the stack.
    enum class Line : std::uint8_t { none, shown, too_high };
    /// Cache key of the axis and of the positions of names.
    struct CacheKey {
        std::uint64_t end = 0;  ///< one past the newest frame
        std::size_t frames = 0;
        std::size_t columns = 0;
        std::uint32_t epoch = 0;
        const compaction::Algorithm* algorithm = nullptr;
        SeriesSet hidden = 0;
        bool fits_all = false;
        bool logarithmic = false;
        double compared_us = 0;

        bool operator==(const CacheKey&) const = default;
    };
    /// Medians over the newest quarter of the plot, so that late frames do not move the names.
    struct TypicalTimes {
        float stack_us = 0;
        float total_us = 0;
        float phases_us = 0;
        float interop_us = 0;
        std::array<float, compaction::max_phases> middles_us{};
    };

    void update_axis(const PhaseSeries& series, double seconds);
    /// A few new frames change the medians of a long window little, so they do not invalidate the cache.
    bool is_cached(CacheKey key) const;
    void recompute(const PhaseSeries& series, std::uint64_t begin, double seconds);
    /// The height of a frame in the plot: the total, or the visible bands if the total is hidden.
    float drawn_us(const experiments::FrameSample& sample) const;
    void count_above(const experiments::Timeline& timeline, std::uint64_t begin, std::uint64_t end);
    void update_compared_line(const std::optional<TotalsLine>& compared, double mean_us);
    void draw_axes(const Area& area, std::uint64_t frames_after, bool held) const;
    void draw_times(const Area& area) const;
    void draw_stacks(const Area& area);
    void draw_line(const Area& area, float Column::*value, ImU32 colour);
    void draw_changes(const Area& area, const std::string& last_change) const;
    void draw_spike_marks(const Area& area) const;
    TypicalTimes find_typical_times(const compaction::Algorithm& algorithm);
    std::vector<Name> choose_names(const Area& area, const PhaseSeries& series) const;
    std::string_view interop_name() const;
    std::string compared_name(const TotalsLine& line) const;
    float names_width(const PhaseSeries& series, const Style& style) const;
    void draw_names(const Area& area, const PhaseSeries& series);
    void draw_pinned(const Area& area, std::uint64_t pinned) const;
    std::optional<std::uint64_t> draw_cursor(const Area& area, std::uint64_t frames_after) const;

    Columns columns_;
    std::vector<DrawnName> names_;
    SeriesSet hidden_ = 0;
    RangeHysteresis range_;
    std::uint32_t scaled_epoch_ = 0;  ///< the axis fits the frames of this configuration epoch
    std::size_t num_above_ = 0;       ///< number of visible frames above the axis
    double highest_us_ = 0;
    double log_low_us_ = 0;
    format::TimeUnit unit_;
    Line interop_ = Line::none;
    Line compared_ = Line::none;
    std::optional<PlotFrame> plot_frame_;
    std::optional<std::uint64_t> hovered_;
    std::vector<float> fitted_us_;        ///< heights that the axis fits; scratch memory of recompute
    std::vector<float> lowest_edges_us_;  ///< upper edges of the first phases; scratch memory of recompute
    std::vector<float> median_scratch_;
    std::vector<ImVec2> line_scratch_;
    BandMemory bands_;
    CacheKey cache_key_;
    TypicalTimes typical_;
};

}  // namespace warpsieve::plots
