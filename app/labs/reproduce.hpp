#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "app/settings/lab_settings.hpp"
#include "experiments/published/answers.hpp"
#include "experiments/published/reproduction.hpp"

namespace warpsieve::labs {

/// A published table and the progress of its reproduction.
struct TableSummary {
    std::string id;
    std::string label;  ///< "Part 3, table 2"
    std::string title;
    std::string citation;      ///< document, date and section
    bool can_run = false;      ///< at least one cell can be measured here
    std::string why_not = {};  ///< why no cell can be measured
    std::size_t measured = 0;  ///< number of cells with a value measured here
    std::size_t cells = 0;     ///< number of cells with a speed
    /// Speed-ups of this machine over the published values. Empty unless two cells have both values.
    std::optional<published::Spread> ratio = {};
    std::vector<published::Ranking> rankings = {};  ///< each has at least two entries

    /// "Ranking preserved.", "Ranking not preserved: here A is faster than B."; empty without a ranking.
    std::string verdict() const;
};

/// The published tables, and what the lab has measured for them. Reads the built-in documents on first use.
class Reproduce {
  public:
    /// A job for the selected table, its document or all tables, on the engine of the settings.
    Job job(const RunConfig& run, const LabSettings& labs);

    /// Adds the new results of a report to the earlier ones.
    void add(const Report& report);

    const published::Reproduction& reproduction();
    /// All figures so far, and those of the built-in references after them.
    const published::Report& report();
    /// The questions about a table, each with what was published and the answers of all runs.
    const std::string& answers(std::size_t table);
    /// The first setting of a row that can run here; null if there is none.
    const experiments::Setting* setting_of(std::size_t table, std::size_t row);
    /// [tables], in the order of reproduction().tables().
    const std::vector<TableSummary>& tables();
    /// The index of the table with that id; 0 if there is none.
    std::size_t index_of(std::string_view table);

    /// The HTML page with all measurements so far.
    std::string html();

  private:
    void open();
    void summarise();

    std::vector<published::Document> documents_;
    std::optional<published::Reproduction> reproduction_;
    std::vector<published::Results> references_;
    published::Report report_;
    std::vector<std::string> answers_;  ///< [tables]
    std::vector<TableSummary> tables_;
    std::shared_ptr<const experiments::Measurement> added_;  ///< the last measurement that add() took
};

}  // namespace warpsieve::labs
