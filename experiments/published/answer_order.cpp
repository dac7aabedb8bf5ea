#include <algorithm>
#include <limits>
#include <map>

#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

/// With more entries than this, a table has one row per ranking instead of one per entry.
constexpr std::size_t max_detailed_entries = 12;

std::vector<const Ranking*> rankings_of(const Answers& answers, const Question& question) {
    std::vector<const Ranking*> found;
    for (const Ranking& ranking : answers.rankings) {
        if (asks_about(question, ranking.table)) {
            found.push_back(&ranking);
        }
    }
    return found;
}

const Ranked& fastest(const Ranking& ranking, double Ranked::*time) {
    return *std::ranges::min_element(ranking.entries, {}, time);
}

/// "Copying with pairs, the best of each kind: Time"; omits the parts that all rankings of the
/// question share.
std::string label_of(const Ranking& ranking, const Question& question, bool several_groups) {
    std::string text = question.tables.size() > 1 ? ranking.title : "";
    if (several_groups) text += (text.empty() ? "" : ": ") + ranking.group;
    return text.empty() ? ranking.title : text;
}

bool has_several_groups(const std::vector<const Ranking*>& rankings, const Ranking& ranking) {
    return std::ranges::count_if(rankings,
                                 [&](const Ranking* each) { return each->table == ranking.table; }) > 1;
}

/// A sentence on the pair that changes places most often, and in which rankings; "" if no pair does for
/// certain.
std::string most_frequent_swap(const std::vector<const Ranking*>& rankings, const Question& question) {
    std::map<std::string, std::vector<std::string>> pairs;
    for (const Ranking* ranking : rankings) {
        for (const Swap& swap : ranking->swaps) {
            if (!swap.certain) continue;
            pairs[swap.faster_measured + " is faster than " + swap.faster_published].push_back(
                label_of(*ranking, question, has_several_groups(rankings, *ranking)));
        }
    }
    const auto most_frequent =
        std::ranges::max_element(pairs, {}, [](const auto& pair) { return pair.second.size(); });
    if (most_frequent == pairs.end()) return {};
    std::string where = most_frequent->second.front();
    if (most_frequent->second.size() > 1) where += " to " + most_frequent->second.back();
    if (most_frequent->second.size() == 2) where = listed(most_frequent->second);
    return "Most often " + most_frequent->first + " here (" + where + ").";
}

/// Ends a sentence that may end with "et al.".
std::string ended(std::string text) {
    return text.ends_with('.') ? text : text + ".";
}

RunAnswer order_in(const std::string& run, const std::vector<const Ranking*>& rankings,
                   const Question& question) {
    const auto num_preserved = static_cast<std::size_t>(
        std::ranges::count_if(rankings, [](const Ranking* ranking) { return ranking->preserved(); }));
    std::size_t num_uncertain = 0;
    for (const Ranking* ranking : rankings) {
        num_uncertain += static_cast<std::size_t>(
            std::ranges::count_if(ranking->swaps, [](const Swap& swap) { return !swap.certain; }));
    }
    const std::string all = std::to_string(rankings.size());
    std::string text;
    if (num_preserved == rankings.size()) {
        text = num_uncertain > 0      ? "Not contradicted: no pair changes places for certain."
               : rankings.size() == 1 ? "Yes, the published order holds."
                                      : "Yes, the published order holds in all " + all + " rankings.";
    } else if (rankings.size() == 1) {
        const Ranking& only = *rankings.front();
        const std::string& measured = fastest(only, &Ranked::measured).name;
        const std::string& published = fastest(only, &Ranked::published).name;
        const auto swaps = std::ranges::count_if(only.swaps, &Swap::certain);
        text = measured == published
                   ? "No: " + measured + " stays the fastest, but " + std::to_string(swaps) +
                         (swaps == 1 ? " pair changes places." : " pairs change places.")
                   : ended("No: the fastest here is " + measured + "; published, it was " + published);
    } else {
        const auto same_fastest = std::ranges::count_if(rankings, [](const Ranking* ranking) {
            return fastest(*ranking, &Ranked::measured).name == fastest(*ranking, &Ranked::published).name;
        });
        text = std::string(num_preserved == 0 ? "No" : "In part") + ": the published order holds in " +
               std::to_string(num_preserved) + " of " + all +
               " rankings, and the fastest is the published one in " + std::to_string(same_fastest) + ". " +
               most_frequent_swap(rankings, question);
    }
    if (num_uncertain > 0) {
        text += " " + std::to_string(num_uncertain) + (num_uncertain == 1 ? " pair stands" : " pairs stand") +
                " in the opposite order, but too close to call.";
    }
    const bool is_preserved = num_preserved == rankings.size();
    return {run,
            !is_preserved       ? Verdict::differs
            : num_uncertain > 0 ? Verdict::unclear
                                : Verdict::holds,
            text};
}

