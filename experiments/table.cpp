#include "experiments/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <sstream>
#include <string_view>

#include "experiments/csv.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/text.hpp"
#include "experiments/phase_timing.hpp"
#include "experiments/setting.hpp"
#include "experiments/timeline.hpp"

namespace experiments {
namespace {

std::string figure(double value) {
    return format::significant(value, 3);
}

/// A field for display: 2^20 rather than 1048576.
std::string shown(const Field& field) {
    if (field.text.empty()) return "-";
    const auto count = format::parse_number<std::uint64_t>(field.text);
    return field.name == "n" && count ? format::count_text(*count) : field.text;
}

std::vector<std::vector<Field>> fields_of_results(const Measurement& measurement) {
    std::vector<std::vector<Field>> all;
    for (const Result& result : measurement.results) all.push_back(fields_of(result.setting));
    return all;
}

std::string caption_of(const Report& report, const std::string& common) {
    return report.machine.device + ", " + report.machine.driver + (common.empty() ? "" : "; " + common);
}

void append_figures(const Summary& us, double gb_s, double share_of_copy, double share_of_floor,
                    std::vector<std::string>& cells) {
    for (const double value : {us.median, us.q1, us.q3, us.min}) cells.push_back(figure(value));
    cells.push_back(std::to_string(us.n));
    for (const double value : {gb_s, 100 * share_of_copy, 100 * share_of_floor})
        cells.push_back(value > 0 ? figure(value) : "-");
}

class ResultsTable {
  public:
    explicit ResultsTable(const Report& report)
        : report_(report), fields_(fields_of_results(report.measurement)) {
        const auto is_throttled = [](const auto& each) { return each.throttled > 0; };
        has_throttled_ = std::ranges::any_of(report.measurement.results, is_throttled) ||
                         std::ranges::any_of(report.measurement.copies, is_throttled);
    }

    Table build() {
        table_.caption = caption_of(report_, fields_.common);
        for (const std::string& name : fields_.varying) table_.columns.push_back({name, name == "density"});
        for (const char* const heading :
             {"median µs", "q1", "q3", "min", "samples", "useful GB/s", "% of copy bandwidth", "% of floor"})
            table_.columns.push_back({heading, /*is_figure=*/true});
        if (has_throttled_) table_.columns.push_back({"throttled", /*is_figure=*/true});
        if (report_.baseline) table_.columns.push_back({"verdict", /*is_figure=*/false});
        const StreamSpec* stream = nullptr;
        for (const Result& result : report_.measurement.results) {
            if (!stream || result.setting.stream != *stream) add_copy(result.setting.stream);
            stream = &result.setting.stream;
            add(result);
        }
        return std::move(table_);
    }

  private:
    void add_copy(const StreamSpec& stream) {
        const auto& copies = report_.measurement.copies;
        // Copies have the order of the streams.
        const auto copy =
            std::ranges::find(copies.begin() + next_copy_, copies.end(), stream, &CopyResult::stream);
        if (copy == copies.end()) return;
        next_copy_ = copy - copies.begin() + 1;
        Table::Row row{fields_.cells(fields_of_copy(stream)), {}};
        if (!copy->first_error.empty()) {
            row.alarm = "WRONG: " + copy->first_error;
        } else {
            append_figures(copy->us, copy->gb_s, /*share_of_copy=*/1, /*share_of_floor=*/1, row.cells);
            append_remarks(copy->throttled, "-", row.cells);
        }
        table_.rows.push_back(std::move(row));
    }

    void add(const Result& result) {
        Table::Row row{fields_.cells(fields_of(result.setting)), {}};
        if (!result.correct()) {
            row.alarm = "WRONG: " + result.first_error;
        } else {
            append_figures(result.us, result.useful_gb_s, result.share_of_copy, result.share_of_floor,
                           row.cells);
            const std::string change = report_.baseline ? report_.baseline->difference_in_words(result) : "";
            append_remarks(result.throttled, change.empty() ? "-" : change, row.cells);
        }
        table_.rows.push_back(std::move(row));
    }

    void append_remarks(std::size_t throttled, const std::string& verdict,
                        std::vector<std::string>& cells) const {
        if (has_throttled_) cells.push_back(std::to_string(throttled));
        if (report_.baseline) cells.push_back(verdict);
    }

    const Report& report_;
    VaryingFields fields_;
    std::ptrdiff_t next_copy_ = 0;  ///< index of the first copy that has no row yet
    bool has_throttled_ = false;
    Table table_;
};

class PhasesTable {
  public:
    explicit PhasesTable(const Report& report)
        : report_(report), fields_(fields_of_results(report.measurement)) {
        for (const Result& result : report.measurement.results) {
            by_subtraction_ |= std::ranges::any_of(
                result.phases, [](const PhaseResult& phase) { return phase.by_subtraction_us.n > 0; });
        }
    }

