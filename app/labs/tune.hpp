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

/// Threads against blocks if the algorithm has both, as in the posts; otherwise threads against sequences;
/// otherwise its first two options. Empty if it has none.
std::optional<TuneAxes> tune_axes(const compaction::Algorithm& algorithm);

/// Up to `most` legal values in rising order, including both ends, spaced at even ratios, plus all legal
/// values in `extras`.
std::vector<std::uint32_t> tune_values(const compaction::LegalRange& range, std::size_t most,
                                       std::span<const std::uint32_t> extras);

/// A published place on a map.
struct TunePlace {
    std::uint32_t x = 0;
    std::uint32_t y = 0;  ///< 0 if the map has one row
    std::string source = {};

    bool operator==(const TunePlace&) const = default;
};

/// The published places for that algorithm, without repeats.
std::vector<TunePlace> published_places(const compaction::Algorithm& algorithm, const TuneAxes& axes);

/// The automatic layout first, then every place of the map; other `options` stay as they are. Tries at most
/// four times as many threads as the CPU has `processors` (0: unknown). Empty, with the reason as its title,
/// if there is nothing to tune.
Job tune_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
             const compaction::Algorithm& algorithm, const compaction::Options& options,
             std::uint32_t processors);

/// A place of the map and its result.
struct TuneCell {
    const experiments::Result* result = nullptr;  ///< null if not measured yet
    std::string_view skipped = {};                ///< why it was skipped; empty if it was not
    bool interactive = false;
    double times_best = 0;       ///< median over the best median; 0 if unknown
    bool local_minimum = false;  ///< faster than all neighbours, by their intervals

    bool known() const { return times_best > 0; }
};

struct TuneMap {
    const compaction::Algorithm* algorithm = nullptr;
    TuneAxes axes{};
    std::vector<std::uint32_t> xs = {};
    std::vector<std::uint32_t> ys = {};    ///< a single 0 if the map has one row
    std::vector<TuneCell> cells = {};      ///< [y * xs.size() + x]
    std::optional<std::size_t> best = {};  ///< index of a cell
    TuneCell automatic = {};               ///< the automatic layout, sampled in turn with the others
    std::vector<TunePlace> published = {};

    /// The cell of those values, if the map has it.
    std::optional<std::size_t> cell_of(std::uint32_t x, std::uint32_t y) const;
    std::uint32_t x_of(std::size_t cell) const { return xs[cell % xs.size()]; }
    std::uint32_t y_of(std::size_t cell) const { return ys[cell / xs.size()]; }
};

/// The position of `value` among rising values, as a fractional index on a logarithmic scale. Clamped to the
/// ends.
double place_among(std::span<const std::uint32_t> values, std::uint32_t value);

/// Points into `report`. Empty if its job has no map.
std::optional<TuneMap> tune_map(const Report& report);

}  // namespace warpsieve::labs
