#include "experiments/baseline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
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

/// Refuses text that is no number. `place`: "line 12", "results[3]".
template <typename Number>
Number parse_cell(const std::string& text, const std::string& column, const std::string& place,
                  const std::string& name) {
    const auto value = format::parse_number<Number>(text);
    if (!value) refuse(name, place + " has '" + text + "' for " + column + ".");
    return *value;
}

/// Refuses figures that no measurement gives: no verdict may rest on them.
void require_sound(const Summary& us, const Interval& interval, const std::string& place,
                   const std::string& name) {
    if (!(us.median > 0 && std::isfinite(us.median))) refuse(name, place + ": median_us is not a time.");
    const auto refuse_for = [&](const std::string& fault) {
        refuse(name, place + " has figures that no measurement gives: " + fault + ".");
    };
    for (const std::string& fault : {fault_of(us), fault_of(interval, us.median)})
        if (!fault.empty()) refuse_for(fault);
    if (us.min < 0 || interval.low < 0) refuse_for("a time is negative");
    if (us.n == 0) refuse_for("there are no samples");
}

/// Figures beside the times, on which no verdict rests.
constexpr std::array amounts{"useful_gb_s", "copy_us", "share_of_copy", "floor_us", "share_of_floor", "gb_s"};
constexpr std::array counts{"kept", "calls_per_sample", "calls_timed", "calls_checked"};

/// Refuses an amount that no measurement gives.
void require_amount(double amount, std::string_view column, const std::string& place,
                    const std::string& name) {
    if (!(amount >= 0 && std::isfinite(amount)))
        refuse(name, place + " has figures that no measurement gives: " + std::string(column) +
                         " is negative or not finite.");
}

/// Refuses more throttled samples than samples.
void require_throttled(std::size_t throttled, std::size_t samples, const std::string& place,
                       const std::string& name) {
    if (throttled > samples)
        refuse(name, place + " has figures that no measurement gives: " + std::to_string(throttled) + " of " +
                         std::to_string(samples) + " samples are throttled.");
}

/// Refuses a number of the setting that is written in another way, because two settings would then be one.
void require_canonical(const std::vector<Field>& fields, const std::string& place, const std::string& name) {
    for (const Field& field : fields) {
        const bool is_count = field.name == "n" || field.name == "item_bytes" || field.name == "seed";
        const bool is_fraction = field.name == "density" && !field.text.empty();
        if (!is_count && !is_fraction) continue;
        const auto count = format::parse_number<std::uint64_t>(field.text);
        const auto fraction = format::parse_number<double>(field.text);
        const bool is_legal = is_count ? count && std::to_string(*count) == field.text
                                       : fraction && *fraction >= 0 && *fraction <= 1 &&
                                             format::shortest(*fraction, keep_fraction_digits) == field.text;
        if (!is_legal) refuse(name, place + " has '" + field.text + "' for " + field.name + ".");
    }
}

double number_in(const nlohmann::json& object, const char* key, const std::string& place,
                 const std::string& name) {
    const nlohmann::json& value = object.at(key);
    // get() converts true to 1.
    if (!value.is_number()) refuse(name, place + " has '" + value.dump() + "' for " + key + ".");
    return value.get<double>();
}

std::size_t count_in(const nlohmann::json& object, const char* key, const std::string& place,
                     const std::string& name) {
    const nlohmann::json& value = object.at(key);
    if (!value.is_number_unsigned()) refuse(name, place + " has '" + value.dump() + "' for " + key + ".");
    return value.get<std::size_t>();
}

void require_samples(const nlohmann::json& samples, std::size_t num_samples, const std::string& place,
                     const std::string& name) {
    if (!samples.is_array() || samples.size() != num_samples)
        refuse(name, place + " has not as many samples_us as samples.");
    for (const nlohmann::json& sample : samples) {
        if (!sample.is_number()) refuse(name, place + " has '" + sample.dump() + "' in samples_us.");
        require_amount(sample, "one of samples_us", place, name);
    }
}

std::string repeat_text(const std::string& place, const std::vector<Field>& fields) {
    return place + " repeats a setting: " + describe(fields) +
           ". It is not known which of the two is valid; remove one.";
}

nlohmann::json json_of(std::string_view text, const std::string& name) {
    try {
        return parse_json(text);
    } catch (const compaction::Error& problem) {
        refuse(name, std::string(problem.what()) + ".");
    }
}

}  // namespace

std::string_view name_of(Program program) {
    return program == Program::writer ? "this" : "other";
}

