#include "experiments/csv.hpp"

#include <algorithm>

#include "experiments/format/numbers.hpp"
#include "experiments/setting.hpp"

namespace experiments {
namespace {

/// One line of cells. A quote within quotes is written twice.
std::vector<std::string> split_line(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += c;
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

}  // namespace

std::vector<std::string> setting_field_names() {
    std::vector<std::string> names;
    // A copy has the same fields as any other setting.
    for (const Field& field : fields_of_copy({})) names.push_back(field.name);
    return names;
}

std::string csv_cell(std::string_view text) {
    std::string plain(text);
    // One line per result: line breaks in a message become spaces.
    std::ranges::replace(plain, '\n', ' ');
    if (plain.find_first_of(",\"") == std::string::npos) return plain;
    std::string quoted = "\"";
    for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::size_t CsvText::column(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
}

std::string CsvText::comment(std::string_view name) const {
    const std::string start = std::string(name) + ": ";
    const auto found =
        std::ranges::find_if(comments, [&](const std::string& line) { return line.starts_with(start); });
    return found == comments.end() ? "" : found->substr(start.size());
}

CsvText split_csv(std::string_view text) {
    CsvText csv;
    std::size_t line_number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const bool whole = end != std::string_view::npos;
        std::string_view line = text.substr(0, end);
        text.remove_prefix(whole ? end + 1 : text.size());
        ++line_number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        csv.ends_with_count = whole && line.starts_with(csv_end_prefix);
        if (csv.ends_with_count) {
            const auto counted = format::parse_number<std::size_t>(line.substr(csv_end_prefix.size()));
            csv.ends_with_count = counted.has_value();
            csv.stated_count = counted.value_or(0);
        } else if (line.starts_with("#")) {
            csv.comments.emplace_back(line.substr(std::min<std::size_t>(2, line.size())));
        } else if (csv.columns.empty()) {
            csv.columns = split_line(line);
        } else {
            csv.rows.push_back(split_line(line));
            csv.line_of_row.push_back(line_number);
        }
    }
    return csv;
}

}  // namespace experiments
