#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/format/figures.hpp"
#include "app/labs/tune.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_panel.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/plots/heat_map.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;
using labs::TuneCell;
using labs::TuneMap;
using labs::TunePoint;
using plots::CellMark;

/// Cells slower than this multiple of the best look alike.
constexpr double max_shown_ratio = 3;
/// Heights of the map in pixels at 100 %. Below the first, the legend gives up its figures to make room;
/// below the second, the map is not drawn.
constexpr float wanted_map_height = 90;
constexpr float min_map_height = 60;

/// The algorithms of this engine that can be tuned: compactions first, then steps, which the window cannot
/// run.
std::vector<const Algorithm*> tunable_algorithms(const Ui& ui) {
    std::vector<const Algorithm*> all;
    for (const std::span<const Algorithm> list : {ui.snapshot.catalogue.algorithms, compaction::steps()}) {
        for (const Algorithm& algorithm : list) {
            if (algorithm.engine == ui.settings.run.engine && labs::tune_axes(algorithm))
                all.push_back(&algorithm);
        }
    }
    return all;
}

const Algorithm* tuned_algorithm(const Ui& ui) {
    for (const Algorithm* algorithm : tunable_algorithms(ui)) {
        if (algorithm->id == ui.settings.labs.tuned) return algorithm;
    }
    return chosen_algorithm(ui.snapshot.catalogue, ui.settings);
}

bool runs_in_window(const Ui& ui, const Algorithm& algorithm) {
    const Algorithm* chosen = chosen_algorithm(ui.snapshot.catalogue, ui.settings);
    return chosen && chosen->id == algorithm.id;
}

std::string value_text(const Algorithm& algorithm, compaction::Option option, std::uint32_t value) {
    const compaction::LegalRange* range = algorithm.range_of(option);
    return range && !range->names.empty() ? range->text_of(value) : format::grouped(value);
}

/// "256 × 1,024".
std::string cell_text(const TuneMap& map, std::uint32_t x, std::uint32_t y) {
    return (map.axes.y ? value_text(*map.algorithm, *map.axes.y, y) + " × " : std::string()) +
           value_text(*map.algorithm, map.axes.x, x);
}

/// "256 threads per block × 1,024 blocks".
std::string cell_title(const TuneMap& map, std::uint32_t x, std::uint32_t y) {
    const auto named = [&](compaction::Option option, std::uint32_t value) {
        return value_text(*map.algorithm, option, value) + " " +
               std::string(label_of(option, map.algorithm->engine));
    };
    return (map.axes.y ? named(*map.axes.y, y) + " × " : std::string()) + named(map.axes.x, x);
}

std::string time_text(const TuneCell& cell) {
    return format::duration_text(cell.result->us.median);
}

/// "3 others are not significantly slower".
std::string ties_text(const TuneMap& map) {
    return format::grouped(map.num_ties) + (map.num_ties == 1 ? " other is" : " others are") +
           " not significantly slower";
}

std::string cell_tooltip(const TuneMap& map, std::size_t index) {
    const TuneCell& cell = map.cells[index];
    if (!cell.skip_reason.empty()) return "Not measured: " + format::with_powers(cell.skip_reason);
    if (!cell.result) return "No sample yet, or left out.";
    const experiments::Result& result = *cell.result;
    if (!result.correct()) return "Wrong output: " + result.first_error + ".";
    const format::TimeUnit unit = format::time_unit(result.us.median);
    const auto in_unit = [&](double us) { return format::significant(us * unit.per_us); };
    std::string text = "Median " + in_unit(result.us.median) + " " + unit.name + ", confidence interval " +
                       in_unit(result.median_interval_us.low) + " to " +
                       in_unit(result.median_interval_us.high) + " " + unit.name + " (" +
                       format::grouped(result.us.n) + " samples).\n" +
                       format::significant(cell.ratio_to_best) + " times the best.";
    if (map.best == index)
        text +=
            map.num_ties == 0 ? " This is the best." : " The smallest median, but " + ties_text(map) + ".";
    if (cell.ties_with_best) text += " Not significantly slower than the smallest median.";
    if (cell.local_minimum && map.best != index) text += " A local minimum: all cells around it are slower.";
    if (!result.settled) text += "\n\nStill being measured.";
    if (cell.is_interactive) text += "\n\nInteractive: the window's scene ran at the same time.";
    for (const TunePoint& point : map.published) {
        if (map.cell_of(point.x, point.y) == index) text += "\n\nPublished: " + point.source + ".";
    }
    return text;
}

