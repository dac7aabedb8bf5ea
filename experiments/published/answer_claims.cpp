#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

/// Questions whose answer compares pairs of times.
namespace published {
namespace {

namespace format = experiments::format;

/// Published times closer than this claim no order: they are printed with three digits at most.
constexpr double min_claimed_factor = 1.01;

/// "Copying with pairs, the best of each kind: Time"; without the parts that all rankings of the question
/// share.
std::string label_of(const Ranking& ranking, const std::vector<const Ranking*>& all,
                     const Question& question) {
    const auto groups = std::ranges::count(
        all, ranking.table, [](const Ranking* each) -> const std::string& { return each->table; });
    std::string text = question.tables.size() > 1 ? ranking.title : "";
    if (groups > 1) text += (text.empty() ? "" : ": ") + ranking.group;
    return text.empty() ? ranking.title : text;
}

/// The entries from the published fastest on.
std::vector<Ranked> sorted_as_published(std::vector<Ranked> entries) {
    std::ranges::stable_sort(entries, {}, &Ranked::published);
    return entries;
}

/// The entries from the measured fastest on.
std::vector<Ranked> sorted_as_measured(std::vector<Ranked> entries) {
    std::ranges::stable_sort(entries, {}, [](const Ranked& entry) { return entry.measured.us; });
    return entries;
}

/// Adds every pair of entries whose order is published. Returns whether all pairs keep that order.
bool add_pairs(const Ranking& ranking, const std::string& where, Judge& judge) {
    const std::vector<Ranked> entries = sorted_as_published(ranking.entries);
    bool holds = ranking.unmeasured.empty();
    for (std::size_t slow = 1; slow < entries.size(); ++slow) {
        for (std::size_t fast = 0; fast < slow; ++fast) {
            const Ranked& faster = entries[fast];
            const Ranked& slower = entries[slow];
            if (ranking.has_times && slower.published < faster.published * min_claimed_factor) continue;
            const Finding finding = finding_of_order(faster.measured, slower.measured);
            holds = holds && finding == Finding::agrees;
            judge.add(finding, slower.name + " is faster than " + faster.name, where);
        }
    }
    const std::size_t num_all = entries.size() + ranking.unmeasured.size();
    judge.add_missing(num_all * (num_all - 1) / 2 - entries.size() * (entries.size() - 1) / 2);
    return holds;
}

/// "A 1,283 µs, B 2,607 µs": the published entries from the fastest on.
std::string published_text(const Ranking& ranking) {
    std::vector<Ranked> entries = ranking.entries;
    entries.insert(entries.end(), ranking.unmeasured.begin(), ranking.unmeasured.end());
    std::string text;
    for (const Ranked& entry : sorted_as_published(std::move(entries))) {
        text += (text.empty() ? "" : ", ") + entry.name;
        if (ranking.has_times) text += " " + figure(entry.published) + " µs";
    }
    return text;
}

/// "B 2,607 µs ± 0.1 %, A 2,800 µs ± 0.2 %; tau -1.00": the measured entries from the fastest on.
std::string measured_text(const Ranking& ranking) {
    std::string text;
    for (const Ranked& entry : sorted_as_measured(ranking.entries))
        text += (text.empty() ? "" : ", ") + entry.name + " " + time_text(entry.measured);
    if (ranking.tau) {
        text += "; tau " + format::fixed(*ranking.tau, 2) +
                (ranking.measures_launches ? ", measures launches" : "");
    }
    return text.empty() ? "-" : text;
}

}  // namespace

AnswerText answer_order(const AnswerInputs& inputs, const Question& question) {
    AnswerBuilder rows(inputs, question, {"ranking", "published, from the fastest on"});
    const std::size_t num_runs = inputs.answers.size();
    // All runs have the rankings of the published figures, in the same order.
    const auto rankings = answers_about(question, inputs.answers.front().rankings);
    std::vector<std::size_t> num_holding(num_runs);
    for (std::size_t i = 0; i < rankings.size(); ++i) {
        const std::string label = label_of(*rankings[i], rankings, question);
        rows.add_row({label, published_text(*rankings[i])}, [&](std::size_t run, Judge& judge) {
            const Ranking& ranking = *answers_about(question, inputs.answers[run].rankings)[i];
            num_holding[run] += add_pairs(ranking, rankings.size() > 1 ? label : "", judge);
            return measured_text(ranking);
        });
    }
    for (std::size_t run = 0; run < num_runs; ++run) {
        if (rankings.size() == 1) {
            const Ranking& ranking = *answers_about(question, inputs.answers[run].rankings)[0];
            std::vector<std::string> names;
            for (const Ranked& entry : sorted_as_measured(ranking.entries)) names.push_back(entry.name);
            rows.say(run, "From the fastest on: " + with_full_stop(joined_with_and(names)));
        } else {
            rows.say(run, "The published order holds in " + std::to_string(num_holding[run]) + " of " +
                              std::to_string(rankings.size()) + " rankings.");
        }
    }
    AnswerText answer = rows.answer();
    answer.remarks.push_back(
        "A pair has changed places only if its 95 % intervals do not overlap and it differs by more than 1 "
        "%; published times within 1 % of each other claim no order. Tau is Kendall's rank correlation: 1 is "
        "the published order, -1 the reverse.");
    return answer;
}

/// The factor between two columns of each row, as published and measured: the time of the second over that of
/// the first. For a gain: the time of the first over that of the second.
AnswerText answer_columns(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t numerator = question.kind == QuestionKind::gain ? 0 : 1;
    const std::size_t denominator = 1 - numerator;
    AnswerBuilder rows(inputs, question, {"time of the first over that of the second", "published"});
    const auto tables = tables_of(report, question);
    for (const std::size_t index : tables) {
        const Table& table = *report.tables[index].table;
        const std::string& numerator_name = table.columns[numerator].name;
        const std::string& denominator_name = table.columns[denominator].name;
        std::vector<Extremes> ranges(report.runs.size());
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto published_numerator = table.published_value(row, numerator);
            const auto published_denominator = table.published_value(row, denominator);
            const double published = published_numerator && published_denominator
                                         ? *published_numerator / *published_denominator
                                         : 0;  // 0: no figure
            const std::string& name = table.rows[row].name;
            const std::string title = tables.size() > 1 ? table.title + ", " + name : name;
            const auto cell = [&](std::size_t run, Judge& judge) -> std::string {
                const auto numerator_time = measured_time(report, run, index, row, numerator);
                const auto denominator_time = measured_time(report, run, index, row, denominator);
                if (!numerator_time || !denominator_time) {
                    judge.add_missing(/*comparisons=*/1);
                    return "-";
                }
                const Factor measured = quotient(*numerator_time, *denominator_time);
                ranges[run].add(measured.value);
                if (published > 0) {
                    judge.add(finding_of_factor(published, measured),
                              factor(measured.value) + " instead of " + factor(published), name);
                } else if (question.column == numerator_name) {
                    judge.add(finding_of_order(*numerator_time, *denominator_time),
                              denominator_name + " is faster", name);
                } else if (question.column == denominator_name) {
                    judge.add(finding_of_order(*denominator_time, *numerator_time),
                              numerator_name + " is faster", name);
                } else {
                    judge.add(Finding::unclaimed);
                }
                return factor_text(measured);
            };
            rows.add_row({title + ": " + numerator_name + " over " + denominator_name,
                          published > 0 ? factor(published) : "no figure"},
                         cell);
        }
        const auto same_names = std::ranges::count_if(tables, [&](std::size_t t) {
            return report.tables[t].table->columns[numerator].name == numerator_name;
        });
        const std::string lead = same_names > 1 ? table.title + ": " : "";
        for (std::size_t run = 0; run < report.runs.size(); ++run) {
            if (!ranges[run].empty())
                rows.say(run, lead + numerator_name + " takes " + ranges[run].text() + " times as long as " +
                                  with_full_stop(denominator_name));
        }
    }
    return rows.answer();
}

