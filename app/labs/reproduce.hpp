#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "app/settings/lab_settings.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/plot.hpp"
#include "experiments/published/reproduction.hpp"

namespace warpsieve::labs {

/// A published table and the progress of its reproduction.
struct TableSummary {
    std::string id;
    std::string label;  ///< "Part 3, table 2"
    std::string title;
    std::string citation;          ///< document, date and section
    bool can_run = false;          ///< at least one cell can be measured here
    std::string why_not = {};      ///< why no cell can be measured
    std::size_t num_measured = 0;  ///< number of cells with a value measured here
    std::size_t num_cells = 0;     ///< number of cells with a speed
};

/// The published tables, and what the lab has measured for them. Reads the built-in documents on first use.
class ReproduceModel {
  public:
    /// A job for the selected table, its document or all tables, on the engine of the settings.
    Job job(const RunConfig& run, const LabSettings& labs);

    /// Adds the new results of a report to the earlier ones.
    void add(const Report& report);

    const published::Reproduction& reproduction();
    /// All figures so far, and those of the built-in references after them.
    const published::Report& report();
    /// The answers of all runs to the questions about a table.
    std::vector<const published::AnswerText*> answers(std::size_t table);
    /// The plots of a table: the published one and those of the runs.
    const std::vector<published::Plot>& plots(std::size_t table);
    /// The first setting of a row that can run here; null if there is none.
    const experiments::Setting* setting_of(std::size_t table, std::size_t row);
    /// [tables], in the order of reproduction().tables().
    const std::vector<TableSummary>& tables();
    /// The index of the table with that id; 0 if there is none.
    std::size_t index_of(std::string_view table);

    /// The HTML page with all measurements so far.
    std::string html();

  private:
    /// Reads the documents, if that has not happened yet.
    void load();
    /// Makes report, answers and summaries again from the measurements so far.
    void summarise();

    std::vector<published::Document> documents_;
    std::optional<published::Reproduction> reproduction_;
    std::vector<published::Results> references_;
    published::Report report_;
    std::vector<published::AnswerText> answers_;                      ///< of all documents
    std::vector<std::optional<std::vector<published::Plot>>> plots_;  ///< [tables], made on first use
    std::vector<TableSummary> tables_;
    std::shared_ptr<const experiments::Measurement> last_added_;  ///< the last measurement that add() took
};

}  // namespace warpsieve::labs
