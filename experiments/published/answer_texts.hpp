#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
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
    in_part,       ///< no comparison contradicts the publication, but some were not measured
    not_measured,  ///< this run cannot answer
};
/// "holds", "differs", "too close to call", "answered", "measured in part", "not measured".
std::string_view name_of(Verdict verdict);

/// The answer of one run.
struct RunAnswer {
    std::string devices;  ///< the devices of the run
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

/// Answers a question; a function for each kind, or for two.
AnswerText answer_order(const AnswerInputs& inputs, const Question& question);
AnswerText answer_columns(const AnswerInputs& inputs, const Question& question);
AnswerText answer_ratio(const AnswerInputs& inputs, const Question& question);
AnswerText answer_crossings(const AnswerInputs& inputs, const Question& question);
AnswerText answer_first_call(const AnswerInputs& inputs, const Question& question);
AnswerText answer_spikes(const AnswerInputs& inputs, const Question& question);
AnswerText answer_linear(const AnswerInputs& inputs, const Question& question);
AnswerText answer_peaks(const AnswerInputs& inputs, const Question& question);
AnswerText answer_vectors(const AnswerInputs& inputs, const Question& question);
AnswerText answer_phases(const AnswerInputs& inputs, const Question& question);
AnswerText answer_coverage(const AnswerInputs& inputs, const Question& question);
AnswerText answer_layouts(const AnswerInputs& inputs, const Question& question);

/// "402 µs ± 0.04 %"; the interval is left out if it is unknown.
std::string time_text(const MeasuredTime& time);

/// The time of a cell in a run; empty if there is none.
std::optional<MeasuredTime> measured_time(const Report& report, std::size_t run, std::size_t table,
                                          std::size_t row, std::size_t column);

/// "x1.26 (1.25 to 1.27)".
std::string factor_text(const Factor& factor);

/// The range of some positive values.
struct Extremes {
    double min = std::numeric_limits<double>::max();
    double max = 0;

    void add(double value) {
        min = std::min(min, value);
        max = std::max(max, value);
    }
    bool empty() const { return max == 0; }
    /// "0.756 to 1.02"; one figure if both are the same.
    std::string text() const;
};

/// What one comparison of a run says about the publication.
enum class Finding {
    agrees,
    contradicts,
    undecided,  ///< the intervals do not decide
    unclaimed,  ///< the publication says nothing about it
    missing,    ///< not measured
};
/// A published order: `faster` is the measured time of the entry published as faster. Decided by
/// experiments::compare().
Finding finding_of_order(const MeasuredTime& faster, const MeasuredTime& slower);
/// A published factor. The measured one must exceed a boundary halfway to no difference on a logarithmic
/// scale: a published 1.6 needs more than 1.26 here. A published factor below `min_notable_factor` says that
/// both times are alike.
Finding finding_of_factor(double published, const Factor& measured);
inline constexpr double min_notable_factor = 1.25;

/// Judges a question by all of its comparisons in one run. Verdict and sentence come from the same findings.
class Judge {
  public:
    /// For a finding that contradicts, `what` is a clause that says how the comparison ends here, and `where`
    /// names the row.
    void add(Finding finding, const std::string& what = {}, const std::string& where = {});
    void add_missing(std::size_t comparisons) { count(Finding::missing) += comparisons; }

    /// `differs` if any comparison contradicts the publication; `holds` only if all were measured and agree;
    /// `answered` if the publication claims nothing. `sentence`: the figures, in words.
    RunAnswer answer(const Report& report, std::size_t run, const Question& question,
                     const std::string& sentence) const;

  private:
    std::size_t& count(Finding finding) { return counts_[static_cast<std::size_t>(finding)]; }
    std::size_t count(Finding finding) const { return counts_[static_cast<std::size_t>(finding)]; }
    std::string contradictions() const;

    struct Contradiction {
        std::string what;
        std::vector<std::string> where;
    };

    std::array<std::size_t, 5> counts_{};
    std::vector<Contradiction> contradictions_;
};

/// Builds an answer whose table has a column for each run. Judges each run by its cells.
class AnswerBuilder {
  public:
    /// `headers`: of the columns before those of the runs.
    AnswerBuilder(const AnswerInputs& inputs, const Question& question, std::vector<std::string> headers);

    /// Adds a row of `cells` and, for each run, the cell that `cell_of_run` returns for its index. It adds
    /// its findings to the judge of the run.
    void add_row(std::vector<std::string> cells,
                 const std::function<std::string(std::size_t, Judge&)>& cell_of_run);
    /// Calls `add(run, judge)` for each run, to add findings that belong to no row.
    void add_findings(const std::function<void(std::size_t, Judge&)>& add);
    /// Adds a sentence to the answer of a run.
    void say(std::size_t run, const std::string& sentence);
    /// The answer. Call it once, last.
    AnswerText answer();

  private:
    const Report& report_;
    const Question& question_;
    AnswerText answer_;
    std::vector<Judge> judges_;           ///< [runs]
    std::vector<std::string> sentences_;  ///< [runs]
};

/// The rows of a sweep over lengths that take longer than both neighbours for certain.
std::vector<std::size_t> peak_rows(const Report& report, std::size_t run, std::size_t table,
                                   std::size_t column);

/// The tables of a question that the report has, as indices.
std::vector<std::size_t> tables_of(const Report& report, const Question& question);

/// The answers in `all` that are about a table of the question.
template <typename Answer>
std::vector<const Answer*> answers_about(const Question& question, const std::vector<Answer>& all) {
    std::vector<const Answer*> found;
    for (const Answer& each : all) {
        if (question.asks_about(each.table)) found.push_back(&each);
    }
    return found;
}

/// The answer of a run that lacks the figures, with the first reason.
RunAnswer not_answered(const Report& report, std::size_t run, const Question& question);

/// Ends a sentence that may end with "et al.".
std::string with_full_stop(std::string text);

/// "a, b and c".
std::string joined_with_and(const std::vector<std::string>& parts);

}  // namespace published
