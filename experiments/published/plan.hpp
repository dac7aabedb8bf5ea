#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/published/documents.hpp"
#include "experiments/setting.hpp"

namespace published {

/// Limits of a reproduction.
struct Limits {
    std::vector<compaction::EngineId> engines;  ///< engines that may be used
    std::uint64_t max_items = ~std::uint64_t{0};
    bool quick = false;  ///< only the last value of a search (best_of), and few points of a sweep
};

/// The settings to run for one cell, or the reason why there are none.
struct PlannedCell {
    std::vector<std::size_t> settings;  ///< indices into Plan::settings; the fastest counts
    std::string reason;                 ///< why there are no settings; empty if a value is not expected
    std::optional<std::size_t> first_calls = {};  ///< index into Plan::first_calls
    std::optional<std::size_t> counts = {};       ///< index into Plan::counts

    bool runs() const { return !settings.empty() || first_calls || counts; }
};

/// A quantity that is counted in one run on a simulated GPU.
struct PlannedCount {
    Quantity quantity;
    experiments::Setting setting;
};

/// The settings to run for a list of tables. Equal cells share a setting.
struct Plan {
    std::vector<experiments::Setting> settings;
    /// Settings whose first calls are timed in fresh processes.
    std::vector<experiments::Setting> first_calls;
    std::vector<PlannedCount> counts;
    /// The cells of each table, in the order of the tables: [row * columns + column].
    std::vector<std::vector<PlannedCell>> tables;
};

/// A table and its document.
struct TableRef {
    const Document* document;
    const Table* table;
};

/// The tables of the documents, in order: all, or those that `wanted` names by id or label ("Part 3", "part
/// 3, table 2"). Adds the tables that their ratios need. Throws compaction::Error{invalid_argument} for an
/// unknown id.
std::vector<TableRef> choose_tables(std::span<const Document> documents, std::span<const std::string> wanted);

Plan make_plan(std::span<const TableRef> tables, const Limits& limits);

}  // namespace published