/// "2. 1.40 ms": the rank and the time; the rank alone where only the order is published.
std::string rank_text(const Ranking& ranking, const Ranked& entry, bool measured) {
    const double time = measured ? entry.measured : entry.published;
    const auto before = std::ranges::count_if(ranking.entries, [&](const Ranked& other) {
        return (measured ? other.measured : other.published) < time;
    });
    std::string text = std::to_string(before + 1) + ".";
    if (measured) return text + " " + time_text(entry.measured, entry.interval);
    return ranking.has_times ? text + " " + figure(entry.published) + " µs" : text;
}

/// One row per entry: ranks and times, published and in each run.
void add_entries(const AnswerInputs& inputs, const Question& question, SmallTable& table) {
    table.headers = {"entry", "published"};
    std::vector<std::string> labels;
    std::map<std::string, std::vector<std::string>> cells;
    for (std::size_t run = 0; run < inputs.answers.size(); ++run) {
        table.headers.push_back(inputs.report.name_of(run));
        const auto rankings = rankings_of(inputs.answers[run], question);
        for (const Ranking* ranking : rankings) {
            std::vector<Ranked> entries = ranking->entries;
            std::ranges::sort(entries, {}, &Ranked::published);
            for (const Ranked& entry : entries) {
                std::string label = entry.name;
                if (rankings.size() > 1) {
                    label =
                        label_of(*ranking, question, has_several_groups(rankings, *ranking)) + ": " + label;
                }
                auto& row = cells[label];
                if (row.empty()) {
                    labels.push_back(label);
                    row.assign(1 + inputs.answers.size(), "-");
                }
                row[0] = rank_text(*ranking, entry, false);
                row[1 + run] = rank_text(*ranking, entry, true);
            }
        }
    }
    for (const std::string& label : labels) {
        std::vector<std::string> row{label};
        row.insert(row.end(), cells[label].begin(), cells[label].end());
        table.rows.push_back(std::move(row));
    }
}

/// One row per ranking: the fastest, published and in each run, and whether the order holds.
void add_rankings(const AnswerInputs& inputs, const Question& question, SmallTable& table) {
    table.headers = {"ranking", "fastest as published"};
    std::vector<std::string> labels;
    std::map<std::string, std::vector<std::string>> cells;
    const std::size_t runs = inputs.answers.size();
    for (std::size_t run = 0; run < runs; ++run) {
        table.headers.push_back("fastest, " + inputs.report.name_of(run));
        table.headers.push_back("order");
        const auto rankings = rankings_of(inputs.answers[run], question);
        for (const Ranking* ranking : rankings) {
            const std::string label = label_of(*ranking, question, has_several_groups(rankings, *ranking));
            auto& row = cells[label];
            if (row.empty()) {
                labels.push_back(label);
                row.assign(1 + 2 * runs, "-");
                row[0] = fastest(*ranking, &Ranked::published).name;
            }
            row[1 + 2 * run] = fastest(*ranking, &Ranked::measured).name;
            row[2 + 2 * run] = (ranking->preserved() ? "holds" : "differs") +
                               (ranking->tau ? ", tau " + format::fixed(*ranking->tau, 2) : std::string()) +
                               (ranking->measures_launches ? ", measures launches" : "");
        }
    }
    for (const std::string& label : labels) {
        std::vector<std::string> row{label};
        row.insert(row.end(), cells[label].begin(), cells[label].end());
        table.rows.push_back(std::move(row));
    }
}

}  // namespace

AnswerText answer_order(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    std::size_t max_entries_in_run = 0;
    for (std::size_t run = 0; run < inputs.answers.size(); ++run) {
        const auto rankings = rankings_of(inputs.answers[run], question);
        answer.runs.push_back(rankings.empty() ? not_answered(inputs.report, run, question)
                                               : order_in(inputs.report.name_of(run), rankings, question));
        std::size_t entries_in_run = 0;
        for (const Ranking* ranking : rankings) entries_in_run += ranking->entries.size();
        max_entries_in_run = std::max(max_entries_in_run, entries_in_run);
    }
    if (max_entries_in_run == 0) return answer;
    if (max_entries_in_run <= max_detailed_entries) {
        add_entries(inputs, question, answer.table);
    } else {
        add_rankings(inputs, question, answer.table);
        answer.remarks.push_back(
            "Tau is Kendall's rank correlation: 1 is the published order, -1 the reverse. An order differs "
            "only if a pair changes places for certain: their 95 % intervals do not overlap.");
    }
    return answer;
}

