#include <algorithm>
#include <array>

#include "experiments/format/numbers.hpp"
#include "experiments/format/text.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/text.hpp"

namespace published {

using experiments::format::TerminalText;

namespace {

std::string padded(const std::string& text, std::size_t width, bool align_right) {
    const std::size_t letters = experiments::format::num_characters(text);
    const std::string space(letters < width ? width - letters : 0, ' ');
    return align_right ? space + text : text + space;
}

/// Rows of cells with aligned columns.
class Grid {
  public:
    void add(std::vector<std::string> cells) {
        for (std::string& cell : cells) cell = experiments::format::printable(cell);
        rows_.push_back(std::move(cells));
    }

    /// Aligns the first `num_left` columns and the last one left, the others right.
    TerminalText text(std::size_t num_left) const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()));
            for (std::size_t i = 0; i < row.size(); ++i)
                widths[i] = std::max(widths[i], experiments::format::num_characters(row[i]));
        }
        TerminalText all;
        for (const auto& row : rows_) {
            std::string line = " ";
            for (std::size_t i = 0; i < row.size(); ++i) {
                line += " " + padded(row[i], widths[i], i >= num_left && i + 1 < row.size()) + " ";
            }
            line.erase(line.find_last_not_of(' ') + 1);
            all.add_line(line);
        }
        return all;
    }

  private:
    std::vector<std::vector<std::string>> rows_;
};

/// Whether a cell has a published figure or one of any run.
bool has_figure(const Report& report, std::size_t index, std::size_t row, std::size_t column) {
    if (report.tables[index].table->rows[row].values[column].text) return true;
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        if (report.measured(run, index, row, column).value) return true;
    }
    return false;
}

/// One line per measurable cell of a table, followed by the remarks.
TerminalText table_lines(const Report& report, std::size_t index) {
    const Table& table = *report.tables[index].table;
    Grid grid;
    Remarks remarks;
    std::vector<std::string> headers{"", "", "unit", "published"};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        headers.push_back(report.runs.size() > 1 ? report.name_of(run) : "here");
        if (table.prints_means) headers.emplace_back("mean");
        headers.emplace_back("ratio");
    }
    headers.emplace_back("");
    grid.add(headers);
    std::size_t left_out = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        bool first = true;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            if (!is_measured(table.quantity_of(row, column))) continue;
            if (!has_figure(report, index, row, column)) {
                ++left_out;
                continue;
            }
            const std::string& unit = table.columns[column].unit;
            std::vector<std::string> line{first ? table.rows[row].name : "", table.columns[column].name,
                                          unit == "1" ? "" : unit_text(unit),
                                          table.rows[row].values[column].text.value_or("missing")};
            std::vector<std::string> line_remarks;
            for (std::size_t run = 0; run < report.runs.size(); ++run) {
                const MeasuredFigure& measured = report.measured(run, index, row, column);
                line.push_back(figure(measured.value));
                if (table.prints_means) line.push_back(figure(measured.mean));
                line.push_back(measured.ratio ? factor(*measured.ratio) : "-");
                for (std::string& remark : remarks_on(table, row, column, measured))
                    line_remarks.push_back(std::move(remark));
            }
            line.push_back(remarks.mark(line_remarks));
            grid.add(std::move(line));
            first = false;
        }
    }
    TerminalText text = grid.text(/*num_left=*/2);
    for (std::size_t i = 0; i < remarks.all().size(); ++i)
        text.add_line("  [" + std::to_string(i + 1) + "] " + remarks.all()[i]);
    if (left_out > 0)
        text.add_line("  " + std::to_string(left_out) + (left_out == 1 ? " cell has" : " cells have") +
                      " no figure, neither published nor here.");
    for (const std::string& inference : table.inferences) text.add_line("  Inferred: " + inference);
    return text;
}

std::string sweep_line(const Report& report, std::size_t index) {
    std::string text = "  " + std::to_string(report.tables[index].table->rows.size()) + " points; measured";
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        const auto count =
            std::ranges::count_if(report.runs[run].cells[index],
                                  [](const MeasuredFigure& measured) { return measured.value.has_value(); });
        text += (run == 0 ? ": " : ", ") + std::to_string(count) + " on " + report.name_of(run);
    }
    return text + ". --html draws them, --json lists them.";
}

void add_answer(TerminalText& text, const AnswerText& answer) {
    text.add_line(answer.question->text);
    text.add_line("  Published: " + answer.question->published);
    for (const RunAnswer& run : answer.runs)
        text.add_line("  " + run.devices + ": " + std::string(name_of(run.verdict)) + ". " + run.sentence);
    if (!answer.table.rows.empty()) {
        Grid grid;
        grid.add(answer.table.headers);
        for (const auto& row : answer.table.rows) grid.add(row);
        text.add(grid.text(/*num_left=*/1));
    }
    for (const std::string& remark : answer.remarks) text.add_line("  " + remark);
    text.add_line("");
}