Baseline Baseline::read(const std::filesystem::path& file) {
    return parse(read_whole(file), file.string());
}

Baseline Baseline::parse(std::string_view text, const std::string& name, Program program) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    if (begin == text.size()) refuse(name, "it is empty.");
    if (text[begin] == '{') return from_json(text, name);
    if (text.starts_with(csv_magic)) return from_csv(text, name, program);
    refuse(name, "it is neither of the two formats.");
}

Baseline::Entry* Baseline::add(std::vector<Field> fields, std::size_t process) {
    const auto [found, is_new] = index_of_key_.try_emplace(key_of(fields), entries_.size());
    if (is_new) entries_.push_back({.fields = std::move(fields)});
    Entry& entry = entries_[found->second];
    if (std::ranges::find(entry.processes, process) != entry.processes.end()) return nullptr;
    entry.processes.push_back(process);
    return &entry;
}

Baseline Baseline::from_json(std::string_view text, const std::string& name) {
    Baseline baseline;
    std::string place = "the document";
    try {
        const nlohmann::json document = json_of(text, name);
        if (document.value("format", "") != json_format) refuse(name, "it is JSON in another format.");
        if (document.at("version") != json_version)
            refuse(name, "it has version " + document.at("version").dump() +
                             ", but this program reads version " + std::to_string(json_version) + ".");
        const nlohmann::json& machine = document.at("machine");
        baseline.device_ = machine.at("device");
        baseline.engine_ = machine.at("engine");
        baseline.version_ = machine.at("version");
        for (const char* const list : {"results", "copies"}) {
            std::size_t index = 0;
            for (const nlohmann::json& result : document.at(list)) {
                place = std::string(list) + "[" + std::to_string(index++) + "]";
                std::vector<Field> fields;
                for (const std::string& field : setting_field_names())
                    fields.push_back({field, result.at("setting").at(field)});
                Entry* const entry = baseline.add(fields, /*process=*/1);
                if (!entry) refuse(name, repeat_text(place, fields));
                require_canonical(fields, place, name);
                entry->throttled = count_in(result, "throttled", place, name);
                if (!result.at("wrong").get<std::string>().empty()) continue;
                const auto figure = [&](const nlohmann::json& object, const char* key) {
                    return number_in(object, key, place, name);
                };
                const nlohmann::json& us = result.at("summary_us");
                const Summary summary{.median = figure(us, "median"),
                                      .q1 = figure(us, "q1"),
                                      .q3 = figure(us, "q3"),
                                      .min = figure(us, "min"),
                                      .max = figure(us, "max"),
                                      .n = count_in(us, "n", place, name)};
                if (figure(result, "median_us") != summary.median)
                    refuse(name, place + " has two different medians.");
                const nlohmann::json& ends = result.at("median_interval_us");
                const Interval interval{figure(ends, "low"), figure(ends, "high"), figure(ends, "coverage")};
                require_sound(summary, interval, place, name);
                require_throttled(entry->throttled, summary.n, place, name);
                for (const char* const key : amounts)
                    if (result.contains(key)) require_amount(figure(result, key), key, place, name);
                for (const char* const key : counts)
                    if (result.contains(key)) count_in(result, key, place, name);
                if (result.contains("samples_us"))
                    require_samples(result.at("samples_us"), summary.n, place, name);
                entry->medians_us.push_back(summary.median);
                entry->median_interval_us = interval;
            }
        }
    } catch (const nlohmann::json::exception& error) {
        refuse(name, "in " + place + ", a value is missing or has the wrong type (" +
                         reason_in(error.what()) + ").");
    }
    return baseline;
}

