#include <algorithm>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

/// The columns of a table that answers whether allocation and copies explain a slow first call: the first
/// column of each time, and the later calls of the form that allocates and copies in every call.
struct CallColumns {
    std::size_t first;
    std::size_t second;
    std::size_t later;
    std::size_t later_with_copies;
};

/// Empty if the table lacks one.
std::optional<CallColumns> columns_of(const Table& table) {
    const auto from = [&](std::size_t begin, Quantity quantity) {
        while (begin < table.columns.size() && table.columns[begin].quantity != quantity) ++begin;
        return begin;
    };
    CallColumns columns{from(0, Quantity::first_call), from(0, Quantity::second_call),
                        from(0, Quantity::later_calls), 0};
    columns.later_with_copies = from(columns.later + 1, Quantity::later_calls);
    const std::size_t last =
        std::max({columns.first, columns.second, columns.later, columns.later_with_copies});
    return last < table.columns.size() ? std::optional(columns) : std::nullopt;
}

/// Times of first and second calls over those of later calls, from one run.
class CallTimes {
  public:
    /// Adds a row and returns its cells.
    std::vector<std::string> add(const Report& report, std::size_t run, std::size_t table, std::size_t row,
                                 const CallColumns& columns) {
        const auto at = [&](std::size_t column) { return measured_time(report, run, table, row, column); };
        const auto later = at(columns.later);
        const auto first = at(columns.first);
        const auto second = at(columns.second);
        const auto with_copies = at(columns.later_with_copies);
        if (!later || !first || !second || !with_copies) return {"-", "-", "-"};
        const auto of_first = quotient(*first, *later);
        const auto of_second = quotient(*second, *later);
        const auto of_copies = quotient(*with_copies, *later);
        ++rows_;
        first_.add(of_first.value);
        second_.add(of_second.value);
        copies_.add(of_copies.value);
        return {factor_text(of_first), factor_text(of_second), factor_text(of_copies)};
    }

    bool any() const { return rows_ > 0; }

    std::string sentence() const {
        return "The first call of a process takes " + first_.text() +
               " times as long as later ones, the second " + second_.text() +
               " times; with allocation and copies, every call takes " + copies_.text() + " times as long.";
    }

  private:
    std::size_t rows_ = 0;
    Extremes first_;
    Extremes second_;
    Extremes copies_;
};

}  // namespace

AnswerText answer_first_call(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    AnswerText answer;
    answer.table.headers = {"length"};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        const std::string of_run = report.runs.size() > 1 ? report.name_of(run) + ": " : "";
        for (const char* header : {"first call", "second call", "with allocation and copies"})
            answer.table.headers.push_back(of_run + header);
        answer.runs.push_back(not_answered(report, run, question));
    }
    std::vector<CallTimes> times(report.runs.size());
    for (const std::size_t index : tables_of(report, question)) {
        const Table& table = *report.tables[index].table;
        const auto columns = columns_of(table);
        if (!columns) continue;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            std::vector<std::string> cells{table.rows[row].name};
            for (std::size_t run = 0; run < report.runs.size(); ++run) {
                for (std::string& cell : times[run].add(report, run, index, row, *columns))
                    cells.push_back(std::move(cell));
            }
            answer.table.rows.push_back(std::move(cells));
        }
    }
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        if (!times[run].any()) continue;
        answer.runs[run].verdict = Verdict::answered;
        answer.runs[run].sentence = times[run].sentence();
        answer.remarks = {"Factors over the median of the calls 3 to 22 of the same processes."};
    }
    return answer;
}

}  // namespace published
