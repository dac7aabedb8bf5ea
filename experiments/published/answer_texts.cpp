#include "experiments/published/answer_texts.hpp"

#include <algorithm>

#include "experiments/published/text.hpp"

namespace published {
namespace {

AnswerText answer_one(const AnswerInputs& inputs, const Question& question) {
    switch (question.kind) {
        case QuestionKind::order:
            return answer_order(inputs, question);
        case QuestionKind::columns:
            return answer_columns(inputs, question);
        case QuestionKind::ratio:
            return answer_ratio(inputs, question);
        case QuestionKind::vectors:
            return answer_vectors(inputs, question);
        case QuestionKind::phases:
            return answer_phases(inputs, question);
        case QuestionKind::coverage:
            return answer_coverage(inputs, question);
        case QuestionKind::search:
            return answer_search(inputs, question);
        case QuestionKind::product:
            return answer_product(inputs, question);
        case QuestionKind::peaks:
            return answer_peaks(inputs, question);
        case QuestionKind::gain:
            return answer_gain(inputs, question);
        case QuestionKind::crossings:
            return answer_crossings(inputs, question);
        case QuestionKind::linear:
            return answer_linear(inputs, question);
        case QuestionKind::first_call:
            return answer_first_call(inputs, question);
    }
    return {};
}

/// Drops the columns without a value in any row, except the first, which names the rows. Clears the table if
/// no other column is left.
void drop_empty_columns(SmallTable& table) {
    for (std::size_t column = table.headers.size(); column-- > 1;) {
        const bool empty = std::ranges::all_of(
            table.rows, [&](const auto& row) { return column < row.size() && row[column] == "-"; });
        if (!empty) continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.headers.erase(table.headers.begin() + at);
        for (auto& row : table.rows) row.erase(row.begin() + at);
    }
    if (table.headers.size() < 2) table = {};
}

/// Says that a loop of short GPU calls measures launches, where an answer rests on such times.
void add_launch_remark(const Report& report, const Question& question, AnswerText& answer) {
    if (question.kind == QuestionKind::linear || question.kind == QuestionKind::first_call) return;
    for (const std::size_t t : tables_of(report, question)) {
        const Table& table = *report.tables[t].table;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                if (!measures_launches(table, row, column)) continue;
                for (std::size_t run = 0; run < report.runs.size(); ++run) {
                    if (!report.measured(run, t, row, column).value) continue;
                    answer.remarks.push_back(
                        "Below 2^18 items a loop of GPU calls measures launches: the time of launching "
                        "kernels, not of the work in them. Answers at these lengths rest on that.");
                    return;
                }
            }
        }
    }
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::differs:
            return "differs";
        case Verdict::unclear:
            return "too close to call";
        case Verdict::answered:
            return "answered";
        case Verdict::not_measured:
            return "not measured";
    }
    return {};
}

bool differs(const AnswerText& answer) {
    return std::ranges::any_of(answer.runs,
                               [](const RunAnswer& run) { return run.verdict == Verdict::differs; });
}

AnswerInputs answer_inputs_of(const Report& report) {
    AnswerInputs inputs{report, {}};
    for (const Results& results : report.runs) inputs.answers.push_back(answer(report.tables, results));
    return inputs;
}

std::vector<AnswerText> answer_questions(const AnswerInputs& inputs, const Document& document) {
    std::vector<AnswerText> answers;
    for (const Question& question : document.questions) {
        if (tables_of(inputs.report, question).empty()) continue;
        answers.push_back(answer_one(inputs, question));
        answers.back().question = &question;
        drop_empty_columns(answers.back().table);
        add_launch_remark(inputs.report, question, answers.back());
        if (question.reason && differs(answers.back())) {
            answers.back().remarks.insert(answers.back().remarks.begin(),
                                          "Likely reason: " + *question.reason);
        }
    }
    return answers;
}

std::vector<const Document*> documents_of(const Report& report) {
    std::vector<const Document*> documents;
    for (const TableRef& ref : report.tables) {
        if (std::ranges::find(documents, ref.document) == documents.end()) documents.push_back(ref.document);
    }
    return documents;
}

std::string time_text(double us, const experiments::Interval& interval) {
    std::string text = figure(us) + " µs";
    if (interval.coverage > 0 && us > 0) {
        text += " ± " + percent(std::max(us - interval.low, interval.high - us) / us);
    }
    return text;
}

std::string factor_text(double value, const experiments::Interval& interval) {
    std::string text = factor(value);
    if (interval.coverage > 0) text += " (" + figure(interval.low) + " to " + figure(interval.high) + ")";
    return text;
}

std::optional<MeasuredTime> measured_time(const Report& report, std::size_t run, std::size_t table,
                                          std::size_t row, std::size_t column) {
    const MeasuredFigure& measured = report.measured(run, table, row, column);
    if (!measured.value || *measured.value <= 0) return std::nullopt;
    const double unit = microseconds_in(report.tables[table].table->columns[column].unit);
    return MeasuredTime{
        *measured.value * unit,
        {measured.interval.low * unit, measured.interval.high * unit, measured.interval.coverage}};
}

std::pair<double, experiments::Interval> quotient(const MeasuredTime& numerator,
                                                  const MeasuredTime& denominator) {
    const bool known =
        numerator.interval.coverage > 0 && denominator.interval.coverage > 0 && denominator.interval.low > 0;
    return {
        numerator.us / denominator.us,
        known ? experiments::ratio_of(denominator.interval, numerator.interval) : experiments::Interval{}};
}

std::vector<std::size_t> tables_of(const Report& report, const Question& question) {
    std::vector<std::size_t> tables;
    for (const std::string& id : question.tables) {
        if (const auto index = report.index_of(id)) tables.push_back(*index);
    }
    return tables;
}

bool asks_about(const Question& question, const std::string& table) {
    return std::ranges::find(question.tables, table) != question.tables.end();
}

RunAnswer not_answered(const Report& report, std::size_t run, const Question& question) {
    std::string why = "that run has no times for it";
    for (const std::size_t table : tables_of(report, question)) {
        const auto& cells = report.runs[run].cells[table];
        const auto found = std::ranges::find_if(
            cells, [](const MeasuredFigure& measured) { return !measured.why_not.empty(); });
        if (found == cells.end()) continue;
        why = found->why_not;
        break;
    }
    return {report.name_of(run), Verdict::not_measured, "Not answered: " + why + "."};
}

std::string listed(const std::vector<std::string>& parts) {
    std::string all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const char* const separator = i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        all += separator + parts[i];
    }
    return all;
}

}  // namespace published
