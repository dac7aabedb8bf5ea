#include <algorithm>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

/// "-246 µs (-247 to -245)".
std::string difference_text(const PhaseComparison::Difference& difference) {
    std::string text = (difference.us > 0 ? "+" : "") + figure(difference.us) + " µs";
    if (difference.interval.coverage > 0) {
        text += " (" + figure(difference.interval.low) + " to " + figure(difference.interval.high) + ")";
    }
    return difference.unclear() ? text + ", unclear" : text;
}

const PhaseComparison::Difference& largest(const std::vector<PhaseComparison::Difference>& differences) {
    return *std::ranges::max_element(differences, {}, &PhaseComparison::Difference::share);
}

/// Adds a sentence about the phase that differs most, and compares it with the published one.
void add_largest(const PhaseComparison& comparison, RunAnswer& run_answer) {
    const auto measured = comparison.differences(Timing::stamps);
    const auto published = comparison.differences(Timing::published);
    const PhaseComparison::Difference& largest_measured = largest(measured);
    std::string text = comparison.other.name + " differs from " + comparison.base.name + " most in the " +
                       std::string(name_of(largest_measured.role)) + ": " +
                       difference_text(largest_measured) + ", " + percent(largest_measured.share) +
                       " of all differences";
    Verdict verdict = Verdict::answered;
    if (!published.empty()) {
        const PhaseComparison::Difference& largest_published = largest(published);
        text += "; published, in the " + std::string(name_of(largest_published.role)) + ": " +
                difference_text(largest_published) + ", " + percent(largest_published.share);
        verdict = largest_published.role == largest_measured.role &&
                          (largest_published.us > 0) == (largest_measured.us > 0)
                      ? Verdict::holds
                      : Verdict::differs;
    }
    if (run_answer.verdict != Verdict::differs) run_answer.verdict = verdict;
    run_answer.sentence += (run_answer.sentence.empty() ? "" : " ") + text + ".";
}

/// Answers whether `faster` is faster in every phase.
void answer_faster(const PhaseComparison& comparison, const std::string& faster, RunAnswer& run_answer) {
    const auto measured = comparison.differences(Timing::stamps);
    const double sign = comparison.other.name == faster ? 1 : -1;
    std::size_t num_faster = 0;
    bool unclear = false;
    std::vector<std::string> other_phases;
    for (const auto& each : measured) {
        unclear = unclear || each.unclear();
        if (each.us * sign < 0) {
            ++num_faster;
        } else {
            other_phases.emplace_back(name_of(each.role));
        }
    }
    const bool all = num_faster == measured.size();
    run_answer.verdict = !all ? Verdict::differs : unclear ? Verdict::unclear : Verdict::holds;
    run_answer.sentence = all ? "Yes: it is faster in all phases."
                              : "No: it is faster in " + std::to_string(num_faster) + " of " +
                                    std::to_string(measured.size()) + " phases, not in the " +
                                    listed(other_phases) + ".";
}

}  // namespace

AnswerText answer_phases(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.headers = {"difference", "phase", "published"};
    std::vector<std::vector<const PhaseComparison*>> all;
    for (const Answers& answers : inputs.answers) {
        auto& of_run = all.emplace_back();
        for (const PhaseComparison& comparison : answers.phases) {
            if (asks_about(question, comparison.table)) of_run.push_back(&comparison);
        }
    }
    const auto text_at = [](const PhaseComparison& comparison, Timing timing, std::size_t phase) {
        const auto differences = comparison.differences(timing);
        return phase < differences.size() ? difference_text(differences[phase]) : std::string("-");
    };
    for (std::size_t i = 0; i < all.front().size(); ++i) {
        const PhaseComparison& first = *all.front()[i];
        for (std::size_t phase = 0; phase < first.base.phases.size(); ++phase) {
            std::vector<std::string> row{phase == 0 ? first.other.name + " minus " + first.base.name : "",
                                         std::string(name_of(first.base.phases[phase].role)),
                                         text_at(first, Timing::published, phase)};
            for (const auto& of_run : all) {
                row.push_back(text_at(*of_run[i], Timing::stamps, phase));
                row.push_back(text_at(*of_run[i], Timing::subtraction, phase));
            }
            answer.table.rows.push_back(std::move(row));
        }
    }
    for (std::size_t run = 0; run < all.size(); ++run) {
        const std::string name = inputs.report.name_of(run);
        answer.table.headers.push_back(name + ": by stamps");
        answer.table.headers.push_back("by subtraction");
        RunAnswer run_answer{name, Verdict::not_measured, ""};
        for (const PhaseComparison* comparison : all[run]) {
            if (comparison->differences(Timing::stamps).empty()) continue;
            if (question.column.empty()) {
                add_largest(*comparison, run_answer);
            } else {
                answer_faster(*comparison, question.column, run_answer);
            }
        }
        if (run_answer.sentence.empty()) run_answer = not_answered(inputs.report, run, question);
        answer.runs.push_back(std::move(run_answer));
    }
    answer.remarks.push_back(
        "In brackets the 95 % interval of each difference. One that contains 0 is unclear: it does not say "
        "which phase is longer. Differences by subtraction are wide where calls vary more than the phase "
        "takes.");
    return answer;
}

}  // namespace published
