#include <algorithm>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

/// "x1.26, too close to call".
std::string gain_text(const VectorGain& gain, const std::string& width) {
    const auto value = gain.measured_gain(width);
    if (!value) return "-";
    const auto* scalar = gain.find("scalar");
    const auto* wide = gain.find(width);
    const auto [factor, interval] =
        quotient({*scalar->measured_us, scalar->interval_us}, {*wide->measured_us, wide->interval_us});
    const auto change = gain.measured_change(width);
    if (change == experiments::Change::ambiguous)
        return factor_text(factor, interval) + ", too close to call";
    return factor_text(factor, interval);
}

RunAnswer vectors_answer(RunAnswer run_answer, const std::vector<const VectorGain*>& gains) {
    const VectorGain* best = nullptr;
    bool same = true;
    bool compared = false;
    for (const VectorGain* gain : gains) {
        const auto quad = gain->measured_gain("quad");
        if (!quad) continue;
        if (!best || *quad > *best->measured_gain("quad")) best = gain;
        for (const char* width : {"pair", "quad"}) {
            const auto published = gain->published_gain(width);
            const auto measured = gain->measured_gain(width);
            if (!published || !measured) continue;
            compared = true;
            constexpr double min_gain = 1.05;
            same = same && (*published >= min_gain) == (*measured >= min_gain);
        }
    }
    if (!best) return run_answer;
    run_answer.verdict = !compared ? Verdict::answered : same ? Verdict::holds : Verdict::differs;
    run_answer.sentence = "Quads gain most for " + best->name + ": " + factor(*best->measured_gain("quad"));
    if (const auto published = best->published_gain("quad"))
        run_answer.sentence += ", published " + factor(*published);
    run_answer.sentence += ".";
    if (gains.size() == 2 && !compared) {
        const auto* first = gains[0]->find("quad");
        const auto* second = gains[1]->find("quad");
        if (first && second && first->measured_us && second->measured_us) {
            const auto ratio = quotient({*first->measured_us, first->interval_us},
                                        {*second->measured_us, second->interval_us});
            run_answer.sentence += " With quads, " + gains[0]->name + " takes " + figure(ratio.first) +
                                   " times as long as " + gains[1]->name + ".";
        }
    }
    return run_answer;
}

}  // namespace

AnswerText answer_vectors(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.headers = {"program", "published: pairs", "quads"};
    for (std::size_t run = 0; run < inputs.answers.size(); ++run) {
        const std::string name = inputs.report.name_of(run);
        answer.table.headers.push_back(name + ": pairs");
        answer.table.headers.push_back("quads");
        std::vector<const VectorGain*> gains;
        for (const VectorGain& gain : inputs.answers[run].vector_gains) {
            if (asks_about(question, gain.table)) gains.push_back(&gain);
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
        "Speed-ups over scalars. Where a published program covered a part of the array, its time is scaled "
        "to the whole array.");
    return answer;
}

namespace {

/// The fastest row of one column, compared with the other rows.
struct Best {
    std::size_t row = 0;
    MeasuredTime time;
    std::size_t as_fast = 0;   ///< other rows that experiments::compare does not find slower
    std::size_t measured = 0;  ///< rows with a time
    double slowest_us = 0;
};

std::optional<Best> best_in(const Report& report, std::size_t run, std::size_t index, std::size_t column) {
    std::optional<Best> best;
    const std::size_t rows = report.tables[index].table->rows.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const auto time = measured_time(report, run, index, row, column);
        if (time && (!best || time->us < best->time.us)) best = Best{row, *time};
    }
    for (std::size_t row = 0; best && row < rows; ++row) {
        const auto time = measured_time(report, run, index, row, column);
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
    answer.table.headers = {
        by_column ? "column" : "search", "device", "fastest", "time", "as fast", "slowest"};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        RunAnswer run_answer = not_answered(report, run, question);
        std::vector<std::string> parts;
        for (const std::size_t index : tables_of(report, question)) {
            const Table& table = *report.tables[index].table;
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const auto best = best_in(report, run, index, column);
                if (!best) continue;
                std::string what = table.columns[column].name;
                if (!by_column) what = table.title + ", " + what;
                answer.table.rows.push_back(
                    {what, run_answer.run, table.rows[best->row].name,
                     time_text(best->time.us, best->time.interval),
                     std::to_string(best->as_fast) + " of " + std::to_string(best->measured - 1),
                     figure(best->slowest_us) + " µs"});
                parts.push_back(table.rows[best->row].name + " (" + what + ")");
            }
        }
        if (!parts.empty()) {
            run_answer.verdict = Verdict::answered;
            run_answer.sentence = "Fastest here: " + listed(parts) + ".";
        }
        answer.runs.push_back(std::move(run_answer));
    }
    if (answer.table.rows.empty()) answer.table = {};
    answer.remarks.push_back(
        "As fast: the other layouts within 1 % of the fastest, and those whose intervals overlap its "
        "interval.");
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
