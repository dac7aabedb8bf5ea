#include "experiments/table.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "experiments/csv.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/row.hpp"

namespace experiments {
namespace {

constexpr const char* red = "\033[1;31m";
constexpr const char* plain = "\033[0m";

std::string figure(double value) {
    return format::significant(value, 3);
}

/// A field for display: 2^20 rather than 1048576.
std::string shown(const Field& field) {
    if (field.text.empty()) return "-";
    return field.name == "n" ? format::count_text(std::stoull(field.text)) : field.text;
}

/// Which fields vary among the results, and the common value of the others.
struct Fields {
    std::vector<std::string> varying;
    std::string common;

    explicit Fields(const Measurement& measurement) {
        if (measurement.results.empty()) return;
        std::vector<std::vector<Field>> all;
        for (const Result& result : measurement.results) all.push_back(fields_of(result.setting));
        for (std::size_t i = 0; i < all.front().size(); ++i) {
            const Field& first = all.front()[i];
            // Algorithms without the option do not count.
            std::set<std::string> texts;
            for (const std::vector<Field>& fields : all) {
                if (!fields[i].text.empty()) texts.insert(fields[i].text);
            }
            if (texts.size() > 1 || first.name == "algorithm") {
                varying.push_back(first.name);
            } else if (texts.size() == 1 && *texts.begin() != "automatic") {
                common +=
                    (common.empty() ? "" : ", ") + first.name + " = " + shown({first.name, *texts.begin()});
            }
        }
    }

    std::vector<std::string> cells(const std::vector<Field>& fields) const {
        std::vector<std::string> cells;
        for (const Field& field : fields) {
            if (std::ranges::find(varying, field.name) != varying.end()) cells.push_back(shown(field));
        }
        return cells;
    }
};

std::string caption_of(const Report& report, const std::string& common) {
    return report.machine.device + ", " + report.machine.driver + (common.empty() ? "" : "; " + common);
}

void append_figures(const Summary& us, double gb_s, double of_copy, double of_floor,
                    std::vector<std::string>& cells) {
    for (const double value : {us.median, us.q1, us.q3, us.min}) cells.push_back(figure(value));
    cells.push_back(std::to_string(us.n));
    for (const double value : {gb_s, of_copy, of_floor}) cells.push_back(value > 0 ? figure(value) : "-");
}

class ResultsTable {
  public:
    explicit ResultsTable(const Report& report) : report_(report), fields_(report.measurement) {
        const auto is_throttled = [](const auto& each) { return each.throttled > 0; };
        throttled_ = std::ranges::any_of(report.measurement.results, is_throttled) ||
                     std::ranges::any_of(report.measurement.copies, is_throttled);
    }

    Table build() {
        table_.caption = caption_of(report_, fields_.common);
        for (const std::string& name : fields_.varying) table_.columns.push_back({name, name == "density"});
        for (const char* const heading :
             {"median us", "q1", "q3", "min", "samples", "useful GB/s", "of copy", "of floor"})
            table_.columns.push_back({heading, true});
        if (throttled_) table_.columns.push_back({"throttled", true});
        if (report_.baseline) table_.columns.push_back({"verdict", false});
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
        const auto copy = std::ranges::find(copies, stream, &CopyResult::stream);
        if (copy == copies.end()) return;
        Table::Row row{fields_.cells(fields_of_copy(stream)), {}};
        if (!copy->wrong.empty()) {
            row.alarm = "WRONG: " + copy->wrong;
        } else {
            append_figures(copy->us, copy->gb_s, 1, 1, row.cells);
            append_remarks(copy->throttled, "-", row.cells);
        }
        table_.rows.push_back(std::move(row));
    }

    void add(const Result& result) {
        Table::Row row{fields_.cells(fields_of(result.setting)), {}};
        if (!result.correct()) {
            row.alarm = "WRONG: " + result.wrong;
        } else {
            append_figures(result.us, result.useful_gb_s, result.share_of_copy, result.share_of_floor,
                           row.cells);
            const std::string change = report_.baseline ? report_.baseline->change_in_words(result) : "";
            append_remarks(result.throttled, change.empty() ? "-" : change, row.cells);
        }
        table_.rows.push_back(std::move(row));
    }

