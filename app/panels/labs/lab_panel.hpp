#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "app/labs/runner.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// What a lab would measure if it started now.
struct LabPlan {
    labs::Job job;
    std::string disabled_reason;  ///< why it cannot be started; empty where it can
};

/// Where a lab draws, in pixels of the window.
struct LabArea {
    ImVec2 low;
    ImVec2 high;
};

/// A lab, with what it remembers between frames. The class of a lab is known to its own file alone;
/// docs/how-to/add_a_view.md shows how to add one.
class LabPanel {
  public:
    virtual ~LabPanel() = default;
    /// What the lab would measure now, on any engine.
    virtual LabPlan plan(const Ui& ui) = 0;
    /// Draws the lab's last report, which may be running, or null.
    virtual void draw(Ui& ui, const labs::Report* report, const LabArea& area) = 0;

  protected:
    /// Draws an example with `draw`, pale and labelled as such, below `text`: for a lab without a report.
    void draw_example(Ui& ui, const LabArea& area, std::string_view text,
                      const std::function<void(const labs::Report&)>& draw);

  private:
    std::shared_ptr<const labs::Report> example_;
};

/// What the lab would measure now, or why the engine cannot be measured.
LabPlan plan_of(LabPanel& lab, const Ui& ui);

/// A kind of lab as data. Strip, header, start, cancel and progress are common to all.
struct LabType {
    const char* name = "";            ///< "Compare"
    const char* meaning = "";         ///< text of the tooltip
    bool brings_its_streams = false;  ///< the header offers no choice of pattern, item size and cache
    std::unique_ptr<LabPanel> (*make)() = nullptr;

    std::string_view id = {};  ///< "compare": in its job's reports and in the settings; from labs.def
};

template <typename Panel>
std::unique_ptr<LabPanel> make_lab() {
    return std::make_unique<Panel>();
}

#define LAB(id) LabType id##_lab();
#include "app/panels/labs/labs.def"
#undef LAB

/// Every lab there is, in the order of the strip.
std::span<const LabType> all_labs();
/// Index of the lab that the settings name, else of the first.
std::size_t current_lab(const Settings& settings);

}  // namespace warpsieve::panels
