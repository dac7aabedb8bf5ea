#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/format/figures.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/difference_model.hpp"
#include "app/panels/views/slot_map_model.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using format::grouped;

const scene::SlotSample* sample_of(const Ui& ui, Side side) {
    return (side == Side::a ? ui.snapshot.slot_map.sample : ui.snapshot.slot_map.sample_b).get();
}

/// Draws a frame around the cell of the item that is followed.
void draw_followed_cell(const Ui& ui, Side side, const Rect& picture, const OutputGrid& grid) {
    const std::optional<std::uint64_t> slot = ui.follow.slot();
    const scene::SlotSample* const sample = sample_of(ui, side);
    if (!slot || !sample) return;
    const bool was_searched =
        sample->request.wanted_handle == scene::handle_of(static_cast<std::uint32_t>(*slot));
    if (!was_searched || sample->found_output_index == scene::SlotSample::nowhere) return;
    const std::uint64_t cell = sample->found_output_index / grid.slots_per_cell;
    if (cell >= std::uint64_t{grid.columns} * grid.rows) return;
    const ImVec2 size{static_cast<float>(grid.cell_width), static_cast<float>(grid.cell_height)};
    const ImVec2 centre{picture.low.x + (static_cast<float>(cell % grid.columns) + 0.5F) * size.x,
                        picture.low.y + (static_cast<float>(cell / grid.columns) + 0.5F) * size.y};
    // Small cells have a larger frame, which can be seen.
    const ImVec2 half{std::max(size.x / 2, ui.px(4)) + 1, std::max(size.y / 2, ui.px(4)) + 1};
    const ImVec2 low{centre.x - half.x, centre.y - half.y};
    const ImVec2 high{centre.x + half.x, centre.y + half.y};
    draw_item_frame(ui, low, high);
    ui.controls.record(std::string("followed in ") + name_of(side), low, high);
}

/// The difference mode of the A/B lens: both outputs of one frame, and where they hold different items.
class DifferencePanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;

  private:
    void repaint(Ui& ui);
    std::uint64_t update_output_slots(const Ui& ui);
    void point_at_cell(Ui& ui, Side side, const Rect& picture, const OutputGrid& grid);
    float draw_side(Ui& ui, Side side, const Rect& box, const OutputGrid& grid);
    std::string difference_text(const OutputGrid& grid) const;

    scene::SampleRequest request_;
    std::uint64_t output_slots_ = 0;              ///< number of slots shown of each output
    std::optional<OutputDifference> difference_;  ///< difference of the painted samples
    std::uint64_t painted_serial_ = 0;
    Paint painted_;
    std::vector<std::uint32_t> pixels_a_;
    std::vector<std::uint32_t> pixels_b_;
};

/// Compares a new pair of samples, and paints it.
void DifferencePanel::repaint(Ui& ui) {
    const scene::SlotSample* const a = ui.snapshot.slot_map.sample.get();
    const scene::SlotSample* const b = ui.snapshot.slot_map.sample_b.get();
    // Both samples must have the same frame and the current grid.
    if (!a || !b || a->frame != b->frame || a->request.window != request_.window ||
        b->request.window != request_.window)
        return;
    const scene::SlotWindow& window = request_.window;
    const Paint wanted{.theme = ui.settings.window.theme,
                       .colour = MapColour::slot,
                       .first_slot = 0,
                       .slots = ui.snapshot.stream.slots,
                       .slots_per_cell = window.slots_per_cell,
                       .ordered = false};
    if (difference_ && painted_serial_ == a->serial && painted_ == wanted) return;
    painted_serial_ = a->serial;
    painted_ = wanted;
    difference_ = compare_outputs(a->out, b->out);
    paint_difference(a->out, b->out, wanted, pixels_a_);
    paint_difference(b->out, a->out, wanted, pixels_b_);
    SlotMapRequest& request = *ui.requests.slot_map;
    request.picture = {static_cast<int>(window.columns), static_cast<int>(window.rows)};
    request.slots_pixels = pixels_a_;
    request.output_pixels = pixels_b_;
}

/// Updates and returns the number of output slots to show: those of all kept items, in steps, so that the
/// grid keeps its size while items come and go.
std::uint64_t DifferencePanel::update_output_slots(const Ui& ui) {
    const std::uint64_t kept = ui.snapshot.runs.a.num_kept;
    const std::uint64_t step = ui.snapshot.stream.slots / 16 + 1;
    std::uint64_t& shown = output_slots_;
    const bool is_too_small = kept > shown;
    const bool is_too_large = kept + 2 * step < shown || shown > ui.snapshot.stream.slots;
    if (is_too_small || is_too_large) shown = std::min(ui.snapshot.stream.slots, (kept / step + 1) * step);
    return shown;
}

/// Makes the first item of the cell under the mouse the hovered item. A click pins it.
void DifferencePanel::point_at_cell(Ui& ui, Side side, const Rect& picture, const OutputGrid& grid) {
    ImGui::SetCursorScreenPos(picture.low);
    ImGui::PushID(name_of(side));
    invisible_button("##cells", {picture.width(), picture.height()});
    ImGui::PopID();
    const scene::SlotSample* const sample = sample_of(ui, side);
    if (!ImGui::IsItemHovered() || !sample || sample->request.window != request_.window) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto column =
        static_cast<std::uint32_t>((mouse.x - picture.low.x) / static_cast<float>(grid.cell_width));
    const auto row =
        static_cast<std::uint32_t>((mouse.y - picture.low.y) / static_cast<float>(grid.cell_height));
    const std::size_t cell = std::size_t{row} * grid.columns + column;
    if (cell < sample->out.size() && sample->out[cell].first_handle != 0)
        ui.follow.under_mouse = sample->out[cell].first_handle - 1;
    if (clicked_without_drag() && ui.follow.hovered) ui.follow.pinned = ui.follow.hovered;
}

