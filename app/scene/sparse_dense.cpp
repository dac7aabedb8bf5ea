#include "app/scene/sparse_dense.hpp"

#include <algorithm>
#include <cmath>

#include "app/trace/memory_replay.hpp"

namespace warpsieve::scene {
namespace {

constexpr float width = WordBand::width;  // metres, of both arrays
constexpr std::uint32_t rows = 32;
// A cell of the scene at rest is a cell of a replay.
static_assert(SparseDenseLayout::max_cells == trace::max_replay_cells);

constexpr float sparse_front = 6.6F;  // z of the front edge
constexpr float sparse_depth = 4.7F;

// A desk behind the band, tilted towards the viewer.
constexpr float dense_front = -2.2F;
constexpr float dense_depth = 2.7F;
constexpr float dense_rise = 2.6F;
constexpr float dense_foot = 0.45F;

// A picture is narrower than it would lie on the ground, because it is seen from a low angle.
constexpr float max_picture_depth = 5.0F;  // metres, of the sparse buffer
constexpr float picture_narrowing = 0.85F;

constexpr float source_size = 0.72F;
constexpr float max_target = 3.0F;      // metres; sources with a higher target are shrunk
constexpr float source_centre = -7.4F;  // z
constexpr float ground_lift = 1.7F;     // metres: the dense array hides nothing of the source
constexpr float source_lift = 4.9F;     // metres, for sources without ground
constexpr float source_tilt = 0.55F;    // radians towards the viewer

/// The part of the ground or the desk that an array lies on, in metres.
struct Area {
    float left;
    float width;
    Vector back;   ///< y and z of the back edge; x is unused
    Vector depth;  ///< from the back edge to the front edge
};

CellField field_in(const Area& area, std::uint64_t items) {
    CellField field{};
    field.bits = trace::cell_bits_for(items);
    field.cells = static_cast<std::uint32_t>(trace::num_cells(items, field.bits));
    field.rows = rows;
    field.columns = (field.cells + rows - 1) / rows;
    field.corner = {area.left, area.back.y, area.back.z, 0};
    field.across = {area.width / static_cast<float>(field.columns), 0, 0, 0};
    field.along = {0, area.depth.y / rows, area.depth.z / rows, 0};
    return field;
}

/// The pixels of a picture, and the cells that it is drawn with.
struct PictureGrid {
    std::uint32_t pixel_columns;
    std::uint32_t pixel_rows;
    std::uint32_t columns;
    std::uint32_t rows;

