#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "app/settings/reproduce_settings.hpp"
#include "experiments/published/answers.hpp"
#include "experiments/published/reproduction.hpp"

namespace warpsieve::labs {

/// What a published table says, next to what was measured for it.
struct TableSummary {
    std::string id;
    std::string title;
    std::string citation;      ///< document, date and section
    bool can_run = false;      ///< something here can stand beside it
    std::string why_not = {};  ///< where it cannot
    std::size_t measured = 0;  ///< cells with a value here
    std::size_t cells = 0;     ///< cells that say a speed
    /// How many times faster here, over the cells of both: mean and deviation. Nothing under two cells.
    std::optional<published::Spread> ratio = {};
    std::vector<published::Ranking> rankings = {};  ///< of two contestants or more

    /// "Ranking preserved.", "Ranking not preserved: here A is faster than B."; empty where nothing is
    /// ranked.
    std::string verdict() const;
};

/// The published tables, and what the reports of the lab say of them. Reads the built-in documents when it is
/// first asked for something.
class Reproduce {
  public:
    /// What is to be run for the table of the settings, its document or everything, on their engine.
    Job job(const Settings& settings);

    /// Takes in what a report has measured since the last call; what was measured before stays.
    void take(const Report& report);

    const published::Reproduction& reproduction();
    /// One a table, in the order of reproduction().tables().
    const std::vector<TableSummary>& tables();
    /// The table of that id; the first where there is none.
    std::size_t index_of(std::string_view table);

    /// The page with everything measured so far.
    std::string html();

  private:
    void open();
    void summarise();

    std::vector<published::Document> documents_;
    std::optional<published::Reproduction> reproduction_;
    std::vector<TableSummary> tables_;
    std::shared_ptr<const experiments::Measurement> taken_;
};

}  // namespace warpsieve::labs
