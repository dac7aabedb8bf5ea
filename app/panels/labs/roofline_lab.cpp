#include "app/labs/roofline.hpp"

#include <imgui.h>

#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"
#include "app/panels/memory.hpp"

namespace warpsieve::panels {

LabPlan plan_roofline(const Ui& ui) {
    LabPlan plan{
        labs::roofline_job(ui.settings.run, ui.settings.labs, slots_in_force(ui.view.stream, ui.settings),
                           ui.view.catalogue.algorithms),
        {}};
    if (plan.job.settings.empty()) plan.off_because = "No algorithm of this engine supports this item size.";
    return plan;
}

void draw_roofline(Ui& ui, const labs::Report* report, const LabArea& area) {
    const LabArea room = draw_sentence(
        ui,
        "Further right: fewer bytes moved for the same result. Nearer to the diagonals: limited by memory. A "
        "line to the left of a dot marks a range: the bytes that the algorithm moves are not known exactly.",
        area);
    const auto draw = [&](const labs::Report& shown) {
        KeptPlot& kept = ui.memory.lab_plots.roofline;
        keep_plot(kept, shown, 0, labs::plot_roofline);
        draw_kept_plot(ui, kept, "roofline", room);
    };
    if (report) return draw(*report);
    draw_example(ui, room,
                 "Measures every algorithm of the engine, and a copy and a read of the same stream.", draw);
}

}  // namespace warpsieve::panels
