#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/diagnostics/change_watch.hpp"
#include "app/diagnostics/quality_flags.hpp"
#include "app/format/figures.hpp"
#include "app/panels/control_map.hpp"
#include "app/panels/labs/lab_plots.hpp"
#include "app/panels/layout.hpp"
#include "app/panels/pictures.hpp"
#include "app/panels/tooltips.hpp"
#include "app/panels/views/slot_map.hpp"
#include "app/panels/views/timeline_memory.hpp"
#include "app/plots/stacked_phases.hpp"
#include "app/plots/style.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve::panels {

/// A rectangle of the window.
struct Box {
    ImVec2 low;
    ImVec2 high;

    float width() const { return high.x - low.x; }
    float height() const { return high.y - low.y; }
    bool holds(ImVec2 point) const {
        return point.x >= low.x && point.x < high.x && point.y >= low.y && point.y < high.y;
    }
};

/// What the A/B lens remembers between frames.
struct LensMemory {
    Side edited = Side::a;  ///< whose algorithm and options the controls set
    float grip = 0;         ///< where the mouse took hold of the divider, in pixels from its line
};

/// What the panels remember between frames.
struct Memory {
    Tooltips tooltips;
    ControlMap controls;
    plots::StackedPhases plot;
    TimelineMemory timeline;
    Pictures pictures;
    SlotMapMemory slot_map;
    LabPlots lab_plots;
    bool help_open = false;
    bool change_card_open = false;
    float messages_bottom = 0;  ///< messages grow upwards from here; a view with figures there raises it

    // The slider that a value is being typed into, and what has been typed.
    std::string typing_into;
    std::string typed;
    bool typing_begins = false;
    // What became of a typed value that could not be taken as it was, below that slider until the next
    // change.
    std::string told_below;
    std::string told;
    bool told_now = false;  ///< in this frame

    std::string folder;
    bool typing_folder = false;

    // The number of kept items, held for a fifth of a second so that it can be read.
    std::uint64_t shown_kept = 0;
    double shown_kept_until_s = 0;

    std::map<std::string, plots::CalmUnit> row_units;  ///< of the timing table, by names of rows

    // Where the mouse took hold of a splitter, as the size it had then.
    float splitter_start = 0;

    LensMemory lens;
};

/// Everything a panel needs to draw one frame. Panels own nothing.
struct PanelFrame {
    const View& view;
    Settings& settings;
    Requests& requests;
    const plots::Style& style;
    const Zones& zones;
    gl::PixelSize window;
    Memory& memory;

    float px(float at_100_percent) const { return style.px(at_100_percent); }
    const plots::Palette& palette() const { return style.palette; }
    const plots::Fonts& fonts() const { return style.fonts; }
    /// Whether cards of figures follow the mouse: they would stand over the list of keys.
    bool shows_cards() const { return !memory.help_open; }
    /// Whose algorithm and options the controls set.
    Side edited() const { return settings.compares() ? memory.lens.edited : Side::a; }
};

/// Opens the ImGui window of a zone; close with ImGui::End().
void begin_zone(const char* name, const Rectangle& zone, int extra_flags = 0);

void draw_controls(PanelFrame& frame);
void draw_timings(PanelFrame& frame);
void draw_status_line(PanelFrame& frame);
void draw_splitters(PanelFrame& frame);
void draw_messages(PanelFrame& frame);
/// What the last change of a control did: a line behind the tabs, a table while the mouse is on it.
void draw_change_card(PanelFrame& frame, float tabs_end);
void draw_help(PanelFrame& frame);

/// Turns and zooms the camera by what the mouse does to the item of that size that ImGui drew last.
void move_camera(PanelFrame& frame, ImVec2 size);

/// The timing table with the throughput below it, within the current window, with the columns that fit.
void draw_timing_table(PanelFrame& frame, ImVec2 low, ImVec2 high);
/// The same as text, with every column, microseconds.
experiments::Table timing_table(const PanelFrame& frame);
/// The width of the fullest timing table that fits into `room`, in pixels; 0 where none does.
float fitting_table_width(const PanelFrame& frame, float room);

/// The share of copy in per cent: "37.2", a digit less where it is noisy, an en dash where it is not known.
std::string share_text(const Throughput& throughput);
/// Why it is noisy; empty where it is not.
std::string share_caution(const Throughput& throughput);

}  // namespace warpsieve::panels
