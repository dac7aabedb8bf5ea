#include "experiments/published/answer_texts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "experiments/published/text.hpp"

namespace published {
namespace {

using AnswerFunction = AnswerText (*)(const AnswerInputs& inputs, const Question& question);

AnswerFunction function_of(QuestionKind kind) {
    constexpr std::array<std::pair<QuestionKind, AnswerFunction>, 14> functions{{
        {QuestionKind::order, answer_order},
        {QuestionKind::columns, answer_columns},
        {QuestionKind::gain, answer_columns},
        {QuestionKind::ratio, answer_ratio},
        {QuestionKind::vectors, answer_vectors},
        {QuestionKind::phases, answer_phases},
        {QuestionKind::coverage, answer_coverage},
        {QuestionKind::search, answer_layouts},
        {QuestionKind::product, answer_layouts},
        {QuestionKind::peaks, answer_peaks},
        {QuestionKind::crossings, answer_crossings},
        {QuestionKind::linear, answer_linear},
        {QuestionKind::first_call, answer_first_call},
        {QuestionKind::spikes, answer_spikes},
    }};
    return std::ranges::find(functions, kind, [](const auto& pair) { return pair.first; })->second;
}

/// Drops the columns without a value in any row, except the first, which names the rows. Clears the table if
/// no other column is left.
void drop_empty_columns(SmallTable& table) {
    for (std::size_t column = table.headers.size(); column-- > 1;) {
        const bool empty = std::ranges::all_of(
            table.rows, [&](const auto& row) { return column < row.size() && row[column] == "-"; });
        if (!empty) continue;
        const auto offset = static_cast<std::ptrdiff_t>(column);
        table.headers.erase(table.headers.begin() + offset);
        for (auto& row : table.rows) row.erase(row.begin() + offset);
    }
    if (table.headers.size() < 2) table = {};
}

/// If an answer rests on times of short GPU calls in a loop, adds the remark that they measure launches.
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
    constexpr std::array names{"holds",    "differs",          "too close to call",
                               "answered", "measured in part", "not measured"};
    return names[static_cast<std::size_t>(verdict)];
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
        answers.push_back(function_of(question.kind)(inputs, question));
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

std::string time_text(const MeasuredTime& time) {
    const auto& [us, interval] = time;
    std::string text = figure(us) + " µs";
    if (interval.coverage > 0 && us > 0) {
        text += " ± " + percent(std::max(us - interval.low, interval.high - us) / us);
    }
    return text;
}

std::string factor_text(const Factor& measured) {
    std::string text = factor(measured.value);
    const experiments::Interval& interval = measured.interval;
    if (interval.coverage > 0) text += " (" + figure(interval.low) + " to " + figure(interval.high) + ")";
    return text;
}

std::optional<MeasuredTime> measured_time(const Report& report, std::size_t run, std::size_t table,
                                          std::size_t row, std::size_t column) {
    return time_of(report.measured(run, table, row, column),
                   report.tables[table].table->columns[column].unit);
}

std::string Extremes::text() const {
    return figure(min) == figure(max) ? figure(min) : figure(min) + " to " + figure(max);
}

Finding finding_of_order(const MeasuredTime& faster, const MeasuredTime& slower) {
    switch (experiments::compare(slower.interval, faster.interval)) {
        case experiments::Change::faster:
            return Finding::agrees;
        case experiments::Change::slower:
            return Finding::contradicts;
        default:
            return Finding::undecided;
    }
}

Finding finding_of_factor(double published, const Factor& measured) {
    const experiments::Interval& interval = measured.interval;
    if (interval.coverage <= 0) return Finding::undecided;
    const double notable = std::max(published, 1 / published);
    if (notable < min_notable_factor) {
        if (interval.low > min_notable_factor || interval.high < 1 / min_notable_factor)
            return Finding::contradicts;
        const bool alike = interval.low > 1 / min_notable_factor && interval.high < min_notable_factor;
        return alike ? Finding::agrees : Finding::undecided;
    }
    const double boundary = std::sqrt(published);
    if (published > 1 ? interval.low > boundary : interval.high < boundary) return Finding::agrees;
    return (published > 1 ? interval.high < boundary : interval.low > boundary) ? Finding::contradicts
                                                                                : Finding::undecided;
}

void Judge::add(Finding finding, const std::string& what, const std::string& where) {
    ++count(finding);
    if (finding != Finding::contradicts || what.empty()) return;
    auto found = std::ranges::find(contradictions_, what, &Contradiction::what);
    if (found == contradictions_.end()) found = contradictions_.insert(found, {what, {}});
    if (!where.empty()) found->where.push_back(where);
}

std::string Judge::contradictions() const {
    constexpr std::size_t max_listed = 2;
    auto sorted = contradictions_;
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [](const Contradiction& each) { return each.where.size(); });
    std::string text;
    for (std::size_t i = 0; i < sorted.size() && i < max_listed; ++i) {
        const auto& where = sorted[i].where;
        text += (i == 0 ? " Not as published: " : "; ") + sorted[i].what;
        if (where.empty()) continue;
        text +=
            " (" + (where.size() <= 2 ? joined_with_and(where) : where.front() + " to " + where.back()) + ")";
    }
    if (sorted.size() > max_listed) text += "; and " + std::to_string(sorted.size() - max_listed) + " more";
    return text.empty() ? text : with_full_stop(text);
}

RunAnswer Judge::answer(const Report& report, std::size_t run, const Question& question,
                        const std::string& sentence) const {
    const std::size_t claims =
        count(Finding::agrees) + count(Finding::contradicts) + count(Finding::undecided);
    RunAnswer answer = not_answered(report, run, question);
    if (claims + count(Finding::unclaimed) == 0) return answer;
    const std::string of_all = " of " + std::to_string(claims + count(Finding::missing)) + " comparisons.";
    answer.sentence = sentence + contradictions();
    if (claims == 0) {
        answer.verdict = Verdict::answered;
        return answer;
    }
    if (count(Finding::undecided) > 0)
        answer.sentence += " Too close to call: " + std::to_string(count(Finding::undecided)) + of_all;
    if (count(Finding::missing) > 0)
        answer.sentence += " Not measured: " + std::to_string(count(Finding::missing)) + of_all;
    answer.verdict = count(Finding::contradicts) > 0 ? Verdict::differs
                     : count(Finding::missing) > 0   ? Verdict::in_part
                     : count(Finding::undecided) > 0 ? Verdict::unclear
                                                     : Verdict::holds;
    return answer;
}

AnswerBuilder::AnswerBuilder(const AnswerInputs& inputs, const Question& question,
                             std::vector<std::string> headers)
    : report_(inputs.report),
      question_(question),
      judges_(report_.runs.size()),
      sentences_(report_.runs.size()) {
    answer_.table.headers = std::move(headers);
    for (std::size_t run = 0; run < report_.runs.size(); ++run)
        answer_.table.headers.push_back(report_.name_of(run));
}

void AnswerBuilder::add_row(std::vector<std::string> cells,
                            const std::function<std::string(std::size_t, Judge&)>& cell_of_run) {
    for (std::size_t run = 0; run < judges_.size(); ++run) cells.push_back(cell_of_run(run, judges_[run]));
    answer_.table.rows.push_back(std::move(cells));
}

void AnswerBuilder::add_findings(const std::function<void(std::size_t, Judge&)>& add) {
    for (std::size_t run = 0; run < judges_.size(); ++run) add(run, judges_[run]);
}

void AnswerBuilder::say(std::size_t run, const std::string& sentence) {
    sentences_[run] += (sentences_[run].empty() || sentence.empty() ? "" : " ") + sentence;
}

AnswerText AnswerBuilder::answer() {
    for (std::size_t run = 0; run < judges_.size(); ++run)
        answer_.runs.push_back(judges_[run].answer(report_, run, question_, sentences_[run]));
    return std::move(answer_);
}

std::vector<std::size_t> tables_of(const Report& report, const Question& question) {
    std::vector<std::size_t> tables;
    for (const std::string& id : question.tables) {
        if (const auto index = report.index_of(id)) tables.push_back(*index);
    }
    return tables;
}

RunAnswer not_answered(const Report& report, std::size_t run, const Question& question) {
    std::string why = "that run has no times for it";
    for (const std::size_t table : tables_of(report, question)) {
        const std::string why_none = report.why_no_values(run, table);
        if (why_none.empty()) continue;
        why = why_none;
        break;
    }
    return {report.name_of(run), Verdict::not_measured, "Not answered: " + why + "."};
}

std::string with_full_stop(std::string text) {
    return text.ends_with('.') ? text : text + ".";
}

std::string joined_with_and(const std::vector<std::string>& parts) {
    std::string all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const char* const separator = i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        all += separator + parts[i];
    }
    return all;
}

}  // namespace published
