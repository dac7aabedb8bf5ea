#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/timings_panel.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::panels {
namespace {

using experiments::Summary;

// Pixels at 100 %.
constexpr float swatch_column = 16;
constexpr float name_column = 98;
constexpr float noise_column = 52;
constexpr float icon_column = 13;
constexpr float count_column = 38;

struct TimeColumn {
    std::string_view header;
    std::string_view tooltip;
    double Summary::*value;
};
constexpr std::array time_columns{
    TimeColumn{
        "median",
        "Half of the frames were faster, half slower. Unlike a mean, the median ignores single late frames.",
        &Summary::median},
    TimeColumn{"25 %", "The first quartile: 25 % of the frames were faster than this.", &Summary::q1},
    TimeColumn{"75 %",
               "The third quartile: 25 % of the frames were slower than this. The middle half lies between "
               "the columns 25 % and 75 %.",
               &Summary::q3},
    TimeColumn{"min", "The fastest frame. It shows what the machine can do without disturbance.",
               &Summary::min},
};
constexpr std::string_view recorded_header = "recorded";
constexpr int whole_digits = 3;  // before the decimal point

/// The columns that the table shows at a given width. Times have at most `fraction_digits` decimals.
struct ColumnSet {
    std::size_t num_times;  ///< number of time_columns
    int fraction_digits;
    bool shows_noise_word;  ///< "noisy" beside the icon; else the icon alone
    bool shows_count;
};
constexpr std::array column_sets{
    ColumnSet{.num_times = 4, .fraction_digits = 3, .shows_noise_word = true, .shows_count = true},
    ColumnSet{.num_times = 4, .fraction_digits = 2, .shows_noise_word = false, .shows_count = true},
    ColumnSet{.num_times = 4, .fraction_digits = 2, .shows_noise_word = false, .shows_count = false},
    ColumnSet{.num_times = 3, .fraction_digits = 2, .shows_noise_word = false, .shows_count = false},
    ColumnSet{.num_times = 1, .fraction_digits = 2, .shows_noise_word = false, .shows_count = false}};

/// The x of the columns, in pixels from the left end of the table.
struct Columns {
    ColumnSet set;
    float name;
    float noise;
    std::array<float, time_columns.size()> points;  ///< decimal points of the times
    std::array<float, time_columns.size()> rights;  ///< right ends of the times
    float recorded_point;                           ///< decimal point of the medians of a replayed run
    float recorded_right;                           ///< 0: no run is replayed
    float right;                                    ///< right end of the table
};

Columns columns_of(const Ui& ui, const ColumnSet& set) {
    const float digit = digit_width(ui);
    Columns columns{.set = set,
                    .name = ui.px(swatch_column),
                    .noise = 0,
                    .points = {},
                    .rights = {},
                    .recorded_point = 0,
                    .recorded_right = 0,
                    .right = 0};
    columns.noise = columns.name + ui.px(name_column);
    float x = columns.noise + ui.px(set.shows_noise_word ? noise_column : icon_column);
    const auto place_time = [&](float& point, float& right) {
        point = x + whole_digits * digit;
        right = point + static_cast<float>(1 + set.fraction_digits) * digit;
        const bool needs_gap = set.fraction_digits < 3;
        x = right + (needs_gap ? digit / 2 : 0);
    };
    for (std::size_t i = 0; i < set.num_times; ++i) {
        place_time(columns.points[i], columns.rights[i]);
        // The recorded medians are beside the medians, which are the first column.
        if (i > 0 || !ui.snapshot.recorded) continue;
        // The header is wider than the figures.
        x = std::max(x, columns.rights[i] + plots::text_width(ui.fonts().small, recorded_header) + digit -
                            static_cast<float>(whole_digits + 1 + set.fraction_digits) * digit);
        place_time(columns.recorded_point, columns.recorded_right);
    }
    columns.right = x + (set.shows_count ? ui.px(count_column) : 0);
    return columns;
}

/// The largest set of columns that fits, else the smallest one.
Columns fitting_columns(const Ui& ui, float room) {
    for (const ColumnSet& set : column_sets) {
        const Columns columns = columns_of(ui, set);
        if (columns.right <= room) return columns;
    }
    return columns_of(ui, column_sets.back());
}

/// Draws a number with its decimal point at `point_x`.
void draw_aligned(ImDrawList& list, const ImFont* font, float point_x, float baseline, ImU32 colour,
                  const std::string& number) {
    const format::AlignedNumber parts = format::split_at_decimal_point(number);
    plots::draw_on_baseline(list, font, {point_x - plots::text_width(font, parts.whole), baseline}, colour,
                            parts.whole);
    plots::draw_on_baseline(list, font, {point_x, baseline}, colour, parts.fraction);
}

void draw_headers(Ui& ui, const Columns& columns, ImVec2 at, const format::TimeUnit& unit) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const float baseline = at.y + std::round(ui.fonts().heading->Ascent);
    const float bottom = at.y + ui.fonts().heading->FontSize;
    const auto draw_header = [&](float right, std::string_view text, std::string_view tooltip) {
        const float left = at.x + right - plots::text_width(font, text);
        plots::draw_on_baseline(list, font, {left, baseline}, ui.palette().muted, text);
        ui.tooltips.offer(ui.style, {left, at.y}, {at.x + right, bottom}, tooltip);
    };
    const std::string in_unit = std::string("in ") + unit.name;
    plots::draw_on_baseline(list, font, {at.x + columns.name, baseline}, ui.palette().muted, in_unit);
    ui.tooltips.offer(ui.style, {at.x, at.y}, {at.x + columns.noise, bottom},
                      "All times share one unit, so that they are easy to compare. A row far above the "
                      "others shows its own unit.");
    for (std::size_t i = 0; i < columns.set.num_times; ++i) {
        draw_header(columns.rights[i], time_columns[i].header, time_columns[i].tooltip);
    }
    if (const RecordedFigures* recorded = ui.snapshot.recorded) {
        const std::string& algorithm = recorded->algorithm;
        draw_header(columns.recorded_right, recorded_header,
                    "The medians in " + recorded->file + ": " + algorithm + " on " + recorded->device + ".");
    }
    if (columns.set.shows_count) draw_header(columns.right, "n", "Number of frames in the row.");
}

