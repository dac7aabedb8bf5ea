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
                                 std::pair{PhaseRole::scatter, "move"}, std::pair{PhaseRole::fused, "fused"}};

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

std::uint64_t count_in(const Field& field) {
    const auto value = experiments::format::parse_count(field.text());
    if (value.value_or(0) == 0) field.refuse("'" + field.text() + "' is not a count such as 65536 or 2^17");
    return *value;
}

std::string_view find_name(const auto& names, const auto& value) {
    return std::ranges::find(names, value, [](const auto& pair) { return pair.first; })->second;
}

/// The value whose name is the text of the field. `names`: pairs of a value and its name.
template <typename Names>
auto parse_enum(const Field& field, const Names& names) {
    const std::string text = field.text();
    std::string all;
    for (const auto& [value, name] : names) {
        if (text == name) return value;
        all += (all.empty() ? "" : ", ") + std::string(name);
    }
    field.refuse("'" + text + "' is not one of " + all);
}

/// parse_enum of a member; nullopt if there is no such member.
template <typename Names>
auto find_enum(const Field& owner, std::string_view member, const Names& names) {
    const auto field = owner.find(member);
    return field ? std::optional(parse_enum(*field, names)) : std::nullopt;
}

/// The first `count` multiples of `step`.
std::vector<std::uint64_t> multiples_in(const Field& field) {
    const std::uint64_t step = count_in(field.at("step"));
    std::vector<std::uint64_t> values(static_cast<std::size_t>(field.at("count").number()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i + 1) * step;
    return values;
}

/// The rows of a search or graph without printed values: one for each length, number of threads, or pair of
/// threads and blocks.
std::vector<Row> rows_of_sweep(const Field& field, std::size_t num_columns) {
    using experiments::format::grouped;
    std::vector<Row> rows;
    const auto add_row = [&](const std::string& name) -> PartialSetting& {
        Row& row = rows.emplace_back();
        row.name = name;
        row.values.resize(num_columns);
        return row.setting;
    };
    if (const auto lengths = field.find("num_items")) {
        for (const std::uint64_t length : multiples_in(*lengths)) add_row(grouped(length)).num_items = length;
        return rows;
    }
    const Field threads_per_block = field.at("threads_per_block");
    const auto totals = field.find("total_threads");
    if (!totals) {
        for (const std::uint64_t threads : multiples_in(threads_per_block))
            add_row(grouped(threads)).options[Option::threads_per_block] = std::to_string(threads);
        return rows;
    }
    for (const Field& each : threads_per_block.list()) {
        const std::uint64_t threads = count_in(each);
        for (const std::uint64_t total : multiples_in(*totals)) {
            const std::uint64_t blocks = total / threads;
            PartialSetting& setting = add_row(grouped(threads) + " x " + grouped(blocks));
            setting.options[Option::threads_per_block] = std::to_string(threads);
            setting.options[Option::blocks] = std::to_string(blocks);
        }
    }
    return rows;
}

/// Parses a question. Refuses tables and columns that do not exist.
Question parse_question(const Field& field, const std::vector<Table>& tables) {
    Question question{.kind = parse_enum(field.at("kind"), kind_names),
                      .tables = field.at("tables").texts(),
                      .text = field.at("ask").text(),
                      .published = field.at("published").text(),
                      .reason = field.find_text("reason"),
                      .crossings = {},
                      .column = {}};
    for (const std::string& id : question.tables) {
        if (std::ranges::find(tables, id, &Table::id) == tables.end())
            field.at("tables").refuse("there is no table '" + id + "'");
    }
    const auto column_in = [&](const Field& name) {
        for (const Table& table : tables) {
            if (!question.asks_about(table.id)) continue;
            if (std::ranges::find(table.columns, name.text(), &Column::name) != table.columns.end())
                return name.text();
        }
        name.refuse("its tables have no column '" + name.text() + "'");
    };
    for (const char* name : {"column", "faster"}) {
        if (const auto column = field.find(name)) question.column = column_in(*column);
    }
    if (question.kind == QuestionKind::spikes) {
        question.from = count_in(field.at("from"));
        question.to = count_in(field.at("to"));
    }
    question.crossings = field.find_list("crossings", [&](const Field& crossing) {
        return Crossing{column_in(crossing.at("first")), column_in(crossing.at("then")),
                        count_in(crossing.at("at"))};
    });
    return question;
}

PartialSetting parse_setting(const Field& field) {
    PartialSetting setting{.algorithm = field.find_text("algorithm"),
                           .num_items = {},
                           .pattern = field.find_text("pattern"),
                           .keep_fraction = field.find_number("keep_fraction"),
                           .options = {},
                           .best_of = {}};
    if (const auto length = field.find("num_items")) setting.num_items = count_in(*length);
    const auto best_of = field.find("best_of");
    for (const auto& [option, name] : option_names) {
        if (const auto value = field.find_text(name)) setting.options[option] = *value;
        if (const auto values = best_of ? best_of->find(name) : std::nullopt)
            setting.best_of[option] = values->texts();
    }
    return setting;
}

PartialSetting find_setting(const Field& owner) {
    const auto field = owner.find("setting");
    return field ? parse_setting(*field) : PartialSetting{};
}

Column parse_column(const Field& field) {
    Column column{.name = field.at("name").text(),
                  .unit = field.at("unit").text(),
                  .quantity = parse_enum(field.at("quantity"), quantity_names),
                  .phase = find_enum(field, "phase", phase_names),
                  .setting = find_setting(field)};
    constexpr std::array time_units{"s", "ms", "us"};
    if (is_time(column.quantity) && std::ranges::find(time_units, column.unit) == time_units.end()) {
        field.at("unit").refuse("'" + column.unit + "' is not a unit of time: s, ms or us");
    }
    return column;
}

Row parse_row(const Field& field, const std::vector<Column>& columns) {
    Row row{.name = field.at("name").text(),
            .gpu = field.find_text("card"),
            .no_counterpart = field.find_text("no_counterpart"),
            .values = {},
            .quantity = find_enum(field, "quantity", quantity_names),
            .phase = find_enum(field, "phase", phase_names),
            .setting = find_setting(field),
            .coverage = std::nullopt};
    if (const auto coverage = field.find("coverage"))
        row.coverage = {count_in(coverage->at("items")), coverage->at("because").text()};
    const std::vector<Field> values = field.at("values").list();
    if (values.size() != columns.size()) {
        field.at("values").refuse("has " + std::to_string(values.size()) + " values for " +
                                  std::to_string(columns.size()) + " columns");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        Printed& printed = row.values.emplace_back();
        if (values[i].is_null()) continue;
        printed.text = values[i].text();
        printed.value = value_of(*printed.text);
        if (is_measured(row.quantity.value_or(columns[i].quantity)) && !printed.value)
            values[i].refuse("'" + *printed.text + "' is not a number");
    }
    return row;
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
    Table table;
    table.id = field.at("id").text();
    table.title = field.at("title").text();
    table.section = field.at("section").text();
    table.gpu = field.at("card").text();
    table.method = field.at("method").text();
    table.no_counterpart = field.find_text("no_counterpart");
    table.vector_series = field.find_text("vector_series");
    if (const auto ratio = field.find("ratio"))
        table.ratio = {ratio->at("of").text(), ratio->at("to").text(), ratio->at("table").text()};
    table.ranks = find_enum(field, "ranks", rank_names).value_or(Ranks::none);
    table.published_order = field.find_list("published_order", &Field::text);
    table.prints_means = field.find("statistic").has_value();
    table.setting = find_setting(field);
    table.columns = field.find_list("columns", parse_column);
    const auto sweep = field.find("sweep");
    table.swept = sweep.has_value();
    table.rows =
        sweep ? rows_of_sweep(*sweep, table.columns.size())
              : field.find_list("rows", [&](const Field& row) { return parse_row(row, table.columns); });
    table.notes = field.find_list("notes", &Field::text);
    table.inferences = field.find_list("inferences", &Field::text);
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
    return find_name(quantity_names, quantity);
}

std::string_view name_of(PhaseRole role) {
    return find_name(phase_names, role);
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
    const auto num_items = setting_of(row, /*column=*/0).num_items;
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

bool Question::asks_about(const std::string& table) const {
    return std::ranges::find(tables, table) != tables.end();
}

std::string Document::label_of(const Table& table) const {
    const auto found = std::ranges::find(tables, table.id, &Table::id);
    return label + ", table " + std::to_string(found - tables.begin() + 1);
}

Document parse_document(std::string_view text, const std::string& file) {
    const nlohmann::json json = parse_json(text, file);
    const Field root(json, file);
    const Field about = root.at("document");
    Document document{
        .id = about.at("id").text(),
        .label = about.at("label").text(),
        .title = about.at("title").text(),
        .author = about.find_text("author"),
        .date = about.find_text("date"),
        .url = about.find_text("url"),
        .credits = about.find_list("credits",
                                   [](const Field& credit) {
                                       return Credit{credit.at("what").text(), credit.find_text("url")};
                                   }),
        .questions = {},
        .tables = root.find_list("tables", parse_table)};
    for (const Table& table : document.tables) {
        if (std::ranges::count(document.tables, table.id, &Table::id) > 1)
            root.at("tables").refuse("the id '" + table.id + "' occurs twice");
    }
    document.questions = about.find_list(
        "questions", [&](const Field& question) { return parse_question(question, document.tables); });
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
