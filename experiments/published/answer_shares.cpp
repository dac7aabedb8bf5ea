#include <algorithm>
#include <cmath>

#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

bool is_asked(const Question& question, const std::string& table) {
    return std::ranges::find(question.tables, table) != question.tables.end();
}

/// "x1.26, too close to call".
std::string gain_text(const VectorGain& gain, const std::string& width) {
    const auto value = gain.gain_here(width);
    if (!value) return "-";
    const auto* scalar = gain.find("scalar");
    const auto* wide = gain.find(width);
    const auto [factor, interval] =
        quotient({*scalar->here_us, scalar->interval_us}, {*wide->here_us, wide->interval_us});
    const auto change = gain.change_here(width);
    if (change == experiments::Change::ambiguous)
        return factor_text(factor, interval) + ", too close to call";
    return factor_text(factor, interval);
}

RunAnswer vectors_answer(RunAnswer said, const std::vector<const VectorGain*>& gains) {
    const VectorGain* best = nullptr;
    bool same = true;
    bool compared = false;
    for (const VectorGain* gain : gains) {
        const auto quad = gain->gain_here("quad");
        if (!quad) continue;
        if (!best || *quad > *best->gain_here("quad")) best = gain;
        for (const char* width : {"pair", "quad"}) {
            const auto then = gain->published_gain(width);
            const auto now = gain->gain_here(width);
            if (!then || !now) continue;
            compared = true;
            constexpr double gains_from = 1.05;
            same = same && (*then >= gains_from) == (*now >= gains_from);
        }
    }
    if (!best) return said;
    said.verdict = !compared ? Verdict::answered : same ? Verdict::holds : Verdict::differs;
    said.sentence = "Quads gain most for " + best->name + ": " + factor(*best->gain_here("quad"));
    if (const auto then = best->published_gain("quad")) said.sentence += ", published " + factor(*then);
    said.sentence += ".";
    if (gains.size() == 2 && !compared) {
        const auto* first = gains[0]->find("quad");
        const auto* second = gains[1]->find("quad");
        if (first && second && first->here_us && second->here_us) {
            const auto ratio =
                quotient({*first->here_us, first->interval_us}, {*second->here_us, second->interval_us});
            said.sentence += " With quads, " + gains[0]->name + " takes " + figure(ratio.first) +
                             " times as long as " + gains[1]->name + ".";
        }
    }
    return said;
}

}  // namespace

AnswerText answer_vectors(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.heads = {"program", "published: pairs", "quads"};
    for (std::size_t run = 0; run < inputs.answers.size(); ++run) {
        const std::string name = inputs.report.name_of(run);
        answer.table.heads.push_back(name + ": pairs");
        answer.table.heads.push_back("quads");
        std::vector<const VectorGain*> gains;
        for (const VectorGain& gain : inputs.answers[run].vector_gains) {
            if (is_asked(question, gain.table)) gains.push_back(&gain);
        }
        for (std::size_t i = 0; i < gains.size(); ++i) {
            if (run == 0) {
                const auto text = [&](const char* width) {
                    const auto value = gains[i]->published_gain(width);
                    return value ? factor(*value) : std::string("-");
                };
                const std::string series = gains[i]->series.ends_with("corrected") ? " (corrected)" : "";
                answer.table.rows.push_back({gains[i]->name + series, text("pair"), text("quad")});
            }
            answer.table.rows[i].push_back(gain_text(*gains[i], "pair"));
            answer.table.rows[i].push_back(gain_text(*gains[i], "quad"));
        }
        answer.runs.push_back(vectors_answer(not_answered(inputs.report, run, question), gains));
    }
    answer.remarks.push_back(
        "Speed-ups over scalars. Published times count in proportion to the array that they covered.");
    return answer;
}

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

/// The phase that differs most, as a sentence; compares with the published one.
void add_largest(const PhaseComparison& comparison, RunAnswer& said) {
    const auto here = comparison.differences(Timing::stamps);
    const auto then = comparison.differences(Timing::published);
    const PhaseComparison::Difference& most = largest(here);
    std::string text = comparison.other.name + " differs from " + comparison.base.name + " most in the " +
                       std::string(name_of(most.role)) + ": " + difference_text(most) + ", " +
                       percent(most.share) + " of all differences";
    Verdict verdict = Verdict::answered;
    if (!then.empty()) {
        const PhaseComparison::Difference& was = largest(then);
        text += "; published, in the " + std::string(name_of(was.role)) + ": " + difference_text(was) + ", " +
                percent(was.share);
        verdict = was.role == most.role && (was.us > 0) == (most.us > 0) ? Verdict::holds : Verdict::differs;
    }
    if (said.verdict != Verdict::differs) said.verdict = verdict;
    said.sentence += (said.sentence.empty() ? "" : " ") + text + ".";
}

