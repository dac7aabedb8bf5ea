#include <imgui.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/format/figures.hpp"
#include "app/labs/compare.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_panel.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/plots/bars.hpp"

namespace warpsieve::panels {
namespace {

using compaction::PhaseRole;
using experiments::Change;
using experiments::PhaseResult;
using labs::CompareRow;
using labs::Comparison;

/// The x of the columns, in pixels of the window.
struct Columns {
    float name_left;
    float name_right;
    plots::BarAxis axis;
    float median_right;
    float ratio_left;
    float ratio_right;
};

/// The lengths of the bars and of the limit: the medians and the time of the copy, in microseconds.
std::vector<double> bar_lengths_us(const Comparison& comparison) {
    std::vector<double> lengths_us{comparison.floor_us};
    for (const CompareRow& row : comparison.rows) {
        if (row.correct()) lengths_us.push_back(row.result->us.median);
    }
    return lengths_us;
}

Columns columns_of(const Ui& ui, float left, float right, double axis_end_us) {
    const float width = right - left;
    const float name_width = std::clamp(width * 0.3F, ui.px(110), ui.px(260));
    const float median_width = ui.px(62);
    const float ratio_width = ui.px(136);
    Columns columns{.name_left = left,
                    .name_right = left + name_width,
                    .axis = {},
                    .median_right = right - ratio_width - ui.px(10),
                    .ratio_left = right - ratio_width,
                    .ratio_right = right};
    columns.axis = {columns.name_right + ui.px(8),
                    std::max(columns.median_right - median_width, columns.name_right + ui.px(24)),
                    axis_end_us};
    return columns;
}

std::string factor_text(double ratio) {
    return format::significant(ratio, 2) + "×";
}

/// The row's comparison with the base, in words.
std::string verdict_of(const CompareRow& row) {
    if (!row.result) return "not measured";
    if (!row.correct()) return "wrong";
    if (row.is_base) return "base";
    if (row.speed_up <= 0) return "";
    if (!row.verdict) return factor_text(row.speed_up) + " so far";
    // Both "1.3× slower" and "1.3× faster" show a factor above 1.
    const double factor = row.verdict == Change::slower ? 1 / row.speed_up : row.speed_up;
    const bool significant = row.verdict != Change::ambiguous;
    return factor_text(factor) + " " + (significant ? std::string(name_of(*row.verdict)) : "not significant");
}

std::string phases_text(const experiments::Result& result) {
    std::string text;
    for (const PhaseResult& phase : result.phases) {
        if (phase.by_stamps_us.n == 0) continue;
        const format::Figure time = format::duration(phase.by_stamps_us.median);
        text += (text.empty() ? "" : ", ") + phase.name + " " + time.number + " " + time.unit;
    }
    return text;
}

/// "12.3 to 12.5 µs": both ends times `factor`, in `unit`; an empty unit is left out.
std::string interval_words(const experiments::Interval& interval, double factor, const char* unit) {
    return format::significant(interval.low * factor) + " to " + format::significant(interval.high * factor) +
           (*unit ? std::string(" ") + unit : "");
}

std::string tooltip_of(const CompareRow& row) {
    if (!row.result) return row.reason;
    const experiments::Result& result = *row.result;
    if (!row.correct()) return "Wrong output: " + result.first_error + ". A wrong result gets no time.";
    const format::TimeUnit unit = format::time_unit(result.us.median);
    std::string text =
        "Median " + format::significant(result.us.median * unit.per_us) + " " + unit.name +
        ", confidence interval " + interval_words(result.median_interval_us, unit.per_us, unit.name) + " (" +
        format::grouped(result.us.n) + " samples of " + format::grouped(result.calls_per_sample) +
        " calls). Effective bandwidth " + format::significant(result.useful_gb_s) + " GB/s";
    if (result.share_of_copy > 0)
        text += ", " + format::percent(result.share_of_copy).number + " % of " +
                std::string(name_of(result.setting.stream.cache)) + " copy bandwidth";
    text += ".";
    if (!row.is_base && row.speed_up_interval.high > 0) {
        const bool contains_one = row.speed_up_interval.low <= 1 && row.speed_up_interval.high >= 1;
        text += "\n\n" + interval_words(row.speed_up_interval, 1, "") + " times as fast as the base" +
                (row.verdict != Change::ambiguous ? "."
                 : contains_one ? ": 1 is in the interval, so there is no significant difference."
                                : ": there are too few samples for a verdict.");
    }
    if (const std::string phases = phases_text(result); !phases.empty() && result.phases.size() > 1)
        text += "\n\nPhases, timed in separate calls: " + phases +
                ". The bar shows them as shares of the median.";
    if (result.throttled > 0)
        text += "\n\n" + format::grouped(result.throttled) + " samples were taken at a throttled clock.";
    if (row.is_interactive) text += "\n\nInteractive: the window's scene ran at the same time.";
    return text + "\n\nClick to run it in the window; click the ratio to make it the base.";
}

/// The parts of the bar: the median divided in proportion to the phases, or one part if they were not timed.
std::vector<plots::BarPart> parts_of(const CompareRow& row) {
    const experiments::Result& result = *row.result;
    const auto& phases = row.algorithm->phases;
    double sum = 0;
    for (const PhaseResult& phase : result.phases) sum += phase.by_stamps_us.median;
    std::vector<plots::BarPart> parts;
    if (sum > 0 && phases.size() > 1) {
        for (const PhaseResult& phase : result.phases)
            parts.push_back(
                {result.us.median * phase.by_stamps_us.median / sum, plots::style_of(phase.role)});
    } else if (phases.size() == 1) {
        parts.push_back({result.us.median, plots::style_of(phases.front().role)});
    } else {
        // The phases are not known yet.
        parts.push_back({result.us.median, {IM_COL32(0x99, 0x99, 0x99, 0xFF), false}});
    }
    return parts;
}

ImU32 colour_of(const Ui& ui, const CompareRow& row) {
    const plots::Palette& palette = ui.palette();
    if (!row.result) return palette.muted;
    if (!row.correct()) return palette.error;
    if (row.verdict == Change::faster) return palette.good;
    return row.verdict || row.is_base ? palette.text : palette.muted;
}

/// Whether the window runs the configuration of a row.
bool runs_in_window(const Ui& ui, const CompareRow& row) {
    const compaction::Algorithm* chosen = chosen_algorithm(ui.snapshot.catalogue, ui.settings);
    return chosen && chosen->id == row.algorithm->id && ui.settings.run.a.options == row.options;
}

void draw_row(Ui& ui, const Columns& columns, const CompareRow& row, float top, float height,
              const format::TimeUnit& unit) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const float baseline = std::round(top + (height + fonts.text->Ascent) / 2 - ui.px(2));
    const bool in_window = runs_in_window(ui, row);
    const ImFont* name_font = in_window ? fonts.heading : fonts.text;
    const float mark_size = ui.px(8);
    // A triangle as well as the weight of the name marks the algorithm that the window runs.
    if (in_window) {
        const float middle = std::round(top + height / 2);
        list.AddTriangleFilled({columns.name_left, middle - mark_size / 2},
                               {columns.name_left + mark_size * 0.75F, middle},
                               {columns.name_left, middle + mark_size / 2}, palette.accent);
    }
    const float name_left = columns.name_left + mark_size + ui.px(4);
    plots::draw_on_baseline(list, name_font, {name_left, baseline},
                            row.correct() ? palette.text : palette.muted,
                            plots::elided(name_font, row.name(), columns.name_right - name_left));
    const std::string verdict = verdict_of(row);
    if (!row.correct()) {
        const std::string why = row.result ? "wrong: " + row.result->first_error : row.reason;
        plots::draw_on_baseline(list, fonts.small, {columns.axis.left, baseline}, colour_of(ui, row),
                                plots::elided(fonts.small, why, columns.ratio_right - columns.axis.left));
        return;
    }
    const float padding = ui.px(4);
    const std::vector<plots::BarPart> parts = parts_of(row);
    plots::draw_bar(list, columns.axis,
                    {.parts = parts,
                     .low = row.result->median_interval_us.low,
                     .high = row.result->median_interval_us.high,
                     .faint = !row.result->settled},
                    top + padding, top + height - padding, ui.style);
    const std::string median =
        (row.is_interactive ? "~ " : "") + format::significant(row.result->us.median * unit.per_us);
    plots::draw_on_baseline(list, fonts.figures,
                            {columns.median_right - plots::text_width(fonts.figures, median), baseline},
                            row.result->settled ? palette.text : palette.muted, median);
    plots::draw_on_baseline(list, fonts.small, {columns.ratio_left, baseline}, colour_of(ui, row),
                            plots::elided(fonts.small, verdict, columns.ratio_right - columns.ratio_left));
}

void run_in_window(Ui& ui, const CompareRow& row) {
    const auto found =
        std::ranges::find(ui.snapshot.catalogue.algorithms, row.algorithm->id, &compaction::Algorithm::id);
    if (found == ui.snapshot.catalogue.algorithms.end()) return;
    choose_algorithm(ui.snapshot.catalogue, ui.settings, *found);
    ui.settings.run.a.options = row.options;
}

/// The maximum height of a row, in pixels at 100 %.
constexpr float max_row_height = 44;

void draw_rows(Ui& ui, const Comparison& comparison, const Columns& columns, const format::TimeUnit& unit) {
    const float min_height = std::max(ui.px(24), ui.fonts().text->FontSize + ui.px(6));
    const auto num_rows = static_cast<float>(std::max<std::size_t>(comparison.rows.size(), 1));
    const float room = std::floor(ImGui::GetContentRegionAvail().y / num_rows);
    const float height = std::clamp(room, min_height, std::max(min_height, ui.px(max_row_height)));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float bottom = start.y + height * static_cast<float>(comparison.rows.size());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        const CompareRow& row = comparison.rows[i];
        const float top = start.y + static_cast<float>(i) * height;
        ImGui::PushID(static_cast<int>(i));
        ImGui::SetCursorScreenPos({columns.name_left, top});
        bool row_clicked = invisible_button("##row", {columns.ratio_left - columns.name_left, height});
        const bool row_hovered = ImGui::IsItemHovered();
        const std::string tooltip = tooltip_of(row);
        ui.controls.record_item("compare: " + row.algorithm->id);
        if (ui.focus->presses_item(ui, "compare: " + row.algorithm->id)) row_clicked = true;
        ImGui::SetCursorScreenPos({columns.ratio_left, top});
        // A row without a time cannot be the base.
        ImGui::BeginDisabled(!row.correct());
        bool base_clicked = invisible_button("##base", {columns.ratio_right - columns.ratio_left, height});
        const bool base_hovered = ImGui::IsItemHovered();
        ui.controls.record_item("compare base: " + row.algorithm->id);
        if (ui.focus->presses_item(ui, "compare base: " + row.algorithm->id)) base_clicked = true;
        ImGui::EndDisabled();
        ImGui::PopID();
        if (row_hovered)
            list.AddRectFilled({columns.name_left, top}, {columns.ratio_left, top + height},
                               ui.palette().raised);
        if (base_hovered)
            list.AddRectFilled({columns.ratio_left, top}, {columns.ratio_right, top + height},
                               ui.palette().raised);
        draw_row(ui, columns, row, top, height, unit);
        ui.tooltips.offer(ui.style, {columns.name_left, top}, {columns.ratio_right, top + height}, tooltip,
                          {}, row.name());
        if (row_clicked) run_in_window(ui, row);
        if (base_clicked) ui.settings.labs.base = row.algorithm->id;
    }
    // The limit covers only rows with a bar: the others have text there.
    const auto bars = std::ranges::count_if(comparison.rows, &CompareRow::correct);
    plots::draw_bar_limit(list, columns.axis, comparison.floor_us, start.y,
                          start.y + height * static_cast<float>(bars), ui.style);
    ImGui::SetCursorScreenPos({start.x, bottom});
    ImGui::Dummy({1, 1});
}