/// Runs the configuration of a cell in the window.
void run_in_window(Ui& ui, const labs::Report& report, const TuneMap& map, std::size_t index) {
    const auto found = std::ranges::find(ui.snapshot.catalogue.algorithms, map.algorithm->id, &Algorithm::id);
    if (found == ui.snapshot.catalogue.algorithms.end()) return;  // a step
    choose_algorithm(ui.snapshot.catalogue, ui.settings, *found);
    // The first setting of the job is automatic on both axes; the rest of its options holds for all cells.
    ui.settings.run.a.options = report.job->settings.front().options;
    ui.settings.run.a.options[map.axes.x] = map.x_of(index);
    if (map.axes.y) ui.settings.run.a.options[*map.axes.y] = map.y_of(index);
}

void draw_algorithm_menu(Ui& ui) {
    const std::vector<const Algorithm*> all = tunable_algorithms(ui);
    const Algorithm* tuned = tuned_algorithm(ui);
    std::vector<MenuEntry> entries{{"as in the window", "The algorithm that the window runs.", {}}};
    std::size_t selected = 0;
    for (const Algorithm* algorithm : all) {
        if (algorithm == tuned && !ui.settings.labs.tuned.empty()) selected = entries.size();
        const bool step = algorithm->operation != compaction::Operation::compaction;
        entries.push_back({algorithm->name + (step ? " (step)" : ""), algorithm->summary, {}});
    }
    const auto clicked = menu(ui, "tuned algorithm", ui.px(220), entries, selected,
                              "The algorithm to tune: the one that the window runs, another one, or a step, "
                              "such as the copies in part 3 of the series.",
                              "tune: ");
    if (clicked) ui.settings.labs.tuned = *clicked == 0 ? std::string() : all[*clicked - 1]->id;
}

/// An entry of the legend: a mark, its name, configuration and time.
struct LegendMark {
    CellMark mark;
    std::string name;
    std::string figures;
    std::string tooltip;

    std::string text() const { return name + (figures.empty() ? "" : " " + figures); }
};

std::vector<LegendMark> legend_of(const TuneMap& map) {
    std::vector<LegendMark> legend;
    if (map.best) {
        legend.push_back(
            {CellMark::ring,
             map.num_ties == 0 ? "best" : "one of " + format::grouped(map.num_ties + 1) + " best",
             cell_text(map, map.x_of(*map.best), map.y_of(*map.best)) + ": " +
                 time_text(map.cells[*map.best]),
             "The configuration with the smallest median" +
                 (map.num_ties == 0 ? std::string(".") : "; " + ties_text(map) + ".")});
    }
    if (map.automatic.known()) {
        const compaction::Options& options = map.automatic.result->resolved_options;
        const std::uint32_t y = map.axes.y ? options[*map.axes.y] : 0;
        legend.push_back({CellMark::square, "automatic",
                          cell_text(map, options[map.axes.x], y) + ": " +
                              format::significant(map.automatic.ratio_to_best, 2) + "× the best",
                          "The algorithm's automatic choice for this device and length, measured with the "
                          "others. It need not lie on the grid of the map."});
    }
    if (!map.published.empty()) {
        const TunePoint& first = map.published.front();
        const auto cell = map.cell_of(first.x, first.y);
        const bool known = cell && map.cells[*cell].known();
        std::string all = "The best configurations of publications on their GPUs:";
        for (const TunePoint& point : map.published)
            all += "\n" + cell_text(map, point.x, point.y) + ": " + point.source;
        legend.push_back(
            {CellMark::diamond, "published",
             cell_text(map, first.x, first.y) +
                 (known ? ": " + format::significant(map.cells[*cell].ratio_to_best, 2) + "× the best" : ""),
             all});
    }
    if (std::ranges::any_of(map.cells, &TuneCell::local_minimum))
        legend.push_back({CellMark::dot, "local minimum", "",
                          "A cell whose interval is below those of all cells around it. With several of "
                          "them, a downhill search can end in the wrong one."});
    return legend;
}

