#include "experiments/published/results.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "compaction/error.hpp"
#include "embedded/published_references.hpp"
#include "experiments/published/field.hpp"

namespace published {
namespace {

std::optional<double> ratio_of(Quantity quantity, std::optional<double> published,
                               std::optional<double> measured) {
    if (is_counted(quantity) || !published || !measured || *published <= 0 || *measured <= 0)
        return std::nullopt;
    return is_time(quantity) ? *published / *measured : *measured / *published;
}

void fill_ratio(MeasuredFigure& measured, std::span<const TableRef> tables, const Results& results,
                const Table& table, Quantity quantity) {
    measured = {};
    if (!table.ratio) {
        measured.why_not = "no counterpart: the table does not name the algorithms of its ratios";
        return;
    }
    std::vector<double> values;
    for (const RatioPoint& point : ratios_of(tables, results, *table.ratio))
        values.push_back(point.ratio.value);
    const auto spread = spread_of(values);
    if (!spread) {
        measured.why_not = "needs both implementations at two lengths or more";
        return;
    }
    measured.value = quantity == Quantity::ratio_mean ? spread->mean : spread->sd;
}

}  // namespace

double microseconds_in(const std::string& unit) {
    if (unit == "s") return 1e6;
    return unit == "ms" ? 1e3 : 1.0;
}

std::optional<MeasuredTime> time_of(const MeasuredFigure& measured, const std::string& unit) {
    if (!measured.value || *measured.value <= 0) return std::nullopt;
    const double us = microseconds_in(unit);
    return MeasuredTime{*measured.value * us, scaled(measured.interval, us)};
}

Factor quotient(const MeasuredTime& numerator, const MeasuredTime& denominator) {
    const bool known =
        numerator.interval.coverage > 0 && denominator.interval.coverage > 0 && denominator.interval.low > 0;
    return {
        numerator.us / denominator.us,
        known ? experiments::ratio_of(denominator.interval, numerator.interval) : experiments::Interval{}};
}

std::optional<Spread> spread_of(std::span<const double> values) {
    if (values.size() < 2) return std::nullopt;
    Spread spread{.n = values.size()};
    for (const double value : values) spread.mean += value;
    spread.mean /= static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    spread.sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return spread;
}

std::string Results::devices() const {
    std::string names;
    std::vector<std::string> seen;
    for (const EngineRun& run : engines) {
        if (std::ranges::find(seen, run.machine.device) != seen.end()) continue;
        seen.push_back(run.machine.device);
        names += (names.empty() ? "" : " and ") + run.machine.device;
    }
    return names.empty() ? "nothing measured" : names;
}

std::size_t Results::num_values() const {
    std::size_t count = 0;
    for (const auto& table : cells) {
        count += static_cast<std::size_t>(std::ranges::count_if(
            table, [](const MeasuredFigure& measured) { return measured.value.has_value(); }));
    }
    return count;
}

std::string Report::name_of(std::size_t run) const {
    const std::string name = runs[run].devices();
    std::size_t num_namesakes = 0;  // including the run itself
    std::size_t namesakes_before = 0;
    for (std::size_t other = 0; other < runs.size(); ++other) {
        if (runs[other].devices() != name) continue;
        ++num_namesakes;
        if (other < run) ++namesakes_before;
    }
    return num_namesakes > 1 ? name + " (" + std::to_string(namesakes_before + 1) + ")" : name;
}

std::optional<std::size_t> Report::index_of(const std::string& id) const {
    const auto found = std::ranges::find_if(tables, [&](const TableRef& ref) { return ref.table->id == id; });
    if (found == tables.end()) return std::nullopt;
    return static_cast<std::size_t>(found - tables.begin());
}

bool Report::has_values(std::size_t run, std::size_t table) const {
    return std::ranges::any_of(runs[run].cells[table],
                               [](const MeasuredFigure& measured) { return measured.value.has_value(); });
}

std::vector<std::size_t> Report::runs_with_values(std::size_t table) const {
    std::vector<std::size_t> found;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (has_values(run, table)) found.push_back(run);
    }
    return found;
}

std::string Report::why_no_values(std::size_t run, std::size_t table) const {
    for (const MeasuredFigure& measured : runs[run].cells[table]) {
        if (!measured.why_not.empty()) return measured.why_not;
    }
    return {};
}

std::vector<RatioPoint> ratios_of(std::span<const TableRef> tables, const Results& results,
                                  const RatioSource& source) {
    struct Times {
        std::optional<MeasuredTime> numerator;
        std::optional<MeasuredTime> denominator;
    };
    std::map<std::uint64_t, Times> by_length;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const Table& table = *tables[t].table;
        if (table.id != source.table) continue;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const auto time = time_of(results.cells[t][row * table.columns.size() + column],
                                          table.columns[column].unit);
                const PartialSetting setting = table.setting_of(row, column);
                if (!time || !setting.num_items || !setting.algorithm) continue;
                Times& times = by_length[*setting.num_items];
                if (*setting.algorithm == source.numerator) times.numerator = time;
                if (*setting.algorithm == source.denominator) times.denominator = time;
            }
        }
    }
    std::vector<RatioPoint> points;
    for (const auto& [num_items, times] : by_length) {
        if (times.numerator && times.denominator)
            points.push_back({num_items, quotient(*times.numerator, *times.denominator)});
    }
    return points;
}