void draw_base_menu(Ui& ui, const Comparison& comparison) {
    std::vector<MenuEntry> entries;
    std::vector<std::string> ids;
    std::size_t selected = 0;
    for (const CompareRow& row : comparison.rows) {
        if (!row.correct() || std::ranges::find(ids, row.algorithm->id) != ids.end()) continue;
        if (row.is_base) selected = entries.size();
        entries.push_back({row.algorithm->name, row.algorithm->summary, {}});
        ids.push_back(row.algorithm->id);
    }
    const auto clicked =
        menu(ui, "base", ui.px(220), entries, selected,
             "Speed-ups are relative to this base. The default is CUB's DeviceSelect on a GPU "
             "and std::copy_if on a CPU.",
             "base: ");
    if (clicked) ui.settings.labs.base = ids[*clicked];
}

struct LegendEntry {
    PhaseRole role;
    const char* name;
};
constexpr std::array legend{LegendEntry{PhaseRole::count, "count"}, LegendEntry{PhaseRole::prefix, "prefix"},
                            LegendEntry{PhaseRole::scatter, "move"}, LegendEntry{PhaseRole::fused, "fused"}};

/// Draws the colours of the phases and the dashed line, as far as they fit.
void draw_legend(Ui& ui, float left, float right, float middle) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const float baseline = std::round(middle + font->Ascent / 2 - ui.px(1));
    float x = left;
    for (const LegendEntry& entry : legend) {
        const float width = ui.px(14) + plots::text_width(font, entry.name) + ui.px(12);
        if (x + width > right) return;
        plots::draw_swatch(list, {x + ui.px(5), middle}, ui.px(9), plots::style_of(entry.role),
                           ui.palette().panel);
        plots::draw_on_baseline(list, font, {x + ui.px(14), baseline}, ui.palette().label, entry.name);
        x += width;
    }
    constexpr std::string_view limit = "copy of the same bytes";
    if (x + ui.px(14) + plots::text_width(font, limit) > right) return;
    for (const float dash : {0.0F, ui.px(6)})
        list.AddRectFilled({x + dash, middle}, {x + dash + ui.px(4), middle + std::max(1.0F, ui.px(1.5F))},
                           ui.palette().text);
    plots::draw_on_baseline(list, font, {x + ui.px(14), baseline}, ui.palette().label, limit);
}