namespace {

/// Judges two claims about the program `claimed`: that it gains more from quads than the other program, and
/// that with quads both take the same time.
void add_gain_claim(const VectorGain& claimed, const VectorGain& other, Judge& judge) {
    const auto more = claimed.measured_gain("quad");
    const auto less = other.measured_gain("quad");
    if (!more || !less) return judge.add_missing(2);
    const Factor ratio = quotient({more->value, more->interval}, {less->value, less->interval});
    const bool known = ratio.interval.coverage > 0;
    judge.add(!known                     ? Finding::undecided
              : ratio.interval.low > 1   ? Finding::agrees
              : ratio.interval.high <= 1 ? Finding::contradicts
                                         : Finding::undecided,
              other.name + " gains more from quads than " + claimed.name);
    const Factor with_quads = quotient(*claimed.find("quad")->measured, *other.find("quad")->measured);
    judge.add(finding_of_factor(1, with_quads), "with quads, " + claimed.name + " takes " +
                                                    figure(with_quads.value) + " times as long as " +
                                                    other.name);
}

/// Judges the gain of a program from a width. Returns the cell of the table.
std::string add_gain(const VectorGain& gain, const std::string& width, Judge& judge) {
    const auto measured = gain.measured_gain(width);
    const auto published = gain.published_gain(width);
    if (!measured) {
        judge.add_missing(/*comparisons=*/1);
        return "-";
    }
    judge.add(published ? finding_of_factor(*published, *measured) : Finding::unclaimed,
              gain.name + " gains " + factor(measured->value) + " from " + width + "s instead of " +
                  factor(published.value_or(0)));
    return factor_text(*measured);
}

}  // namespace

