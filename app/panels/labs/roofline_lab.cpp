#include "app/labs/roofline.hpp"

#include <imgui.h>

#include <optional>

#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"

namespace warpsieve::panels {
namespace {

/// Plots every algorithm by the bytes that it must move and the bytes that it moves.
class RooflineLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;

  private:
    CachedPlot plot_;
};

LabPlan RooflineLab::plan(const Ui& ui) {
    LabPlan plan{
        labs::roofline_job(ui.settings.run, ui.settings.labs, current_slots(ui.snapshot.stream, ui.settings),
                           ui.snapshot.catalogue.algorithms),
        {}};
    if (plan.job.settings.empty())
        plan.disabled_reason = "No algorithm of this engine supports this item size.";
    return plan;
}

void RooflineLab::draw(Ui& ui, const labs::Report* report, const LabArea& area) {
    const LabArea room = draw_sentence(
        ui,
        "Further right: fewer bytes moved for the same result. Nearer to the diagonals: limited by memory. A "
        "line to the left of a dot marks a range: the bytes that the algorithm moves are not known exactly.",
        area);
    const auto draw = [&](const labs::Report& shown) {
        update_plot(plot_, shown, std::nullopt, labs::plot_roofline);
        draw_cached_plot(ui, plot_, "roofline", room);
    };
    if (report) return draw(*report);
    draw_example(ui, room,
                 "Measures every algorithm of the engine, and a copy and a read of the same stream.", draw);
}

}  // namespace

LabType roofline_lab() {
    return {.name = "Roofline",
            .meaning =
                "Every algorithm by the bytes it must move and the bytes it moves, below the measured "
                "bandwidths of copying and reading. It shows whether to save passes or to use memory better.",
            .make = make_lab<RooflineLab>};
}

}  // namespace warpsieve::panels
