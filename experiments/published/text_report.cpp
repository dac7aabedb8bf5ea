#include <algorithm>
#include <array>

#include "experiments/published/figures.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/setting.hpp"

namespace published {
namespace {

/// Pads UTF-8 text to a width in characters.
std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
    const auto is_letter = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    const auto letters = static_cast<std::size_t>(std::ranges::count_if(text, is_letter));
    const std::string space(letters < width ? width - letters : 0, ' ');
    return to_the_right ? space + text : text + space;
}

/// Rows of cells with aligned columns.
class Grid {
  public:
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    /// Aligns the first `left` columns and the last one left, the others right.
    std::string text(std::size_t left) const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()));
            for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
        }
        std::string all;
        for (const auto& row : rows_) {
            std::string line = " ";
            for (std::size_t i = 0; i < row.size(); ++i) {
                line += " " + padded(row[i], widths[i], i >= left && i + 1 < row.size()) + " ";
            }
            line.erase(line.find_last_not_of(' ') + 1);
            all += line + "\n";
        }
        return all;
    }

  private:
    std::vector<std::vector<std::string>> rows_;
};

/// One line per measurable cell of a table, followed by the remarks.
std::string table_lines(const Reproduction& reproduction, std::size_t index) {
    const Table& table = *reproduction.tables()[index].table;
    Grid grid;
    Remarks remarks;
    grid.add({"", "", "unit", "published", "here", "ratio", ""});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        bool first = true;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            if (!is_measured(table.quantity_of(row, column))) continue;
            const Here here = reproduction.here(index, row, column);
            const std::string& unit = table.columns[column].unit;
            grid.add({first ? table.rows[row].name : "", table.columns[column].name, unit == "1" ? "" : unit,
                      table.rows[row].values[column].text.value_or("missing"), figure(here.value),
                      here.ratio ? factor(*here.ratio) : "-", remarks.mark(remark_on(here))});
            first = false;
        }
    }
    std::string text = grid.text(2);
    for (std::size_t i = 0; i < remarks.all().size(); ++i) {
        text += "  [" + std::to_string(i + 1) + "] " + remarks.all()[i] + "\n";
    }
    return text;
}

}  // namespace

std::string citation_of(const TableRef& ref) {
    std::string text = ref.document->author ? *ref.document->author + ", " : "";
    text += ref.document->title;
    if (ref.document->date) text += " (" + *ref.document->date + ")";
    return text + ", section \"" + ref.table->section + "\"";
}

std::string devices_of(const Reproduction& reproduction) {
    std::string names;
    for (const EngineRun& run : reproduction.engines()) {
        if (names.find(run.machine.device) != std::string::npos) continue;
        names += (names.empty() ? "" : " and ") + run.machine.device;
    }
    return names.empty() ? "nothing measured" : names;
}

std::string Remarks::mark(const std::string& remark) {
    if (remark.empty()) return {};
    auto found = std::ranges::find(all_, remark);
    if (found == all_.end()) found = all_.insert(all_.end(), remark);
    return "[" + std::to_string(found - all_.begin() + 1) + "]";
}

std::string remark_on(const Here& here) {
    if (!here.value) return here.why_not;
    return here.result ? caution_of(*here.result) : "";
}

std::string origin_of(const Here& here) {
    if (!here.result) return here.why_not;
    const experiments::Setting& setting = here.result->setting;
    std::string text = setting.algorithm->id;
    for (const compaction::LegalRange& range : setting.algorithm->options) {
        if (setting.options[range.option] == compaction::automatic) continue;
        text +=
            " --" + std::string(flag_of(range.option)) + " " + range.text_of(setting.options[range.option]);
    }
    const std::string caution = caution_of(*here.result);
    return caution.empty() ? text : text + " (" + caution + ")";
}

std::string list_tables(std::span<const TableRef> tables) {
    Grid grid;
    for (const TableRef& ref : tables) {
        grid.add({ref.table->id, ref.table->gpu,
                  ref.table->title + (ref.table->no_counterpart ? " (no counterpart here)" : "")});
    }
    return grid.text(3);
}

std::string to_text(const Reproduction& reproduction, const Answers& answers) {
    std::string text;
    for (std::size_t i = 0; i < reproduction.tables().size(); ++i) {
        const TableRef& ref = reproduction.tables()[i];
        text += ref.table->id + ": " + ref.table->title + "\n";
        if (ref.table->no_counterpart) {
            text += "  no counterpart: " + *ref.table->no_counterpart + ".\n\n";
            continue;
        }
        text += "  published: " + ref.table->gpu + "; here: " + devices_of(reproduction) + "\n";
        text += "  " + citation_of(ref) + "\n";
        text += table_lines(reproduction, i) + "\n";
    }
    text +=
        "Ratio: above 1 means faster here (published over here for times); ratios of times are here over "
        "published.\n\n";
    for (const AnswerText& each : describe(answers)) {
        text += each.question + "\n";
        for (const std::string& sentence : each.sentences) text += "  - " + sentence + "\n";
        text += "\n";
    }
    for (const experiments::Result* wrong : reproduction.wrong_results()) {
        text += "WRONG: " + experiments::describe(wrong->setting) + ": " + wrong->wrong + "\n";
    }
    return text;
}

}  // namespace published
