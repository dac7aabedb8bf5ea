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

/// What a chart shows of one run within a window of time.
struct InsideContent {
    std::shared_ptr<const trace::TracedRun> run;
    trace::TimeWindow window;
    float width = 0;
    std::vector<trace::WorkBar> bars;  ///< sorted by processor
    std::vector<float> busy;           ///< mean number of busy processors in each column of pixels
    bool merged = false;               ///< the spans of each processor are merged by bins of time
    std::vector<trace::BlockWait> waits;
};

/// The chart of one side of the lens: its content and the rectangles of its parts.
struct InsideChart {
    const trace::TracedRun& run;
    const InsideContent& content;
    const char* side;  ///< "A" or "B"; null if there is only one chart
    Rect phases;       ///< strip of the phases, with their names
    Rect rows;         ///< a row for each processor
    Rect legend;       ///< explains the marks in the rows; empty without them
    Rect lanes;        ///< a lane for each role; empty without roles
    Rect busy;         ///< busy processors over time
    plots::Scale time;
    float row_height = 1;
    float first_y = 0;  ///< upper end of row 0, which may lie above `rows`
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

/// "12.3 µs", or "12,300 ticks" for a simulated GPU, whose schedule has no times.
std::string inside_duration(const trace::TracedRun& run, double us);

void draw_inside_chart(Ui& ui, const InsideChart& chart);
/// Draws lines of the chart's time axis from `top` to `bottom`, and their labels below.
void draw_inside_axis(Ui& ui, const InsideChart& chart, float top, float bottom);
/// The bar under the mouse; null if there is none.
const trace::WorkBar* bar_at(const InsideChart& chart, ImVec2 mouse);
void draw_inside_card(Ui& ui, const InsideChart& chart, const trace::WorkBar& bar);
/// Draws frames around the bars that process the followed slot, in each phase.
void draw_followed_bars(Ui& ui, const InsideChart& chart);
/// Makes the first slot that a bar processes, if it is known, the slot under the mouse.
void point_at_bar(Ui& ui, const InsideChart& chart, const trace::WorkBar& bar);
/// Draws the card of a role's span under the mouse. Returns whether there is one.
bool draw_role_card(Ui& ui, const InsideChart& chart, ImVec2 mouse);

/// Computes the content again if the run, the window or the width has changed.
void refresh(InsideContent& content, const std::shared_ptr<const trace::TracedRun>& run,
             trace::TimeWindow window, float width);

/// Draws the four figures of each run in cells from left to right.
void draw_inside_figures(Ui& ui, std::span<const InsideChart> charts, Rect box);

}  // namespace warpsieve::panels
