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

/// A mark in the middle of a cell, or between two.
struct PlacedMark {
    double column = 0;  ///< index of a cell
    double row = 0;
    CellMark mark = CellMark::ring;
};

/// A table of figures as colours, the first row at the bottom. The smallest figure, 1, is the brightest;
/// `worst` and all above are equally dark.
struct HeatMap {
    std::span<const double> values;  ///< [rows * columns], times the best; 0: not known
    std::size_t columns = 0;
    std::span<const std::string> column_labels;
    std::span<const std::string> row_labels;
    std::string_view column_title;
    std::string_view row_title;
    double worst = 3;
    std::span<const PlacedMark> marks;
};

/// The colour of a figure. Lightness is monotonic in both themes, and the map suits red-green colour
/// blindness. Source: Nunez, Anderton and Renslow 2018, "Optimizing colormaps with consideration for color
/// vision deficiency", the map cividis.
ImU32 heat_colour(double times_best, double worst);

/// Draws it with labels, titles and scale between the two corners; returns the cell under the mouse.
std::optional<std::size_t> draw_heat_map(ImDrawList& list, ImVec2 low, ImVec2 high, const HeatMap& map,
                                         const Style& style);

/// A mark by itself, for a legend.
void draw_cell_mark(ImDrawList& list, ImVec2 centre, float radius, CellMark mark, ImU32 colour,
                    const Style& style);

/// Where the cells of a map drawn between two corners lie.
struct HeatMapCells {
    ImVec2 low;
    ImVec2 size;  ///< of one cell
    std::size_t columns = 1;
    std::size_t rows = 1;

    ImVec2 low_of(std::size_t cell) const;
};
HeatMapCells cells_of(ImVec2 low, ImVec2 high, const HeatMap& map, const Style& style);

}  // namespace warpsieve::plots