/// Draws the recorded median of a row, with what changed as its tooltip.
void draw_recorded(Ui& ui, const Columns& columns, const TimingRow& row, ImVec2 at, float baseline,
                   float height, const format::TimeUnit& unit) {
    if (!ui.snapshot.recorded) return;
    const auto& rows = ui.snapshot.recorded->rows;
    const auto found = std::ranges::find(rows, row.name, &RecordedFigures::Row::name);
    const bool timed = found != rows.end() && found->us.n > 0;
    draw_aligned(
        *ImGui::GetWindowDrawList(), ui.fonts().figures, at.x + columns.recorded_point, baseline,
        ui.palette().label,
        timed ? format::significant(found->us.median * unit.per_us, columns.set.fraction_digits) : "–");
    if (!timed) return;
    ui.tooltips.offer(
        ui.style, {at.x + columns.rights[0], at.y}, {at.x + columns.recorded_right, at.y + height}, [&] {
            return "Recorded: " + format::duration_text(found->us.median) + ", middle half " +
                   format::duration_text(found->us.q1) + " to " + format::duration_text(found->us.q3) + ".";
        });
}

/// Marks a row with the colour of its phase in the plot.
void draw_mark(Ui& ui, const TimingRow& row, ImVec2 at, float height) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 centre{at.x + ui.px(5), at.y + height / 2};
    if (row.role) {
        plots::draw_swatch(list, centre, ui.px(9), plots::style_of(*row.role), ui.palette().panel);
    } else if (row.name == between_row_name) {
        plots::draw_swatch(list, centre, ui.px(9), plots::between_calls_style(ui.palette()),
                           ui.palette().panel);
    } else if (row.name == interop_row_name) {
        const float half = std::max(1.0F, ui.px(1));
        list.AddRectFilled({centre.x - ui.px(5), centre.y - half}, {centre.x + ui.px(5), centre.y + half - 1},
                           ui.palette().interop);
    }
}