    void append_remarks(std::size_t throttled, const std::string& verdict,
                        std::vector<std::string>& cells) const {
        if (throttled_) cells.push_back(std::to_string(throttled));
        if (report_.baseline) cells.push_back(verdict);
    }

    const Report& report_;
    Fields fields_;
    bool throttled_ = false;
    Table table_;
};

/// Position of the decimal point, or the end.
std::size_t whole_part(std::string_view cell) {
    return std::min(cell.find('.'), cell.size());
}

/// Width of a column before and after the decimal point; words count as before it.
struct Width {
    std::size_t before = 0;
    std::size_t behind = 0;

    Width(const Table& table, std::size_t column) {
        const auto grow = [this](std::size_t whole, std::size_t rest) {
            before = std::max(before, whole);
            behind = std::max(behind, rest);
        };
        const bool is_figure = table.columns[column].is_figure;
        for (const Table::Row& row : table.rows) {
            if (column >= row.cells.size()) continue;
            const std::string& cell = row.cells[column];
            const std::size_t whole = is_figure ? whole_part(cell) : cell.size();
            grow(whole, cell.size() - whole);
        }
        const std::size_t heading = table.columns[column].heading.size();
        if (heading > before + behind) before = heading - behind;
    }
};

std::string aligned(const std::string& cell, const Width& width, bool is_figure) {
    if (!is_figure) return cell + std::string(width.before + width.behind - cell.size(), ' ');
    const std::size_t whole = whole_part(cell);
    return std::string(width.before - whole, ' ') + cell +
           std::string(width.behind - (cell.size() - whole), ' ');
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

Table results_table(const Report& report) {
    return ResultsTable(report).build();
}

Table phases_table(const Report& report) {
    const Fields fields(report.measurement);
    Table table;
    table.caption =
        "Phases, microseconds: by events in one call, and by subtracting the times until their ends";
    for (const std::string& name : fields.varying) table.columns.push_back({name, name == "density"});
    table.columns.push_back({"phase", false});
    for (const char* const heading : {"by events", "q1", "q3", "until end", "by subtraction"})
        table.columns.push_back({heading, true});
    for (const Result& result : report.measurement.results) {
        if (!result.correct()) continue;
        for (const PhaseResult& phase : result.phases) {
            Table::Row row{fields.cells(fields_of(result.setting)), {}};
            row.cells.push_back(phase.name);
            for (const double value :
                 {phase.by_events_us.median, phase.by_events_us.q1, phase.by_events_us.q3,
                  phase.until_end_us.median, phase.by_subtraction_us})
                row.cells.push_back(figure(value));
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

std::string to_terminal(const Table& table, bool colour) {
    std::vector<Width> widths;
    for (std::size_t column = 0; column < table.columns.size(); ++column) widths.emplace_back(table, column);
    std::ostringstream text;
    text << table.caption << '\n';
    std::string line;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& heading = table.columns[column].heading;
        const std::string space(widths[column].before + widths[column].behind - heading.size(), ' ');
        line +=
            (column > 0 ? "  " : "") + (table.columns[column].is_figure ? space + heading : heading + space);
    }
    text << without_trailing_spaces(line) << '\n';
    for (const Table::Row& row : table.rows) {
        line.clear();
        for (std::size_t column = 0; column < row.cells.size(); ++column)
            line += (column > 0 ? "  " : "") +
                    aligned(row.cells[column], widths[column], table.columns[column].is_figure);
        if (row.alarm.empty()) {
            text << without_trailing_spaces(line) << '\n';
        } else {
            text << line << "  " << (colour ? red : "") << row.alarm << (colour ? plain : "") << '\n';
        }
    }
    return text.str();
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