    PictureGrid(std::uint64_t items, std::uint64_t picture_columns)
        : pixel_columns(static_cast<std::uint32_t>(picture_columns)),
          pixel_rows(static_cast<std::uint32_t>((items + picture_columns - 1) / picture_columns)),
          columns(pixel_columns),
          rows(pixel_rows) {
        constexpr std::uint32_t max_cells = SparseDenseLayout::max_cells;
        if (std::uint64_t{columns} * rows <= max_cells) return;
        columns = std::clamp(static_cast<std::uint32_t>(std::sqrt(max_cells * aspect())), 1U,
                             std::min(pixel_columns, max_cells));
        rows = std::clamp(max_cells / columns, 1U, pixel_rows);
    }
    double aspect() const { return static_cast<double>(pixel_columns) / pixel_rows; }
};

CellField field_in(const Area& area, const PictureGrid& grid) {
    CellField field{};
    // A row of the picture is a column of the field.
    field.rows = grid.columns;
    field.columns = grid.rows;
    field.cells = grid.columns * grid.rows;
    field.picture_columns = grid.pixel_columns;
    field.cell_width = static_cast<float>(grid.pixel_columns) / static_cast<float>(grid.columns);
    field.cell_height = static_cast<float>(grid.pixel_rows) / static_cast<float>(grid.rows);
    field.corner = {area.left, area.back.y, area.back.z, 0};
    const auto cell_rows = static_cast<float>(grid.rows);
    field.across = {0, area.depth.y / cell_rows, area.depth.z / cell_rows, 0};
    field.along = {area.width / static_cast<float>(grid.columns), 0, 0, 0};
    return field;
}

}  // namespace

float smoothstep(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

SparseDenseLayout sparse_dense_layout(std::uint64_t slots, const Viewpoint& source_viewpoint, double seconds,
                                      std::uint64_t picture_columns) {
    SparseDenseLayout layout{};
    layout.slots = static_cast<std::uint32_t>(slots);
    // A float of a long time would be too coarse for smooth motion.
    layout.seconds = static_cast<float>(std::fmod(seconds, 4096.0));

    constexpr float sparse_back = sparse_front - sparse_depth;
    Area sparse{-width / 2, width, {0, 0, sparse_back}, {0, 0, sparse_depth}};
    Area dense{-width / 2,
               width,
               {0, dense_foot + dense_rise, dense_front - dense_depth},
               {0, -dense_rise, dense_depth}};
    if (picture_columns > 0 && slots > 0) {
        const PictureGrid grid(slots, picture_columns);
        const auto narrowed_aspect = picture_narrowing * static_cast<float>(grid.aspect());
        sparse.width = dense.width = std::min(width, narrowed_aspect * max_picture_depth);
        sparse.left = dense.left = -sparse.width / 2;
        sparse.depth.z = sparse.width / narrowed_aspect;
        // Both have pixels of the same size on the screen, and the foot of the desk stays where it is.
        const float dense_scale = std::min(1.0F, sparse.depth.z / sparse_depth);
        dense.back = {0, dense_foot + dense_scale * dense_rise, dense_front - dense_scale * dense_depth};
        dense.depth = {0, -dense_scale * dense_rise, dense_scale * dense_depth};
        layout.sparse = field_in(sparse, grid);
        layout.dense = field_in(dense, grid);
    } else {
        layout.sparse = field_in(sparse, slots);
        layout.dense = field_in(dense, slots);
    }

    const float tilt = source_viewpoint.on_ground ? 0 : source_tilt;
    const float lift = source_viewpoint.on_ground ? ground_lift : source_lift;
    const float size = source_size * std::min(1.0F, max_target / std::max(source_viewpoint.target.y, 0.1F));
    const float up = size * std::cos(tilt), back = size * std::sin(tilt);
    layout.source_to_scene = {{{size, 0, 0, 0}, {0, up, -back, lift}, {0, back, up, source_centre}}};
    return layout;
}

Viewpoint sparse_dense_viewpoint() {
    return {.azimuth = 0.10F,
            .elevation = 0.46F,
            .distance = 25.5F,
            .target = {0, 2.5F, -0.4F},
            .aspect = 1.9F,
            .on_ground = false};
}

Vector SparseDenseLayout::risen_position(std::uint32_t rank, const Position& source) const {
    const auto row = [&](std::size_t i) {
        return source_to_scene[i][0] * source.x + source_to_scene[i][1] * source.y +
               source_to_scene[i][2] * source.z + source_to_scene[i][3];
    };
    const Vector to{row(0), row(1), row(2)};
    if (source.age >= risen) return to;
    const Vector from = dense.position_of_item(rank);
    // Upwards first, then towards the source.
    const float t = source.age / risen;
    const float aside = smoothstep(0, 1, t);
    const float upwards = t * (2 - t);
    return {std::lerp(from.x, to.x, aside), std::lerp(from.y, to.y, upwards), std::lerp(from.z, to.z, aside)};
}

Vector arc_point(const Vector& from, const Vector& to, float t) {
    const float dx = to.x - from.x, dz = to.z - from.z;
    const float height = 0.7F + 0.28F * std::sqrt(dx * dx + dz * dz);
    const float s = 1 - t, bend = 4 * height * s * t;
    return {s * from.x + t * to.x, s * from.y + t * to.y + bend, s * from.z + t * to.z};
}

Bead bead(std::uint32_t arc, std::uint32_t number, float seconds) {
    constexpr float arcs_per_second = 0.55F;
    constexpr std::uint32_t beads_per_comet = 32;
    const float flow = seconds * arcs_per_second + unit(hash(arc));
    const float along = static_cast<float>(number) / SparseDenseLayout::beads_per_arc + flow;
    const float t = along - std::floor(along);
    const auto behind = static_cast<float>(beads_per_comet - 1 - number % beads_per_comet);
    const float ends = smoothstep(0, 0.04F, t) * (1 - smoothstep(0.96F, 1, t));
    return {t, ends * (0.12F + 0.88F * std::exp(-behind / 5.0F))};
}

float cell_light(float age) {
    return (0.62F + 0.38F * std::exp(-14 * age)) * (1 - 0.6F * smoothstep(0.88F, 1, age));
}

}  // namespace warpsieve::scene
