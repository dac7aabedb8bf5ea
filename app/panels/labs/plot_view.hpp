#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/labs/reports.hpp"
#include "app/labs/sweep.hpp"
#include "app/panels/labs/lab_panel.hpp"

namespace warpsieve::panels {

/// A plot of a report, cached until the report or the displayed quantity changes.
struct CachedPlot {
    std::shared_ptr<const experiments::Measurement> measurement;  ///< the measurement shown
    labs::State state = labs::State::running;
    std::optional<labs::SweepMetric> metric;
    labs::SweepPlot sweep;
    labs::LabRemarks remarks;
    std::string click_result;  ///< the result of the last click, in words; empty before the first click
};

/// Remakes the plot with `make` if the report or `metric` has changed. `metric`: the quantity on the y axis;
/// nullopt for a plot that offers no choice of it.
void update_plot(CachedPlot& cached, const labs::Report& report, std::optional<labs::SweepMetric> metric,
                 const std::function<labs::SweepPlot(const labs::Report&)>& make);

/// Draws the plot and, in a line below it, wrong results, omissions and a hint. A click on a point loads its
/// setting into the live view. Records itself as "`name` plot".
void draw_cached_plot(Ui& ui, CachedPlot& cached, std::string_view name, const LabArea& area);

/// Draws a sentence over the width of the area, elided to one line if it would take more than a fifth of the
/// height. Returns the area below it.
LabArea draw_sentence(Ui& ui, std::string_view sentence, const LabArea& area);

/// The part of the area below the controls that were drawn at its top.
LabArea below_controls(const Ui& ui, const LabArea& area);

/// The widths of the menus of axis and quantity, in pixels at 100 %.
inline constexpr float axis_menu_width = 168;
inline constexpr float metric_menu_width = 140;

/// Draw the menus of axis and quantity at the ImGui cursor. A click changes the argument.
void draw_axis_menu(Ui& ui, labs::SweepAxis& axis);
void draw_metric_menu(Ui& ui, labs::SweepMetric& metric);

}  // namespace warpsieve::panels