namespace {

/// Minimum factor between two times that counts as a difference: the published ones have two digits.
constexpr double min_notable_factor = 1.25;

/// The verdict on a claimed gain, by the interval of the measured one.
Verdict verdict_on_gain(const experiments::Interval& interval) {
    if (interval.coverage <= 0) return Verdict::unclear;
    if (interval.high < 1) return Verdict::differs;
    return interval.low > 1 ? Verdict::holds : Verdict::unclear;
}

/// The ratio of the measured times of two columns.
std::optional<std::pair<double, experiments::Interval>> measured_ratio(const Report& report, std::size_t run,
                                                                       std::size_t table, std::size_t row,
                                                                       std::size_t numerator_column,
                                                                       std::size_t denominator_column) {
    const auto numerator = measured_time(report, run, table, row, numerator_column);
    const auto denominator = measured_time(report, run, table, row, denominator_column);
    if (!numerator || !denominator) return std::nullopt;
    return quotient(*numerator, *denominator);
}

}  // namespace

AnswerText answer_columns(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t index = tables_of(report, question).front();
    const Table& table = *report.tables[index].table;
    AnswerText answer;
    answer.table.headers = {"entry", "published"};
    for (const Row& row : table.rows) answer.table.rows.push_back({row.name});
    const auto published = [&](std::size_t row) {
        const auto first = table.published_value(row, 0);
        const auto second = table.published_value(row, 1);
        return first && second && *first > 0 ? std::optional(*second / *first) : std::nullopt;
    };
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto ratio = published(row);
        answer.table.rows[row].push_back(ratio ? factor(*ratio) : "-");
    }
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        answer.table.headers.push_back(report.name_of(run));
        RunAnswer& run_answer = answer.runs.emplace_back(not_answered(report, run, question));
        std::vector<std::string> sentences;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto measured = measured_ratio(report, run, index, row, 1, 0);
            answer.table.rows[row].push_back(measured ? factor_text(measured->first, measured->second) : "-");
            const auto published_ratio = published(row);
            if (!measured || !published_ratio) continue;
            const bool same =
                (measured->first >= min_notable_factor) == (*published_ratio >= min_notable_factor);
            if (run_answer.verdict != Verdict::differs)
                run_answer.verdict = same ? Verdict::holds : Verdict::differs;
            if (!same || *published_ratio >= min_notable_factor) {
                sentences.push_back(table.rows[row].name + " takes " + figure(measured->first) +
                                    " times as long (published " + figure(*published_ratio) + ")");
            }
        }
        if (run_answer.verdict == Verdict::not_measured) continue;
        run_answer.sentence = sentences.empty()
                                  ? "As published: no entry that was measured takes notably longer."
                                  : listed(sentences) + ".";
    }
    return answer;
}

AnswerText answer_gain(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    AnswerText answer;
    answer.table.headers = {"step", "published"};
    std::vector<double> min_gain(report.runs.size(), std::numeric_limits<double>::max());
    std::vector<double> max_gain(report.runs.size(), 0);
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        answer.table.headers.push_back(report.name_of(run));
        answer.runs.push_back(not_answered(report, run, question));
    }
    for (const std::size_t index : tables_of(report, question)) {
        const Table& table = *report.tables[index].table;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto before = table.published_value(row, 0);
            const auto after = table.published_value(row, 1);
            std::vector<std::string> cells{table.title + ", " + table.rows[row].name,
                                           before && after ? factor(*before / *after) : "no figure"};
            for (std::size_t run = 0; run < report.runs.size(); ++run) {
                const auto gain = measured_ratio(report, run, index, row, 0, 1);
                cells.push_back(gain ? factor_text(gain->first, gain->second) : "-");
                if (!gain) continue;
                RunAnswer& run_answer = answer.runs[run];
                const Verdict verdict = verdict_on_gain(gain->second);
                if (run_answer.verdict == Verdict::not_measured) {
                    run_answer.verdict = verdict;
                } else if (run_answer.verdict == Verdict::holds || verdict == Verdict::differs) {
                    run_answer.verdict = verdict;
                }
                min_gain[run] = std::min(min_gain[run], gain->first);
                max_gain[run] = std::max(max_gain[run], gain->first);
                run_answer.sentence =
                    "Measured gain: " + factor(min_gain[run]) + " to " + factor(max_gain[run]) + ".";
            }
            answer.table.rows.push_back(std::move(cells));
        }
    }
    return answer;
}

}  // namespace published
