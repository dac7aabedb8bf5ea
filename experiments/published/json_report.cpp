#include <nlohmann/json.hpp>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/result_file.hpp"

namespace published {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json(nullptr);
}

Json to_json(const experiments::Interval& interval) {
    if (interval.coverage <= 0) return nullptr;
    return Json::array({interval.low, interval.high});
}

Json to_json(const EngineRun& run) {
    const experiments::Machine& machine = run.machine;
    return {{"engine", machine.engine},
            {"device", machine.device},
            {"driver", machine.driver},
            {"memory_bytes", machine.memory_bytes},
            {"cache_bytes", machine.cache_bytes},
            {"max_clock_hz", machine.max_clock_hz},
            {"copy_gb_s", run.copy_gb_s},
            {"copy_items", run.copy_items},
            {"version", machine.version},
            {"commit", machine.commit},
            {"command", machine.command},
            {"date", machine.date},
            {"failure", run.failure.empty() ? Json(nullptr) : Json(run.failure)}};
}

Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json cell_to_json(const Table& table, const MeasuredFigure& measured, std::size_t row, std::size_t column) {
    return {{"column", table.columns[column].name},
            {"unit", table.columns[column].unit},
            {"quantity", name_of(table.quantity_of(row, column))},
            {"published", or_null(table.rows[row].values[column].text)},
            {"covered", table.share_covered(row)},
            {"here", or_null(measured.value)},
            {"interval", to_json(measured.interval)},
            {"mean", or_null(measured.mean)},
            {"mean_interval", to_json(measured.mean_interval)},
            {"by_subtraction", or_null(measured.by_subtraction)},
            {"by_subtraction_interval", to_json(measured.by_subtraction_interval)},
            {"ratio", or_null(measured.ratio)},
            {"setting", or_null(measured.setting)},
            {"origin", or_null(measured.origin)},
            {"samples", measured.samples > 0 ? Json(measured.samples) : Json(nullptr)},
            {"launches", measured.value && measures_launches(table, row, column)},
            {"caution", or_null(measured.caution)},
            {"why_not", or_null(measured.why_not)}};
}

Json table_to_json(const TableRef& ref, const std::vector<MeasuredFigure>& cells) {
    Json rows = Json::array();
    const std::size_t num_columns = ref.table->columns.size();
    for (std::size_t row = 0; row < ref.table->rows.size(); ++row) {
        Json of_row = Json::array();
        for (std::size_t column = 0; column < num_columns; ++column) {
            of_row.push_back(cell_to_json(*ref.table, cells[row * num_columns + column], row, column));
        }
        rows.push_back({{"name", ref.table->rows[row].name},
                        {"card", ref.table->gpu_of(row)},
                        {"cells", std::move(of_row)}});
    }
    return {{"id", ref.table->id},         {"label", ref.document->label_of(*ref.table)},
            {"title", ref.table->title},   {"source", citation_of(ref)},
            {"method", ref.table->method}, {"no_counterpart", or_null(ref.table->no_counterpart)},
            {"rows", std::move(rows)}};
}

Json to_json(const Ranking& ranking) {
    Json swaps = Json::array();
    for (const Swap& swap : ranking.swaps) {
        swaps.push_back({{"faster_published", swap.faster_published},
                         {"faster_here", swap.faster_measured},
                         {"certain", swap.certain}});
    }
    return {{"table", ranking.table},
            {"group", ranking.group},
            {"entries", ranking.entries.size()},
            {"kendall_tau", or_null(ranking.tau)},
            {"preserved", ranking.preserved()},
            {"launches", ranking.measures_launches},
            {"swaps", std::move(swaps)}};
}

Json to_json(const RatioAnswer& ratio) {
    Json published = Json::array();
    for (const RatioAnswer::Gpu& gpu : ratio.published) {
        published.push_back({{"card", gpu.name}, {"mean", gpu.mean}, {"sd", gpu.sd}});
    }
    Json measured = Json::array();
    for (const auto& point : ratio.measured) {
        measured.push_back({{"num_items", point.num_items},
                            {"ratio", point.ratio.value},
                            {"interval", to_json(point.ratio.interval)}});
    }
    return {{"of", ratio.source.numerator},
            {"to", ratio.source.denominator},
            {"published", std::move(published)},
            {"here", std::move(measured)},
            {"mean", ratio.spread ? Json(ratio.spread->mean) : Json(nullptr)},
            {"sd", ratio.spread ? Json(ratio.spread->sd) : Json(nullptr)},
            {"mean_from_2_18", ratio.spread_long ? Json(ratio.spread_long->mean) : Json(nullptr)},
            {"sd_from_2_18", ratio.spread_long ? Json(ratio.spread_long->sd) : Json(nullptr)}};
}