void draw_comparison(Ui& ui, const labs::Report& report, const LabArea& area) {
    const Comparison comparison = labs::compare(report, ui.settings.labs.base);
    ImGui::SetCursorScreenPos(area.low);
    draw_base_menu(ui, comparison);
    const float line_bottom = ImGui::GetItemRectMax().y;
    draw_legend(ui, ImGui::GetItemRectMax().x + ui.px(14), area.high.x,
                std::round((area.low.y + line_bottom) / 2));

    const format::TimeUnit unit = format::time_unit(comparison.fastest_us);
    const float scrollbar = ImGui::GetStyle().ScrollbarSize;
    const Columns columns =
        columns_of(ui, area.low.x, area.high.x - scrollbar, plots::bar_axis_end(bar_lengths_us(comparison)));
    const ImFont* small = ui.fonts().small;
    const float labels_baseline = line_bottom + ui.px(4) + std::round(small->Ascent);
    const float rows_top = line_bottom + ui.px(6) + small->FontSize;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_bar_grid(list, columns.axis, rows_top, area.high.y, labels_baseline, unit.per_us, ui.style);
    plots::draw_on_baseline(list, small, {columns.name_left + ui.px(12), labels_baseline}, ui.palette().muted,
                            std::string("median in ") + unit.name);
    plots::draw_on_baseline(list, small, {columns.ratio_left, labels_baseline}, ui.palette().muted,
                            "against base");

    ImGui::SetCursorScreenPos({area.low.x, rows_top});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("rows", {area.high.x - area.low.x, area.high.y - rows_top});
    draw_rows(ui, comparison, columns, unit);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

/// Every algorithm of the engine on the same stream.
class CompareLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;
};

