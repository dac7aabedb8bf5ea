#pragma once

#include <imgui.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/panels/ui.hpp"
#include "app/plots/axis.hpp"
#include "app/trace/stream_parts.hpp"

/// The drawing functions of the inside of one compaction.
namespace warpsieve::panels {

/// Cached picture of one run, until the run or the visible time changes.
struct InsideBars {
    std::shared_ptr<const trace::TracedRun> run;
    trace::TimeWindow window;
    float width = 0;
    std::vector<trace::WorkBar> bars;  ///< sorted by processor
    std::vector<float> busy;           ///< mean number of busy processors in each column of pixels
    bool merged = false;
    std::vector<trace::BlockWait> waits;
};

/// The picture of one side.
struct InsideChart {
    const trace::TracedRun& run;
    const InsideBars& drawn;
    const char* side;  ///< "A"; null where there is only one
    Rect phases;       ///< strip of the phases, with their names
    Rect rows;         ///< a row for each processor
    Rect legend;       ///< explains the marks in the rows; empty without them
    Rect lanes;        ///< a lane for each role; empty without roles
    Rect busy;         ///< busy processors over time
    plots::Scale time;
    float row_height = 1;
    float first_y = 0;  ///< upper end of row 0, which may lie above the picture
};

/// Heights of the parts of a chart that do not stretch, in pixels.
struct InsideHeights {
    float header;
    float phases;
    float legend;
    float lane;
    float busy;
};
InsideHeights inside_heights(const Ui& ui);
/// Width of the labels left of the charts.
float inside_label_width(const Ui& ui);

/// "12.3 µs"; of a simulated GPU "12.3 µs simulated".
std::string inside_duration(const trace::TracedRun& run, double us);

void draw_inside_chart(Ui& ui, const InsideChart& chart);
/// Draws ticks and labels of the time axis below `low`.
void draw_inside_axis(Ui& ui, const plots::Scale& time, ImVec2 low, float top);
/// The span under the mouse, or several that share a bar.
const trace::WorkBar* bar_at(const InsideChart& chart, ImVec2 mouse);
void draw_inside_card(Ui& ui, const InsideChart& chart, const trace::WorkBar& bar);
/// Frames the bars that process the part of the followed slot, in each phase.
void draw_followed_bars(Ui& ui, const InsideChart& chart);
/// Lets the mouse point at the first slot of the part that a bar processes, where that is known.
void point_at_bar(Ui& ui, const InsideChart& chart, const trace::WorkBar& bar);
/// The card of a role's span under the mouse; false where there is none.
bool draw_role_card(Ui& ui, const InsideChart& chart, ImVec2 mouse);

/// Computes what the picture needs, where the run, the window or the width changed.
void follow(InsideBars& drawn, const std::shared_ptr<const trace::TracedRun>& run, trace::TimeWindow window,
            float width);

/// Draws the four figures of each run in cells from left to right.
void draw_inside_figures(Ui& ui, std::span<const InsideChart> charts, Rect box);

}  // namespace warpsieve::panels
