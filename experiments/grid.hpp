#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// The axes of a measurement. Every legal combination becomes a Setting.
struct Grid {
    /// Ids, or "all" (compaction algorithms of the engine), "steps", "copies", "counts", "scans".
    std::vector<std::string> algorithms{"all"};
    std::vector<std::uint64_t> num_items{std::uint64_t{1} << 20};
    std::vector<double> keep_fractions{0.5};
    std::vector<workloads::Pattern> patterns{workloads::Pattern::random};
    std::vector<compaction::ItemSize> item_sizes{compaction::ItemSize::bytes_4};
    std::vector<Cache> caches{Cache::cold};
    std::vector<std::uint64_t> seeds{1};
    workloads::PicturePointer picture = nullptr;  ///< of Pattern::picture
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

/// Reads a list of counts; keeps the order and drops repeats. Accepts "4096", "2^12", "1024,4096",
/// "2^10..2^26" (every power of two), "2^10..2^26:2" (every second one), "32..1024:32" (steps of 32) and
/// "1..8" (steps of 1). Throws compaction::Error{invalid_argument} that shows the accepted forms.
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// Reads a list of fractions from 0 to 1: "0.5", "0.1,0.9", "0.1..0.9:0.2". Throws
/// compaction::Error{invalid_argument}.
std::vector<double> parse_fractions(std::string_view text);

/// Reads a list of words. A range of counts becomes its members, written in digits. Throws
/// compaction::Error{invalid_argument}.
std::vector<std::string> parse_words(std::string_view text);

}  // namespace experiments