AnswerText answer_vectors(const AnswerInputs& inputs, const Question& question) {
    AnswerBuilder rows(inputs, question, {"program", "published"});
    // All runs have the programs of the published tables, in the same order.
    const auto programs = answers_about(question, inputs.answers.front().vector_gains);
    std::vector<std::vector<std::string>> parts(inputs.answers.size());
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const VectorGain& program = *programs[i];
        const std::string name = program.name + (program.series.ends_with("corrected") ? " (corrected)" : "");
        for (const std::string width : {"pair", "quad"}) {
            const auto published = program.published_gain(width);
            const auto cell = [&](std::size_t run, Judge& judge) {
                const auto gains = answers_about(question, inputs.answers[run].vector_gains);
                const VectorGain& gain = *gains[i];
                if (width != "quad") return add_gain(gain, width, judge);
                if (const auto quads = gain.measured_gain(width))
                    parts[run].push_back(gain.name + " " + factor(quads->value));
                for (const VectorGain* other : gains) {
                    if (gain.column == question.column && other != &gain) add_gain_claim(gain, *other, judge);
                }
                return add_gain(gain, width, judge);
            };
            rows.add_row({name + ", " + width + "s", published ? factor(*published) : "-"}, cell);
        }
    }
    for (std::size_t run = 0; run < parts.size(); ++run)
        rows.say(run, "Quads gain: " + with_full_stop(joined_with_and(parts[run])));
    AnswerText answer = rows.answer();
    answer.remarks.push_back(
        "Speed-ups over scalars. Where a published program covered a part of the array, its time is scaled "
        "to the whole array.");
    return answer;
}

