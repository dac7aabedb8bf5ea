#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace experiments {

/// First line of a CSV result file: names the format and its version.
inline constexpr std::string_view csv_magic = "# warpsieve bench results, format 1";
/// Start of the last line, which counts the results. It reveals a file that was cut off between two lines.
inline constexpr std::string_view csv_end_prefix = "# end, results: ";

/// Columns of a file with several processes: the number of the process, from 1, and its program, as
/// name_of(Program) of baseline.hpp writes it.
inline constexpr const char* process_column = "process";
inline constexpr const char* program_column = "program";

inline constexpr const char* json_format = "warpsieve-bench";
inline constexpr int json_version = 1;

/// Names of the fields that identify a setting, in column order.
std::vector<std::string> setting_field_names();

/// A cell as written to a file: quoted if it contains a comma or a quote. Line breaks become spaces.
std::string csv_cell(std::string_view text);

/// A parsed CSV file. Lines that start with '#' are comments.
struct CsvText {
    std::vector<std::string> comments;  ///< without "# "
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> line_of_row;  ///< from 1
    bool ends_with_count = false;
    std::size_t stated_count = 0;  ///< number of results by the last line

    /// Whether the last line is present and matches the number of rows.
    bool complete() const { return ends_with_count && stated_count == rows.size(); }

    /// The index of the first column with that name; the number of columns if there is none.
    std::size_t column(std::string_view name) const;
    /// The text after "name: " in a comment, or "".
    std::string comment(std::string_view name) const;
};

/// Splits a text into lines and cells. Never fails; the caller checks columns and cells.
CsvText split_csv(std::string_view text);

}  // namespace experiments
