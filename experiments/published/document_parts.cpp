#include "experiments/published/document_parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"

namespace published {
namespace {

using compaction::Option;

constexpr std::array kind_names{
    std::pair{QuestionKind::order, "order"},          std::pair{QuestionKind::columns, "columns"},
    std::pair{QuestionKind::ratio, "ratio"},          std::pair{QuestionKind::vectors, "vectors"},
    std::pair{QuestionKind::phases, "phases"},        std::pair{QuestionKind::coverage, "coverage"},
    std::pair{QuestionKind::search, "search"},        std::pair{QuestionKind::product, "product"},
    std::pair{QuestionKind::peaks, "peaks"},          std::pair{QuestionKind::gain, "gain"},
    std::pair{QuestionKind::crossings, "crossings"},  std::pair{QuestionKind::linear, "linear"},
    std::pair{QuestionKind::first_call, "first_call"}};

constexpr std::uint64_t most_points = 1024;

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
    if (!(count >= 1 && count <= most_points)) field.at("count").refuse("must be from 1 to 1024");
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

/// Refuses a column that none of the tables has, neither as column nor as row.
void check_entry(const Field& field, const Question& question, const std::vector<Table>& tables) {
    for (const Table& table : tables) {
        if (std::ranges::find(question.tables, table.id) == question.tables.end()) continue;
        if (std::ranges::find(table.columns, field.text(), &Column::name) != table.columns.end()) return;
    }
    field.refuse("its tables have no column '" + field.text() + "'");
}

}  // namespace

std::vector<Row> rows_of_sweep(const Field& field, std::size_t num_columns) {
    namespace format = experiments::format;
    field.allow_only({"num_items", "threads_per_block", "total_threads", "most_blocks"});
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
    const std::uint64_t most_blocks =
        field.find("most_blocks") ? static_cast<std::uint64_t>(field.at("most_blocks").number()) : 0;
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
            if (most_blocks > 0 && blocks > most_blocks) {
                row.no_counterpart = "grids here have " + format::grouped(most_blocks) + " blocks at most";
            }
        }
    }
    return rows;
}

std::vector<Question> parse_questions(const Field& field, const std::vector<Table>& tables) {
    std::vector<Question> questions;
    for (const Field& each : field.list()) {
        each.allow_only({"kind", "tables", "ask", "published", "reason", "crossings", "column", "faster"});
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
        for (const char* name : {"column", "faster"}) {
            const auto column = each.find(name);
            if (!column) continue;
            check_entry(*column, question, tables);
            question.column = column->text();
        }
        if (const auto crossings = each.find("crossings")) {
            for (const Field& crossing : crossings->list()) {
                crossing.allow_only({"first", "then", "at"});
                check_entry(crossing.at("first"), question, tables);
                check_entry(crossing.at("then"), question, tables);
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

}  // namespace published
