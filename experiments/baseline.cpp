#include "experiments/baseline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/csv.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/result_file.hpp"
#include "experiments/setting.hpp"

namespace experiments {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            "the baseline " + name + " cannot be used: " + what +
                                " Give a CSV or JSON file that 'warpsieve bench' wrote.");
}

double number(const std::string& text, const std::string& column, std::size_t line, const std::string& name) {
    const auto value = format::parse_number<double>(text);
    if (!value) refuse(name, "line " + std::to_string(line) + " has '" + text + "' for " + column + ".");
    return *value;
}

nlohmann::json json_of(std::string_view text, const std::string& name) {
    try {
        return parse_json(text);
    } catch (const compaction::Error& problem) {
        refuse(name, std::string(problem.what()) + ".");
    }
}

/// Whether the result was correct. Wrong results have no median to compare with.
bool has_figures(const nlohmann::json& result) {
    return result.at("wrong").get<std::string>().empty();
}

}  // namespace

Baseline Baseline::read(const std::filesystem::path& file) {
    return parse(read_whole(file), file.string());
}

Baseline Baseline::parse(std::string_view text, const std::string& name) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    if (begin == text.size()) refuse(name, "it is empty.");
    if (text[begin] == '{') return from_json(text, name);
    if (text.starts_with(csv_magic)) return from_csv(text, name);
    refuse(name, "it is neither of the two formats.");
}

Baseline Baseline::from_json(std::string_view text, const std::string& name) {
    Baseline baseline;
    try {
        const nlohmann::json document = json_of(text, name);
        if (document.value("format", "") != json_format) refuse(name, "it is JSON in another format.");
        if (document.at("version") != json_version)
            refuse(name, "it has version " + document.at("version").dump() +
                             ", but this program reads version " + std::to_string(json_version) + ".");
        baseline.device_ = document.at("machine").at("device");
        for (const char* const list : {"results", "copies"}) {
            for (const nlohmann::json& result : document.at(list)) {
                if (!has_figures(result)) continue;
                std::vector<Field> fields;
                for (const std::string& field : setting_field_names())
                    fields.push_back({field, result.at("setting").at(field)});
                const nlohmann::json& interval = result.at("median_interval_us");
                baseline.entries_[key_of(fields)] = {
                    result.at("median_us"),
                    {interval.at("low"), interval.at("high"), interval.at("coverage")}};
            }
        }
    } catch (const nlohmann::json::exception& error) {
        refuse(name,
               std::string("a value is missing or has the wrong type (") + reason_in(error.what()) + ").");
    }
    return baseline;
}

Baseline Baseline::from_csv(std::string_view text, const std::string& name) {
    const CsvText csv = split_csv(text);
    Baseline baseline;
    baseline.device_ = csv.comment("device");
    if (!csv.complete())
        refuse(name, "it is cut off: the line that counts its results is missing or does not match.");
    for (std::size_t row = 0; row < csv.rows.size(); ++row) {
        const std::size_t line = csv.line_of_row[row];
        if (csv.rows[row].size() != csv.columns.size())
            refuse(name, "line " + std::to_string(line) + " has " + std::to_string(csv.rows[row].size()) +
                             " cells, but there are " + std::to_string(csv.columns.size()) + " columns.");
        const auto cell = [&](const std::string& column) {
            const auto found = std::ranges::find(csv.columns, column);
            if (found == csv.columns.end()) refuse(name, "the column " + column + " is missing.");
            return csv.rows[row][static_cast<std::size_t>(found - csv.columns.begin())];
        };
        const auto number_in = [&](const std::string& column) {
            return number(cell(column), column, line, name);
        };
        if (!cell("wrong").empty()) continue;
        std::vector<Field> fields;
        for (const std::string& field : setting_field_names()) fields.push_back({field, cell(field)});
        baseline.entries_[key_of(fields)] = {
            number_in("median_us"),
            {number_in("median_low_us"), number_in("median_high_us"), number_in("coverage")}};
    }
    return baseline;
}

const Baseline::Entry* Baseline::find(const Setting& setting) const {
    const auto found = entries_.find(key_of(fields_of(setting)));
    return found == entries_.end() ? nullptr : &found->second;
}

std::optional<Change> Baseline::change(const Result& result) const {
    const Entry* entry = find(result.setting);
    if (!entry || !result.correct()) return std::nullopt;
    return compare(entry->median_interval_us, result.median_interval_us);
}

std::string Baseline::change_in_words(const Result& result) const {
    const auto changed = change(result);
    if (!changed) return {};
    const Entry& before = *find(result.setting);
    const Interval ratio = ratio_of(before.median_interval_us, result.median_interval_us);
    const auto three_digits = [](double value) { return format::significant(value, 3); };
    return std::string(name_of(*changed)) + ": " + three_digits(result.us.median / before.median_us) + " (" +
           three_digits(ratio.low) + " to " + three_digits(ratio.high) + ") times the " +
           three_digits(before.median_us) + " µs before";
}

bool Baseline::regressed(const Result& result, double percent) const {
    return change(result) == Change::slower &&
           ratio_of(find(result.setting)->median_interval_us, result.median_interval_us).low >
               1 + percent / 100;
}

}  // namespace experiments
