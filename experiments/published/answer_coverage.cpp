#include <algorithm>
#include <optional>

#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

/// A row among the others by its time, as printed or scaled to the whole array.
struct RowRank {
    std::size_t rank = 1;  ///< 1 is the fastest
    double lead = 0;       ///< over the fastest other row, as a share of its time
};

RowRank rank_of(const Table& table, std::size_t row, std::size_t column, bool scaled) {
    const auto value = [&](std::size_t each) {
        return scaled ? table.published_value(each, column) : table.rows[each].values[column].value;
    };
    RowRank result;
    std::optional<double> fastest_other;
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
        if (other == row || !value(other)) continue;
        result.rank += *value(other) < *value(row);
        fastest_other = std::min(fastest_other.value_or(*value(other)), *value(other));
    }
    if (fastest_other) result.lead = 1 - *value(row) / *fastest_other;
    return result;
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
    std::size_t num_partial = 0;
    for (const std::size_t index : tables_of(inputs.report, question)) {
        const Table& table = *inputs.report.tables[index].table;
        const auto column = time_column(table);
        for (std::size_t row = 0; column && row < table.rows.size(); ++row) {
            const auto& coverage = table.rows[row].coverage;
            const auto& printed = table.rows[row].values[*column].value;
            if (!coverage || !printed) continue;
            ++num_partial;
            const double scaled = *table.published_value(row, *column);
            const RowRank as_printed = rank_of(table, row, *column, /*scaled=*/false);
            const RowRank as_scaled = rank_of(table, row, *column, /*scaled=*/true);
            const std::string unit = " " + unit_text(table.columns[*column].unit);
            const std::string width = table.setting.options.contains(compaction::Option::vector_width)
                                          ? table.setting.options.at(compaction::Option::vector_width)
                                          : std::string();
            answer.table.rows.push_back(
                {table.rows[row].name + ", " + width + " (" + coverage->because + ")",
                 format::fixed(*printed, 1) + unit, covered_text(table.share_covered(row)),
                 format::fixed(scaled, 1) + unit,
                 std::to_string(as_printed.rank) + (as_scaled.rank == as_printed.rank
                                                        ? ""
                                                        : " becomes " + std::to_string(as_scaled.rank))});
            if (as_printed.rank == 1) {
                leads.push_back("with " + width + "s the lead of " + table.rows[row].name + " shrinks from " +
                                percent(as_printed.lead) + " to " + percent(as_scaled.lead) + " (" +
                                format::fixed(*printed, 1) + unit + " becomes " + format::fixed(scaled, 1) +
                                ")");
            }
        }
    }
    std::string text =
        "No: " + std::to_string(num_partial) + " of the published copies left out a part of the array";
    if (!leads.empty()) text += "; scaled to the whole array, " + joined_with_and(leads);
    answer.runs.push_back({"As published", Verdict::answered, text + "."});
    answer.remarks.push_back(
        "The coverage is computed from the printed numbers of threads and blocks, with the integer division "
        "of the published program. The copies here copy everything. Ratios and orders in this report use the "
        "scaled times.");
    return answer;
}

}  // namespace published