namespace {

using Difference = PhaseComparison::Difference;

/// "-246 µs (-247 to -245)".
std::string difference_text(const Difference& difference) {
    std::string text = (difference.us > 0 ? "+" : "") + figure(difference.us) + " µs";
    if (difference.interval.coverage > 0) {
        text += " (" + figure(difference.interval.low) + " to " + figure(difference.interval.high) + ")";
    }
    return difference.unclear() ? text + ", unclear" : text;
}

const Difference& largest(const std::vector<Difference>& differences) {
    return *std::ranges::max_element(differences, {}, &Difference::share);
}

/// Judges whether a difference is as published, unless its interval contains 0 or is unknown.
Finding finding_of(const Difference& measured, bool as_published) {
    if (measured.interval.coverage <= 0 || measured.unclear()) return Finding::undecided;
    return as_published ? Finding::agrees : Finding::contradicts;
}

/// Judges whether the phase that differs most is the published one, in the same direction. Returns a
/// sentence.
std::string add_largest(const PhaseComparison& comparison, Judge& judge) {
    const auto measured = comparison.differences(Timing::stamps);
    const auto published = comparison.differences(Timing::published);
    const Difference& measured_largest = largest(measured);
    const auto text_of = [](const Difference& each) {
        return std::string(name_of(each.role)) + ": " + difference_text(each) + ", " + percent(each.share) +
               " of all differences";
    };
    std::string text = comparison.other.name + " minus " + comparison.base.name + ": most in the " +
                       text_of(measured_largest);
    if (published.empty()) {
        judge.add(Finding::unclaimed);
        return text + ".";
    }
    const Difference& published_largest = largest(published);
    const bool same = published_largest.role == measured_largest.role &&
                      (published_largest.us > 0) == (measured_largest.us > 0);
    judge.add(finding_of(measured_largest, same));
    return text + "; published, in the " + text_of(published_largest) + ".";
}

/// Judges whether `faster` is faster in every phase.
void add_faster(const PhaseComparison& comparison, const std::string& faster, Judge& judge) {
    const bool other_is_faster = comparison.other.name == faster;
    const std::string& slower = other_is_faster ? comparison.base.name : comparison.other.name;
    for (const Difference& each : comparison.differences(Timing::stamps)) {
        const bool as_published = other_is_faster ? each.us < 0 : each.us > 0;
        judge.add(finding_of(each, as_published), slower + " is faster than " + faster,
                  std::string(name_of(each.role)));
    }
}

/// Judges a comparison: whether the column of the question is faster in every phase or, without a column,
/// whether the largest difference is as published. Returns a sentence; empty if nothing was measured.
std::string add_comparison(const PhaseComparison& comparison, const Question& question, Judge& judge) {
    const auto measured = comparison.differences(Timing::stamps);
    if (measured.empty()) {
        judge.add_missing(/*comparisons=*/1);
        return {};
    }
    if (question.column.empty()) return add_largest(comparison, judge);
    add_faster(comparison, question.column, judge);
    std::vector<std::string> parts;
    for (const Difference& each : measured)
        parts.push_back(std::string(name_of(each.role)) + " " + figure(each.us) + " µs");
    return comparison.other.name + " minus " + comparison.base.name + ": " +
           with_full_stop(joined_with_and(parts));
}

}  // namespace

AnswerText answer_phases(const AnswerInputs& inputs, const Question& question) {
    AnswerBuilder rows(inputs, question, {"difference", "phase", "published"});
    const auto text_at = [](const PhaseComparison& comparison, Timing timing, std::size_t phase) {
        const auto differences = comparison.differences(timing);
        return phase < differences.size() ? difference_text(differences[phase]) : std::string("-");
    };
    // All runs have the comparisons of the published tables, in the same order.
    const auto comparisons = answers_about(question, inputs.answers.front().phases);
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        const PhaseComparison& published = *comparisons[i];
        for (std::size_t phase = 0; phase < published.base.phases.size(); ++phase) {
            const auto cell = [&](std::size_t run, Judge& judge) {
                const PhaseComparison& comparison = *answers_about(question, inputs.answers[run].phases)[i];
                if (phase == 0) rows.say(run, add_comparison(comparison, question, judge));
                const std::string text = text_at(comparison, Timing::stamps, phase);
                const std::string by_subtraction = text_at(comparison, Timing::subtraction, phase);
                return by_subtraction == "-" ? text : text + "; by subtraction " + by_subtraction;
            };
            rows.add_row({phase == 0 ? published.other.name + " minus " + published.base.name : "",
                          std::string(name_of(published.base.phases[phase].role)),
                          text_at(published, Timing::published, phase)},
                         cell);
        }
    }
    AnswerText answer = rows.answer();
    answer.remarks.push_back(
        "By stamps of the device's clock. In brackets the 95 % interval of each difference. One that "
        "contains 0 is unclear: it does not say which phase is longer. Differences by subtraction are wide "
        "where calls vary more than the phase takes.");
    return answer;
}

}  // namespace published
