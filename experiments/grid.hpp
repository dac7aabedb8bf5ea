#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// What is to be measured, an axis each; every combination that exists becomes a Setting.
struct Grid {
    /// Ids, or "all" (compaction algorithms of the engine), "steps", "copies", "counts", "scans".
    std::vector<std::string> algorithms{"all"};
    std::vector<std::uint64_t> num_items{std::uint64_t{1} << 20};
    std::vector<double> densities{0.5};
    std::vector<workloads::Pattern> patterns{workloads::Pattern::random};
    std::vector<compaction::ItemSize> item_sizes{compaction::ItemSize::bytes_4};
    std::vector<Cache> caches{Cache::cold};
    std::vector<std::uint64_t> seeds{1};
    /// Values of each option, in the order of compaction::all_options, as the command line takes them; an
    /// empty list leaves the option automatic.
    std::array<std::vector<std::string>, compaction::all_options.size()> options;
};

/// The settings of a grid, and what had to be left out.
struct Expansion {
    std::vector<Setting> settings;      ///< those of one stream stand together
    std::vector<std::string> left_out;  ///< one sentence each: which combinations do not exist, and why
};

/// Every combination of the axes, less those an algorithm does not have; density is no axis of the patterns
/// that do not use it. Throws compaction::Error: invalid_argument for an unknown id, an algorithm of another
/// engine, a length of 0, an empty axis; invalid_option for a value that no algorithm of the grid accepts.
Expansion expand(const Grid& grid, compaction::EngineId engine);

}  // namespace experiments
