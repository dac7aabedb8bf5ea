#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/published/documents.hpp"
#include "experiments/setting.hpp"

namespace published {

/// What a reproduction may run.
struct Limits {
    std::vector<compaction::EngineId> engines;  ///< those that it may use
    std::uint64_t max_items = ~std::uint64_t{0};
    bool quick = false;  ///< of a search (best_of), only the last value
};

/// What is to be run for one cell: indices into Plan::settings, of which the fastest counts; or why nothing
/// is.
struct PlannedCell {
    std::vector<std::size_t> settings;
    std::string reason;  ///< one sentence where there are no settings; empty for cells that say no speed

    bool runs() const { return !settings.empty(); }
};

/// What is to be run for the tables of some documents. Cells that say the same thing share a setting.
struct Plan {
    std::vector<experiments::Setting> settings;
    /// One a table, in the order of the documents and of their tables: [row * columns + column].
    std::vector<std::vector<PlannedCell>> tables;
};

/// A table, and its document.
struct TableRef {
    const Document* document;
    const Table* table;
};

/// The tables of the documents in their order: all, or those whose own or whose document's id is among
/// `wanted`. Adds the tables that their ratios are made of. Throws compaction::Error{invalid_argument} for an
/// id that nothing has.
std::vector<TableRef> choose_tables(std::span<const Document> documents, std::span<const std::string> wanted);

Plan make_plan(std::span<const TableRef> tables, const Limits& limits);

}  // namespace published