enum class LegendText : std::uint8_t { names, names_and_figures };

/// The text beside a mark.
std::string text_of(const LegendMark& entry, LegendText text) {
    return text == LegendText::names ? entry.name : entry.text();
}

float width_of(const Ui& ui, const LegendMark& entry, LegendText text) {
    return ui.px(16) + plots::text_width(ui.fonts().small, text_of(entry, text));
}

/// Where the legend with figures ends if it follows the last ImGui item. It breaks lines like
/// `continue_line`.
float legend_bottom(const Ui& ui, std::span<const LegendMark> legend, const LabArea& area) {
    float right = ImGui::GetItemRectMax().x;
    float bottom = ImGui::GetItemRectMax().y;
    for (const LegendMark& entry : legend) {
        const float width = width_of(ui, entry, LegendText::names_and_figures);
        right += ui.px(8) + width;
        if (right <= area.high.x) continue;
        right = area.low.x + width;
        bottom += ImGui::GetStyle().ItemSpacing.y + ImGui::GetFrameHeight();
    }
    return bottom;
}

void draw_legend(Ui& ui, std::span<const LegendMark> legend, LegendText text) {
    const ImFont* font = ui.fonts().small;
    const float radius = ui.px(5);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const LegendMark& entry : legend) {
        const float width = width_of(ui, entry, text);
        continue_line(ui, width);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float height = ImGui::GetFrameHeight();
        plots::draw_cell_mark(list, {at.x + radius, at.y + height / 2}, radius, entry.mark, ui.palette().text,
                              ui.style);
        plots::draw_text(list, font, {at.x + ui.px(16), std::round(at.y + (height - font->FontSize) / 2)},
                         ui.palette().label, text_of(entry, text));
        ImGui::Dummy({width, height});
        ui.tooltips.offer(ui.style, at, {at.x + width, at.y + height}, entry.tooltip, {},
                          text == LegendText::names ? entry.text() : "");
    }
}

std::vector<plots::PlacedMark> marks_of(const TuneMap& map) {
    std::vector<plots::PlacedMark> marks;
    const auto mark = [&](std::uint32_t x, std::uint32_t y, CellMark shape) {
        marks.push_back({labs::index_among(map.xs, x), labs::index_among(map.ys, y), shape});
    };
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        if (map.cells[i].local_minimum) mark(map.x_of(i), map.y_of(i), CellMark::dot);
        if (map.cells[i].result && !map.cells[i].result->correct())
            mark(map.x_of(i), map.y_of(i), CellMark::cross);
    }
    for (const TunePoint& point : map.published) mark(point.x, point.y, CellMark::diamond);
    if (map.automatic.result) {
        const compaction::Options& options = map.automatic.result->resolved_options;
        mark(options[map.axes.x], map.axes.y ? options[*map.axes.y] : 0, CellMark::square);
    }
    if (map.best) mark(map.x_of(*map.best), map.y_of(*map.best), CellMark::ring);
    return marks;
}

