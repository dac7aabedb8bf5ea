#pragma once

#include <imgui.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/axis.hpp"
#include "app/plots/style.hpp"
#include "app/trace/memory_replay.hpp"

namespace warpsieve::plots {

/// How a mark is drawn: measured accesses are solid; accesses that are spread evenly between the begin and
/// the end of a span are dim. Where marks overlap, the later enumerator is drawn.
enum class MarkLook : std::uint8_t { spread_loads, spread_stores, loads, stores };

/// A rectangle of pixels that marks of one phase and look cover. Pixels count from the upper left corner of
/// the row.
struct MergedMarks {
    std::uint16_t left = 0;
    std::uint16_t right = 0;  ///< one past the last column
    std::uint16_t top = 0;
    std::uint16_t bottom = 0;  ///< one past the last line
    std::uint8_t row = 0;
    std::uint8_t phase = 0;
    MarkLook look = MarkLook::loads;
};

/// The number of rows of a replay: the input, its buffers, the output.
std::size_t num_rows(const trace::MemoryReplay& replay);

/// Merges the marks of a replay by pixels: `columns` across its duration, `row_height` lines in each row. A
/// mark covers at least a column and `min_height` lines. If there would be more than max_merged_marks
/// rectangles, marks become coarser.
std::vector<MergedMarks> merge_marks(const trace::MemoryReplay& replay, std::uint32_t columns,
                                     std::uint32_t row_height, std::uint32_t min_height);
inline constexpr std::size_t max_merged_marks = 12'000;

/// What an access does: "phase move, launch scan_in_one_block: stores offsets 3 to 6 at step 64".
std::string text_of(const trace::MemoryReplay& replay, const trace::ReplayMark& mark);

/// Makes a plot one of several below each other. Each has its name beside the phases; all share the time
/// axis below the last one. They have no captions.
struct ComparedPlot {
    std::string name;     ///< empty: the plot stands alone
    double axis_end = 0;  ///< the longest duration of all plots
    bool is_last = true;
};

/// The plot of time by address of one compaction. A strip shows the phases: the time between launches belongs
/// to none, and a phase by a library is hatched, because only its begin and end are known. Below the strip,
/// each access is a mark in the row of its buffer, at the height of its address.
///
/// The marks are merged when the replay or the size changes, so that drawing costs little.
class AddressPlot {
  public:
    /// Draws into the rectangle. Everything after `playhead` is dim; spans that contain it are less dim.
    /// Without a playhead, nothing is dim.
    void draw(ImDrawList& list, ImVec2 low, ImVec2 high,
              const std::shared_ptr<const trace::MemoryReplay>& replay, std::optional<double> playhead,
              const Style& style, const ComparedPlot& compared = {});

    // These refer to the last draw().

    /// The time at a pixel, clamped to the compaction.
    double time_at(float x) const;
    float x_of(double time) const { return time_.at(time); }
    /// Describes the mark, row or phase at a point; empty for the labels and the axis.
    std::string text_at(ImVec2 point) const;

    /// The height at which rows are easy to read.
    static float good_height(const trace::MemoryReplay& replay, const Style& style);

  private:
    /// Where the parts of the plot are.
    struct Layout {
        ImVec2 low;
        ImVec2 high;
        float left = 0;       ///< of the time axis
        float right = 0;      ///< of the time axis
        float strip_top = 0;  ///< of the phases
        float strip_bottom = 0;
        float rows_top = 0;
        float row_height = 0;  ///< of the marks; 0: there is no room
        float row_gap = 0;
        float rows_bottom = 0;
        bool has_axis = true;
        bool has_caption = false;  ///< below the axis
    };
    /// A bar in the strip of phases.
    struct PhaseBar {
        std::size_t phase = 0;
        float left = 0;
        float right = 0;
    };
    struct PhaseName {
        enum class Position : std::uint8_t { inside, beside, above };
        std::size_t phase = 0;
        std::string text;
        float x = 0;
        Position position = Position::inside;
    };
    struct Painter;

    void lay_out(ImVec2 low, ImVec2 high, const Style& style, const ComparedPlot& compared);
    float end_x() const { return std::round(x_of(replay_->duration())); }
    void merge(const Style& style);
    void name_phases(const Style& style);
    std::vector<PhaseBar> phase_bars() const;
    float top_of(std::size_t row) const;
    std::optional<std::size_t> row_at(float y) const;
    const trace::ReplayMark* mark_at(std::size_t row, ImVec2 point) const;
    std::string phase_text_at(double time) const;

    std::shared_ptr<const trace::MemoryReplay> replay_;
    Layout layout_;
    Scale time_;
    std::vector<PhaseName> names_;
    std::vector<MergedMarks> merged_;
    // The arguments that merged_ was made from.
    std::shared_ptr<const trace::MemoryReplay> merged_replay_;
    std::uint32_t merged_columns_ = 0;
    std::uint32_t merged_height_ = 0;
    std::uint32_t merged_min_height_ = 0;
};

}  // namespace warpsieve::plots
