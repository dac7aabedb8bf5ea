#include <nlohmann/json.hpp>

#include "experiments/json_text.hpp"
#include "experiments/published/reports.hpp"

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
            {"version", machine.version},
            {"commit", machine.commit},
            {"command", machine.command},
            {"date", machine.date},
            {"failure", run.failure.empty() ? Json(nullptr) : Json(run.failure)}};
}

Json cell_to_json(const Reproduction& reproduction, std::size_t index, std::size_t row, std::size_t column) {
    const Table& table = *reproduction.tables()[index].table;
    const Here here = reproduction.here(index, row, column);
    Json cell{{"column", table.columns[column].name},
              {"unit", table.columns[column].unit},
              {"quantity", name_of(table.quantity_of(row, column))},
              {"published", or_null(table.rows[row].values[column].text)},
              {"here", or_null(here.value)},
              {"interval", to_json(here.interval)},
              {"ratio", or_null(here.ratio)},
              {"setting", nullptr},
              {"samples", nullptr},
              {"caution", nullptr},
              {"why_not", here.why_not.empty() ? Json(nullptr) : Json(here.why_not)}};
    if (here.result) {
        cell["setting"] = experiments::describe(here.result->setting);
        cell["samples"] = here.result->us.n;
        const std::string caution = caution_of(*here.result);
        if (!caution.empty()) cell["caution"] = caution;
    }
    return cell;
}

Json table_to_json(const Reproduction& reproduction, std::size_t index) {
    const TableRef& ref = reproduction.tables()[index];
    Json rows = Json::array();
    for (std::size_t row = 0; row < ref.table->rows.size(); ++row) {
        Json cells = Json::array();
        for (std::size_t column = 0; column < ref.table->columns.size(); ++column) {
            cells.push_back(cell_to_json(reproduction, index, row, column));
        }
        rows.push_back({{"name", ref.table->rows[row].name},
                        {"card", ref.table->gpu_of(row)},
                        {"cells", std::move(cells)}});
    }
    return {{"id", ref.table->id},
            {"title", ref.table->title},
            {"source", citation_of(ref)},
            {"method", ref.table->method},
            {"no_counterpart", or_null(ref.table->no_counterpart)},
            {"rows", std::move(rows)}};
}

Json to_json(const Ranking& ranking) {
    Json swaps = Json::array();
    for (const Swap& swap : ranking.swaps) {
        swaps.push_back({{"faster_published", swap.faster_published},
                         {"faster_here", swap.faster_here},
                         {"certain", swap.certain}});
    }
    return {{"table", ranking.table},
            {"group", ranking.group},
            {"contestants", ranking.entries.size()},
            {"kendall_tau", or_null(ranking.tau)},
            {"preserved", ranking.preserved()},
            {"swaps", std::move(swaps)}};
}

Json to_json(const RatioAnswer& ratio) {
    Json published = Json::array();
    for (const RatioAnswer::Gpu& gpu : ratio.published) {
        published.push_back({{"card", gpu.name}, {"mean", gpu.mean}, {"sd", gpu.sd}});
    }
    Json here = Json::array();
    for (const auto& point : ratio.here) {
        here.push_back(
            {{"num_items", point.num_items}, {"ratio", point.ratio}, {"interval", to_json(point.interval)}});
    }
    return {{"of", ratio.source.of},
            {"to", ratio.source.to},
            {"published", std::move(published)},
            {"here", std::move(here)},
            {"mean", ratio.spread ? Json(ratio.spread->mean) : Json(nullptr)},
            {"sd", ratio.spread ? Json(ratio.spread->sd) : Json(nullptr)}};
}

Json to_json(const VectorGain& gain) {
    Json widths = Json::array();
    for (const VectorGain::Width& width : gain.widths) {
        widths.push_back({{"width", width.name},
                          {"published_us", or_null(width.published_us)},
                          {"here_us", or_null(width.here_us)},
                          {"published_gain", or_null(gain.published_gain(width.name))},
                          {"gain_here", or_null(gain.gain_here(width.name))}});
    }
    return {{"series", gain.series}, {"algorithm", gain.algorithm}, {"widths", std::move(widths)}};
}

Json to_json(const PhaseProfile& profile) {
    Json phases = Json::array();
    for (const PhaseProfile::Time& time : profile.phases) {
        phases.push_back({{"phase", name_of(time.role)},
                          {"published_us", or_null(time.us[0])},
                          {"stamps_us", or_null(time.us[1])},
                          {"subtraction_us", or_null(time.us[2])}});
    }
    return {{"name", profile.name}, {"phases", std::move(phases)}};
}

template <typename Values>
Json list_of(const Values& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(to_json(value));
    return list;
}

}  // namespace

std::string to_json(const Reproduction& reproduction, const Answers& answers) {
    Json tables = Json::array();
    for (std::size_t i = 0; i < reproduction.tables().size(); ++i) {
        tables.push_back(table_to_json(reproduction, i));
    }
    Json phases = Json::array();
    for (const PhaseComparison& comparison : answers.phases) {
        phases.push_back({{"table", comparison.table},
                          {"base", to_json(comparison.base)},
                          {"other", to_json(comparison.other)}});
    }
    Json words = Json::array();
    for (const AnswerText& each : describe(answers)) {
        words.push_back({{"question", each.question}, {"sentences", each.sentences}});
    }
    const Json document{{"format", "warpsieve-reproduce-1"},
                        {"quick", reproduction.limits().quick},
                        {"interrupted", reproduction.interrupted()},
                        {"engines", list_of(reproduction.engines())},
                        {"tables", std::move(tables)},
                        {"answers",
                         {{"rankings", list_of(answers.rankings)},
                          {"ratios", list_of(answers.ratios)},
                          {"vector_gains", list_of(answers.vector_gains)},
                          {"phases", std::move(phases)},
                          {"words", std::move(words)}}}};
    return experiments::json_text(document);
}

}  // namespace published
