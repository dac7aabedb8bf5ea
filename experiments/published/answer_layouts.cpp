#include <algorithm>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

/// The fastest row of one column, compared with the other rows.
struct Best {
    std::size_t row = 0;
    MeasuredTime time;
    std::size_t num_as_fast = 0;   ///< other rows that experiments::compare does not find slower
    std::size_t num_measured = 0;  ///< rows with a time
    double slowest_us = 0;
};

std::optional<Best> best_in(const Report& report, std::size_t run, std::size_t index, std::size_t column) {
    std::optional<Best> best;
    const std::size_t rows = report.tables[index].table->rows.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const auto time = measured_time(report, run, index, row, column);
        if (time && (!best || time->us < best->time.us)) best = Best{row, *time};
    }
    for (std::size_t row = 0; best && row < rows; ++row) {
        const auto time = measured_time(report, run, index, row, column);
        if (!time) continue;
        ++best->num_measured;
        best->slowest_us = std::max(best->slowest_us, time->us);
        const auto change = experiments::compare(best->time.interval, time->interval);
        if (row != best->row && change != experiments::Change::slower) ++best->num_as_fast;
    }
    return best;
}

}  // namespace

AnswerText answer_layouts(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const bool by_column = question.kind == QuestionKind::product;
    AnswerText answer;
    answer.table.headers = {
        by_column ? "column" : "search", "device", "fastest", "time", "as fast", "slowest"};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        RunAnswer run_answer = not_answered(report, run, question);
        std::vector<std::string> parts;
        for (const std::size_t index : tables_of(report, question)) {
            const Table& table = *report.tables[index].table;
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const auto best = best_in(report, run, index, column);
                if (!best) continue;
                std::string what = table.columns[column].name;
                if (!by_column) what = table.title + ", " + what;
                answer.table.rows.push_back(
                    {what, run_answer.devices, table.rows[best->row].name, time_text(best->time),
                     std::to_string(best->num_as_fast) + " of " + std::to_string(best->num_measured - 1),
                     figure(best->slowest_us) + " µs"});
                parts.push_back(table.rows[best->row].name + " (" + what + ")");
            }
        }
        if (!parts.empty()) {
            run_answer.verdict = Verdict::answered;
            run_answer.sentence = "Fastest here: " + joined_with_and(parts) + ".";
        }
        answer.runs.push_back(std::move(run_answer));
    }
    if (answer.table.rows.empty()) answer.table = {};
    answer.remarks.push_back(
        "As fast: the other layouts within 1 % of the fastest, and those whose intervals overlap its "
        "interval.");
    return answer;
}

}  // namespace published