/// A row and its name in the table.
struct Line {
    const TimingRow* row;
    std::string_view name;
};

/// The lines of the table. While A is compared with B, B's total is below A's.
std::vector<Line> lines_of(const Figures& figures) {
    std::vector<Line> lines;
    for (const TimingRow& row : figures.a.rows) {
        const bool is_total_of_a = figures.b && row.name == total_row_name;
        lines.push_back({&row, is_total_of_a                  ? "total A"
                               : row.name == between_row_name ? plots::between_compactions
                                                              : std::string_view(row.name)});
        if (!is_total_of_a) continue;
        const auto total_of_b = std::ranges::find(figures.b->rows, total_row_name, &TimingRow::name);
        if (total_of_b != figures.b->rows.end()) lines.push_back({&*total_of_b, "total B"});
    }
    return lines;
}

/// Drops the last lines until the others fit. Totals are dropped after all other lines.
void keep_fitting(std::vector<Line>& lines, std::size_t max_lines) {
    while (lines.size() > max_lines) {
        const auto last_no_total = std::find_if(
            lines.rbegin(), lines.rend(), [](const Line& line) { return line.row->name != total_row_name; });
        const bool only_totals = last_no_total == lines.rend();
        lines.erase(only_totals ? std::prev(lines.end()) : std::prev(last_no_total.base()));
    }
}

/// Describes the part of a phase's launch that is hidden behind the previous phase, and the gap after the
/// phase; empty if neither is known.
std::string overlap_text(const compaction::Algorithm& algorithm, std::size_t phase, const TimingRow& row) {
    const double phase_us = row.us.median, hidden_us = row.hidden_us, gap_us = row.gap_us;
    std::string text;
    if (hidden_us > 0) {
        const double visible_us = std::max(phase_us - gap_us, 0.0);
        const format::Figure share = format::percent(hidden_us / (hidden_us + visible_us));
        text += "\n\nIts grid was resident for " + format::duration_text(hidden_us) +
                " before it could begin: " + share.number + " " + share.unit +
                " of its time is hidden behind " +
                (phase > 0 ? algorithm.phases[phase - 1].name : std::string("the call before")) + ".";
    }
    if (gap_us > 0 && phase + 1 < algorithm.phases.size()) {
        text +=
            (text.empty() ? "\n\n" : " ") + format::duration_text(gap_us) +
            " pass between its last block and the next phase, measured in at least one compaction in eight.";
    }
    return text;
}

std::string noise_tooltip(double noise) {
    const format::Figure spread = format::percent(noise);
    return "The middle half of the frames spreads over " + spread.number + " " + spread.unit +
           " of the median, more than " + noise_limit() +
           ". Do not trust the median to three digits; try more iterations per frame.";
}