    Table build() {
        table_.caption = by_subtraction_ ? "Phases, microseconds: by stamps, and by subtracting the times of "
                                           "calls that end early; medians with 95 % intervals"
                                         : "Phases, microseconds: medians with 95 % intervals";
        for (const std::string& name : fields_.varying) table_.columns.push_back({name, name == "density"});
        table_.columns.push_back({"phase", /*is_figure=*/false});
        for (const char* const heading : {"by stamps", "low", "high", "hidden", "gap"})
            table_.columns.push_back({heading, /*is_figure=*/true});
        if (by_subtraction_) {
            for (const char* const heading : {"by subtraction", "low", "high"})
                table_.columns.push_back({heading, /*is_figure=*/true});
        }
        for (const Result& result : report_.measurement.results) {
            if (!result.correct() || result.phases.empty()) continue;
            for (const PhaseResult& phase : result.phases) add(result, phase);
            Table::Row& between = add_row(result, std::string(between_calls_name));
            append(result.between_us, result.between_interval_us, between);
            between.cells.resize(table_.columns.size(), "-");
        }
        return std::move(table_);
    }

  private:
    void add(const Result& result, const PhaseResult& phase) {
        Table::Row& row = add_row(result, phase.name);
        append(phase.by_stamps_us, phase.by_stamps_interval_us, row);
        row.cells.push_back(phase.by_stamps_us.n > 0 ? figure(phase.hidden_us) : "-");
        row.cells.push_back(phase.gap_us ? figure(*phase.gap_us) : "-");
        if (by_subtraction_) append(phase.by_subtraction_us, phase.by_subtraction_interval_us, row);
    }

    Table::Row& add_row(const Result& result, const std::string& name) {
        table_.rows.push_back({fields_.cells(fields_of(result.setting)), {}});
        table_.rows.back().cells.push_back(name);
        return table_.rows.back();
    }

    static void append(const Summary& us, const Interval& interval, Table::Row& row) {
        for (const double value : {us.median, interval.low, interval.high})
            row.cells.push_back(us.n > 0 ? figure(value) : "-");
    }

    const Report& report_;
    VaryingFields fields_;
    bool by_subtraction_ = false;
    Table table_;
};

/// The characters before the decimal point; all if there is none.
std::size_t width_before_point(std::string_view cell) {
    return std::min(cell.find('.'), format::num_characters(cell));
}

/// Width of a column before and after the decimal point; words count as before it.
struct Width {
    std::size_t before = 0;
    std::size_t after = 0;

