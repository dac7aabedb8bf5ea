#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/panels/ui.hpp"
#include "app/trace/traced_run.hpp"
#include "app/view_model/run_view.hpp"
#include "app/view_model/slot_map_view.hpp"

/// The inside of one compaction: what each multiprocessor or worker thread did when.
namespace warpsieve::panels {

/// What was computed for the picture of one run, until the run or the visible time changes.
struct InsideBars {
    std::shared_ptr<const trace::TracedRun> run;
    trace::TimeWindow window;
    float width = 0;
    std::vector<trace::WorkBar> bars;
    std::vector<std::size_t> rows;  ///< [processors + 1] the first bar of each processor
    std::vector<float> busy;        ///< for each column of pixels: busy processors, mean over its time
    bool merged = false;
};

/// What the view remembers between frames.
struct InsideMemory {
    using Runs = std::array<std::shared_ptr<const trace::TracedRun>, 2>;  ///< of A and B

    std::optional<Runs> held;
    bool stepping = false;  ///< held, and waiting for a trace newer than `stepped_from`
    Runs stepped_from;
    std::optional<trace::TimeWindow> window;   ///< empty: the whole run
    float rows_zoom = 1;                       ///< 1: all rows fit
    float first_row = 0;                       ///< share of the rows above the picture
    std::optional<std::uint32_t> roles_block;  ///< whose warps' roles are traced; empty: the first block
    double next_request_s = 0;
    std::array<InsideBars, 2> drawn;
    bool dragged = false;
};

void draw_inside(Ui& ui);

/// Actions of keys and buttons.
void toggle_inside_hold(Ui& ui);
/// Holds, and takes the next trace.
void step_inside(Ui& ui);

}  // namespace warpsieve::panels
