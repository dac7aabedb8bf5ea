#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/plots/bands.hpp"
#include "app/plots/columns.hpp"
#include "experiments/saved_run.hpp"

namespace warpsieve::plots {

ImU32 ghost_colour(const Style& style);

/// The totals of a saved run, laid end to end with the live one: its newest frame lies under the newest live
/// frame. out: [columns.across], newest first, the largest total of the frames that share a column; 0 where
/// the run has none, or only its summary was saved. `frames_after`: live frames newer than the right edge.
void reduce_ghost(std::span<const float> total_us, std::uint64_t frames_after, const Columns& columns,
                  std::vector<float>& out);

/// Draws a saved run: its frames as a line; with its summary, its quartiles as a band and its median dashed.
/// `edge` is scratch memory.
void draw_ghost(const Area& area, const Columns& columns, const experiments::SavedRun& ghost,
                std::uint64_t frames_after, bool with_summary, std::vector<ImVec2>& edge);

}  // namespace warpsieve::plots