void draw_map(Ui& ui, const labs::Report& report, const TuneMap& map, ImVec2 low, ImVec2 high) {
    std::vector<double> values;
    for (const TuneCell& cell : map.cells) values.push_back(cell.ratio_to_best);
    std::vector<std::string> columns;
    std::vector<std::string> rows;
    for (const std::uint32_t x : map.xs) columns.push_back(value_text(*map.algorithm, map.axes.x, x));
    for (const std::uint32_t y : map.ys)
        rows.push_back(map.axes.y ? value_text(*map.algorithm, *map.axes.y, y) : std::string());
    const std::vector<plots::PlacedMark> marks = marks_of(map);
    const plots::HeatMap heat{
        .values = values,
        .columns = map.xs.size(),
        .column_labels = columns,
        .row_labels = rows,
        .column_title = label_of(map.axes.x, map.algorithm->engine),
        .row_title = map.axes.y ? label_of(*map.axes.y, map.algorithm->engine) : std::string_view(),
        .worst = max_shown_ratio,
        .marks = marks};
    ImGui::SetCursorScreenPos(low);
    const bool clicked = invisible_button("##map", {high.x - low.x, high.y - low.y});
    ui.controls.record_item("tune map");
    const bool is_step = map.algorithm->operation != compaction::Operation::compaction;
    // The keyboard cannot select a cell, so it runs the best one.
    if (ui.focus->presses_item(ui, "tune map") && map.best && !is_step)
        run_in_window(ui, report, map, *map.best);
    const auto hovered = plots::draw_heat_map(*ImGui::GetWindowDrawList(), low, high, heat, ui.style);
    const plots::HeatMapCells cells = plots::cells_of(low, high, heat, ui.style);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const ImVec2 corner = cells.low_of(i);
        ui.controls.record("tune: " + cell_text(map, map.x_of(i), map.y_of(i)), corner,
                           {corner.x + cells.size.x, corner.y + cells.size.y});
    }
    if (!hovered) return;
    const ImVec2 corner = cells.low_of(*hovered);
    ui.tooltips.offer(ui.style, corner, {corner.x + cells.size.x, corner.y + cells.size.y},
                      cell_tooltip(map, *hovered) +
                          (is_step ? "\n\nA step is not a compaction, so the window cannot run it."
                                   : "\n\nClick to run this configuration in the window."),
                      {}, cell_title(map, map.x_of(*hovered), map.y_of(*hovered)));
    if (clicked && !is_step) run_in_window(ui, report, map, *hovered);
}

/// Measures one algorithm over two of its options.
class TuneLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;
};

LabPlan TuneLab::plan(const Ui& ui) {
    const Algorithm* algorithm = tuned_algorithm(ui);
    if (!algorithm) return {.job = {}, .disabled_reason = "This engine has no algorithm."};
    const compaction::Options options =
        runs_in_window(ui, *algorithm) ? ui.settings.run.a.options : compaction::Options{};
    LabPlan plan{.job = labs::tune_job(ui.settings.run, ui.settings.labs,
                                       current_slots(ui.snapshot.stream, ui.settings), *algorithm, options,
                                       ui.snapshot.machine.device.processors),
                 .disabled_reason = {}};
    // The title of an empty job says why it is empty.
    if (plan.job.settings.empty()) plan.disabled_reason = plan.job.title;
    return plan;
}

void TuneLab::draw(Ui& ui, const labs::Report* report, const LabArea& area) {
    ImGui::SetCursorScreenPos(area.low);
    draw_algorithm_menu(ui);
    const float menu_bottom = ImGui::GetItemRectMax().y;
    const auto draw = [&](const labs::Report& shown) {
        const std::optional<TuneMap> map = labs::tune_map(shown);
        if (!map) return;
        // The figures of an example are fake, so it has no legend.
        const bool is_example = &shown != report;
        const std::vector<LegendMark> legend = is_example ? std::vector<LegendMark>{} : legend_of(*map);
        const float gap = ui.px(6);
        const bool has_room = legend_bottom(ui, legend, area) + gap <= area.high.y - ui.px(wanted_map_height);
        draw_legend(ui, legend, has_room ? LegendText::names_and_figures : LegendText::names);
        const ImVec2 low{area.low.x, ImGui::GetItemRectMax().y + gap};
        if (area.high.y - low.y > ui.px(min_map_height)) draw_map(ui, shown, *map, low, area.high);
    };
    if (report && labs::tune_map(*report)) return draw(*report);
    draw_example(
        ui, {{area.low.x, menu_bottom + ui.px(6)}, area.high},
        "Measures the algorithm with every configuration of a map, which fills in as samples arrive.", draw);
}

}  // namespace

LabType tune_lab() {
    return {
        .name = "Tune",
        .meaning =
            "One algorithm over two of its options, usually threads and blocks. The map shows each time as a "
            "multiple of the best, and marks the best, the automatic and the published configurations.",
        .make = make_lab<TuneLab>};
}

}  // namespace warpsieve::panels
