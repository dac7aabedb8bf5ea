#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plots/axis.hpp"
#include "app/plots/bands.hpp"
#include "app/plots/columns.hpp"
#include "app/plots/figures.hpp"
#include "app/plots/look.hpp"
#include "compaction/algorithm.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve::plots {

/// The live plot: the phases of the last frames, stacked, in time from left to right.
///
/// Each band carries its name at the right edge, at the height where the newest frames have it. Two lines run
/// in front: the total, which is timed from outside and so lies below the stack by what timing phase by phase
/// costs; and the time of map and unmap, which is no part of the compaction. What is drawn costs a few
/// thousand vertices, or on `Look::plain` a few hundred rectangles.
class StackedPhases {
  public:
    /// Draws into the rectangle from `low` to `high` of the window and returns the index in `timeline` of the
    /// frame under the mouse. `seconds`: since the last call, for the calm axis.
    std::optional<std::size_t> draw(ImDrawList& list, ImVec2 low, ImVec2 high,
                                    const experiments::Timeline& timeline,
                                    const compaction::Algorithm& algorithm, const Look& look, double seconds);

    /// "3 frames above 1,200 µs", where the axis leaves any out; else empty.
    std::string left_out() const;
    double highest_us() const;

  private:
    /// The name of a band or of the line, and the height it belongs to.
    struct Name {
        std::string_view text;
        float y;
        ImU32 colour;
        float thickness;
    };
    enum class Interop : std::uint8_t { none, shown, above };

    void follow(const experiments::Timeline& timeline, double seconds);
    void draw_axes(const Area& area) const;
    void draw_runs(const Area& area);
    void draw_line(const Area& area, float Column::*value, ImU32 colour);
    void draw_spike_marks(const Area& area) const;
    std::vector<Name> place_names(const Area& area, const compaction::Algorithm& algorithm);
    std::string_view interop_name() const;
    void draw_names(const Area& area, const compaction::Algorithm& algorithm);
    std::optional<std::size_t> draw_cursor(const Area& area) const;

    Columns columns_;
    CalmRange range_;
    TimeUnit unit_;
    Interop interop_ = Interop::none;
    std::vector<float> shown_us_;  ///< memory to work in
    std::vector<ImVec2> edge_;
};

}  // namespace warpsieve::plots