void fill_in_ratios(std::span<const TableRef> tables, Results& results) {
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const Table& table = *tables[t].table;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const Quantity quantity = table.quantity_of(row, column);
                MeasuredFigure& measured = results.cells[t][row * table.columns.size() + column];
                if (quantity == Quantity::ratio_mean || quantity == Quantity::ratio_sd) {
                    fill_ratio(measured, tables, results, table, quantity);
                }
                // A deviation has no speed-up.
                if (quantity == Quantity::ratio_sd) continue;
                measured.ratio = ratio_of(quantity, table.published_value(row, column), measured.value);
            }
        }
    }
}

bool measures_launches(const Table& table, std::size_t row, std::size_t column) {
    const PartialSetting setting = table.setting_of(row, column);
    const Quantity quantity = table.quantity_of(row, column);
    if (!is_time(quantity) || is_of_fresh_process(quantity)) return false;
    if (!setting.algorithm || !setting.num_items) return false;
    if (*setting.num_items >= launch_bound_below) return false;
    try {
        return compaction::find_algorithm(*setting.algorithm).engine == compaction::EngineId::cuda;
    } catch (const compaction::Error&) {
        return false;
    }
}

namespace {

/// A figure that is never negative.
std::optional<double> find_magnitude(const Field& owner, std::string_view name) {
    const std::optional<double> value = owner.find_number(name);
    if (value && *value < 0) owner.at(name).refuse("must not be negative");
    return value;
}

/// 0 if there is none.
std::uint64_t find_count(const Field& owner, std::string_view name) {
    const double value = owner.find_number(name).value_or(0);
    constexpr double max_count = 1e18;
    if (!(value >= 0 && value <= max_count && value == std::floor(value)))
        owner.at(name).refuse("must be a count");
    return static_cast<std::uint64_t>(value);
}

/// The interval of a figure; empty if there is none.
experiments::Interval find_interval(const Field& owner, std::string_view name, std::optional<double> figure) {
    const auto field = owner.find(name);
    if (!field) return {};
    const std::vector<Field> ends = field->list();
    if (ends.size() != 2) field->refuse("must have two ends");
    const experiments::Interval interval{ends[0].number(), ends[1].number(), 0.95};
    const std::string fault = fault_of(interval, figure.value_or(interval.low));
    if (!fault.empty()) field->refuse(fault);
    return interval;
}

EngineRun read_engine(const Field& field) {
    EngineRun run;
    run.machine.engine = field.at("engine").text();
    run.machine.device = field.at("device").text();
    run.machine.driver = field.at("driver").text();
    run.machine.memory_bytes = find_count(field, "memory_bytes");
    run.machine.cache_bytes = find_count(field, "cache_bytes");
    run.machine.max_clock_hz = find_magnitude(field, "max_clock_hz").value_or(0);
    run.machine.version = field.at("version").text();
    run.machine.commit = field.at("commit").text();
    run.machine.command = field.at("command").text();
    run.machine.date = field.at("date").text();
    run.copy_gb_s = find_magnitude(field, "copy_gb_s").value_or(0);
    run.copy_items = find_count(field, "copy_items");
    run.failure = field.find_text("failure").value_or("");
    return run;
}

/// Whether the text of experiments::describe() names the algorithm and the options of the setting, and no
/// others. Works without the catalogue, which may not describe another machine's algorithms.
bool is_setting(const std::string& described, const PartialSetting& setting) {
    std::istringstream words(described.substr(0, described.find(',')));
    std::string word;
    words >> word;
    constexpr std::string_view simulated = "simulated_";
    if (word.starts_with(simulated)) word.erase(0, simulated.size());
    if (word != setting.algorithm) return false;
    std::map<std::string, std::string> options;
    while (words >> word) words >> options[word];
    for (const auto& [option, text] : setting.options) {
        const auto found = options.find("--" + std::string(compaction::flag_of(option)));
        if (found == options.end() || found->second != text) return false;
        options.erase(found);
    }
    for (const auto& [option, texts] : setting.best_of) {
        const auto found = options.find("--" + std::string(compaction::flag_of(option)));
        if (found == options.end() || std::ranges::find(texts, found->second) == texts.end()) return false;
        options.erase(found);
    }
    return options.empty();
}

MeasuredFigure read_cell(const Field& field, Quantity quantity, const PartialSetting& setting) {
    MeasuredFigure measured;
    const std::string described = field.find_text("setting").value_or("");
    if (!described.empty() && !is_setting(described, setting)) {
        measured.why_not = "that run measured another setting: measure again with this version";
        return measured;
    }
    if (field.at("quantity").text() != name_of(quantity)) {
        measured.why_not = "the file has another quantity here (" + field.at("quantity").text() +
                           "): measure again with this version";
        return measured;
    }
    measured.value = find_magnitude(field, "here");
    measured.interval = find_interval(field, "interval", measured.value);
    if (measured.interval.low < 0) field.at("interval").refuse("must not be negative");
    measured.mean = find_magnitude(field, "mean");
    measured.mean_interval = find_interval(field, "mean_interval", measured.mean);
    measured.by_subtraction = field.find_number("by_subtraction");
    measured.by_subtraction_interval =
        find_interval(field, "by_subtraction_interval", measured.by_subtraction);
    measured.setting = described;
    measured.origin = field.find_text("origin").value_or("");
    measured.caution = field.find_text("caution").value_or("");
    measured.samples = find_count(field, "samples");
    measured.why_not = field.find_text("why_not").value_or("");
    // Files of earlier versions have no origin, and name algorithms by id in their reasons.
    const bool is_of_earlier_version = !field.has("origin");
    if (is_of_earlier_version && !measured.why_not.empty()) measured.why_not = "not measured in that run";
    return measured;
}

/// Refuses the name if it is not new.
void require_new(std::set<std::string>& names, const Field& name) {
    if (!names.insert(name.text()).second) name.refuse("there are two of '" + name.text() + "'");
}

/// The cells of one table by the names of row and column.
void read_table(const Field& field, const Table& table, std::vector<MeasuredFigure>& cells) {
    std::set<std::string> rows;
    for (const Field& row_field : field.at("rows").list()) {
        require_new(rows, row_field.at("name"));
        std::set<std::string> columns;
        const auto row = std::ranges::find(table.rows, row_field.at("name").text(), &Row::name);
        if (row == table.rows.end()) continue;
        const auto at_row = static_cast<std::size_t>(row - table.rows.begin());
        for (const Field& cell : row_field.at("cells").list()) {
            require_new(columns, cell.at("column"));
            const auto column = std::ranges::find(table.columns, cell.at("column").text(), &Column::name);
            if (column == table.columns.end() || cell.at("unit").text() != column->unit) continue;
            const auto at_column = static_cast<std::size_t>(column - table.columns.begin());
            cells[at_row * table.columns.size() + at_column] =
                read_cell(cell, table.quantity_of(at_row, at_column), table.setting_of(at_row, at_column));
        }
    }
}

Results read_run(const Field& root, std::span<const TableRef> tables) {
    Results results;
    results.quick = root.at("quick").boolean();
    results.interrupted = root.at("interrupted").boolean();
    for (const Field& engine : root.at("engines").list()) results.engines.push_back(read_engine(engine));
    if (results.engines.empty()) root.at("engines").refuse("must not be empty");
    results.wrong = root.find_list("wrong", &Field::text);
    for (const TableRef& ref : tables) {
        MeasuredFigure absent;
        absent.why_not = "that run does not have this figure";
        results.cells.emplace_back(ref.table->rows.size() * ref.table->columns.size(), absent);
    }
    std::set<std::string> ids;
    for (const Field& field : root.at("tables").list()) {
        const std::string id = field.at("id").text();
        require_new(ids, field.at("id"));
        for (std::size_t table = 0; table < tables.size(); ++table) {
            if (tables[table].table->id == id) read_table(field, *tables[table].table, results.cells[table]);
        }
    }
    fill_in_ratios(tables, results);
    return results;
}

}  // namespace

