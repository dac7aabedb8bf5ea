#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"

namespace warpsieve::labs {

/// The two options of a map. A map has one row if the algorithm has only one option.
struct TuneAxes {
    compaction::Option x;
    std::optional<compaction::Option> y;
};

/// Blocks (x) and threads (y) if the algorithm has both, else sequences (x) and threads (y), else its first
/// two options, of which x has more values. Empty if it has no options.
std::optional<TuneAxes> tune_axes(const compaction::Algorithm& algorithm);

/// Up to `max_values` legal values in geometric progression, including both ends, and all legal values in
/// `extras`. Ascending.
std::vector<std::uint32_t> tune_values(const compaction::LegalRange& range, std::size_t max_values,
                                       std::span<const std::uint32_t> extras);

/// A published point of a map.
struct TunePoint {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::string source = {};

    bool operator==(const TunePoint&) const = default;
};

/// The distinct published points of an algorithm; none for a map with one row.
std::vector<TunePoint> published_points(const compaction::Algorithm& algorithm, const TuneAxes& axes);

/// A job that measures the automatic values first, then every point of the map. Options that are on neither
/// axis keep their values in `options`. On the CPU engine, an axis of threads ends at four threads per
/// processor; `processors` is their number, 0 if unknown. If there is nothing to tune, the job is empty and
/// its title says why.
Job tune_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
             const compaction::Algorithm& algorithm, const compaction::Options& options,
             std::uint32_t processors);

/// A cell of the map and its result.
struct TuneCell {
    const experiments::Result* result = nullptr;  ///< null if not measured yet
    std::string_view skip_reason = {};            ///< one sentence; empty if it was not skipped
    bool is_interactive = false;                  ///< see Report::is_interactive
    double ratio_to_best = 0;                     ///< median over the best median of the map; 0 if unknown
    bool local_minimum = false;                   ///< faster than all neighbours, by their intervals
    bool ties_with_best = false;                  ///< not the best cell, but not significantly slower

    bool known() const { return ratio_to_best > 0; }
};

struct TuneMap {
    const compaction::Algorithm* algorithm = nullptr;
    TuneAxes axes{};
    std::vector<std::uint32_t> xs = {};    ///< values of the option on the x axis, ascending
    std::vector<std::uint32_t> ys = {};    ///< {0} if the map has one row
    std::vector<TuneCell> cells = {};      ///< [row * xs.size() + column]
    std::optional<std::size_t> best = {};  ///< index of the cell with the smallest median
    std::size_t num_ties = 0;              ///< number of other cells that are not significantly slower
    TuneCell automatic = {};               ///< result of the automatic values
    std::vector<TunePoint> published = {};

    /// The index of the cell with these values, if the map has it.
    std::optional<std::size_t> cell_of(std::uint32_t x, std::uint32_t y) const;
    std::uint32_t x_of(std::size_t cell) const { return xs[cell % xs.size()]; }
    std::uint32_t y_of(std::size_t cell) const { return ys[cell / xs.size()]; }
};

/// The fractional index of `value` among ascending values, on a logarithmic scale. Clamped to the ends.
double index_among(std::span<const std::uint32_t> values, std::uint32_t value);

/// The map of a report. It points into the report. Empty if the job has no map.
std::optional<TuneMap> tune_map(const Report& report);

}  // namespace warpsieve::labs