void draw_row(Ui& ui, const Columns& columns, const Line& line, ImVec2 at, float height,
              const format::TimeUnit& shared_unit) {
    const TimingRow& row = *line.row;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const float baseline = at.y + std::round((height - fonts.figures->FontSize) / 2 + fonts.figures->Ascent);
    // Rows outside the total are muted.
    const ImU32 colour = row.in_total ? palette.text : palette.label;
    // A row far above the total has a unit of its own, shown beside its name.
    const format::TimeUnit unit =
        ui.memory.timings.row_units[std::string(line.name)].update(row.us.q3, shared_unit);
    draw_mark(ui, row, at, height);
    const std::string name = plots::elided(fonts.text, line.name, ui.px(name_column - 4));
    const float name_right =
        plots::draw_on_baseline(list, row.name == total_row_name ? fonts.heading : fonts.text,
                                {at.x + columns.name, baseline}, colour, name);
    if (unit.per_us != shared_unit.per_us)
        plots::draw_on_baseline(list, fonts.small, {name_right + ui.px(6), baseline}, palette.muted,
                                unit.name);
    if (const compaction::Algorithm* const algorithm = ui.snapshot.runs.a.algorithm)
        ui.tooltips.offer(ui.style, at, {at.x + columns.noise, at.y + height},
                          [&] { return meaning_of(*algorithm, row); });
    if (line.name != "total B") draw_recorded(ui, columns, row, at, baseline, height, unit);
    const bool is_timed = row.us.n > 0 && row.us.max > 0;
    if (!is_timed) {
        draw_aligned(list, fonts.figures, at.x + columns.points[0], baseline, palette.muted, "–");
        return;
    }
    if (experiments::is_noisy(row.us.noise())) {
        draw_quality_icon(ui, {at.x + columns.noise + ui.px(4), at.y + std::round(height / 2)},
                          Quality::caution);
        if (columns.set.shows_noise_word)
            plots::draw_on_baseline(list, fonts.small, {at.x + columns.noise + ui.px(icon_column), baseline},
                                    palette.warning_text, "noisy");
        ui.tooltips.offer(ui.style, {at.x + columns.noise, at.y}, {at.x + columns.points[0], at.y + height},
                          [&] { return noise_tooltip(row.us.noise()); });
    }
    for (std::size_t i = 0; i < columns.set.num_times; ++i) {
        draw_aligned(
            list, fonts.figures, at.x + columns.points[i], baseline, i == 0 ? colour : palette.label,
            format::significant(row.us.*time_columns[i].value * unit.per_us, columns.set.fraction_digits));
    }
    ui.controls.record("median: " + std::string(line.name),
                       {at.x + columns.points[0] - whole_digits * digit_width(ui), at.y},
                       {at.x + columns.rights[0], at.y + height});
    if (!columns.set.shows_count) return;
    const std::string count = format::grouped(row.us.n);
    plots::draw_on_baseline(list, fonts.figures,
                            {at.x + columns.right - plots::text_width(fonts.figures, count), baseline},
                            palette.muted, count);
}

void draw_untimed_compactions(Ui& ui, ImVec2 at) {
    if (ui.snapshot.timings.untimed_compactions == 0) return;
    const std::string text =
        format::grouped(ui.snapshot.timings.untimed_compactions) + " compactions not timed";
    const ImFont* font = ui.fonts().small;
    plots::draw_text(*ImGui::GetWindowDrawList(), font, at, ui.palette().warning_text, text);
    ui.tooltips.offer(
        ui.style, at, {at.x + plots::text_width(font, text), at.y + font->FontSize},
        "The device was too far behind, so the timing buffer was full. These compactions are in "
        "no row of the table; use fewer iterations per frame.");
}

}  // namespace

std::string meaning_of(const compaction::Algorithm& algorithm, const TimingRow& row) {
    const auto phase = std::ranges::find(algorithm.phases, row.name, &compaction::Phase::name);
    if (row.role && phase != algorithm.phases.end()) {
        const auto index = static_cast<std::size_t>(phase - algorithm.phases.begin());
        return phase->meaning + overlap_text(algorithm, index, row);
    }
    const bool on_host = algorithm.engine != compaction::EngineId::cuda;
    if (row.name == between_row_name)
        return on_host ? "The time between compactions: from the end of the last phase of one to the first "
                         "phase of the next, "
                         "calling it, and reading the clock."
                       : "The time between compactions: from the last block of one to the first block of the "
                         "next, launching. "
                         "The GPU does no work of a compaction in this time.";
    if (row.name == total_row_name)
        return "One compaction, timed from outside over the frame's iterations. In each frame, the phases "
               "and the time between calls add up to it.";
    if (row.name == interop_row_name)
        return on_host ? "Host time to lend OpenGL's buffers to the engine, once a frame. This engine writes "
                         "into its own memory, so the time is 0."
                       : "Host time to lend OpenGL's buffers to CUDA and take them back, once a frame. Not "
                         "part of the total.";
    if (row.name == simulate_row_name)
        return "Spawning, ageing and moving every slot, before compaction. Not part of the total.";
    return {};
}

