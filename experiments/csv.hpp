#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace experiments {

/// The first line of a CSV file of results: what it is, and how it is to be read.
inline constexpr std::string_view csv_magic = "# warpsieve bench results, format 1";
/// Begins the last line, which counts the results, so that a file cut off between two lines is told.
inline constexpr std::string_view csv_end = "# end, results: ";

inline constexpr const char* json_format = "warpsieve-bench";
inline constexpr int json_version = 1;

/// The names of the fields that say what was measured, in the order of the columns.
std::vector<std::string> setting_field_names();

/// A cell as it stands in a file: in quotes where it holds a comma, a quote or a line break.
std::string csv_cell(std::string_view text);

/// A CSV file taken apart. Lines of '#' are comments.
struct CsvText {
    std::vector<std::string> comments;  ///< without "# "
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> line_of_row;  ///< from 1
    bool ends_with_count = false;
    std::size_t counted = 0;

    /// Whether the last line is there and counts the rows that are.
    bool complete() const { return ends_with_count && counted == rows.size(); }

    /// What stands behind "name: " in a comment, or "".
    std::string comment(std::string_view name) const;
};

CsvText split_csv(std::string_view text);

}  // namespace experiments
