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

/// The measurement that a lab would start now.
struct LabPlan {
    labs::Job job;
    std::string disabled_reason;  ///< why the lab cannot start; empty if it can
};

/// The rectangle in which a lab draws, in pixels of the window.
struct LabArea {
    ImVec2 low;
    ImVec2 high;
};

/// A lab, with its state between frames. Its class is private to its own file;
/// docs/how-to/add_a_view.md shows how to add a lab.
class LabPanel {
  public:
    virtual ~LabPanel() = default;
    /// Plans the measurement with the current settings, on any engine.
    virtual LabPlan plan(const Ui& ui) = 0;
    /// Draws the lab. `report`: its last report, whose job may still run; null if there is none.
    virtual void draw(Ui& ui, const labs::Report* report, const LabArea& area) = 0;

  protected:
    /// Draws an example with `draw`, pale, beneath a card that labels it as an example and shows `text`. Call
    /// it if the lab has no report.
    void draw_example(Ui& ui, const LabArea& area, std::string_view text,
                      const std::function<void(const labs::Report&)>& draw);

  private:
    std::shared_ptr<const labs::Report> example_;
};

/// LabPanel::plan(), or the reason why the engine cannot be measured.
LabPlan plan_of(LabPanel& lab, const Ui& ui);

/// A kind of lab as data. Strip, header, start, cancel and progress are common to all.
struct LabType {
    const char* name = "";            ///< "Compare"
    const char* meaning = "";         ///< text of the tooltip
    bool brings_its_streams = false;  ///< the header offers no choice of pattern, item size and cache
    std::unique_ptr<LabPanel> (*make)() = nullptr;

    std::string_view id = {};  ///< "compare": from labs.def; names the lab in reports and settings
};

template <typename Panel>
std::unique_ptr<LabPanel> make_lab() {
    return std::make_unique<Panel>();
}

#define LAB(id) LabType id##_lab();
#include "app/panels/labs/labs.def"
#undef LAB

/// All labs, in the order of the strip.
std::span<const LabType> all_labs();
/// The index of the lab that the settings name; 0 if there is no such lab.
std::size_t current_lab(const Settings& settings);

}  // namespace warpsieve::panels
