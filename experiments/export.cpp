#include "experiments/export.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "experiments/csv.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/setting.hpp"
#include "experiments/table.hpp"

namespace experiments {
namespace {

using nlohmann::ordered_json;

/// Seven digits: the precision of a float.
std::string float_text(double value) {
    return format::significant(value, 7);
}

/// The comparison with the baseline, "verdict" in the files; empty if it is not known.
std::string difference_text(const Report& report, const Result& result) {
    const auto differs = report.baseline ? report.baseline->differs(result) : std::nullopt;
    return !differs ? "" : *differs ? "differs" : "no difference found";
}

/// "count=12.1 move=15.2 between=1.1" in microseconds; "count=12.1/12.0" where also timed by subtraction.
std::string phases_cell(const Result& result) {
    std::string cell;
    for (const PhaseResult& phase : result.phases) {
        if (!cell.empty()) cell += ' ';
        cell += phase.name + "=" + float_text(phase.by_stamps_us.median);
        if (phase.by_subtraction_us.n > 0) cell += "/" + float_text(phase.by_subtraction_us.median);
    }
    if (!cell.empty()) cell += " between=" + float_text(result.between_us.median);
    return cell;
}

struct Column {
    const char* name;
    std::function<std::string(const Result&)> text;
};

/// Columns of correct results. `floor`: a copy of exactly the useful bytes.
std::vector<Column> result_columns(const Report& report) {
    const auto count = [](auto value) { return std::to_string(value); };
    return {
        {"median_us", [](const Result& r) { return float_text(r.us.median); }},
        {"q1_us", [](const Result& r) { return float_text(r.us.q1); }},
        {"q3_us", [](const Result& r) { return float_text(r.us.q3); }},
        {"min_us", [](const Result& r) { return float_text(r.us.min); }},
        {"max_us", [](const Result& r) { return float_text(r.us.max); }},
        {"samples", [count](const Result& r) { return count(r.us.n); }},
        {"median_low_us", [](const Result& r) { return float_text(r.median_interval_us.low); }},
        {"median_high_us", [](const Result& r) { return float_text(r.median_interval_us.high); }},
        {"coverage", [](const Result& r) { return float_text(r.median_interval_us.coverage); }},
        {"useful_gb_s", [](const Result& r) { return float_text(r.useful_gb_s); }},
        {"copy_us", [](const Result& r) { return float_text(r.copy_us); }},
        {"share_of_copy", [](const Result& r) { return float_text(r.share_of_copy); }},
        {"floor_us", [](const Result& r) { return float_text(r.floor_us); }},
        {"share_of_floor", [](const Result& r) { return float_text(r.share_of_floor); }},
        {"verdict", [&report](const Result& r) { return difference_text(report, r); }},
        {"phases_us", phases_cell},
    };
}

/// Columns that wrong results also have. `layout`: the resolved options; `wrong`: the first error.
std::vector<Column> bookkeeping_columns() {
    return {
        {"kept", [](const Result& r) { return std::to_string(r.num_kept); }},
        {"layout", options_text},
        {"calls_per_sample", [](const Result& r) { return std::to_string(r.calls_per_sample); }},
        {"throttled", [](const Result& r) { return std::to_string(r.throttled); }},
        {"calls_timed", [](const Result& r) { return std::to_string(r.calls_timed); }},
        {"calls_checked", [](const Result& r) { return std::to_string(r.calls_checked); }},
        {"wrong", [](const Result& r) { return r.first_error; }},
    };
}

/// The copy in the form of a result.
Result as_result(const CopyResult& copy) {
    Result result;
    result.us = copy.us;
    result.median_interval_us = copy.median_interval_us;
    result.useful_gb_s = copy.gb_s;
    result.copy_us = result.floor_us = copy.us.median;
    result.share_of_copy = result.share_of_floor = 1;
    result.throttled = copy.throttled;
    result.first_error = copy.first_error;
    return result;
}

ordered_json summary_json(const Summary& us) {
    return {{"median", us.median}, {"q1", us.q1},   {"q3", us.q3},
            {"min", us.min},       {"max", us.max}, {"n", us.n}};
}

ordered_json setting_json(const std::vector<Field>& fields) {
    ordered_json setting;
    for (const Field& field : fields) setting[field.name] = field.text;
    return setting;
}

ordered_json machine_json(const Machine& machine) {
    return {{"device", machine.device},           {"engine", machine.engine},
            {"driver", machine.driver},           {"memory_bytes", machine.memory_bytes},
            {"cache_bytes", machine.cache_bytes}, {"highest_clock_hz", machine.max_clock_hz},
            {"version", machine.version},         {"commit", machine.commit},
            {"command", machine.command},         {"date", machine.date}};
}

ordered_json interval_json(const Interval& interval) {
    return {{"low", interval.low}, {"high", interval.high}, {"coverage", interval.coverage}};
}

ordered_json figures_json(const Summary& us, const Interval& median_interval_us) {
    return {{"median_us", us.median},
            {"summary_us", summary_json(us)},
            {"median_interval_us", interval_json(median_interval_us)}};
}

void add_phases(const Result& result, ordered_json& json) {
    json["phases"] = ordered_json::array();
    for (const PhaseResult& phase : result.phases) {
        ordered_json each{{"name", phase.name},
                          {"by_stamps_us", summary_json(phase.by_stamps_us)},
                          {"by_stamps_interval_us", interval_json(phase.by_stamps_interval_us)},
                          {"hidden_us", phase.hidden_us}};
        if (phase.gap_us) each["gap_us"] = *phase.gap_us;
        if (phase.by_subtraction_us.n > 0) {
            each["by_subtraction_us"] = summary_json(phase.by_subtraction_us);
            each["by_subtraction_interval_us"] = interval_json(phase.by_subtraction_interval_us);
        }
        json["phases"].push_back(std::move(each));
    }
    if (result.phases.empty()) return;
    json["between_us"] = summary_json(result.between_us);
    json["between_interval_us"] = interval_json(result.between_interval_us);
    if (!result.no_subtraction_reason.empty()) json["no_subtraction"] = result.no_subtraction_reason;
}

ordered_json result_json(const Report& report, const Result& result) {
    ordered_json json{{"setting", setting_json(fields_of(result.setting))}, {"wrong", result.first_error}};
    json["kept"] = result.num_kept;
    json["layout"] = options_text(result);
    json["calls_per_sample"] = result.calls_per_sample;
    json["throttled"] = result.throttled;
    json["calls_timed"] = result.calls_timed;
    json["calls_checked"] = result.calls_checked;
    if (!result.correct()) return json;
    json.update(figures_json(result.us, result.median_interval_us));
    json["useful_gb_s"] = result.useful_gb_s;
    json["copy_us"] = result.copy_us;
    json["share_of_copy"] = result.share_of_copy;
    json["floor_us"] = result.floor_us;
    json["share_of_floor"] = result.share_of_floor;
    if (const std::string text = difference_text(report, result); !text.empty()) json["verdict"] = text;
    add_phases(result, json);
    json["samples_us"] = result.samples_us;
    return json;
}

ordered_json copy_json(const CopyResult& copy) {
    ordered_json json{{"setting", setting_json(fields_of_copy(copy.stream))}, {"wrong", copy.first_error}};
    json["throttled"] = copy.throttled;
    if (!copy.first_error.empty()) return json;
    json.update(figures_json(copy.us, copy.median_interval_us));
    json["gb_s"] = copy.gb_s;
    return json;
}

}  // namespace

std::string options_text(const Result& result) {
    std::string text;
    for (const compaction::LegalRange& range : result.setting.algorithm->options) {
        if (!text.empty()) text += ' ';
        text +=
            std::string(flag_of(range.option)) + "=" + range.text_of(result.resolved_options[range.option]);
    }
    return text;
}

std::string machine_comments(const Machine& machine) {
    std::ostringstream text;
    text << "# device: " << machine.device << "\n# engine: " << machine.engine
         << "\n# driver: " << machine.driver << "\n# memory bytes: " << machine.memory_bytes
         << "\n# cache bytes: " << machine.cache_bytes
         << "\n# highest clock, MHz: " << format::significant(machine.max_clock_hz * 1e-6, 5)
         << "\n# version: " << machine.version << "\n# commit: " << machine.commit
         << "\n# command: " << machine.command << "\n# date: " << machine.date << '\n';
    return text.str();
}

std::string to_csv(const Report& report) {
    const Measurement& measurement = report.measurement;
    const std::vector<Column> figures = result_columns(report);
    const std::vector<Column> bookkeeping = bookkeeping_columns();
    std::ostringstream csv;
    csv << csv_magic << '\n' << machine_comments(report.machine);
    for (const Skipped& skipped : measurement.skipped)
        csv << "# not measured: " << describe(skipped.setting) << ": " << skipped.reason << '\n';
    if (measurement.interrupted) csv << "# interrupted: the remaining settings were not measured\n";
    if (!measurement.failure.empty()) csv << "# failed: " << measurement.failure << '\n';
    std::string separator;
    for (const std::string& name : setting_field_names()) csv << std::exchange(separator, ",") << name;
    for (const auto* columns : {&figures, &bookkeeping}) {
        for (const Column& column : *columns) csv << ',' << column.name;
    }
    csv << '\n';
    const auto add_line = [&](const std::vector<Field>& fields, const Result& result, bool is_copy) {
        separator.clear();
        for (const Field& field : fields) csv << std::exchange(separator, ",") << csv_cell(field.text);
        for (const Column& column : figures)
            csv << ','
                << (result.correct() && !(is_copy && column.name == std::string_view("verdict"))
                        ? csv_cell(column.text(result))
                        : "");
        for (const Column& column : bookkeeping) {
            const std::string_view name = column.name;
            const bool known = !is_copy || name == "throttled" || name == "wrong";
            csv << ',' << (known ? csv_cell(column.text(result)) : "");
        }
        csv << '\n';
    };
    for (const CopyResult& copy : measurement.copies)
        add_line(fields_of_copy(copy.stream), as_result(copy), /*is_copy=*/true);
    for (const Result& result : measurement.results)
        add_line(fields_of(result.setting), result, /*is_copy=*/false);
    csv << csv_end_prefix << measurement.copies.size() + measurement.results.size() << '\n';
    return csv.str();
}

std::string to_json(const Report& report) {
    const Measurement& measurement = report.measurement;
    ordered_json document{{"format", json_format},
                          {"version", json_version},
                          {"machine", machine_json(report.machine)},
                          {"interrupted", measurement.interrupted},
                          {"failure", measurement.failure}};
    for (const char* const list : {"results", "copies", "skipped"}) document[list] = ordered_json::array();
    for (const Result& result : measurement.results)
        document["results"].push_back(result_json(report, result));
    for (const CopyResult& copy : measurement.copies) document["copies"].push_back(copy_json(copy));
    for (const Skipped& skipped : measurement.skipped) {
        document["skipped"].push_back(
            {{"setting", setting_json(fields_of(skipped.setting))}, {"reason", skipped.reason}});
    }
    // Device and file names may not be UTF-8.
    return document.dump(/*indent=*/1, /*indent_char=*/' ', /*ensure_ascii=*/false,
                         ordered_json::error_handler_t::replace) +
           "\n";
}

std::string to_markdown(const Report& report) {
    const Machine& machine = report.machine;
    std::ostringstream text;
    text << "`" << machine.command << "`, commit " << machine.commit << ", " << machine.date << ".\n\n"
         << to_markdown(results_table(report));
    const Table phases = phases_table(report);
    if (!phases.rows.empty()) text << '\n' << to_markdown(phases);
    for (const std::string& remark : phase_remarks(report.measurement)) text << '\n' << remark << '\n';
    for (const Skipped& skipped : report.measurement.skipped)
        text << "\nNot measured: " << describe(skipped.setting) << ": " << skipped.reason << '\n';
    if (report.measurement.interrupted) text << "\nInterrupted: the remaining settings were not measured.\n";
    if (!report.measurement.failure.empty()) text << "\nFailed: " << report.measurement.failure << '\n';
    return text.str();
}

}  // namespace experiments
