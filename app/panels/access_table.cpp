#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/timings_panel.hpp"
#include "app/trace/access_counts.hpp"

namespace warpsieve::panels {
namespace {

using trace::AccessCounts;
using trace::PhaseAccesses;

struct CountColumn {
    std::string_view header;
    std::string_view tooltip;
    std::uint64_t (*value)(const PhaseAccesses& phase);
};
// The last columns are left out first.
constexpr std::array count_columns{
    CountColumn{
        "steps",
        "In each step of the simulated schedule, each multiprocessor issues one access of a warp. A step "
        "is not a time: compare no two algorithms by it.",
        [](const PhaseAccesses& phase) { return phase.steps(); }},
    CountColumn{"loads", "Loads of warps from global memory; one has up to 32 lanes.",
                [](const PhaseAccesses& phase) { return phase.loads; }},
    CountColumn{"stores", "Stores of warps to global memory; one has up to 32 lanes.",
                [](const PhaseAccesses& phase) { return phase.stores; }},
    CountColumn{"atomics", "Atomic operations of warps on global memory.",
                [](const PhaseAccesses& phase) { return phase.atomics; }},
    CountColumn{"B read", "Bytes that loads and atomics read from global memory.",
                [](const PhaseAccesses& phase) { return phase.bytes_loaded; }},
    CountColumn{"B written", "Bytes that stores and atomics write to global memory.",
                [](const PhaseAccesses& phase) { return phase.bytes_stored; }}};

// Pixels at 100 %.
constexpr float name_column_width = 88;
constexpr float column_width = 63;

}  // namespace

void draw_access_table(Ui& ui, ImVec2 low, ImVec2 high) {
    const AccessCounts* const counts = ui.snapshot.runs.a.accesses.get();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    if (!counts) {
        plots::draw_wrapped(
            list, fonts.text, low, high, palette.muted,
            "Counting the loads and stores of a compaction. Library calls have none to count.");
        return;
    }
    const auto columns_that_fit = static_cast<std::size_t>(
        std::max(1.0F, (high.x - low.x - ui.px(name_column_width)) / ui.px(column_width)));
    const std::size_t columns = std::min(columns_that_fit, count_columns.size());
    const auto right_of = [&](std::size_t column) {
        return low.x + ui.px(name_column_width) + static_cast<float>(column + 1) * ui.px(column_width);
    };
    const float header_baseline = low.y + std::round(fonts.heading->Ascent);
    for (std::size_t i = 0; i < columns; ++i) {
        const float left = right_of(i) - plots::text_width(fonts.small, count_columns[i].header);
        plots::draw_on_baseline(list, fonts.small, {left, header_baseline}, palette.muted,
                                count_columns[i].header);
        ui.tooltips.offer(ui.style, {left, low.y}, {right_of(i), low.y + ui.px(20)},
                          count_columns[i].tooltip);
    }
    std::vector<PhaseAccesses> rows = counts->phases;
    rows.push_back(trace::total_of(*counts));
    const float first_row = low.y + ui.px(24);
    const float row_height = ui.px(21);
    float y = first_row;
    for (const PhaseAccesses& row : rows) {
        if (y + row_height > high.y) break;
        const bool is_total = &row == &rows.back();
        const float baseline =
            y + std::round((row_height - fonts.figures->FontSize) / 2 + fonts.figures->Ascent);
        if (is_total)
            list.AddRectFilled({low.x, y}, {right_of(columns - 1), y + 1}, palette.outline);
        else
            plots::draw_swatch(list, {low.x + ui.px(5), y + row_height / 2}, ui.px(9),
                               plots::style_of(row.role), palette.panel);
        plots::draw_on_baseline(list, is_total ? fonts.heading : fonts.text, {low.x + ui.px(16), baseline},
                                palette.text,
                                plots::elided(fonts.text, row.name, ui.px(name_column_width - 20)));
        for (std::size_t i = 0; i < columns; ++i) {
            const std::string number = format::grouped(count_columns[i].value(row));
            plots::draw_on_baseline(list, fonts.figures,
                                    {right_of(i) - plots::text_width(fonts.figures, number), baseline},
                                    i == 0 ? palette.text : palette.label, number);
        }
        y += row_height;
    }
}

experiments::Table access_table(const Ui& ui) {
    const AccessCounts& counts = *ui.snapshot.runs.a.accesses;
    experiments::Table table{.caption = ui.snapshot.runs.a.algorithm->id + " on a simulated GPU, seed " +
                                        std::to_string(counts.seed) + ", " +
                                        std::to_string(counts.num_items) + " slots, one compaction",
                             .columns = {{"phase", false}},
                             .rows = {}};
    for (const CountColumn& column : count_columns)
        table.columns.push_back({std::string(column.header), true});
    for (const PhaseAccesses& phase : counts.phases) {
        std::vector<std::string> cells{phase.name};
        for (const CountColumn& column : count_columns) cells.push_back(std::to_string(column.value(phase)));
        table.rows.push_back({cells, {}});
    }
    return table;
}

void draw_access_steps(Ui& ui, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const AccessCounts* const counts = ui.snapshot.runs.a.accesses.get();
    const float text_height = fonts.small->FontSize + ui.px(4);
    if (!counts || counts->num_steps == 0) {
        plots::draw_wrapped(list, fonts.text, low, high, palette.muted, no_times);
        return;
    }
    const auto x_of = [&](std::uint64_t step) {
        return std::round(low.x + (high.x - low.x) * static_cast<float>(step) /
                                      static_cast<float>(counts->num_steps));
    };
    const auto num_phases = static_cast<float>(counts->phases.size());
    const float bar_height = std::min(ui.px(28), (high.y - low.y - text_height) / num_phases);
    float y = low.y;
    for (const PhaseAccesses& phase : counts->phases) {
        const ImVec2 bar_low{x_of(phase.begin_step), y + ui.px(2)};
        const ImVec2 bar_high{std::max(x_of(phase.end_step), bar_low.x + 1), y + bar_height - ui.px(2)};
        const plots::SeriesStyle style = plots::style_of(phase.role);
        list.AddRectFilled(bar_low, bar_high, style.colour);
        const std::string text = phase.name + "  " + format::grouped(phase.steps()) + " steps";
        const float width = plots::text_width(fonts.small, text);
        const float text_y = std::round(y + (bar_height - fonts.small->FontSize) / 2);
        const float gap = ui.px(6);
        // Inside the bar, else after it, else before it.
        if (width + 2 * gap <= bar_high.x - bar_low.x)
            plots::draw_text(list, fonts.small, {bar_low.x + gap, text_y},
                             plots::ink_on(palette, style.colour), text);
        else if (bar_high.x + gap + width <= high.x)
            plots::draw_text(list, fonts.small, {bar_high.x + gap, text_y}, palette.text, text);
        else
            plots::draw_text(list, fonts.small, {std::max(low.x, bar_low.x - gap - width), text_y},
                             palette.text, text);
        y += bar_height;
    }
    plots::draw_text(
        list, fonts.small, {low.x, y + ui.px(4)}, palette.muted,
        plots::elided(fonts.small,
                      "simulated schedule, seed " + std::to_string(counts->seed) + "; steps are not times",
                      high.x - low.x));
}

}  // namespace warpsieve::panels
