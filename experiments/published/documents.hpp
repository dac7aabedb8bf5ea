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

/// Results that others published, as data: tables transcribed to the last digit, with the setting to measure
/// here for each cell.
namespace published {

/// What a figure measures.
enum class Quantity {
    total,       ///< the time of one run
    phase,       ///< the time of one phase of it
    bandwidth,   ///< useful bytes over the time of one run
    ratio_mean,  ///< mean over lengths of the ratio of two algorithms' times
    ratio_sd,    ///< standard deviation of that ratio
    layout,      ///< threads, blocks and so on; not a speed
    other,       ///< not measured here
};

/// The part of a setting that one level of a table defines. Rows override columns, columns override the
/// table. Values are written as on the command line.
struct PartialSetting {
    std::optional<std::string> algorithm;  ///< id of an algorithm or step
    std::optional<std::uint64_t> num_items;
    std::optional<std::string> pattern;
    std::optional<double> keep_fraction;
    std::map<compaction::Option, std::string> options;
    /// Options for which the fastest of several values counts.
    std::map<compaction::Option, std::vector<std::string>> best_of;
};

/// `upper`, completed with the values of `lower`.
PartialSetting put_over(const PartialSetting& upper, const PartialSetting& lower);

/// A column. Rows may override its quantity, phase and setting.
struct Column {
    std::string name;
    std::string unit;  ///< "ms", "us", "GB/s", "1", or the unit of a layout
    Quantity quantity = Quantity::other;
    std::optional<compaction::PhaseRole> phase;  ///< if the quantity is a phase
    PartialSetting setting;
};

/// A figure as printed, and its value. Both are empty if the publication has none.
struct Printed {
    std::optional<std::string> text;
    std::optional<double> value;
};

struct Row {
    std::string name;
    std::optional<std::string> gpu;             ///< GPU, if it differs from the table's
    std::optional<std::string> no_counterpart;  ///< why it cannot be measured here
    std::vector<Printed> values;                ///< one per column
    std::optional<Quantity> quantity;
    std::optional<compaction::PhaseRole> phase;
    PartialSetting setting;
};

/// What a table ranks.
enum class Ranks { none, rows, columns };

/// The source of a table's ratios: two algorithms over the lengths of another table.
struct RatioSource {
    std::string of;  ///< id of the algorithm in the numerator
    std::string to;  ///< id of the algorithm in the denominator
    std::string table;
};

struct Table {
    std::string id;
    std::string title;
    std::string section;
    std::string form;  ///< "table", "figure", "text" or "console"
    std::string gpu;
    std::string method;
    std::optional<std::string> no_counterpart;  ///< why it cannot be measured here
    std::optional<std::string> vector_series;   ///< tables of a series differ only in the vector width
    std::optional<RatioSource> ratio;
    Ranks ranks = Ranks::none;
    std::vector<std::string> published_order;  ///< fastest first, if only the order is published
    PartialSetting setting;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<std::string> notes;

    Quantity quantity_of(std::size_t row, std::size_t column) const;
    /// Empty unless the quantity is a phase.
    std::optional<compaction::PhaseRole> phase_of(std::size_t row, std::size_t column) const;
    PartialSetting setting_of(std::size_t row, std::size_t column) const;
    const std::string& gpu_of(std::size_t row) const { return rows[row].gpu ? *rows[row].gpu : gpu; }
};

struct Document {
    std::string id;
    std::string title;
    std::optional<std::string> author;
    std::optional<std::string> date;
    std::vector<Table> tables;
};

/// Reads a document of assets/published/. Messages call it `file`. Throws compaction::Error{invalid_argument}
/// that names the file, the field and the fault.
Document parse_document(std::string_view text, const std::string& file);

/// All documents that are built into the program, in the order of reports. Throws like parse_document.
std::vector<Document> built_in_documents();

/// The value of a printed figure. Ignores commas anywhere ("8,57.9" is 857.9). Empty if it is not a number.
std::optional<double> value_of(std::string_view printed);

/// "total", "phase", "bandwidth", ...
std::string_view name_of(Quantity quantity);

/// Whether the quantity is measured or computed from measurements.
bool is_measured(Quantity quantity);

}  // namespace published
