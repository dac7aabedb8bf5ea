#include <array>
#include <cmath>

#include "app/panels/choices.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

void draw_edited(ControlsFrame& frame) {
    const std::array choices{Segment{.label = "A", .off_because = {}, .in_force = false},
                             Segment{.label = "B", .off_because = {}, .in_force = false}};
    const auto clicked = segments(
        frame,
        {.label = "controls set",
         .tooltip =
             "Whose algorithm and layout the controls below set: A's, left of the divider, or B's, right "
             "of it. Stream, engine and iterations are the same for both.",
         .key = "B",
         .off_because = {}},
        choices, index_of(frame.edited()));
    if (clicked) frame.lens_side = both_sides[*clicked];
}

void draw_moves(ControlsFrame& frame) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const Row row{.label = "A and B", .tooltip = {}, .key = {}, .off_because = {}};
    begin_row(frame, row);
    const auto widths = shared_widths(frame, {"swap", "A to B", "B to A"});
    if (button(frame, "swap", widths[0],
               "A and B change places. What stays with one side of the picture then is no fault of the "
               "algorithm.",
               "X")) {
        swap_sides(frame.catalogue, frame.settings);
    }
    ImGui::SameLine(0, gap);
    if (button(
            frame, "A to B", widths[1],
            "Gives B the algorithm and layout of A. Change one thing then, and the ratio says what that one "
            "thing is worth.",
            ">")) {
        copy_side(frame.catalogue, frame.settings, Side::a);
    }
    ImGui::SameLine(0, gap);
    if (button(frame, "B to A", widths[2],
               "Gives A the algorithm and layout of B, so that what has won is what others are held against.",
               "<")) {
        copy_side(frame.catalogue, frame.settings, Side::b);
    }
    end_row(frame, row);
}

}  // namespace

void draw_lens_controls(ControlsFrame& frame) {
    heading(frame, "A against B");
    draw_edited(frame);
    draw_moves(frame);
}

}  // namespace warpsieve::panels
