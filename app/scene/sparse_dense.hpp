#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "app/scene/attributes.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/moment.hpp"

/// The layout of the sparse and dense scene: the sparse buffer as a field of cells, the dense array behind
/// it on the same scale, between them a band for the words of a compaction, and the particles that rise from
/// the dense array. Arrays run from left to right, column by column; those of a picture row by row from its
/// top left, which is the far left.
/// sparse_dense.glsl has the same functions.
namespace warpsieve::scene {

/// An array as a field of cells. A cell stands for 2^bits consecutive items and shows the first of them. In a
/// picture, each of its rows is a column of the field, so `across` leads down the picture; a cell stands for
/// a rectangle of pixels, which are the items, and shows the middle one. Has the std140 layout of the struct
/// in sparse_dense.glsl.
struct alignas(16) CellField {
    std::array<float, 4> corner;  ///< corner of the first cell, in metres
    std::array<float, 4> across;  ///< vector from one column to the next
    std::array<float, 4> along;   ///< vector from one row to the next
    std::uint32_t bits;
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint32_t cells;            ///< the last column may have fewer
    std::uint32_t picture_columns;  ///< pixels in a row of the picture; 0: the array is not a picture
    float cell_width;               ///< pixels of the picture
    float cell_height;
    float unused;

    /// The item that a cell shows. May be past the last one in the last row of a picture.
    std::uint32_t item_of(std::uint32_t cell) const {
        if (picture_columns == 0) return cell << bits;
        const auto pixel = [](std::uint32_t index, float size) {
            return static_cast<std::uint32_t>((static_cast<float>(index) + 0.5F) * size);
        };
        return pixel(cell / rows, cell_height) * picture_columns + pixel(cell % rows, cell_width);
    }
    /// The cell that an item belongs to.
    std::uint32_t cell_of(std::uint32_t item) const {
        if (picture_columns == 0) return item >> bits;
        const auto index = [](std::uint32_t pixel, float size, std::uint32_t end) {
            return std::min(static_cast<std::uint32_t>((static_cast<float>(pixel) + 0.5F) / size), end - 1);
        };
        return index(item / picture_columns, cell_height, columns) * rows +
               index(item % picture_columns, cell_width, rows);
    }
    /// Where an item lies in the scene: the items of a cell lie behind one another, each at a pseudo-random
    /// place across the column.
    Vector position_of_item(std::uint32_t item) const {
        if (picture_columns > 0)
            return at((static_cast<float>(item / picture_columns) + 0.5F) / cell_height,
                      (static_cast<float>(item % picture_columns) + 0.5F) / cell_width);
        const std::uint32_t cell = item >> bits;
        const float part = (static_cast<float>(item & ((1U << bits) - 1)) + 0.5F) /
                           static_cast<float>(std::uint64_t{1} << bits);
        return at(static_cast<float>(cell / rows) + unit(hash(item)), static_cast<float>(cell % rows) + part);
    }
    Vector centre(std::uint32_t cell) const {
        return at(static_cast<float>(cell / rows) + 0.5F, static_cast<float>(cell % rows) + 0.5F);
    }
    Vector at(float column, float row) const {
        return {corner[0] + column * across[0] + row * along[0],
                corner[1] + column * across[1] + row * along[1],
                corner[2] + column * across[2] + row * along[2]};
    }
    /// The left end of the edge that is nearest to the viewer.
    Vector near_left() const {
        return picture_columns > 0 ? at(static_cast<float>(columns), 0) : at(0, static_cast<float>(rows));
    }
    /// Metres of a cell from left to right, and from back to front.
    float cell_metres_across() const { return across[0] + along[0]; }
    float cell_metres_deep() const { return across[2] + along[2]; }
};

/// Everything that a frame of the sparse and dense scene depends on besides particles and camera. Has the
/// std140 layout of the uniform block in sparse_dense.glsl.
struct SparseDenseLayout {
    static constexpr std::uint32_t max_cells = 4096;  ///< of the sparse buffer
    static constexpr std::uint32_t max_dense_cells = max_cells;
    static constexpr std::uint32_t cells_per_arc = 32;  ///< cells that share an arc
    /// Up to this many kept items are all shown, wherever they are in their cells. With more, a cell is lit
    /// if its first slot is kept, so that the lit share of the cells is the kept share of the slots.
    static constexpr std::uint32_t max_items_shown = 64;
    static constexpr std::uint32_t max_arcs = max_cells / cells_per_arc;
    static constexpr std::uint32_t beads_per_arc = 96;
    /// Age until which a particle rises from the dense array to its position.
    static constexpr float risen = 0.26F;
    /// Up to this age all particles have the colour of their slot; from `risen` on, none has.
    static constexpr float slot_coloured = 0.06F;

    CellField sparse;
    CellField dense;
    /// Rows of the matrix from the source's metres to those of the scene.
    std::array<std::array<float, 4>, 3> source_to_scene;
    std::uint32_t slots;
    float seconds;  ///< scene time
    std::array<float, 2> unused;

    /// Where a particle is drawn. `source`: its position in the metres of the particle source; `rank`: its
    /// index in the dense array.
    Vector risen_position(std::uint32_t rank, const Position& source) const;
    /// From 0 at the first slot to below 1 at the last.
    float share_of(std::uint32_t slot) const {
        return static_cast<float>(static_cast<double>(slot) / static_cast<double>(slots));
    }
};
static_assert(sizeof(SparseDenseLayout) == 224);

/// The layout for `slots` slots, at most 2^32 - 1. `source_viewpoint`: that of their source.
/// `picture_columns`: pixels in a row of the picture whose pixels are the slots; 0: there is none.
SparseDenseLayout sparse_dense_layout(std::uint64_t slots, const Viewpoint& source_viewpoint, double seconds,
                                      std::uint64_t picture_columns = 0);

/// The band between sparse buffer and dense array, in metres.
struct WordBand {
    static constexpr float left = -9.5F;
    static constexpr float width = 19.0F;
    static constexpr float front = 1.6F;  ///< z
    static constexpr float back = -2.1F;
};

/// Shows the whole sparse and dense scene.
Viewpoint sparse_dense_viewpoint();

/// The smoothstep of GLSL.
float smoothstep(float low, float high, float x);

/// A point of the arc from `from` to `to`; `t` from 0 to 1.
Vector arc_point(const Vector& from, const Vector& to, float t);

/// A bead that flows along an arc.
struct Bead {
    float t;      ///< 0 to 1 along the arc
    float light;  ///< 0 to 1
};
Bead bead(std::uint32_t arc, std::uint32_t number, float seconds);

/// The light of a cell whose item has that age: it flashes at birth and fades before death.
float cell_light(float age);
/// The light of a filled cell of the dense array. All its neighbours are filled, so it is dimmer than a
/// sparse one.
inline constexpr float dense_cell_light = 0.5F;

}  // namespace warpsieve::scene
