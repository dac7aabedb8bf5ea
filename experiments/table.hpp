#pragma once

#include <string>
#include <vector>

#include "experiments/export.hpp"

namespace experiments {

/// Text in rows and columns, before it is known where it will be printed.
struct Table {
    struct Column {
        std::string heading;
        bool is_figure = false;  ///< aligned at the decimal point
    };
    struct Row {
        std::vector<std::string> cells;  ///< one a column, or fewer where `alarm` takes the place of the rest
        std::string alarm;               ///< words instead of figures
    };

    std::string caption;  ///< what all rows have in common
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// One row a result, after the copy of its stream: what varies among the settings, median, quartiles,
/// minimum, n, useful GB/s, shares, verdict. A wrong result has words instead of figures. Times in
/// microseconds.
Table results_table(const Report& report);

/// One row a phase: its time by events, the time until its end, and its time by subtraction. No rows where
/// nothing was split.
Table phases_table(const Report& report);

/// Aligned for a terminal, figures at the decimal point; alarms in red where `colour`.
std::string to_terminal(const Table& table, bool colour);

std::string to_markdown(const Table& table);

/// A line for the headings and one a row; an alarm stands in a cell of its own behind those of its row.
std::string to_csv(const Table& table);

}  // namespace experiments