/// Whether `faster` is faster in every phase.
void add_faster(const PhaseComparison& comparison, const std::string& faster, RunAnswer& said) {
    const auto here = comparison.differences(Timing::stamps);
    const double sign = comparison.other.name == faster ? 1 : -1;
    std::size_t wins = 0;
    bool unclear = false;
    std::vector<std::string> lost;
    for (const auto& each : here) {
        unclear = unclear || each.unclear();
        if (each.us * sign < 0) {
            ++wins;
        } else {
            lost.emplace_back(name_of(each.role));
        }
    }
    const bool all = wins == here.size();
    said.verdict = !all ? Verdict::differs : unclear ? Verdict::unclear : Verdict::holds;
    said.sentence = all ? "Yes: it is faster in all phases."
                        : "No: it is faster in " + std::to_string(wins) + " of " +
                              std::to_string(here.size()) + " phases, not in the " + listed(lost) + ".";
}

}  // namespace

AnswerText answer_phases(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.heads = {"difference", "phase", "published"};
    std::vector<std::vector<const PhaseComparison*>> all;
    for (const Answers& answers : inputs.answers) {
        auto& of_run = all.emplace_back();
        for (const PhaseComparison& comparison : answers.phases) {
            if (is_asked(question, comparison.table)) of_run.push_back(&comparison);
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
        answer.table.heads.push_back(name + ": by stamps");
        answer.table.heads.push_back("by subtraction");
        RunAnswer said{name, Verdict::not_measured, ""};
        for (const PhaseComparison* comparison : all[run]) {
            if (comparison->differences(Timing::stamps).empty()) continue;
            if (question.column.empty()) {
                add_largest(*comparison, said);
            } else {
                add_faster(*comparison, question.column, said);
            }
        }
        if (said.sentence.empty()) said = not_answered(inputs.report, run, question);
        answer.runs.push_back(std::move(said));
    }
    answer.remarks.push_back(
        "In brackets the 95 % interval of each difference. One that contains 0 is unclear: it does not say "
        "which phase is longer. Differences by subtraction are wide where calls vary more than the phase "
        "takes.");
    return answer;
}

namespace {

std::size_t rank_of(const Table& table, std::size_t row, std::size_t column, bool whole) {
    const auto value = [&](std::size_t each) {
        return whole ? table.published_value(each, column) : table.rows[each].values[column].value;
    };
    std::size_t rank = 1;
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
        if (value(other) && *value(other) < *value(row)) ++rank;
    }
    return rank;
}

/// How far the fastest of a table is ahead of the next, as a share of the next.
double lead_of(const Table& table, std::size_t row, std::size_t column, bool whole) {
    const auto value = [&](std::size_t each) {
        return whole ? table.published_value(each, column) : table.rows[each].values[column].value;
    };
    double next = 0;
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
        if (other == row || !value(other)) continue;
        next = next == 0 ? *value(other) : std::min(next, *value(other));
    }
    return next > 0 ? 1 - *value(row) / next : 0;
}

std::optional<std::size_t> time_column(const Table& table) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (table.quantity_of(0, column) == Quantity::total) return column;
    }
    return std::nullopt;
}

std::string covered_text(double share) {
    return format::fixed(share * 100, 2) + " %";
}

}  // namespace

