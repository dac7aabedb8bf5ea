#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// Shapes that mark a cell, distinguishable without colour.
enum class CellMark : std::uint8_t { ring, square, diamond, dot, cross };

/// A mark in the middle of a cell, or between cells.
struct PlacedMark {
    double column = 0;  ///< fractional index
    double row = 0;     ///< fractional index
    CellMark mark = CellMark::ring;
};

/// A table of values as colours, with the first row at the bottom. The smallest value, 1, is the brightest;
/// `worst` and all values above are equally dark.
struct HeatMap {
    std::span<const double> values;  ///< [rows * columns] ratios to the best value; 0: unknown
    std::size_t columns = 0;
    std::span<const std::string> column_labels;
    std::span<const std::string> row_labels;
    std::string_view column_title;
    std::string_view row_title;
    double worst = 3;
    std::span<const PlacedMark> marks;
};

/// The colour of a value. Lightness is monotonic in both themes, and the map suits red-green colour
/// blindness. Source: Nunez, Anderton and Renslow 2018, "Optimizing colormaps with consideration for color
/// vision deficiency", the map cividis.
ImU32 heat_colour(double ratio_to_best, double worst);

/// Draws the map with labels, titles and colour scale between two corners. Returns the cell under the mouse.
std::optional<std::size_t> draw_heat_map(ImDrawList& list, ImVec2 low, ImVec2 high, const HeatMap& map,
                                         const Style& style);

/// Draws a single mark, for a legend.
void draw_cell_mark(ImDrawList& list, ImVec2 centre, float radius, CellMark mark, ImU32 colour,
                    const Style& style);

/// The positions of the cells of a map.
struct HeatMapCells {
    ImVec2 low;
    ImVec2 size;  ///< size of a cell
    std::size_t columns = 1;
    std::size_t rows = 1;

    ImVec2 low_of(std::size_t cell) const;
};
HeatMapCells cells_of(ImVec2 low, ImVec2 high, const HeatMap& map, const Style& style);

}  // namespace warpsieve::plots
