// The bars that process the part of the followed slot, and the slot of a bar.
#include <algorithm>
#include <array>
#include <optional>

#include "app/panels/follow_model.hpp"
#include "app/panels/views/inside_parts.hpp"

namespace warpsieve::panels {

using trace::TracedRun;
using trace::WorkBar;

namespace {

/// Blocks of a phase: one more than the highest index.
std::uint64_t blocks_of(const TracedRun& run, std::uint8_t phase) {
    std::uint64_t blocks = 0;
    for (const compaction::WorkSpan& span : run.spans) {
        if (span.phase == phase) blocks = std::max<std::uint64_t>(blocks, std::uint64_t{span.block} + 1);
    }
    return blocks;
}

/// Whether the blocks of a phase process parts of the stream; those of a prefix process their counts.
bool has_parts(const TracedRun& run, std::uint8_t phase) {
    return phase < run.algorithm->phases.size() &&
           run.algorithm->phases[phase].role != compaction::PhaseRole::prefix;
}

/// Whether the partition in force is that of the run.
bool is_of_run(const Ui& ui, const TracedRun& run) {
    return ui.view.slot_map.partition.known() && ui.view.runs.a.algorithm == run.algorithm;
}

}  // namespace

void draw_followed_bars(Ui& ui, const InsideChart& chart) {
    const std::optional<std::uint64_t> slot = ui.follow.slot();
    const compaction::Partition& parts = ui.view.slot_map.partition;
    if (!slot || !is_of_run(ui, chart.run) || *slot >= parts.num_items) return;
    const std::uint64_t part = parts.part_of(*slot);
    std::array<std::optional<std::uint64_t>, compaction::max_phases> block{};
    for (std::uint8_t phase = 0; phase < block.size(); ++phase) {
        if (has_parts(chart.run, phase))
            block[phase] = block_of_part(parts, part, blocks_of(chart.run, phase));
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(chart.rows.low, chart.rows.high, true);
    for (const compaction::WorkSpan& span : chart.run.spans) {
        if (span.phase >= block.size() || block[span.phase] != span.block) continue;
        const float left = chart.time.at(static_cast<double>(span.begin_us));
        const float right = std::max(chart.time.at(static_cast<double>(span.end_us)), left + ui.px(4));
        const float top = chart.first_y + chart.row_height * static_cast<float>(span.processor);
        const ImVec2 low{left - 1, top - 1};
        const ImVec2 high{right + 1, top + std::max(chart.row_height, ui.px(4)) + 1};
        list.AddRect(low, high, ui.palette().text, 0, ImDrawFlags_None, std::max(2.0F, ui.px(2)));
        ui.controls.record("followed in inside", low, high);
    }
    list.PopClipRect();
}

void point_at_bar(Ui& ui, const InsideChart& chart, const WorkBar& bar) {
    if (bar.spans != 1 || !is_of_run(ui, chart.run)) return;
    const compaction::WorkSpan& span = chart.run.spans[bar.span];
    if (!has_parts(chart.run, span.phase)) return;
    const compaction::Partition& parts = ui.view.slot_map.partition;
    const auto part = part_of_block(parts, span.block, blocks_of(chart.run, span.phase));
    if (part && parts.begin(*part) < parts.num_items) ui.follow.under_mouse = parts.begin(*part);
}

}  // namespace warpsieve::panels