LabPlan CompareLab::plan(const Ui& ui) {
    LabPlan plan;
    plan.job =
        labs::compare_job(ui.settings.run, ui.settings.labs, current_slots(ui.snapshot.stream, ui.settings),
                          ui.snapshot.catalogue.algorithms);
    if (plan.job.settings.empty())
        plan.disabled_reason = "No algorithm of this engine supports this item size; choose another one.";
    return plan;
}

void CompareLab::draw(Ui& ui, const labs::Report* report, const LabArea& area) {
    const bool has_rows =
        report && (!report->measurement->results.empty() || report->state == labs::State::running);
    if (has_rows) return draw_comparison(ui, *report, area);
    if (report) return draw_hint(ui, area.low, area.high, "Nothing was measured. The line above says why.");
    draw_example(
        ui, area,
        "Measures every algorithm of the engine on the stream above. The bars fill in as samples arrive.",
        [&](const labs::Report& shown) { draw_comparison(ui, shown, area); });
}

}  // namespace

LabType compare_lab() {
    return {.name = "Compare",
            .meaning =
                "Every algorithm of the engine on the same stream, with interleaved samples. Bars show the "
                "median and its confidence interval; overlapping intervals mean no significant difference.",
            .make = make_lab<CompareLab>};
}

}  // namespace warpsieve::panels
