#pragma once

#include <string>
#include <vector>

#include "experiments/export.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// Text in rows and columns, independent of the output format.
struct Table {
    struct Column {
        std::string heading;
        bool is_figure = false;  ///< aligned at the decimal point
    };
    struct Row {
        std::vector<std::string> cells;  ///< one per column; fewer if `alarm` replaces the rest
        std::string alarm;               ///< message instead of figures
    };

    std::string caption;  ///< values that all rows share
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// Which fields vary among settings, and the common values of the others.
struct VaryingFields {
    std::vector<std::string> varying;  ///< names; `algorithm` is always one of them
    std::string common;                ///< "pattern = random, density = 0.5"; without automatic options

    explicit VaryingFields(const std::vector<std::vector<Field>>& settings);

    /// The values of the varying fields, for display.
    std::vector<std::string> cells(const std::vector<Field>& fields) const;
};

/// One row per result, after the copy of its stream: the fields that vary, median, quartiles, minimum, number
/// of samples, useful GB/s, percentages of copy and floor, verdict. A wrong result has a message instead of
/// figures. Times in microseconds.
Table results_table(const Report& report);

/// One row per phase and one for the time between calls: the time by stamps with its interval, the hidden
/// time and the gap, and, where it was measured, the time by subtraction. No rows if phases were not timed.
Table phases_table(const Report& report);

/// Sentences on the phases: which of them differ by stamps and by subtraction, and why, and which could not
/// be timed by subtraction.
std::vector<std::string> phase_remarks(const Measurement& measurement);

/// How to lock the clocks of a GPU, if they varied while samples were throttled or noisy; else empty.
std::string clock_advice(const Report& report);

/// Columns for a terminal, figures aligned at the decimal point; alarms in red if `colour`.
format::TerminalText to_terminal(Table table, bool colour);

std::string to_markdown(const Table& table);

/// A line for the headings and one per row; an alarm is the last cell of its row.
std::string to_csv(const Table& table);

}  // namespace experiments
