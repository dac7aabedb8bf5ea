#include "app/panels/views/kernel_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/kernel_view/memory_map.hpp"
#include "app/panels/views/kernel_memory.hpp"

namespace warpsieve::panels {
namespace {

using kernel_view::Events;
using kernel_view::Mark;

// Pixels at 100 %.
constexpr float min_row_height = 7;
constexpr float max_row_height = 14;
constexpr float column_width = 2;
constexpr float names_left = 15;
constexpr float states_width = 78;
constexpr float min_width_with_names = 480;
constexpr float min_width_with_states = 800;
constexpr float min_height_with_legend = 70;

/// Draws a mark within a row, at least a pixel high.
void draw_mark(const Ui& ui, Mark mark, ImVec2 low, ImVec2 high) {
    const kernel_view::MarkStyle& style = kernel_view::mark_styles[kernel_view::index_of_style(mark)];
    const float height = high.y - low.y;
    const float top = low.y + style.top * height;
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, top},
                                              {high.x, std::max(top + 1, low.y + style.bottom * height)},
                                              colour_of_mark(ui.palette(), mark));
}

/// "warp 3" if the launch has one block, else "0.3": block 0, warp 3.
std::string name_of_warp(const Events& events, std::uint32_t launch, std::uint32_t warp) {
    const std::uint32_t per_block = events.warps_per_block(launch);
    const std::string number = std::to_string(warp % per_block);
    if (events.trace.launches[launch].blocks == 1) return "warp " + number;
    return std::to_string(warp / per_block) + "." + number;
}

/// Returns the bottom of the legend.
float draw_legend(const Ui& ui, ImVec2 low, float right) {
    const ImFont* const font = ui.fonts().small;
    const float swatch = ui.px(10);
    ImVec2 at = low;
    for (const kernel_view::MarkStyle& style : kernel_view::mark_styles) {
        const float width = swatch + ui.px(5) + plots::text_width(font, style.name);
        if (at.x > low.x && at.x + width > right) at = {low.x, at.y + font->FontSize + ui.px(1)};
        const float top = at.y + std::round((font->FontSize - swatch) / 2);
        draw_mark(ui, style.mark, {at.x, top}, {at.x + swatch, top + swatch});
        plots::draw_text(*ImGui::GetWindowDrawList(), font, {at.x + swatch + ui.px(5), at.y},
                         ui.palette().muted, style.name);
        at.x += width + ui.px(12);
    }
    return at.y + font->FontSize + ui.px(3);
}

}  // namespace

ImU32 colour_of_mark(const plots::Palette& palette, Mark mark) {
    switch (mark) {
        case Mark::read:
        case Mark::shared_read:
            return plots::style_of(compaction::PhaseRole::count).colour;
        case Mark::write:
        case Mark::shared_write:
            return plots::style_of(compaction::PhaseRole::prefix).colour;
        case Mark::collective:
            return plots::style_of(compaction::PhaseRole::fused).colour;
        case Mark::warp_barrier:
        case Mark::barrier:
            return palette.text;
        default:
            return palette.muted;
    }
}

void KernelTimeline::draw_marks(const Ui& ui, const Rect& box) const {
    const float row_height = box.height() / static_cast<float>(rows_);
    const float gap = row_height > 4 ? 1.0F : 0.0F;
    for (std::size_t row = 0; row < rows_; ++row) {
        const Mark* const cells = &cells_[row * columns_];
        const float y = box.low.y + static_cast<float>(row) * row_height;
        // Neighbouring cells with the same mark are one rectangle.
        for (std::size_t begin = 0; begin < columns_;) {
            std::size_t end = begin + 1;
            while (end < columns_ && cells[end] == cells[begin]) ++end;
            if (cells[begin] != Mark::nothing) {
                const auto x_of = [&](std::size_t column) {
                    return box.low.x +
                           static_cast<float>(column) / static_cast<float>(columns_) * box.width();
                };
                draw_mark(ui, cells[begin], {x_of(begin), y}, {x_of(end), y + row_height - gap});
            }
            begin = end;
        }
    }
}

