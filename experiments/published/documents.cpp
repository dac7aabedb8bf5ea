#include "experiments/published/documents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "compaction/error.hpp"
#include "embedded/published_files.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/published/field.hpp"
#include "workloads/streams.hpp"

namespace published {
namespace {

using compaction::Option;
using compaction::PhaseRole;

constexpr std::array quantity_names{std::pair{Quantity::total, "total"},
                                    std::pair{Quantity::phase, "phase"},
                                    std::pair{Quantity::bandwidth, "bandwidth"},
                                    std::pair{Quantity::ratio_mean, "ratio_mean"},
                                    std::pair{Quantity::ratio_sd, "ratio_sd"},
                                    std::pair{Quantity::launch_configuration, "layout"},
                                    std::pair{Quantity::other, "other"},
                                    std::pair{Quantity::first_call, "first_call"},
                                    std::pair{Quantity::second_call, "second_call"},
                                    std::pair{Quantity::later_calls, "later_calls"},
                                    std::pair{Quantity::launches, "launches"},
                                    std::pair{Quantity::launched_threads, "launched_threads"},
                                    std::pair{Quantity::additions, "additions"},
                                    std::pair{Quantity::inactive_lanes, "inactive_lanes"}};

constexpr std::array phase_names{std::pair{PhaseRole::count, "count"}, std::pair{PhaseRole::prefix, "prefix"},
                                 std::pair{PhaseRole::scatter, "move"}};

constexpr std::array rank_names{std::pair{Ranks::none, "none"}, std::pair{Ranks::rows, "rows"},
                                std::pair{Ranks::columns, "columns"}};

constexpr std::array option_names{
    std::pair{Option::vector_width, "vector_width"},
    std::pair{Option::threads_per_block, "threads_per_block"}, std::pair{Option::blocks, "blocks"},
    std::pair{Option::sequences, "sequences"}, std::pair{Option::variant, "variant"}};

constexpr std::array kind_names{
    std::pair{QuestionKind::order, "order"},           std::pair{QuestionKind::columns, "columns"},
    std::pair{QuestionKind::ratio, "ratio"},           std::pair{QuestionKind::vectors, "vectors"},
    std::pair{QuestionKind::phases, "phases"},         std::pair{QuestionKind::coverage, "coverage"},
    std::pair{QuestionKind::search, "search"},         std::pair{QuestionKind::product, "product"},
    std::pair{QuestionKind::peaks, "peaks"},           std::pair{QuestionKind::gain, "gain"},
    std::pair{QuestionKind::crossings, "crossings"},   std::pair{QuestionKind::linear, "linear"},
    std::pair{QuestionKind::first_call, "first_call"}, std::pair{QuestionKind::spikes, "spikes"}};

constexpr std::uint64_t max_sweep_values = 1024;

std::uint64_t count_in(const Field& field) {
    const auto value = experiments::format::parse_count(field.text());
    if (value.value_or(0) == 0) field.refuse("'" + field.text() + "' is not a count such as 65536 or 2^17");
    return *value;
}

/// A list of values, or `count` multiples of `step`.
std::vector<std::uint64_t> values_in(const Field& field, bool is_list) {
    std::vector<std::uint64_t> values;
    if (is_list) {
        for (const Field& each : field.list()) values.push_back(count_in(each));
        return values;
    }
    field.allow_only({"step", "count"});
    const std::uint64_t step = count_in(field.at("step"));
    const double count = field.at("count").number();
    if (!(count >= 1 && count <= max_sweep_values))
        field.at("count").refuse("must be from 1 to " + std::to_string(max_sweep_values));
    for (std::uint64_t i = 1; i <= static_cast<std::uint64_t>(count); ++i) values.push_back(i * step);
    return values;
}

Row empty_row(std::string name, std::size_t num_columns) {
    Row row;
    row.name = std::move(name);
    row.values.resize(num_columns);
    return row;
}

QuestionKind kind_in(const Field& field) {
    const std::string name = field.text();
    const auto found = std::ranges::find(kind_names, name, [](const auto& pair) { return pair.second; });
    if (found == kind_names.end()) field.refuse("there is no kind '" + name + "'");
    return found->first;
}

/// Refuses a column that none of the question's tables has.
void check_column(const Field& field, const Question& question, const std::vector<Table>& tables) {
    for (const Table& table : tables) {
        if (std::ranges::find(question.tables, table.id) == question.tables.end()) continue;
        if (std::ranges::find(table.columns, field.text(), &Column::name) != table.columns.end()) return;
    }
    field.refuse("its tables have no column '" + field.text() + "'");
}

/// The rows of a search or graph without printed values: one for each length, number of threads, or pair of
/// threads and blocks.
std::vector<Row> rows_of_sweep(const Field& field, std::size_t num_columns) {
    namespace format = experiments::format;
    field.allow_only({"num_items", "threads_per_block", "total_threads"});
    std::vector<Row> rows;
    if (const auto lengths = field.find("num_items")) {
        const std::vector<std::uint64_t> values = values_in(*lengths, false);
        for (const std::uint64_t num_items : values) {
            rows.push_back(empty_row(format::grouped(num_items), num_columns));
            rows.back().setting.num_items = num_items;
        }
        return rows;
    }
    const auto totals = field.find("total_threads");
    for (const std::uint64_t threads : values_in(field.at("threads_per_block"), totals.has_value())) {
        if (!totals) {
            rows.push_back(empty_row(format::grouped(threads), num_columns));
            rows.back().setting.options[Option::threads_per_block] = std::to_string(threads);
            continue;
        }
        for (const std::uint64_t total : values_in(*totals, false)) {
            const std::uint64_t blocks = total / threads;
            rows.push_back(
                empty_row(format::grouped(threads) + " x " + format::grouped(blocks), num_columns));
            Row& row = rows.back();
            row.setting.options[Option::threads_per_block] = std::to_string(threads);
            row.setting.options[Option::blocks] = std::to_string(blocks);
        }
    }
    return rows;
}

/// Refuses questions about tables and columns that do not exist.
std::vector<Question> parse_questions(const Field& field, const std::vector<Table>& tables) {
    std::vector<Question> questions;
    for (const Field& each : field.list()) {
        each.allow_only(
            {"kind", "tables", "ask", "published", "reason", "crossings", "column", "faster", "from", "to"});
        Question question;
        question.kind = kind_in(each.at("kind"));
        for (const Field& id : each.at("tables").list()) {
            question.tables.push_back(id.text());
            if (std::ranges::find(tables, id.text(), &Table::id) == tables.end()) {
                id.refuse("there is no table '" + id.text() + "'");
            }
        }
        question.ask = each.at("ask").text();
        question.published = each.at("published").text();
        if (const auto reason = each.find("reason")) question.reason = reason->text();
        if (question.kind == QuestionKind::spikes) {
            question.from = count_in(each.at("from"));
            question.to = count_in(each.at("to"));
        }
        for (const char* name : {"column", "faster"}) {
            const auto column = each.find(name);
            if (!column) continue;
            check_column(*column, question, tables);
            question.column = column->text();
        }
        if (const auto crossings = each.find("crossings")) {
            for (const Field& crossing : crossings->list()) {
                crossing.allow_only({"first", "then", "at"});
                check_column(crossing.at("first"), question, tables);
                check_column(crossing.at("then"), question, tables);
                question.crossings.push_back(
                    {crossing.at("first").text(), crossing.at("then").text(), count_in(crossing.at("at"))});
            }
        }
        questions.push_back(std::move(question));
    }
    return questions;
}

std::vector<Gap> parse_gaps(const Field& field) {
    std::vector<Gap> gaps;
    for (const Field& each : field.list()) {
        each.allow_only({"what", "why"});
        gaps.push_back({each.at("what").text(), each.at("why").text()});
    }
    return gaps;
}

/// Looks up the text of a field in a list of pairs of value and name.
template <typename Names>
auto named(const Field& field, const Names& names) {
    const std::string text = field.text();
    std::string all;
    for (const auto& [value, name] : names) {
        if (text == name) return value;
        all += (all.empty() ? "" : ", ") + std::string(name);
    }
    field.refuse("'" + text + "' is not one of " + all);
}

std::map<Option, std::vector<std::string>> parse_best_of(const Field& field) {
    std::map<Option, std::vector<std::string>> best_of;
    for (const std::string& name : field.names()) {
        const auto found =
            std::ranges::find(option_names, name, [](const auto& pair) { return pair.second; });
        if (found == option_names.end()) field.refuse("there is no option '" + name + "'");
        best_of[found->first] = field.at(name).texts();
        if (best_of[found->first].empty()) field.at(name).refuse("must name values");
    }
    return best_of;
}

PartialSetting parse_setting(const Field& field) {
    field.allow_only({"algorithm", "num_items", "pattern", "keep_fraction", "vector_width",
                      "threads_per_block", "blocks", "sequences", "variant", "best_of"});
    PartialSetting setting;
    if (const auto id = field.find("algorithm")) setting.algorithm = id->text();
    if (const auto length = field.find("num_items")) {
        setting.num_items = experiments::format::parse_count(length->text());
        if (setting.num_items.value_or(0) == 0)
            length->refuse("'" + length->text() + "' is not a length such as 2^22 or 2^22 - 3");
    }
    if (const auto pattern = field.find("pattern")) {
        setting.pattern = pattern->text();
        constexpr auto without_file = workloads::Pattern::picture;
        if (workloads::find_pattern(*setting.pattern).value_or(without_file) == without_file) {
            pattern->refuse("there is no pattern '" + *setting.pattern + "'");
        }
    }
    if (const auto kept = field.find("keep_fraction")) {
        setting.keep_fraction = kept->number();
        if (*setting.keep_fraction < 0 || *setting.keep_fraction > 1) kept->refuse("must be from 0 to 1");
    }
    for (const auto& [option, name] : option_names) {
        if (const auto value = field.find(name)) setting.options[option] = value->text();
    }
    if (const auto best_of = field.find("best_of")) setting.best_of = parse_best_of(*best_of);
    return setting;
}

PartialSetting find_setting(const Field& owner) {
    const auto field = owner.find("setting");
    return field ? parse_setting(*field) : PartialSetting{};
}

std::optional<std::string> find_text(const Field& owner, std::string_view name) {
    const auto field = owner.find(name);
    return field ? std::optional(field->text()) : std::nullopt;
}

Column parse_column(const Field& field) {
    field.allow_only({"name", "unit", "quantity", "phase", "setting"});
    Column column{.name = field.at("name").text(),
                  .unit = field.at("unit").text(),
                  .quantity = named(field.at("quantity"), quantity_names),
                  .phase = std::nullopt,
                  .setting = find_setting(field)};
    if (const auto phase = field.find("phase")) column.phase = named(*phase, phase_names);
    if (column.quantity == Quantity::phase && !column.phase) field.refuse("the field 'phase' is missing");
    constexpr std::array time_units{"s", "ms", "us"};
    if (is_time(column.quantity) && std::ranges::find(time_units, column.unit) == time_units.end()) {
        field.at("unit").refuse("'" + column.unit + "' is not a unit of time: s, ms or us");
    }
    if (column.quantity == Quantity::bandwidth && column.unit != "GB/s") {
        field.at("unit").refuse("a bandwidth is given in GB/s");
    }
    return column;
}

Coverage parse_coverage(const Field& field) {
    field.allow_only({"items", "because"});
    const auto items = experiments::format::parse_count(field.at("items").text());
    if (items.value_or(0) == 0) field.at("items").refuse("must be a number of items");
    return {*items, field.at("because").text()};
}

Row parse_row(const Field& field, const std::vector<Column>& columns) {
    field.allow_only(
        {"name", "card", "no_counterpart", "values", "quantity", "phase", "setting", "coverage"});
    Row row{.name = field.at("name").text(),
            .gpu = find_text(field, "card"),
            .no_counterpart = find_text(field, "no_counterpart"),
            .values = {},
            .quantity = std::nullopt,
            .phase = std::nullopt,
            .setting = find_setting(field),
            .coverage = std::nullopt};
    if (const auto coverage = field.find("coverage")) row.coverage = parse_coverage(*coverage);
    if (const auto quantity = field.find("quantity")) row.quantity = named(*quantity, quantity_names);
    if (const auto phase = field.find("phase")) row.phase = named(*phase, phase_names);
    if (row.quantity == Quantity::phase && !row.phase) field.refuse("the field 'phase' is missing");

    const std::vector<Field> values = field.at("values").list();
    if (values.size() != columns.size()) {
        field.at("values").refuse("has " + std::to_string(values.size()) + " values for " +
                                  std::to_string(columns.size()) + " columns");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        Printed printed;
        if (!values[i].is_null()) {
            printed.text = values[i].text();
            printed.value = value_of(*printed.text);
            if (is_measured(row.quantity.value_or(columns[i].quantity)) && !printed.value) {
                values[i].refuse("'" + *printed.text + "' is not a number");
            }
        }
        row.values.push_back(std::move(printed));
    }
    return row;
}

RatioSource parse_ratio(const Field& field) {
    field.allow_only({"of", "to", "table"});
    return {field.at("of").text(), field.at("to").text(), field.at("table").text()};
}

/// Refuses a published order that does not name all entries of the ranking.
void check_order(const Field& field, const Table& table) {
    if (table.published_order.empty()) return;
    std::vector<std::string> entries;
    if (table.ranks == Ranks::rows) {
        for (const Row& row : table.rows) entries.push_back(row.name);
    } else {
        for (const Column& column : table.columns) entries.push_back(column.name);
    }
    if (table.ranks == Ranks::none || !std::ranges::is_permutation(entries, table.published_order)) {
        field.at("published_order").refuse("must name every entry once");
    }
}

Table parse_table(const Field& field) {
    field.allow_only({"id", "title", "section", "form", "card", "method", "no_counterpart", "vector_series",
                      "ratio", "ranks", "statistic", "published_order", "setting", "columns", "rows", "sweep",
                      "notes", "inferences"});
    Table table;
    table.id = field.at("id").text();
    table.title = field.at("title").text();
    table.section = field.at("section").text();
    table.form = field.at("form").text();
    constexpr std::array forms{"table", "figure", "text", "console"};
    if (std::ranges::find(forms, table.form) == forms.end()) {
        field.at("form").refuse("'" + table.form + "' is not one of table, figure, text, console");
    }
    table.gpu = field.at("card").text();
    table.method = field.at("method").text();
    table.no_counterpart = find_text(field, "no_counterpart");
    table.vector_series = find_text(field, "vector_series");
    if (const auto ratio = field.find("ratio")) table.ratio = parse_ratio(*ratio);
    if (const auto ranks = field.find("ranks")) table.ranks = named(*ranks, rank_names);
    if (const auto order = field.find("published_order")) table.published_order = order->texts();
    table.setting = find_setting(field);
    for (const Field& column : field.at("columns").list()) table.columns.push_back(parse_column(column));
    if (table.columns.empty()) field.at("columns").refuse("must not be empty");
    if (const auto sweep = field.find("sweep")) {
        table.swept = true;
        table.rows = rows_of_sweep(*sweep, table.columns.size());
    } else {
        for (const Field& row : field.at("rows").list()) table.rows.push_back(parse_row(row, table.columns));
        if (table.rows.empty()) field.at("rows").refuse("must not be empty");
    }
    if (const auto statistic = field.find("statistic")) {
        if (statistic->text() != "mean") statistic->refuse("must be 'mean'");
        table.prints_means = true;
    }
    if (const auto notes = field.find("notes")) table.notes = notes->texts();
    if (const auto inferences = field.find("inferences")) table.inferences = inferences->texts();
    check_order(field, table);
    return table;
}

}  // namespace

std::optional<double> value_of(std::string_view printed) {
    std::string digits(printed);
    std::erase(digits, ',');
    const auto value = experiments::format::parse_number<double>(digits);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string_view name_of(Quantity quantity) {
    const auto found =
        std::ranges::find(quantity_names, quantity, [](const auto& pair) { return pair.first; });
    return found->second;
}

bool is_measured(Quantity quantity) {
    return quantity != Quantity::launch_configuration && quantity != Quantity::other;
}

bool is_counted(Quantity quantity) {
    return quantity == Quantity::launches || quantity == Quantity::launched_threads ||
           quantity == Quantity::additions || quantity == Quantity::inactive_lanes;
}

bool is_of_fresh_process(Quantity quantity) {
    return quantity == Quantity::first_call || quantity == Quantity::second_call ||
           quantity == Quantity::later_calls;
}

bool is_time(Quantity quantity) {
    return quantity == Quantity::total || quantity == Quantity::phase || is_of_fresh_process(quantity);
}

PartialSetting with_defaults(const PartialSetting& setting, const PartialSetting& defaults) {
    PartialSetting completed = setting;
    if (!completed.algorithm) completed.algorithm = defaults.algorithm;
    if (!completed.num_items) completed.num_items = defaults.num_items;
    if (!completed.pattern) completed.pattern = defaults.pattern;
    if (!completed.keep_fraction) completed.keep_fraction = defaults.keep_fraction;
    completed.options.insert(defaults.options.begin(), defaults.options.end());
    completed.best_of.insert(defaults.best_of.begin(), defaults.best_of.end());
    return completed;
}

Quantity Table::quantity_of(std::size_t row, std::size_t column) const {
    return rows[row].quantity.value_or(columns[column].quantity);
}

std::optional<PhaseRole> Table::phase_of(std::size_t row, std::size_t column) const {
    if (quantity_of(row, column) != Quantity::phase) return std::nullopt;
    return rows[row].phase ? rows[row].phase : columns[column].phase;
}

double Table::share_covered(std::size_t row) const {
    const auto& coverage = rows[row].coverage;
    const auto num_items = setting_of(row, 0).num_items;
    return coverage && num_items ? static_cast<double>(coverage->items) / static_cast<double>(*num_items) : 1;
}

std::optional<double> Table::published_value(std::size_t row, std::size_t column) const {
    const auto& value = rows[row].values[column].value;
    if (!value) return std::nullopt;
    switch (quantity_of(row, column)) {
        case Quantity::total:
        case Quantity::phase:
            return *value / share_covered(row);
        case Quantity::bandwidth:
            return *value * share_covered(row);
        default:
            return value;
    }
}

PartialSetting Table::setting_of(std::size_t row, std::size_t column) const {
    return with_defaults(rows[row].setting, with_defaults(columns[column].setting, setting));
}

std::string Document::label_of(const Table& table) const {
    const auto found = std::ranges::find(tables, table.id, &Table::id);
    return label + ", table " + std::to_string(found - tables.begin() + 1);
}

Document parse_document(std::string_view text, const std::string& file) {
    const nlohmann::json json = parse_json(text, file);
    const Field root(json, file);
    root.allow_only({"format", "document", "tables"});
    if (root.at("format").text() != "warpsieve-published-1") {
        root.at("format").refuse("must be 'warpsieve-published-1'");
    }
    const Field about = root.at("document");
    about.allow_only({"id", "label", "title", "author", "date", "url", "credits", "questions", "gaps"});
    Document document{.id = about.at("id").text(),
                      .label = about.at("label").text(),
                      .title = about.at("title").text(),
                      .author = find_text(about, "author"),
                      .date = find_text(about, "date"),
                      .url = find_text(about, "url"),
                      .credits = {},
                      .questions = {},
                      .gaps = {},
                      .tables = {}};
    if (const auto credits = about.find("credits")) {
        for (const Field& each : credits->list()) {
            each.allow_only({"what", "url"});
            document.credits.push_back({each.at("what").text(), find_text(each, "url")});
        }
    }
    if (const auto gaps = about.find("gaps")) document.gaps = parse_gaps(*gaps);
    for (const Field& table : root.at("tables").list()) {
        document.tables.push_back(parse_table(table));
        const std::string& id = document.tables.back().id;
        if (std::ranges::count(document.tables, id, &Table::id) > 1) {
            table.at("id").refuse("'" + id + "' is taken");
        }
    }
    if (const auto questions = about.find("questions")) {
        document.questions = parse_questions(*questions, document.tables);
    }
    return document;
}

std::vector<Document> built_in_documents() {
    namespace files = published_files;
    return {
        parse_document(files::parallel_stream_compaction_1_json(), "parallel_stream_compaction_1.json"),
        parse_document(files::parallel_stream_compaction_1_1_json(), "parallel_stream_compaction_1_1.json"),
        parse_document(files::parallel_stream_compaction_2_json(), "parallel_stream_compaction_2.json"),
        parse_document(files::parallel_stream_compaction_3_json(), "parallel_stream_compaction_3.json"),
        parse_document(files::parallel_stream_compaction_4_json(), "parallel_stream_compaction_4.json"),
        parse_document(files::parallel_stream_compaction_5_json(), "parallel_stream_compaction_5.json"),
        parse_document(files::cis565_gilbert_json(), "cis565_gilbert.json"),
        parse_document(files::cis565_qian_json(), "cis565_qian.json"),
        parse_document(files::same_blog_other_posts_json(), "same_blog_other_posts.json"),
    };
}

}  // namespace published