Json to_json(const VectorGain& gain) {
    Json widths = Json::array();
    for (const VectorGain::Width& width : gain.widths) {
        const auto measured_gain = gain.measured_gain(width.name);
        widths.push_back({{"width", width.name},
                          {"published_us", or_null(width.published_us)},
                          {"here_us", width.measured ? Json(width.measured->us) : Json(nullptr)},
                          {"published_gain", or_null(gain.published_gain(width.name))},
                          {"gain_here", measured_gain ? Json(measured_gain->value) : Json(nullptr)}});
    }
    return {{"series", gain.series}, {"algorithm", gain.algorithm}, {"widths", std::move(widths)}};
}

Json to_json(const PhaseProfile& profile) {
    Json phases = Json::array();
    for (const PhaseProfile::Time& time : profile.phases) {
        phases.push_back(
            {{"phase", name_of(time.role)},
             {"published_us", or_null(time.us[index_of(Timing::published)])},
             {"stamps_us", or_null(time.us[index_of(Timing::stamps)])},
             {"stamps_interval_us", to_json(time.interval[index_of(Timing::stamps)])},
             {"subtraction_us", or_null(time.us[index_of(Timing::subtraction)])},
             {"subtraction_interval_us", to_json(time.interval[index_of(Timing::subtraction)])}});
    }
    return {{"name", profile.name}, {"phases", std::move(phases)}};
}

template <typename Values>
Json list_of(const Values& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(to_json(value));
    return list;
}

Json words_of(const AnswerInputs& inputs) {
    Json words = Json::array();
    for (const Document* document : documents_of(inputs.report)) {
        for (const AnswerText& answer : answer_questions(inputs, *document)) {
            Json runs = Json::array();
            for (const RunAnswer& run : answer.runs) {
                runs.push_back(
                    {{"run", run.devices}, {"verdict", name_of(run.verdict)}, {"sentence", run.sentence}});
            }
            words.push_back({{"part", document->label},
                             {"question", answer.question->text},
                             {"published", answer.question->published},
                             {"runs", std::move(runs)},
                             {"heads", answer.table.headers},
                             {"rows", answer.table.rows},
                             {"remarks", answer.remarks}});
        }
    }
    return words;
}

Json run_to_json(const Report& report, std::size_t run) {
    const Report alone{report.tables, {report.runs[run]}};
    const AnswerInputs inputs = answer_inputs_of(alone);
    const Answers& answers = inputs.answers.front();
    const Results& results = report.runs[run];
    std::vector<Ranking> measured_rankings = answers.rankings;
    std::erase_if(measured_rankings, [](const Ranking& ranking) { return ranking.entries.size() < 2; });
    Json tables = Json::array();
    for (std::size_t i = 0; i < report.tables.size(); ++i) {
        tables.push_back(table_to_json(report.tables[i], results.cells[i]));
    }
    Json phases = Json::array();
    for (const PhaseComparison& comparison : answers.phases) {
        phases.push_back({{"table", comparison.table},
                          {"base", to_json(comparison.base)},
                          {"other", to_json(comparison.other)}});
    }
    return {{"format", "warpsieve-reproduce-1"},
            {"quick", results.quick},
            {"interrupted", results.interrupted},
            {"wrong", results.wrong},
            {"engines", list_of(results.engines)},
            {"tables", std::move(tables)},
            {"answers",
             {{"rankings", list_of(measured_rankings)},
              {"ratios", list_of(answers.ratios)},
              {"vector_gains", list_of(answers.vector_gains)},
              {"phases", std::move(phases)},
              {"words", words_of(inputs)}}}};
}

}  // namespace

std::string to_json(const Report& report) {
    if (report.runs.size() == 1) return experiments::json_text(run_to_json(report, /*run=*/0));
    Json runs = Json::array();
    for (std::size_t run = 0; run < report.runs.size(); ++run) runs.push_back(run_to_json(report, run));
    return experiments::json_text(Json{{"format", "warpsieve-reproduce-merged-1"},
                                       {"runs", std::move(runs)},
                                       {"words", words_of(answer_inputs_of(report))}});
}

}  // namespace published