/// Draws the output of a side; returns the bottom of its picture.
float DifferencePanel::draw_side(Ui& ui, Side side, const Rect& box, const OutputGrid& grid) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const compaction::Algorithm* const algorithm = algorithm_of(ui.snapshot.runs, side);
    const std::string name = std::string(name_of(side)) + "  " + (algorithm ? algorithm->name : "");
    const float title_height = fonts.heading->FontSize + ui.px(6);
    plots::draw_text(list, fonts.heading, box.low, ui.palette().text,
                     plots::elided(fonts.heading, name, box.width()));
    const ImVec2 low{box.low.x, box.low.y + title_height};
    const ImVec2 size{static_cast<float>(grid.columns * grid.cell_width),
                      static_cast<float>(grid.rows * grid.cell_height)};
    const ImVec2 high{low.x + size.x, low.y + size.y};
    const ImVec2 texture_end{static_cast<float>(grid.columns) / static_cast<float>(map_picture_side),
                             static_cast<float>(grid.rows) / static_cast<float>(map_picture_side)};
    // This view paints A into the texture that the slot map uses for the slots.
    const unsigned texture =
        side == Side::a ? ui.snapshot.slot_map.slots_texture : ui.snapshot.slot_map.output_texture;
    if (difference_)
        list.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)), low, high, {0, 0},
                      texture_end);
    list.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, ui.palette().outline);
    ui.controls.record(std::string("difference ") + name_of(side), low, high);
    point_at_cell(ui, side, {low, high}, grid);
    draw_followed_cell(ui, side, {low, high}, grid);
    const bool shows_card_of_item = ui.follow.under_mouse.has_value();
    if (shows_card_of_item) return high.y;
    ui.tooltips.offer(ui.style, low, high,
                      "The output of " + std::string(name_of(side)) +
                          " from the first index, in rows, in the colours of the slots. Dim cells "
                          "agree with the same cell of the other side; bright cells differ. The output of "
                          "an unordered algorithm differs almost everywhere and is still correct.");
    return high.y;
}

std::string DifferencePanel::difference_text(const OutputGrid& grid) const {
    if (!difference_) return "Waiting for the first pair of samples.";
    const std::string unit =
        grid.slots_per_cell == 1 ? "indices" : "cells of " + grouped(grid.slots_per_cell) + " indices";
    if (difference_->differing == 0)
        return "All " + grouped(difference_->cells) + " " + unit + " agree" +
               (grid.slots_per_cell == 1 ? "." : " in their first item and their count.");
    return grouped(difference_->differing) + " of " + grouped(difference_->cells) + " " + unit + " differ (" +
           format::percent_text(difference_->share()) + ").";
}

void DifferencePanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    begin_pane("difference", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const float edge = ui.px(12);
    const ImVec2 low{static_cast<float>(pane.x) + edge, static_cast<float>(pane.y) + edge};
    const ImVec2 high{static_cast<float>(pane.x + pane.width) - edge,
                      static_cast<float>(pane.y + pane.height) - ui.px(8) - room_for_follow_strip(ui)};
    ToolbarFlow flow(ui, low, high.x, high.y);
    draw_lens_modes(ui, flow);
    const ImFont* const font = ui.fonts().text;
    const float top = flow.bottom() + ui.px(8);
    const float bottom = high.y - font->FontSize - ui.px(8);
    const float width = std::floor((high.x - low.x - 2 * edge) / 2);
    const float picture_height = bottom - top - ui.fonts().heading->FontSize - ui.px(8);
    const MapRoom room{static_cast<std::uint32_t>(std::max(width, 0.0F)),
                       static_cast<std::uint32_t>(std::max(picture_height, 0.0F))};
    const auto longest_side = static_cast<std::uint32_t>(std::max(ui.px(24), 1.0F));
    const std::optional<OutputGrid> fitting = filling_grid(room, update_output_slots(ui), longest_side);
    if (!fitting) {
        say_too_small(ui, {low.x, top}, high, "the difference");
        ImGui::End();
        return;
    }
    const OutputGrid& grid = *fitting;
    scene::SampleRequest wanted{.window = {.first_slot = 0,
                                           .columns = grid.columns,
                                           .rows = grid.rows,
                                           .slots_per_cell = grid.slots_per_cell}};
    if (const auto slot = ui.follow.slot(); slot && *slot < ui.snapshot.stream.slots)
        wanted.wanted_handle = scene::handle_of(static_cast<std::uint32_t>(*slot));
    if (wanted.window != request_.window) difference_.reset();
    request_ = wanted;
    SlotMapRequest& request = ui.requests.slot_map.emplace();
    request.sample = &request_;
    request.with_b = true;
    repaint(ui);
    draw_side(ui, Side::a, {{low.x, top}, {low.x + width, bottom}}, grid);
    const float text_top =
        draw_side(ui, Side::b, {{low.x + width + 2 * edge, top}, {high.x, bottom}}, grid) + ui.px(8);
    plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x, text_top}, ui.palette().text,
                     plots::elided(font, difference_text(grid), high.x - low.x));
    ui.controls.record("difference: count", {low.x, text_top}, {high.x, text_top + font->FontSize});
    ImGui::End();
}

}  // namespace

ViewType difference_view() {
    return {.says_why_empty = true, .make = make_panel<DifferencePanel>};
}

}  // namespace warpsieve::panels
