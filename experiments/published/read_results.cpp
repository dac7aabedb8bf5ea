#include <algorithm>
#include <nlohmann/json.hpp>

#include "compaction/error.hpp"
#include "experiments/published/field.hpp"
#include "experiments/published/results.hpp"

namespace published {
namespace {

std::optional<double> find_number(const Field& owner, std::string_view name) {
    const auto field = owner.find(name);
    return field ? std::optional(field->number()) : std::nullopt;
}

/// 0 if there is none.
std::uint64_t find_count(const Field& owner, std::string_view name) {
    const double value = find_number(owner, name).value_or(0);
    constexpr double most = 1e18;
    if (!(value >= 0 && value <= most)) owner.at(name).refuse("must be a count");
    return static_cast<std::uint64_t>(value);
}

std::string text_or_empty(const Field& owner, std::string_view name) {
    const auto field = owner.find(name);
    return field ? field->text() : std::string();
}

experiments::Interval find_interval(const Field& owner, std::string_view name) {
    const auto field = owner.find(name);
    if (!field) return {};
    const std::vector<Field> ends = field->list();
    if (ends.size() != 2) field->refuse("must have two ends");
    return {ends[0].number(), ends[1].number(), 0.95};
}

EngineRun read_engine(const Field& field) {
    EngineRun run;
    run.machine.engine = field.at("engine").text();
    run.machine.device = field.at("device").text();
    run.machine.driver = field.at("driver").text();
    run.machine.memory_bytes = find_count(field, "memory_bytes");
    run.machine.cache_bytes = find_count(field, "cache_bytes");
    run.machine.max_clock_hz = find_number(field, "max_clock_hz").value_or(0);
    run.machine.version = field.at("version").text();
    run.machine.commit = field.at("commit").text();
    run.machine.command = field.at("command").text();
    run.machine.date = field.at("date").text();
    run.copy_gb_s = find_number(field, "copy_gb_s").value_or(0);
    run.copy_items = find_count(field, "copy_items");
    run.failure = text_or_empty(field, "failure");
    return run;
}

Here read_cell(const Field& field, Quantity quantity) {
    Here here;
    if (field.at("quantity").text() != name_of(quantity)) {
        here.why_not = "the file has another quantity here (" + field.at("quantity").text() +
                       "): measure again with this version";
        return here;
    }
    here.value = find_number(field, "here");
    here.interval = find_interval(field, "interval");
    here.mean = find_number(field, "mean");
    here.mean_interval = find_interval(field, "mean_interval");
    here.by_subtraction = find_number(field, "by_subtraction");
    here.by_subtraction_interval = find_interval(field, "by_subtraction_interval");
    here.setting = text_or_empty(field, "setting");
    here.origin = text_or_empty(field, "origin");
    here.caution = text_or_empty(field, "caution");
    here.samples = find_count(field, "samples");
    // Files of earlier versions have no origin, and name algorithms by id in their reasons.
    const bool is_earlier = !field.has("origin");
    here.why_not = text_or_empty(field, "why_not");
    if (is_earlier && !here.why_not.empty()) here.why_not = "not measured in that run";
    return here;
}

/// The cells of one table by the names of row and column.
void read_table(const Field& field, const Table& table, std::vector<Here>& cells) {
    for (const Field& row_field : field.at("rows").list()) {
        const auto row = std::ranges::find(table.rows, row_field.at("name").text(), &Row::name);
        if (row == table.rows.end()) continue;
        const auto at_row = static_cast<std::size_t>(row - table.rows.begin());
        for (const Field& cell : row_field.at("cells").list()) {
            const auto column = std::ranges::find(table.columns, cell.at("column").text(), &Column::name);
            if (column == table.columns.end() || cell.at("unit").text() != column->unit) continue;
            const auto at_column = static_cast<std::size_t>(column - table.columns.begin());
            cells[at_row * table.columns.size() + at_column] =
                read_cell(cell, table.quantity_of(at_row, at_column));
        }
    }
}

Results read_run(const Field& root, std::span<const TableRef> tables) {
    Results results;
    results.quick = root.at("quick").boolean();
    results.interrupted = root.at("interrupted").boolean();
    for (const Field& engine : root.at("engines").list()) results.engines.push_back(read_engine(engine));
    if (results.engines.empty()) root.at("engines").refuse("must not be empty");
    if (const auto wrong = root.find("wrong")) results.wrong = wrong->texts();
    for (const TableRef& ref : tables) {
        Here absent;
        absent.why_not = "that run does not have this figure";
        results.cells.emplace_back(ref.table->rows.size() * ref.table->columns.size(), absent);
    }
    for (const Field& field : root.at("tables").list()) {
        const std::string id = field.at("id").text();
        for (std::size_t t = 0; t < tables.size(); ++t) {
            if (tables[t].table->id == id) read_table(field, *tables[t].table, results.cells[t]);
        }
    }
    complete(tables, results);
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

}  // namespace published
