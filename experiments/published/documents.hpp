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

/// The quantity that a figure measures.
enum class Quantity {
    total,                 ///< the time of one run
    first_call,            ///< the time of the first call of a process
    second_call,           ///< the time of the second call
    later_calls,           ///< the time of a later call, by the same clock
    phase,                 ///< the time of one phase of a run
    bandwidth,             ///< useful bytes over the time of one run
    ratio_mean,            ///< mean over lengths of the ratio of two algorithms' times
    ratio_sd,              ///< standard deviation of that ratio
    launches,              ///< kernels launched by the scan of a compaction, on a simulated GPU
    launched_threads,      ///< threads of the kernels that this scan launches
    additions,             ///< additions of this scan
    inactive_lanes,        ///< percent of the lanes of a warp that take no part in an access of global memory
    launch_configuration,  ///< threads, blocks and so on; not a speed
    other,                 ///< not measured here
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

/// `setting`, where a value that it leaves open is that of `defaults`.
PartialSetting with_defaults(const PartialSetting& setting, const PartialSetting& defaults);

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

/// The part of the array that a published program worked on, where that is not all of it.
struct Coverage {
    std::uint64_t items = 0;
    std::string because;  ///< "480 sequences of 32,768 items"
};

struct Row {
    std::string name;
    std::optional<std::string> gpu;             ///< GPU, if it differs from the table's
    std::optional<std::string> no_counterpart;  ///< why it cannot be measured here
    std::vector<Printed> values;                ///< one per column
    std::optional<Quantity> quantity;
    std::optional<compaction::PhaseRole> phase;
    PartialSetting setting;
    std::optional<Coverage> coverage;
};

/// The entries that a table ranks.
enum class Ranks { none, rows, columns };

/// The source of a table's ratios: two algorithms over the lengths of another table.
struct RatioSource {
    std::string numerator;    ///< id of an algorithm
    std::string denominator;  ///< id of an algorithm
    std::string table;        ///< id of the table with the times
};

struct Table {
    std::string id;
    std::string title;
    std::string section;
    std::string gpu;
    std::string method;
    std::optional<std::string> no_counterpart;  ///< why it cannot be measured here
    std::optional<std::string> vector_series;   ///< tables of a series differ only in the vector width
    std::optional<RatioSource> ratio;
    Ranks ranks = Ranks::none;
    bool prints_means = false;  ///< the publication averages; reports give the mean beside the median
    bool swept = false;         ///< the rows are the points of a search or of a graph
    std::vector<std::string> published_order;  ///< fastest first, if only the order is published
    PartialSetting setting;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<std::string> notes;
    std::vector<std::string> inferences;  ///< assumptions of the setting beyond the publication

    Quantity quantity_of(std::size_t row, std::size_t column) const;
    /// Empty unless the quantity is a phase.
    std::optional<compaction::PhaseRole> phase_of(std::size_t row, std::size_t column) const;
    PartialSetting setting_of(std::size_t row, std::size_t column) const;
    /// The share of the array that the published program worked on; 1 unless the row says otherwise.
    double share_covered(std::size_t row) const;
    /// The published value of a cell, for the whole array: a time over the share covered, a bandwidth times
    /// it.
    std::optional<double> published_value(std::size_t row, std::size_t column) const;
    const std::string& gpu_of(std::size_t row) const { return rows[row].gpu ? *rows[row].gpu : gpu; }
};

/// The comparison that a question asks for.
enum class QuestionKind {
    order,       ///< the order of entries
    columns,     ///< two columns of each row
    ratio,       ///< whether a ratio is constant over the length
    vectors,     ///< vector widths
    phases,      ///< the phases of the entries
    coverage,    ///< published times of programs that covered a part of the array
    search,      ///< the fastest layout of a search
    product,     ///< the fastest layout in each column
    peaks,       ///< lengths that take longer than their neighbours
    gain,        ///< the gain of the second column over the first
    crossings,   ///< the lengths where one column passes another
    linear,      ///< whether time grows in proportion to the length
    first_call,  ///< what the first calls of a process cost
    spikes,      ///< lengths that stand out against half and twice the length
};

/// Two columns whose curves cross, as published.
struct Crossing {
    std::string faster_below;
    std::string faster_above;
    std::uint64_t at = 0;  ///< published length
};

/// A question of the publication, with its answer.
struct Question {
    QuestionKind kind = QuestionKind::order;
    std::vector<std::string> tables;  ///< ids
    std::string text;
    std::string published;              ///< the publication's answer, in a sentence
    std::optional<std::string> reason;  ///< why the answer may differ here
    std::vector<Crossing> crossings;    ///< for the kind crossings
    /// Kind linear: the column; phases and gain: the column said to be faster; vectors: the column said to
    /// gain more from quads.
    std::string column;
    std::uint64_t from = 0;  ///< kind spikes: the first and the last length of the spikes
    std::uint64_t to = 0;

    /// Whether the question is about the table with that id.
    bool asks_about(const std::string& table) const;
};

/// Others whose work or questions the publication rests on.
struct Credit {
    std::string what;
    std::optional<std::string> url;
};

struct Document {
    std::string id;
    std::string label;  ///< "Part 3", for readers and for `--table`
    std::string title;
    std::optional<std::string> author;
    std::optional<std::string> date;
    std::optional<std::string> url;  ///< where it is published, or the site of its author
    std::vector<Credit> credits;
    std::vector<Question> questions;
    std::vector<Table> tables;

    /// "Part 3, table 2". `table` is one of `tables`.
    std::string label_of(const Table& table) const;
};

/// Reads a document of assets/published/, which follows schema.json: the tests check that. Throws
/// compaction::Error{invalid_argument} that names the file as `file`, the field and the error.
Document parse_document(std::string_view text, const std::string& file);

/// All documents that are built into the program, in the order of reports. Throws like parse_document.
std::vector<Document> built_in_documents();

/// The value of a printed figure. Ignores commas anywhere ("8,57.9" is 857.9). Empty if it is not a number.
std::optional<double> value_of(std::string_view printed);

/// "total", "phase", "bandwidth", ...
std::string_view name_of(Quantity quantity);

/// "count", "prefix", "move", "fused".
std::string_view name_of(compaction::PhaseRole role);

/// Whether the quantity is measured or computed from measurements.
bool is_measured(Quantity quantity);

/// Whether the quantity is counted in one run on a simulated GPU.
bool is_counted(Quantity quantity);

/// Whether the quantity is a time of calls in a fresh process.
bool is_of_fresh_process(Quantity quantity);

/// Whether the quantity is a time: of a run, a phase or a call.
bool is_time(Quantity quantity);

}  // namespace published
