#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/options.hpp"

/// Results that others published, as data: tables transcribed to the last digit, and for each cell what is to
/// be measured here to stand beside it.
namespace published {

/// What a figure says.
enum class Quantity {
    total,       ///< the time of one run
    phase,       ///< the time of one phase of it
    bandwidth,   ///< bytes that must move, over the time of one run
    ratio_mean,  ///< mean over lengths of one algorithm's time divided by another's
    ratio_sd,    ///< standard deviation of the same
    layout,      ///< threads, blocks and the like: says how, not how fast
    other,       ///< nothing that is measured here
};

/// What to measure, as far as one level of a table says it; the levels (table, column, row) go over each
/// other. Values stand as the command line takes them.
struct PartialSetting {
    std::optional<std::string> algorithm;  ///< id of an algorithm or step
    std::optional<std::uint64_t> num_items;
    std::optional<std::string> pattern;
    std::optional<double> keep_fraction;
    std::map<compaction::Option, std::string> options;
    /// Options of which the fastest of several values is to be taken.
    std::map<compaction::Option, std::vector<std::string>> best_of;
};

/// What `upper` says, and where it says nothing, what `lower` says.
PartialSetting put_over(const PartialSetting& upper, const PartialSetting& lower);

/// What a column says of its cells; a row may say otherwise.
struct Column {
    std::string name;
    std::string unit;  ///< "ms", "us", "GB/s", "1" or what the figures of a layout count
    Quantity quantity = Quantity::other;
    std::optional<compaction::PhaseRole> phase;  ///< where the quantity is that of a phase
    PartialSetting setting;
};

/// A figure as printed, and the number it stands for; neither where the publication has none.
struct Printed {
    std::optional<std::string> text;
    std::optional<double> value;
};

struct Row {
    std::string name;
    std::optional<std::string> card;            ///< where it is not the table's
    std::optional<std::string> no_counterpart;  ///< why nothing here can stand beside it
    std::vector<Printed> values;                ///< one a column
    std::optional<Quantity> quantity;
    std::optional<compaction::PhaseRole> phase;
    PartialSetting setting;
};

/// Who is ranked in a table.
enum class Ranks { none, rows, columns };

/// That a table's ratios are those of two algorithms over the lengths of another table.
struct RatioSource {
    std::string of;  ///< id of the algorithm whose times are divided
    std::string to;  ///< by the times of this one
    std::string table;
};

struct Table {
    std::string id;
    std::string title;
    std::string section;
    std::string form;  ///< "table", "figure", "text" or "console"
    std::string card;
    std::string method;
    std::optional<std::string> no_counterpart;  ///< why nothing here can stand beside it
    std::optional<std::string> vector_series;   ///< tables of one series differ in the vector width alone
    std::optional<RatioSource> ratio;
    Ranks ranks = Ranks::none;
    std::vector<std::string> published_order;  ///< fastest first, where only the order is published
    PartialSetting setting;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<std::string> notes;

    Quantity quantity_of(std::size_t row, std::size_t column) const;
    /// Null unless the quantity is that of a phase.
    std::optional<compaction::PhaseRole> phase_of(std::size_t row, std::size_t column) const;
    PartialSetting setting_of(std::size_t row, std::size_t column) const;
    const std::string& card_of(std::size_t row) const { return rows[row].card ? *rows[row].card : card; }
};

struct Document {
    std::string id;
    std::string title;
    std::optional<std::string> author;
    std::optional<std::string> date;
    std::vector<Table> tables;
};

/// Reads a document of assets/published/; `file` stands for it in messages. Throws
/// compaction::Error{invalid_argument}: one sentence with file, field and what is wrong with it.
Document parse_document(std::string_view text, const std::string& file);

/// Every document that is built into the program, in the order they are to be told. Throws like
/// parse_document.
std::vector<Document> built_in_documents();

/// The number that a printed figure stands for: commas, wherever they stand, only part digits ("8,57.9" is
/// 857.9). Nothing where it is not a number.
std::optional<double> value_of(std::string_view printed);

/// "total", "phase", "bandwidth", ...
std::string_view name_of(Quantity quantity);

/// Whether figures of that kind are measured, or made of measurements.
bool is_measured(Quantity quantity);

}  // namespace published