Baseline Baseline::from_csv(std::string_view text, const std::string& name, Program program) {
    const CsvText csv = split_csv(text);
    Baseline baseline;
    baseline.device_ = csv.comment("device");
    baseline.engine_ = csv.comment("engine");
    baseline.version_ = csv.comment("version");
    if (!csv.complete())
        refuse(name, "it is cut off: the line that counts its results is missing or does not match.");
    std::map<std::string, std::size_t> index_of;
    for (std::size_t index = 0; index < csv.columns.size(); ++index) {
        if (!index_of.try_emplace(csv.columns[index], index).second)
            refuse(name, "the column " + csv.columns[index] + " appears twice.");
    }
    const bool has_processes = index_of.contains(process_column);
    std::set<std::size_t> processes;
    for (std::size_t row = 0; row < csv.rows.size(); ++row) {
        const std::string line = "line " + std::to_string(csv.line_of_row[row]);
        if (csv.rows[row].size() != csv.columns.size())
            refuse(name, line + " has " + std::to_string(csv.rows[row].size()) + " cells, but there are " +
                             std::to_string(csv.columns.size()) + " columns.");
        const auto cell = [&](const std::string& column) {
            const auto index = index_of.find(column);
            if (index == index_of.end()) refuse(name, "the column " + column + " is missing.");
            return csv.rows[row][index->second];
        };
        const auto number_at = [&](const std::string& column) {
            return parse_cell<double>(cell(column), column, line, name);
        };
        const auto count_at = [&](const std::string& column) {
            return parse_cell<std::size_t>(cell(column), column, line, name);
        };
        if (has_processes && cell(program_column) != name_of(Program::writer) &&
            cell(program_column) != name_of(Program::other))
            refuse(name, line + " has '" + cell(program_column) + "' for " + program_column + ".");
        if (has_processes && cell(program_column) != name_of(program)) continue;
        const std::size_t process = has_processes ? count_at(process_column) : 1;
        processes.insert(process);
        std::vector<Field> fields;
        for (const std::string& field : setting_field_names()) fields.push_back({field, cell(field)});
        Entry* const entry = baseline.add(fields, process);
        if (!entry) refuse(name, repeat_text(line, fields));
        require_canonical(fields, line, name);
        const std::size_t throttled = count_at("throttled");
        entry->throttled += throttled;
        if (!cell("wrong").empty()) continue;
        const Summary summary{.median = number_at("median_us"),
                              .q1 = number_at("q1_us"),
                              .q3 = number_at("q3_us"),
                              .min = number_at("min_us"),
                              .max = number_at("max_us"),
                              .n = count_at("samples")};
        const Interval interval{number_at("median_low_us"), number_at("median_high_us"),
                                number_at("coverage")};
        require_sound(summary, interval, line, name);
        require_throttled(throttled, summary.n, line, name);
        for (const char* const column : amounts)
            if (index_of.contains(column)) require_amount(number_at(column), column, line, name);
        // Copies leave them empty.
        for (const char* const column : counts)
            if (index_of.contains(column) && !cell(column).empty()) count_at(column);
        entry->medians_us.push_back(summary.median);
        entry->median_interval_us = interval;
    }
    baseline.num_processes_ = std::max<std::size_t>(1, processes.size());
    return baseline;
}

const Baseline::Entry* Baseline::find(const std::string& key) const {
    const auto found = index_of_key_.find(key);
    if (found == index_of_key_.end() || entries_[found->second].medians_us.empty()) return nullptr;
    return &entries_[found->second];
}

std::vector<const Baseline::Entry*> Baseline::settings() const {
    std::vector<const Entry*> settings;
    for (const Entry& entry : entries_) {
        if (entry.fields.front().text != copy_name) settings.push_back(&entry);
    }
    return settings;
}

std::optional<bool> Baseline::differs(const Result& result) const {
    const Entry* const before = find(result.setting);
    if (!before || before->throttled > 0 || !result.supports_verdict()) return std::nullopt;
    const Interval& earlier = before->median_interval_us;
    const Interval& now = result.median_interval_us;
    if (!earlier.trusted() || !now.trusted()) return std::nullopt;
    return now.low > earlier.high || now.high < earlier.low;
}

std::string Baseline::difference_in_words(const Result& result) const {
    const auto difference = differs(result);
    if (!difference) return {};
    if (!*difference) return "no difference found between these two runs";
    const Entry& before = *find(result.setting);
    const Interval ratio = ratio_of(before.median_interval_us, result.median_interval_us);
    const auto three_digits = [](double value) { return format::significant(value, 3); };
    return "differs between these two runs: " + three_digits(result.us.median / before.medians_us.back()) +
           " (" + three_digits(ratio.low) + " to " + three_digits(ratio.high) + ") times " +
           three_digits(before.medians_us.back()) + " µs";
}

std::string why_not_judged(const Baseline& before, std::string_view device, std::string_view engine,
                           std::string_view version) {
    struct Fact {
        const char* words;
        std::string_view before;
        std::string_view now;
    };
    for (const Fact& fact :
         {Fact{"on ", before.device(), device}, Fact{"with the engine ", before.engine(), engine},
          Fact{"by version ", before.version(), version}}) {
        if (fact.before == fact.now) continue;
        return std::string("measured ") + fact.words + std::string(fact.before) + ", and this run " +
               fact.words + std::string(fact.now);
    }
    return {};
}

}  // namespace experiments