/// Draws the hue and the name of the first warp of each row, and what the warp does; names that would overlap
/// are left out. Returns the warp whose row is clicked.
std::optional<std::uint32_t> KernelTimeline::draw_names(Ui& ui, const Events& events,
                                                        const kernel_view::State& state,
                                                        std::uint32_t shown_warp, bool has_states,
                                                        const Rect& box) const {
    const ImFont* const font = ui.fonts().small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::uint32_t warps = events.num_warps(launch_);
    const std::uint32_t warps_per_block = events.warps_per_block(launch_);
    const float row_height = box.height() / static_cast<float>(rows_);
    const auto first_warp_of = [&](std::size_t row) {
        return static_cast<std::uint32_t>((row * warps + rows_ - 1) / rows_);
    };
    const std::size_t shown_row = shown_warp * rows_ / warps;
    const auto draw_name = [&](std::size_t row) {
        const bool is_shown = row == shown_row;
        const std::uint32_t warp = is_shown ? shown_warp : first_warp_of(row);
        const std::string name = name_of_warp(events, launch_, warp);
        const float middle = box.low.y + (static_cast<float>(row) + 0.5F) * row_height;
        const float y = std::round(middle - font->FontSize / 2);
        const ImU32 colour = is_shown ? ui.palette().warning_text : ui.palette().muted;
        const float left = box.low.x + ui.px(names_left - 3);
        if (is_shown)
            list.AddTriangleFilled({left - ui.px(3), middle - ui.px(3)}, {left + ui.px(1), middle},
                                   {left - ui.px(3), middle + ui.px(3)}, colour);
        plots::draw_text(list, font, {left + ui.px(3), y}, colour, name);
        if (has_states)
            plots::draw_text(list, font, {box.high.x - ui.px(states_width), y}, colour,
                             kernel_view::whereabouts(events, state, warp));
    };
    for (std::size_t row = 0; row < rows_; ++row) {
        const float y = box.low.y + static_cast<float>(row) * row_height;
        list.AddRectFilled({box.low.x, y}, {box.low.x + ui.px(7), y + std::max(1.0F, row_height - 1)},
                           colour_of_warp(ui, first_warp_of(row) % warps_per_block));
    }
    const auto rows_apart = static_cast<std::size_t>(std::ceil(font->FontSize / row_height));
    for (std::size_t row = 0; row < rows_; row += rows_apart)
        if (std::max(row, shown_row) - std::min(row, shown_row) >= rows_apart) draw_name(row);
    draw_name(shown_row);
    ui.controls.record("kernel: warps", box.low, box.high);
    const float mouse_y = ImGui::GetIO().MousePos.y;
    ui.tooltips.offer(ui.style, box.low, box.high,
                      "The warps of this launch, as block.warp, and what each does after this step. Click to "
                      "show its lanes.");
    if (!is_clicked(box.low, box.high)) return std::nullopt;
    return first_warp_of(std::min(rows_ - 1, static_cast<std::size_t>((mouse_y - box.low.y) / row_height)));
}

KernelTimeline::Result KernelTimeline::draw(Ui& ui, kernel_view::Replay& replay, kernel_view::Order order,
                                            std::size_t step, std::uint32_t warp, const Rect& box) {
    if (box.width() < ui.px(60)) return {.bottom = box.low.y};
    const Events& events = replay.events();
    const kernel_view::Steps& steps = replay.steps(order);
    const kernel_view::State& state = replay.at(order, step);
    const std::size_t warps = events.num_warps(state.launch);
    const bool has_legend = box.height() >= ui.px(min_height_with_legend);
    const float legend_bottom = has_legend ? draw_legend(ui, box.low, box.high.x) : box.low.y;
    const bool has_names = box.width() >= ui.px(min_width_with_names);
    const bool has_states = box.width() >= ui.px(min_width_with_states);
    const std::string last_name = name_of_warp(events, state.launch, static_cast<std::uint32_t>(warps - 1));
    const float names = !has_names ? 0
                                   : ui.px(names_left + 8) + plots::text_width(ui.fonts().small, last_name) +
                                         (has_states ? ui.px(states_width) : 0);
    const auto max_rows = static_cast<std::size_t>(
        std::max(1.0F, std::floor((box.high.y - legend_bottom) / ui.px(min_row_height))));
    const std::size_t rows = std::min(warps, max_rows);
    const auto columns = static_cast<std::size_t>((box.width() - names) / ui.px(column_width));
    if (launch_ != state.launch || order_ != order || rows_ != rows || columns_ != columns) {
        launch_ = state.launch;
        order_ = order;
        rows_ = rows;
        columns_ = columns;
        range_ = kernel_view::steps_of_launch(events, steps, state.launch);
        cells_ = kernel_view::timeline_cells(events, steps, range_, rows, columns);
    }
    const float height =
        std::min(box.high.y - legend_bottom, static_cast<float>(rows) * ui.px(max_row_height));
    const Rect plot{{box.low.x + names, legend_bottom}, {box.high.x, legend_bottom + height}};
    Result result{.bottom = plot.high.y};
    if (names > 0)
        result.warp = draw_names(ui, events, state, warp, has_states,
                                 {{box.low.x, plot.low.y}, {plot.low.x - ui.px(4), plot.high.y}});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(plot.low, plot.high, ui.palette().raised);
    draw_marks(ui, plot);
    ImGui::SetCursorScreenPos(plot.low);
    invisible_button("##timeline", {plot.width(), plot.height()});
    ui.controls.record_item("kernel: timeline");
    const auto num_steps = static_cast<float>(range_.size());
    if (ImGui::IsItemActive()) {
        const float share = std::clamp((ImGui::GetIO().MousePos.x - plot.low.x) / plot.width(), 0.0F, 1.0F);
        const auto offset = static_cast<std::size_t>(share * num_steps);
        result.step = range_.begin + std::min(offset, range_.size() - 1);
    } else {
        ui.tooltips.offer(
            ui.style, plot.low, plot.high,
            "The steps of this launch, a row for each warp or for some. Click or drag to move.");
    }
    const float step_x =
        plot.low.x + (static_cast<float>(step - range_.begin) + 0.5F) / num_steps * plot.width();
    list.AddRectFilled({step_x - ui.px(1), plot.low.y}, {step_x + ui.px(1), plot.high.y},
                       ui.palette().warning);
    return result;
}

}  // namespace warpsieve::panels
