#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"

namespace warpsieve::labs {

/// The two options whose values a map is made of; one row where an algorithm has one option alone.
struct TuneAxes {
    compaction::Option x;
    std::optional<compaction::Option> y;
};

/// Threads against blocks where an algorithm has both, as the series searched them; else threads against
/// sequences; else the first two options that it has. Nothing where it has none.
std::optional<TuneAxes> tune_axes(const compaction::Algorithm& algorithm);

/// Up to `most` legal values in rising order, both ends among them, at even ratios rather than even
/// distances; and every one of `extras` that is legal.
std::vector<std::uint32_t> tune_values(const compaction::LegalRange& range, std::size_t most,
                                       std::span<const std::uint32_t> extras);

/// A place on a map that somebody recommends.
struct TunePlace {
    std::uint32_t x = 0;
    std::uint32_t y = 0;  ///< 0 where the map has one row
    std::string source = {};

    bool operator==(const TunePlace&) const = default;
};

/// The places that publications give for that algorithm, each once.
std::vector<TunePlace> published_places(const compaction::Algorithm& algorithm, const TuneAxes& axes);

/// The automatic layout first, then every place of the map; `options` beside the axes stay as they are. On a
/// CPU of so many `processors` (0: unknown) no more than four times as many threads are tried. Empty, and the
/// reason in its title, where the algorithm has nothing to tune.
Job tune_job(const Settings& settings, std::uint64_t slots, const compaction::Algorithm& algorithm,
             const compaction::Options& options, std::uint32_t processors);

/// A place of the map, and what was measured there.
struct TuneCell {
    const experiments::Result* result = nullptr;  ///< null where nothing was measured yet
    std::string_view skipped = {};                ///< why nothing will be; empty where that is not so
    bool interactive = false;
    double times_best = 0;       ///< median over the best median; 0 where unknown
    bool local_minimum = false;  ///< faster than all its neighbours, by their intervals

    bool known() const { return times_best > 0; }
};

struct TuneMap {
    const compaction::Algorithm* algorithm = nullptr;
    TuneAxes axes{};
    std::vector<std::uint32_t> xs = {};
    std::vector<std::uint32_t> ys = {};    ///< one 0 where the map has one row
    std::vector<TuneCell> cells = {};      ///< [y * xs.size() + x]
    std::optional<std::size_t> best = {};  ///< a cell
    TuneCell automatic = {};               ///< the automatic layout, measured in turn with the others
    std::vector<TunePlace> published = {};

    /// The cell of those values, if it is one of the map's.
    std::optional<std::size_t> cell_of(std::uint32_t x, std::uint32_t y) const;
    std::uint32_t x_of(std::size_t cell) const { return xs[cell % xs.size()]; }
    std::uint32_t y_of(std::size_t cell) const { return ys[cell / xs.size()]; }
};

/// Where `value` lies among rising values, as an index: between two of them by its ratio to both, at an end
/// where it is beyond.
double place_among(std::span<const std::uint32_t> values, std::uint32_t value);

/// Points into `report`. Nothing where its job has no map.
std::optional<TuneMap> tune_map(const Report& report);

}  // namespace warpsieve::labs
