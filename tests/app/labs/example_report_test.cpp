// Examples of labs rank algorithms as measured results do.
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

/// The algorithms of a CSV of results at that length, fastest first.
std::vector<std::string> measured_order(const std::string& file, const std::string& length) {
    struct Row {
        double us;
        std::string algorithm;
    };
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
    std::vector<std::string> order;
    for (const Row& row : rows) order.push_back(row.algorithm);
    return order;
}

TEST(ExampleReport, RanksAlgorithmsAsTheMeasurementsDo) {
    const std::vector<std::string> order = measured_order("nvidia-h200/lengths.csv", "16777216");
    ASSERT_GT(order.size(), 10U);
    labs::Job job;
    for (const std::string& id : order) {
        experiments::Setting setting;
        setting.algorithm = &compaction::find_algorithm(id);
        setting.stream.num_items = 1U << 24;
        setting.stream.keep_fraction = 0.5;
        job.settings.push_back(setting);
    }
    const auto report = labs::example_report(job);
    const auto& results = report->measurement->results;
    for (std::size_t i = 1; i < results.size(); ++i)
        EXPECT_LE(results[i - 1].us.median, results[i].us.median) << order[i - 1] << ", " << order[i];
}

}  // namespace
}  // namespace warpsieve