    Width(const Table& table, std::size_t column) {
        const auto grow = [this](std::size_t whole, std::size_t rest) {
            before = std::max(before, whole);
            after = std::max(after, rest);
        };
        const bool is_figure = table.columns[column].is_figure;
        for (const Table::Row& row : table.rows) {
            if (column >= row.cells.size()) continue;
            const std::string& cell = row.cells[column];
            const std::size_t whole = is_figure ? width_before_point(cell) : format::num_characters(cell);
            grow(whole, format::num_characters(cell) - whole);
        }
        const std::size_t heading = format::num_characters(table.columns[column].heading);
        if (heading > before + after) before = heading - after;
    }
};

std::string aligned(const std::string& cell, const Width& width, bool is_figure) {
    if (!is_figure) return cell + std::string(width.before + width.after - format::num_characters(cell), ' ');
    const std::size_t whole = width_before_point(cell);
    return std::string(width.before - whole, ' ') + cell +
           std::string(width.after - (format::num_characters(cell) - whole), ' ');
}

std::string without_trailing_spaces(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Escapes the bar, which ends a Markdown cell.
std::string markdown_cell(const std::string& text) {
    std::string cell;
    for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
}

}  // namespace

VaryingFields::VaryingFields(const std::vector<std::vector<Field>>& settings) {
    if (settings.empty()) return;
    for (std::size_t i = 0; i < settings.front().size(); ++i) {
        const std::string& name = settings.front()[i].name;
        // Algorithms without the option do not count.
        std::set<std::string> texts;
        for (const std::vector<Field>& fields : settings) {
            if (!fields[i].text.empty()) texts.insert(fields[i].text);
        }
        if (texts.size() > 1 || name == "algorithm") {
            varying.push_back(name);
        } else if (texts.size() == 1 && *texts.begin() != "automatic") {
            common += (common.empty() ? "" : ", ") + name + " = " + shown({name, *texts.begin()});
        }
    }
}

std::vector<std::string> VaryingFields::cells(const std::vector<Field>& fields) const {
    std::vector<std::string> cells;
    for (const Field& field : fields) {
        if (std::ranges::find(varying, field.name) != varying.end()) cells.push_back(shown(field));
    }
    return cells;
}

Table results_table(const Report& report) {
    return ResultsTable(report).build();
}

Table phases_table(const Report& report) {
    return PhasesTable(report).build();
}

std::vector<std::string> phase_remarks(const Measurement& measurement) {
    std::vector<std::string> remarks;
    bool any_difference = false;
    for (const Result& result : measurement.results) {
        if (!result.correct()) continue;
        if (!result.no_subtraction_reason.empty()) {
            remarks.push_back(describe(result.setting) +
                              ": no times by subtraction: " + result.no_subtraction_reason + ".");
        }
        for (const PhaseDifference& difference : phase_differences(result)) {
            const bool is_first = difference.phase == result.phases.front().name;
            remarks.push_back(describe(result.setting) + ": " + difference.phase +
                              (is_first ? " and the time between calls take " : " takes ") +
                              figure(difference.by_stamps_us) + " µs by stamps and " +
                              figure(difference.by_subtraction_us) +
                              " µs by subtraction. The difference is " +
                              format::significant(100 * difference.share, 2) + " % of the call.");
            any_difference = true;
        }
    }
    if (any_difference) {
        remarks.push_back(
            "Known reason for such differences: a call that ends early writes less than a whole call, so the "
            "next one finds the L2 cache in another state.");
    }
    return remarks;
}

std::string clock_advice(const Report& report) {
    // A locked clock is measured to about this share.
    constexpr double steady = 0.01;
    const Measurement& measurement = report.measurement;
    const double lowest_hz = measurement.lowest_clock_hz, highest_hz = measurement.highest_clock_hz;
    if (report.machine.engine != "cuda" || highest_hz - lowest_hz <= steady * highest_hz) return {};
    const auto doubtful = std::ranges::count_if(measurement.results, [](const Result& result) {
        return result.throttled > 0 || is_noisy(result.us.noise());
    });
    if (doubtful == 0) return {};
    const double locked_hz =
        std::max(lowest_hz, Policy{}.throttled_below * std::max(highest_hz, report.machine.max_clock_hz));
    return "The clock varied from " + figure(lowest_hz * 1e-9) + " to " + figure(highest_hz * 1e-9) +
           " GHz, and " + std::to_string(doubtful) + (doubtful == 1 ? " setting was" : " settings were") +
           " throttled or noisy. Lock it: sudo nvidia-smi --lock-gpu-clocks=" +
           std::to_string(std::lround(locked_hz * 1e-6)) +
           "; afterwards: sudo nvidia-smi --reset-gpu-clocks.";
}

format::TerminalText to_terminal(Table table, bool colour) {
    // Widths are those of the characters that are printed.
    for (Table::Row& row : table.rows)
        for (std::string& cell : row.cells) cell = format::printable(cell);
    std::vector<Width> widths;
    for (std::size_t column = 0; column < table.columns.size(); ++column) widths.emplace_back(table, column);
    format::TerminalText text;
    text.add_line(table.caption);
    std::string line;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& heading = table.columns[column].heading;
        const std::string space(
            widths[column].before + widths[column].after - format::num_characters(heading), ' ');
        line +=
            (column > 0 ? "  " : "") + (table.columns[column].is_figure ? space + heading : heading + space);
    }
    text.add_line(without_trailing_spaces(line));
    for (const Table::Row& row : table.rows) {
        line.clear();
        for (std::size_t column = 0; column < row.cells.size(); ++column)
            line += (column > 0 ? "  " : "") +
                    aligned(row.cells[column], widths[column], table.columns[column].is_figure);
        if (row.alarm.empty()) {
            text.add_line(without_trailing_spaces(line));
        } else {
            text.add_line(line + "  ", row.alarm, colour);
        }
    }
    return text;
}

std::string to_markdown(const Table& table) {
    std::ostringstream text;
    text << table.caption << "\n\n|";
    for (const Table::Column& column : table.columns) text << ' ' << markdown_cell(column.heading) << " |";
    text << "\n|";
    for (const Table::Column& column : table.columns) text << (column.is_figure ? "---:|" : "---|");
    text << '\n';
    for (const Table::Row& row : table.rows) {
        text << '|';
        for (const std::string& cell : row.cells) text << ' ' << markdown_cell(cell) << " |";
        if (!row.alarm.empty()) text << " **" << markdown_cell(row.alarm) << "** |";
        text << '\n';
    }
    return text.str();
}

std::string to_csv(const Table& table) {
    std::ostringstream text;
    for (const Table::Column& column : table.columns)
        text << (&column == &table.columns.front() ? "" : ",") << csv_cell(column.heading);
    text << '\n';
    for (const Table::Row& row : table.rows) {
        for (const std::string& cell : row.cells)
            text << (&cell == &row.cells.front() ? "" : ",") << csv_cell(cell);
        if (!row.alarm.empty()) text << ',' << csv_cell(row.alarm);
        text << '\n';
    }
    return text.str();
}

}  // namespace experiments