float fitting_table_width(const Ui& ui, float room) {
    const float width = fitting_columns(ui, room).right;
    return width <= room ? width : 0;
}

experiments::Table timing_table(const Ui& ui) {
    const bool timed = !ui.snapshot.runs.a.algorithm || has_times(ui.snapshot.runs.a.algorithm->engine);
    experiments::Table table{
        .caption = (ui.snapshot.runs.a.algorithm ? ui.snapshot.runs.a.algorithm->id : "nothing") + " on " +
                   ui.snapshot.machine.device.name + ", " +
                   format::without_powers(format::slot_count_text(ui.snapshot.stream.slots)) + " slots" +
                   (timed ? ", interactive" : ", without times"),
        .columns = {{"us", false},
                    {"median", true},
                    {"q1", true},
                    {"q3", true},
                    {"min", true},
                    {"n", true},
                    {"in the total", false}},
        .rows = {}};
    for (const TimingRow& row : ui.snapshot.figures->a.rows) {
        table.rows.push_back(
            {{row.name, experiments::format::significant(row.us.median, 4),
              experiments::format::significant(row.us.q1, 4), experiments::format::significant(row.us.q3, 4),
              experiments::format::significant(row.us.min, 4), std::to_string(row.us.n),
              row.in_total ? "yes" : "no"},
             {}});
    }
    return table;
}

void draw_timing_table(Ui& ui, ImVec2 low, ImVec2 high) {
    if (ui.snapshot.runs.a.algorithm && !has_times(ui.snapshot.runs.a.algorithm->engine))
        return draw_access_table(ui, low, high);
    const Columns columns = fitting_columns(ui, high.x - low.x + 1);
    const float line_height = ui.fonts().figures->FontSize;
    std::vector<Line> lines = lines_of(*ui.snapshot.figures);
    double max_in_total_us = 0;
    for (const Line& each : lines) {
        if (each.row->in_total) max_in_total_us = std::max(max_in_total_us, each.row->us.q3);
    }
    const format::TimeUnit shared_unit = format::time_unit(max_in_total_us);
    draw_headers(ui, columns, low, shared_unit);

    const float rows_top = low.y + ui.px(24);
    const float throughput_top = high.y - line_height - ui.px(2);
    const float rows_bottom =
        throughput_top - ui.px(8) - (ui.snapshot.timings.untimed_compactions > 0 ? line_height : 0.0F);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float min_table_row_height = line_height - ui.px(1);
    const float max_table_row_height = ui.px(21);
    const auto num_rows = static_cast<float>(std::max<std::size_t>(lines.size(), 1));
    const float row_height = std::floor(
        std::clamp((rows_bottom - rows_top) / num_rows, min_table_row_height, max_table_row_height));
    float y = rows_top;
    bool was_in_total = true;
    keep_fitting(lines, static_cast<std::size_t>(std::max(0.0F, (rows_bottom + 1 - rows_top) / row_height)));
    for (const Line& each : lines) {
        // A hairline separates the total and its parts from other rows.
        if (was_in_total && !each.row->in_total) {
            list.AddRectFilled({low.x, y}, {low.x + columns.right, y + 1}, ui.palette().outline);
        }
        was_in_total = each.row->in_total;
        draw_row(ui, columns, each, {low.x, y}, row_height, shared_unit);
        y += row_height;
    }
    draw_untimed_compactions(ui, {low.x, rows_bottom});
    draw_throughput(ui, {low.x, throughput_top}, high.x);
}

}  // namespace warpsieve::panels
