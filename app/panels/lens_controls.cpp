#include <array>
#include <cmath>

#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

void draw_edited(Ui& ui) {
    const std::array choices{Segment{.label = "A", .off_because = {}, .in_force = false},
                             Segment{.label = "B", .off_because = {}, .in_force = false}};
    const auto clicked =
        segments(ui,
                 {.label = "controls set",
                  .tooltip = "Selects the side that the controls below set: A, left of the divider, or B, "
                             "right of it. Stream, engine and iterations are the same for both.",
                  .key = "B",
                  .off_because = {}},
                 choices, index_of(ui.edited()));
    if (clicked) ui.lens_side = both_sides[*clicked];
}

void draw_moves(Ui& ui) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "A and B", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(ui, row);
    const auto widths = shared_widths(ui, {"swap", "A to B", "B to A"});
    if (button(ui, "swap", widths[0],
               "Swaps A and B. A difference that stays on the same side of the picture is not caused by the "
               "algorithm.",
               "X")) {
        swap_sides(ui.view.catalogue, ui.settings);
    }
    ImGui::SameLine(0, gap);
    if (button(ui, "A to B", widths[1],
               "Copies A's algorithm and launch configuration to B. Then change one option: the ratio shows "
               "its effect alone.",
               ">")) {
        copy_side(ui.view.catalogue, ui.settings, Side::a);
    }
    ImGui::SameLine(0, gap);
    if (button(ui, "B to A", widths[2],
               "Copies B's algorithm and launch configuration to A. The faster one then becomes the "
               "reference for the next comparison.",
               "<")) {
        copy_side(ui.view.catalogue, ui.settings, Side::b);
    }
    end_row(ui, row);
}

}  // namespace

void draw_lens_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::lens, "A against B")) return;
    draw_edited(ui);
    draw_moves(ui);
}

}  // namespace warpsieve::panels
