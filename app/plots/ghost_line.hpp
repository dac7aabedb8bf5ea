#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/plots/bands.hpp"
#include "app/plots/columns.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::plots {

/// The totals of another run, to hold those of a plot against: of a saved run, or of B.
struct TotalsLine {
    std::string_view name;            ///< "ghost": beside the plot
    std::span<const float> total_us;  ///< per frame, oldest first; empty if only the summary is known
    experiments::Summary us;          ///< of the totals
    bool with_quartiles = false;      ///< draws the quartiles as a band, and the median dashed
};

ImU32 ghost_colour(const Style& style);

/// The totals of another run, laid end to end with the live one: its newest frame lies under the newest live
/// frame. out: [columns.across], newest first, the largest total of the frames that share a column; 0 where
/// the run has none, or only its summary is known. `frames_after`: live frames newer than the right edge.
void reduce_totals(std::span<const float> total_us, std::uint64_t frames_after, const Columns& columns,
                   std::vector<float>& out);

/// `edge` is scratch memory.
void draw_totals(const Area& area, const Columns& columns, const TotalsLine& line, std::uint64_t frames_after,
                 std::vector<ImVec2>& edge);

}  // namespace warpsieve::plots
