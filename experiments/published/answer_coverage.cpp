#include <algorithm>

#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

/// The rank of a row by its time, as printed or scaled to the whole array; 1 is the fastest.
std::size_t rank_of(const Table& table, std::size_t row, std::size_t column, bool scaled) {
    const auto value = [&](std::size_t each) {
        return scaled ? table.published_value(each, column) : table.rows[each].values[column].value;
    };
    std::size_t rank = 1;
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
        if (value(other) && *value(other) < *value(row)) ++rank;
    }
    return rank;
}

/// How far a row is ahead of the fastest other row, as a share of the time of that one.
double lead_of(const Table& table, std::size_t row, std::size_t column, bool scaled) {
    const auto value = [&](std::size_t each) {
        return scaled ? table.published_value(each, column) : table.rows[each].values[column].value;
    };
    double fastest_other = 0;
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
        if (other == row || !value(other)) continue;
        fastest_other = fastest_other == 0 ? *value(other) : std::min(fastest_other, *value(other));
    }
    return fastest_other > 0 ? 1 - *value(row) / fastest_other : 0;
}

std::optional<std::size_t> time_column(const Table& table) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (table.quantity_of(0, column) == Quantity::total) return column;
    }
    return std::nullopt;
}

std::string covered_text(double share) {
    return format::fixed(share * 100, 2) + " %";
}

}  // namespace

AnswerText answer_coverage(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.headers = {"published copy", "printed", "covers", "scaled to the whole array", "rank"};
    std::vector<std::string> leads;
    std::size_t partial = 0;
    for (const std::size_t index : tables_of(inputs.report, question)) {
        const Table& table = *inputs.report.tables[index].table;
        const auto column = time_column(table);
        for (std::size_t row = 0; column && row < table.rows.size(); ++row) {
            const auto& coverage = table.rows[row].coverage;
            const auto& printed = table.rows[row].values[*column].value;
            if (!coverage || !printed) continue;
            ++partial;
            const double scaled = *table.published_value(row, *column);
            const std::size_t before = rank_of(table, row, *column, false);
            const std::size_t after = rank_of(table, row, *column, true);
            const std::string unit = " " + unit_text(table.columns[*column].unit);
            const std::string width = table.setting.options.contains(compaction::Option::vector_width)
                                          ? table.setting.options.at(compaction::Option::vector_width)
                                          : std::string();
            answer.table.rows.push_back(
                {table.rows[row].name + ", " + width + " (" + coverage->because + ")",
                 format::fixed(*printed, 1) + unit, covered_text(table.share_covered(row)),
                 format::fixed(scaled, 1) + unit,
                 std::to_string(before) + (after == before ? "" : " becomes " + std::to_string(after))});
            if (before == 1) {
                leads.push_back("with " + width + "s the lead of " + table.rows[row].name + " shrinks from " +
                                percent(lead_of(table, row, *column, false)) + " to " +
                                percent(lead_of(table, row, *column, true)) + " (" +
                                format::fixed(*printed, 1) + unit + " becomes " + format::fixed(scaled, 1) +
                                ")");
            }
        }
    }
    std::string text =
        "No: " + std::to_string(partial) + " of the published copies left out a part of the array";
    if (!leads.empty()) text += "; scaled to the whole array, " + listed(leads);
    answer.runs.push_back({"As published", Verdict::answered, text + "."});
    answer.remarks.push_back(
        "The coverage is computed from the printed numbers of threads and blocks, with the integer division "
        "of the published program. The copies here copy everything. Ratios and orders in this report use the "
        "scaled times.");
    return answer;
}

}  // namespace published