AnswerText answer_coverage(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.heads = {"published copy", "printed", "covers", "the whole, in proportion", "place"};
    std::vector<std::string> leads;
    std::size_t partial = 0;
    for (const std::size_t index : tables_of(inputs.report, question)) {
        const Table& table = *inputs.report.tables[index].table;
        const auto column = time_column(table);
        for (std::size_t row = 0; column && row < table.rows.size(); ++row) {
            const auto& coverage = table.rows[row].coverage;
            const auto& printed = table.rows[row].values[*column].value;
            if (!coverage || !printed) continue;
            ++partial;
            const double whole = *table.published_value(row, *column);
            const std::size_t before = rank_of(table, row, *column, false);
            const std::size_t after = rank_of(table, row, *column, true);
            const std::string unit = " " + unit_text(table.columns[*column].unit);
            const std::string width = table.setting.options.contains(compaction::Option::vector_width)
                                          ? table.setting.options.at(compaction::Option::vector_width)
                                          : std::string();
            answer.table.rows.push_back(
                {table.rows[row].name + ", " + width + " (" + coverage->because + ")",
                 format::fixed(*printed, 1) + unit, covered_text(table.share_covered(row)),
                 format::fixed(whole, 1) + unit,
                 std::to_string(before) + (after == before ? "" : " becomes " + std::to_string(after))});
            if (before == 1) {
                leads.push_back("with " + width + "s the lead of " + table.rows[row].name + " shrinks from " +
                                percent(lead_of(table, row, *column, false)) + " to " +
                                percent(lead_of(table, row, *column, true)) + " (" +
                                format::fixed(*printed, 1) + unit + " becomes " + format::fixed(whole, 1) +
                                ")");
            }
        }
    }
    std::string text = "No: " + std::to_string(partial) + " of the published copies left a part uncopied";
    if (!leads.empty()) text += "; in proportion to the array, " + listed(leads);
    answer.runs.push_back({"As published", Verdict::answered, text + "."});
    answer.remarks.push_back(
        "The coverage follows from the printed numbers of threads and blocks by the program's own division. "
        "The copies here copy everything. Ratios and orders in this report use the times in proportion.");
    return answer;
}

namespace {

/// The fastest row of one column and the number of rows that are not certainly slower.
struct Best {
    std::size_t row = 0;
    TimeHere time;
    std::size_t as_fast = 0;
    std::size_t measured = 0;
    double slowest_us = 0;
};

std::optional<Best> best_in(const Report& report, std::size_t run, std::size_t index, std::size_t column) {
    std::optional<Best> best;
    const std::size_t rows = report.tables[index].table->rows.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const auto time = time_here(report, run, index, row, column);
        if (time && (!best || time->us < best->time.us)) best = Best{row, *time};
    }
    for (std::size_t row = 0; best && row < rows; ++row) {
        const auto time = time_here(report, run, index, row, column);
        if (!time) continue;
        ++best->measured;
        best->slowest_us = std::max(best->slowest_us, time->us);
        const auto change = experiments::compare(best->time.interval, time->interval);
        if (row != best->row && change != experiments::Change::slower) ++best->as_fast;
    }
    return best;
}

/// The best layouts of all tables or columns, one row for each.
AnswerText best_layouts(const AnswerInputs& inputs, const Question& question, bool by_column) {
    const Report& report = inputs.report;
    AnswerText answer;
    answer.table.heads = {by_column ? "column" : "search", "device", "fastest", "time", "as fast", "slowest"};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        RunAnswer said = not_answered(report, run, question);
        std::vector<std::string> parts;
        for (const std::size_t index : tables_of(report, question)) {
            const Table& table = *report.tables[index].table;
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const auto best = best_in(report, run, index, column);
                if (!best) continue;
                const std::string what = by_column ? table.columns[column].name : table.title;
                answer.table.rows.push_back(
                    {what, said.run, table.rows[best->row].name,
                     time_text(best->time.us, best->time.interval),
                     std::to_string(best->as_fast) + " of " + std::to_string(best->measured - 1),
                     figure(best->slowest_us) + " µs"});
                parts.push_back(table.rows[best->row].name + " (" + what + ")");
            }
        }
        if (!parts.empty()) {
            said.verdict = Verdict::answered;
            said.sentence = "Fastest here: " + listed(parts) + ".";
        }
        answer.runs.push_back(std::move(said));
    }
    if (answer.table.rows.empty()) answer.table = {};
    answer.remarks.push_back("As fast: layouts that are not certainly slower by more than 1 %.");
    return answer;
}

}  // namespace

AnswerText answer_search(const AnswerInputs& inputs, const Question& question) {
    return best_layouts(inputs, question, false);
}

AnswerText answer_product(const AnswerInputs& inputs, const Question& question) {
    return best_layouts(inputs, question, true);
}

}  // namespace published
