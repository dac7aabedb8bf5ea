#include <algorithm>
#include <array>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {

AnswerText answer_first_call(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t index = tables_of(report, question).front();
    const Table& table = *report.tables[index].table;
    const auto column_of = [&](Quantity quantity, std::size_t begin = 0) {
        while (begin < table.columns.size() && table.columns[begin].quantity != quantity) ++begin;
        return begin;
    };
    const std::size_t later = column_of(Quantity::later_calls);
    // The form that allocates and copies in every call comes after the one that does not.
    const std::array columns{column_of(Quantity::first_call), column_of(Quantity::second_call),
                             column_of(Quantity::later_calls, later + 1)};
    AnswerText answer;
    if (std::ranges::max(columns) >= table.columns.size()) return answer;
    answer.table.headers = {"length"};
    for (const Row& row : table.rows) answer.table.rows.push_back({row.name});
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        const std::string of_run = report.runs.size() > 1 ? report.name_of(run) + ": " : "";
        for (const char* header : {"first call", "second call", "with allocation and copies"})
            answer.table.headers.push_back(of_run + header);
        std::array<Extremes, columns.size()> factors;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto base = measured_time(report, run, index, row, later);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto time = measured_time(report, run, index, row, columns[i]);
                if (base && time) factors[i].add(quotient(*time, *base).value);
                answer.table.rows[row].push_back(base && time ? factor_text(quotient(*time, *base)) : "-");
            }
        }
        answer.runs.push_back(not_answered(report, run, question));
        if (std::ranges::any_of(factors, &Extremes::empty)) continue;
        answer.runs.back().verdict = Verdict::answered;
        answer.runs.back().sentence = "The first call of a process takes " + factors[0].text() +
                                      " times as long as later ones, the second " + factors[1].text() +
                                      " times; with allocation and copies, every call takes " +
                                      factors[2].text() + " times as long.";
        answer.remarks = {"Factors over the median of the calls 3 to 22 of the same processes."};
    }
    return answer;
}

}  // namespace published
