#pragma once

#include <string>
#include <vector>

#include "experiments/published/answers.hpp"
#include "experiments/published/results.hpp"

/// The publications' questions, answered in words and small tables; the same in every report.
namespace published {

/// How a run compares with what the publication says.
enum class Verdict {
    holds,
    differs,
    unclear,       ///< the intervals do not decide
    answered,      ///< measured, but the publication gives nothing to compare with
    not_measured,  ///< this run cannot answer
};
/// "holds", "differs", "too close to call", "answered", "not measured".
std::string_view name_of(Verdict verdict);

/// The answer of one run.
struct RunAnswer {
    std::string run;  ///< its devices
    Verdict verdict = Verdict::not_measured;
    std::string sentence;
};

struct SmallTable {
    std::vector<std::string> headers;
    std::vector<std::vector<std::string>> rows;
};

struct AnswerText {
    const Question* question = nullptr;
    std::vector<RunAnswer> runs;
    SmallTable table;
    std::vector<std::string> remarks;
};

/// Whether the answer of any run is `differs`.
bool differs(const AnswerText& answer);

/// The input of the answers.
struct AnswerInputs {
    const Report& report;
    std::vector<Answers> answers;  ///< one per run
};
AnswerInputs answer_inputs_of(const Report& report);

/// The answers to the questions of one document whose tables are in the report.
std::vector<AnswerText> answer_questions(const AnswerInputs& inputs, const Document& document);

/// The documents of the report, in order.
std::vector<const Document*> documents_of(const Report& report);

/// Answers a question; one function for each kind.
AnswerText answer_order(const AnswerInputs& inputs, const Question& question);
AnswerText answer_columns(const AnswerInputs& inputs, const Question& question);
AnswerText answer_gain(const AnswerInputs& inputs, const Question& question);
AnswerText answer_ratio(const AnswerInputs& inputs, const Question& question);
AnswerText answer_crossings(const AnswerInputs& inputs, const Question& question);
AnswerText answer_first_call(const AnswerInputs& inputs, const Question& question);
AnswerText answer_linear(const AnswerInputs& inputs, const Question& question);
AnswerText answer_peaks(const AnswerInputs& inputs, const Question& question);
AnswerText answer_vectors(const AnswerInputs& inputs, const Question& question);
AnswerText answer_phases(const AnswerInputs& inputs, const Question& question);
AnswerText answer_coverage(const AnswerInputs& inputs, const Question& question);
AnswerText answer_search(const AnswerInputs& inputs, const Question& question);
AnswerText answer_product(const AnswerInputs& inputs, const Question& question);

/// "402 µs ± 0.04 %"; the interval is left out if it is unknown.
std::string time_text(double us, const experiments::Interval& interval_us);
/// "x1.26 (1.25 to 1.27)".
std::string factor_text(double value, const experiments::Interval& interval);
/// A time in microseconds, measured here, with its interval.
struct MeasuredTime {
    double us = 0;
    experiments::Interval interval = {};
};
/// The time of a cell in a run; empty if there is none.
std::optional<MeasuredTime> measured_time(const Report& report, std::size_t run, std::size_t table,
                                          std::size_t row, std::size_t column);
/// The quotient of two times, with its interval if both are known.
std::pair<double, experiments::Interval> quotient(const MeasuredTime& numerator,
                                                  const MeasuredTime& denominator);

/// The rows of a sweep over lengths that take longer than both neighbours for certain.
std::vector<std::size_t> peak_rows(const Report& report, std::size_t run, std::size_t table,
                                   std::size_t column);

/// The tables of a question that the report has, as indices.
std::vector<std::size_t> tables_of(const Report& report, const Question& question);

/// Whether the question is about the table with that id.
bool asks_about(const Question& question, const std::string& table);

/// The answer of a run that lacks the figures, with the first reason.
RunAnswer not_answered(const Report& report, std::size_t run, const Question& question);

/// "a, b and c".
std::string listed(const std::vector<std::string>& parts);

}  // namespace published
