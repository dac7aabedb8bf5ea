// Examples of labs rank algorithms as measured results do, unless those are nearly equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/labs/jobs.hpp"
#include "app/labs/reports.hpp"

namespace warpsieve {
namespace {

struct Row {
    double us;
    std::string algorithm;
};

/// The medians in a CSV of results at that length, fastest first.
std::vector<Row> measured_medians(const std::string& file, const std::string& length) {
    std::vector<Row> rows;
    std::ifstream in(std::string(WARPSIEVE_SOURCE_DIR) + "/bench/results/" + file);
    constexpr std::size_t n_column = 6, median_column = 12;
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> cells;
        std::istringstream text(line);
        for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
        if (cells.size() > median_column && cells[n_column] == length && cells[0] != "copy")
            rows.push_back({std::stod(cells[median_column]), cells[0]});
    }
    std::ranges::sort(rows, {}, &Row::us);
    return rows;
}

TEST(ExampleReport, RanksAlgorithmsAsTheMeasurementsDo) {
    // Closer medians may change places from one run to the next.
    constexpr double clearly_slower = 1.1;
    const std::vector<Row> rows = measured_medians("nvidia-h200/lengths.csv", "16777216");
    ASSERT_GT(rows.size(), 10U);
    labs::Job job;
    for (const Row& row : rows) {
        experiments::Setting setting;
        setting.algorithm = &compaction::find_algorithm(row.algorithm);
        setting.stream.num_items = 1U << 24;
        setting.stream.keep_fraction = 0.5;
        job.settings.push_back(setting);
    }
    const auto report = labs::example_report(job);
    const auto& results = report->measurement->results;
    for (std::size_t slower = 1; slower < rows.size(); ++slower)
        for (std::size_t faster = 0; faster < slower; ++faster) {
            if (rows[slower].us <= clearly_slower * rows[faster].us) continue;
            EXPECT_LT(results[faster].us.median, results[slower].us.median)
                << rows[faster].algorithm << ", " << rows[slower].algorithm;
        }
}

}  // namespace
}  // namespace warpsieve