std::vector<Results> read_results(std::string_view text, const std::string& file,
                                  std::span<const TableRef> tables) {
    const nlohmann::json json = parse_json(text, file);
    const Field root(json, file);
    const std::string format = root.at("format").text();
    if (format == "warpsieve-reproduce-1") return {read_run(root, tables)};
    if (format != "warpsieve-reproduce-merged-1") {
        root.at("format").refuse("'" + format + "' is not a file of `warpsieve reproduce --json`");
    }
    std::vector<Results> all;
    for (const Field& run : root.at("runs").list()) all.push_back(read_run(run, tables));
    if (all.empty()) root.at("runs").refuse("must not be empty");
    return all;
}

std::vector<Results> built_in_references(std::span<const TableRef> tables) {
    std::vector<Results> references =
        read_results(published_references::references_json(), "references.json", tables);
    for (Results& reference : references) {
        for (EngineRun& run : reference.engines) run.machine.device += built_in_ending;
    }
    return references;
}

Report with_references(Report report) {
    for (Results& reference : built_in_references(report.tables)) {
        const bool known = std::ranges::any_of(report.runs, [&](const Results& run) {
            return run.devices() + std::string(built_in_ending) == reference.devices();
        });
        if (!known) report.runs.push_back(std::move(reference));
    }
    return report;
}

}  // namespace published
