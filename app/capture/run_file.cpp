#include "app/capture/run_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/csv.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/result_file.hpp"
#include "platform/files.hpp"

namespace warpsieve::capture {
namespace {

using experiments::CsvText;
using experiments::SavedRun;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            file.string() + " is not a saved run: " + why +
                                " Choose a CSV from --csv or \"keep as ghost\", or the JSON of a capture.");
}

std::string read_text(const std::filesystem::path& file) {
    platform::FileText read = platform::read_file(file, experiments::max_result_bytes);
    if (!read.problem.empty()) refuse(file, "it cannot be read: " + read.problem + ".");
    return std::move(read.text);
}

/// The index of a column that a file must have once.
std::size_t required_column(const std::filesystem::path& file, const CsvText& csv, std::string_view name) {
    const auto count = std::ranges::count(csv.columns, name);
    if (count == 0) refuse(file, "it has no column " + std::string(name) + ".");
    if (count > 1) refuse(file, "it has the column " + std::string(name) + " twice.");
    return csv.column(name);
}

std::optional<float> microseconds(std::string_view cell) {
    const auto us = experiments::format::parse_number<float>(cell);
    return us && std::isfinite(*us) && *us >= 0 ? us : std::nullopt;
}

SavedRun from_csv(const std::filesystem::path& file, const std::string& text) {
    const CsvText csv = experiments::split_csv(text);
    if (text.starts_with(experiments::csv_magic))
        refuse(file, "it has results of `warpsieve bench`, not frames.");
    const std::size_t algorithm_column = required_column(file, csv, "algorithm");
    // Files of earlier versions repeat some totals; this column marks those that were measured.
    const std::size_t measured_column = csv.column("plain");
    const std::size_t total_column = required_column(file, csv, "total_us");
    if (csv.rows.empty()) refuse(file, "it has no frames.");
    SavedRun run{.name = file.filename().string(), .algorithm = {}, .total_us = {}, .us = {}};
    std::vector<float> measured_us;
    const std::size_t frame_column = csv.column("frame");
    std::optional<std::uint64_t> last_frame;
    for (std::size_t i = 0; i < csv.rows.size(); ++i) {
        const std::vector<std::string>& cells = csv.rows[i];
        const std::string line = "line " + std::to_string(csv.line_of_row[i]);
        if (cells.size() != csv.columns.size()) {
            refuse(file, line + " has " + std::to_string(cells.size()) + " of " +
                             std::to_string(csv.columns.size()) + " columns; it may be truncated.");
        }
        if (frame_column < csv.columns.size()) {
            const auto frame = experiments::format::parse_number<std::uint64_t>(cells[frame_column]);
            if (!frame || (last_frame && *frame <= *last_frame))
                refuse(file, line + " has frame \"" + cells[frame_column] +
                                 "\", which does not follow the line before.");
            last_frame = frame;
        }
        const auto us = microseconds(cells[total_column]);
        if (!us) refuse(file, line + " has an invalid time: \"" + cells[total_column] + "\".");
        run.total_us.push_back(*us);
        if (measured_column == csv.columns.size() || cells[measured_column] == "1")
            measured_us.push_back(*us);
        run.algorithm =
            i == 0 || run.algorithm == cells[algorithm_column] ? cells[algorithm_column] : "several";
    }
    run.us = experiments::summarise(measured_us);
    return run;
}

nlohmann::json json_of(const std::filesystem::path& file, const std::string& text) {
    try {
        return experiments::parse_json(text);
    } catch (const compaction::Error& problem) {
        refuse(file, std::string(problem.what()) + ".");
    }
}

SavedRun from_json(const std::filesystem::path& file, const std::string& text) {
    try {
        const nlohmann::json document = json_of(file, text);
        const nlohmann::json& us = document.at("timings_us").at("total");
        SavedRun run{.name = file.filename().string(),
                     .algorithm = document.at("algorithm").get<std::string>(),
                     .total_us = {},
                     .us = recorded_summary(us)};
        if (run.us.n == 0 || !(run.us.median > 0)) refuse(file, "its totals were not measured.");
        if (run.us.min < 0) refuse(file, "timings_us.total: a time is negative.");
        return run;
    } catch (const nlohmann::json::exception&) {
        refuse(file, "it has no algorithm or no complete timings_us.total.");
    } catch (const std::invalid_argument& fault) {
        refuse(file, std::string("timings_us.total: ") + fault.what() + ".");
    }
}

}  // namespace

experiments::Summary recorded_summary(const nlohmann::json& row) {
    const auto n = row.find("n");
    if (n == row.end() || !n->is_number_unsigned()) throw std::invalid_argument("\"n\" is not a count");
    if (*n == 0) return {};
    const auto number = [&](const char* key) {
        const auto found = row.find(key);
        if (found == row.end() || !found->is_number())
            throw std::invalid_argument("\"" + std::string(key) + "\" is not a number");
        return found->get<double>();
    };
    const double q3 = number("q3");  // stands for the maximum, too, which a sidecar lacks
    const experiments::Summary summary{
        .median = number("median"), .q1 = number("q1"), .q3 = q3, .min = number("min"), .max = q3, .n = *n};
    if (const std::string fault = fault_of(summary); !fault.empty()) throw std::invalid_argument(fault);
    return summary;
}

SavedRun load_saved_run(const std::filesystem::path& file) {
    const std::string text = read_text(file);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    const bool is_json = begin != std::string::npos && text[begin] == '{';
    return is_json ? from_json(file, text) : from_csv(file, text);
}

}  // namespace warpsieve::capture
