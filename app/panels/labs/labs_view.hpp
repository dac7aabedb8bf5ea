#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/labs/jobs.hpp"
#include "app/panels/labs/lab_plots.hpp"
#include "app/panels/ui.hpp"
#include "app/view_model/labs_view.hpp"
#include "app/view_model/machine_view.hpp"
#include "app/view_model/stream_view.hpp"

namespace warpsieve::panels {

/// What a lab would measure if it started now.
struct LabPlan {
    labs::Job job;
    std::string off_because;  ///< why it cannot be started; empty where it can
};

/// Where a lab draws, in pixels of the window.
struct LabArea {
    ImVec2 low;
    ImVec2 high;
};

/// A lab. To add one: a file with its `plan` and `draw`, and a line in labs_view.cpp; strip, header, start,
/// cancel and progress are common to all.
struct Lab {
    std::string_view id;  ///< "compare": in its job's reports and in the settings
    const char* name;     ///< "Compare"
    const char* meaning;  ///< for the tooltip
    LabPlan (*plan)(const Ui& ui);
    /// Draws the lab's last report, which may be running, or null.
    void (*draw)(Ui& ui, const labs::Report* report, const LabArea& area);
    bool brings_its_streams = false;  ///< the header offers no choice of pattern, item size and cache
};

/// Every lab there is, in the order of the strip.
std::span<const Lab> all_labs();

/// The lab that the settings name, else the first.
const Lab& lab_in_force(const Settings& settings);
/// What it would measure now.
LabPlan plan_in_force(const Ui& ui);

/// The last report of that lab, or nullptr.
const labs::Report* report_of(const LabsView& labs, std::string_view lab);

/// Starts the current lab unless one runs or something prevents it.
void start_lab(Ui& ui);

/// Draws the planned measurement, its choices, and its progress or the age of its results.
void draw_lab_header(Ui& ui, const Lab& lab, const labs::Report* report);

/// Where a lab has no report: draws an example with `draw`, pale and labelled as such, below `text` and the
/// button that starts the lab.
void draw_example(Ui& ui, const LabArea& area, std::string_view text,
                  const std::function<void(const labs::Report&)>& draw);

/// The labs, one file each.
LabPlan plan_tune(const Ui& ui);
void draw_tune(Ui& ui, const labs::Report* report, const LabArea& area);
LabPlan plan_compare(const Ui& ui);
void draw_compare(Ui& ui, const labs::Report* report, const LabArea& area);
LabPlan plan_sweep(const Ui& ui);
void draw_sweep(Ui& ui, const labs::Report* report, const LabArea& area);
LabPlan plan_steps(const Ui& ui);
void draw_steps(Ui& ui, const labs::Report* report, const LabArea& area);
LabPlan plan_roofline(const Ui& ui);
void draw_roofline(Ui& ui, const labs::Report* report, const LabArea& area);
LabPlan plan_reproduce(const Ui& ui);
void draw_reproduce(Ui& ui, const labs::Report* report, const LabArea& area);

}  // namespace warpsieve::panels
