#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// The axes of a measurement. Every legal combination becomes a Setting.
struct Grid {
    /// Ids, or "all" (compaction algorithms of the engine), "steps", "copies", "counts", "scans".
    std::vector<std::string> algorithms{"all"};
    std::vector<std::uint64_t> num_items{std::uint64_t{1} << 20};
    std::vector<double> densities{0.5};
    std::vector<workloads::Pattern> patterns{workloads::Pattern::random};
    std::vector<compaction::ItemSize> item_sizes{compaction::ItemSize::bytes_4};
    std::vector<Cache> caches{Cache::cold};
    std::vector<std::uint64_t> seeds{1};
    /// Values of each option as the command line takes them, in the order of compaction::all_options. An
    /// empty list leaves the option automatic.
    std::array<std::vector<std::string>, compaction::all_options.size()> options;
};

/// The settings of a grid.
struct Expansion {
    std::vector<Setting> settings;      ///< grouped by stream
    std::vector<std::string> left_out;  ///< a sentence for each kind of illegal combination, with the reason
};

/// Every legal combination of the axes. Patterns that ignore the keep fraction are measured once. Throws
/// compaction::Error: invalid_argument for an unknown id, an algorithm of another engine, a length of 0 or an
/// empty axis; invalid_option for a value that no algorithm of the grid accepts.
Expansion expand(const Grid& grid, compaction::EngineId engine);

}  // namespace experiments