void add_table(TerminalText& text, const Report& report, std::size_t index) {
    const TableRef& ref = report.tables[index];
    text.add_line(ref.document->label_of(*ref.table) + ": " + ref.table->title);
    if (ref.table->no_counterpart) {
        text.add_line("  no counterpart: " + *ref.table->no_counterpart + ".");
        return;
    }
    text.add_line("  published: " + ref.table->gpu + "; here: " + devices_of(report));
    text.add_line("  " + citation_of(ref));
    if (!has_printed_values(*ref.table) && report.runs_with_values(index).empty()) {
        text.add_line("  no figures published, none measured: " + report.why_no_values(/*run=*/0, index) +
                      ".");
    } else if (!ref.table->swept) {
        text.add(table_lines(report, index));
    } else {
        text.add_line(sweep_line(report, index));
    }
}

}  // namespace

std::string citation_of(const TableRef& ref) {
    std::string text = ref.document->author ? *ref.document->author + ", " : "";
    text += ref.document->title;
    if (ref.document->date) text += " (" + *ref.document->date + ")";
    return text + ", section \"" + ref.table->section + "\"";
}

std::string devices_of(const Report& report) {
    std::vector<std::string> names;
    for (std::size_t run = 0; run < report.runs.size(); ++run) names.push_back(report.name_of(run));
    return joined_with_and(names);
}

std::string repeat_command(const std::string& label) {
    return "warpsieve reproduce --table \"" + label + "\" --html report.html";
}

bool has_printed_values(const Table& table) {
    return std::ranges::any_of(table.rows, [](const Row& row) {
        return std::ranges::any_of(row.values,
                                   [](const Printed& printed) { return printed.value.has_value(); });
    });
}

std::string Remarks::mark(const std::vector<std::string>& remarks) {
    std::string numbers;
    std::vector<std::size_t> seen;
    for (const std::string& remark : remarks) {
        auto found = std::ranges::find(all_, remark);
        if (found == all_.end()) found = all_.insert(all_.end(), remark);
        const auto number = static_cast<std::size_t>(found - all_.begin()) + 1;
        if (std::ranges::find(seen, number) != seen.end()) continue;
        seen.push_back(number);
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    }
    return numbers.empty() ? "" : "[" + numbers + "]";
}

std::vector<std::string> remarks_on(const Table& table, std::size_t row, std::size_t column,
                                    const MeasuredFigure& measured) {
    std::vector<std::string> remarks;
    if (!measured.value) {
        if (!measured.why_not.empty()) remarks.push_back(measured.why_not);
    } else {
        if (!measured.caution.empty()) remarks.push_back(measured.caution);
        if (measures_launches(table, row, column)) {
            remarks.emplace_back(
                "measures launches: below 2^18 items a loop of GPU calls takes the time of launching");
        }
    }
    const auto& coverage = table.rows[row].coverage;
    const auto whole = table.published_value(row, column);
    if (coverage && whole && is_measured(table.quantity_of(row, column))) {
        remarks.push_back("the published program covered " +
                          experiments::format::fixed(table.share_covered(row) * 100, 2) +
                          " % of the array (" + coverage->because + "); scaled to the whole array it is " +
                          experiments::format::fixed(*whole, 1) + " " +
                          unit_text(table.columns[column].unit) + ", which the ratio uses");
    }
    return remarks;
}

std::string origin_of(const MeasuredFigure& measured) {
    if (!measured.value) return measured.why_not;
    return measured.caution.empty() ? measured.origin : measured.origin + " (" + measured.caution + ")";
}

TerminalText list_tables(std::span<const TableRef> tables) {
    Grid grid;
    for (const TableRef& ref : tables) {
        grid.add({ref.document->label_of(*ref.table), ref.table->id, ref.table->gpu,
                  ref.table->title + (ref.table->no_counterpart ? " (no counterpart here)" : "")});
    }
    return grid.text(/*num_left=*/4);
}

TerminalText to_text(const Report& report) {
    const AnswerInputs inputs = answer_inputs_of(report);
    TerminalText text;
    for (const Document* document : documents_of(report)) {
        text.add_line("== " + document->label + ": " + document->title);
        text.add_line("");
        for (const AnswerText& answer : answer_questions(inputs, *document)) add_answer(text, answer);
        for (std::size_t i = 0; i < report.tables.size(); ++i) {
            if (report.tables[i].document != document) continue;
            add_table(text, report, i);
            text.add_line("");
        }
    }
    text.add_line(
        "Here: medians. Ratio: above 1 means faster here (published over here for times); ratios of times "
        "are here over published.");
    for (const Results& run : report.runs) {
        for (const std::string& wrong : run.wrong) text.add_line("WRONG: " + wrong);
    }
    return text;
}

}  // namespace published
