#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

/// The longest axis. A longer one is likely a typing error.
inline constexpr std::size_t max_axis_values = 10'000;
/// The maximum number of settings of a grid: more would be measured for weeks.
inline constexpr std::size_t max_settings = 1'000'000;

/// The product of the sizes of axes. Throws compaction::Error{invalid_argument} if it exceeds `max`.
std::size_t checked_product(std::initializer_list<std::size_t> sizes, std::size_t max = max_settings);

/// The settings of a grid. They are made stream by stream as they are needed.
struct Expansion {
    Grid grid;                     ///< its axes without repeats
    std::size_t num_settings = 0;  ///< of all streams
    /// Why combinations were left out: some of the reasons, each a sentence.
    std::vector<std::string> left_out = {};
    /// The legal options of an algorithm for items of one size.
    struct OptionSets {
        const compaction::Algorithm* algorithm;
        compaction::ItemSize item_size;
        std::vector<compaction::Options> legal;
    };
    std::vector<OptionSets> option_sets = {};  ///< in the order of the algorithms

    /// The settings for measure(). They are made from this expansion, which must outlive them.
    SettingSequence settings() const;
};

/// Every legal combination of the axes. Patterns that ignore the keep fraction are measured once. Stops early
/// when `cancel` is set, unless it is null; the expansion is then empty. Throws compaction::Error:
/// invalid_argument for an unknown id, an algorithm of another engine, a length of 0, an empty axis or more
/// than max_settings; invalid_option for a value that no algorithm of the grid accepts.
Expansion expand(const Grid& grid, compaction::EngineId engine, const std::atomic<bool>* cancel = nullptr);

/// Reads a list of counts; keeps the order and drops repeats. Accepts "4096", "2^12", "1024,4096",
/// "2^10..2^26" (every power of two), "2^10..2^26:2" (every second one), "32..1024:32" (steps of 32) and
/// "1..8" (steps of 1). Throws compaction::Error{invalid_argument} that shows the accepted forms, also for
/// more than max_axis_values.
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// Reads a list of fractions from 0 to 1: "0.5", "0.1,0.9", "0.1..0.9:0.2". Streams and files tell nine
/// decimals apart, so more are refused. Throws compaction::Error{invalid_argument}.
std::vector<double> parse_fractions(std::string_view text);

/// Reads a list of words. A range of counts becomes its members, written in digits. Throws
/// compaction::Error{invalid_argument}.
std::vector<std::string> parse_words(std::string_view text);

}  // namespace experiments
