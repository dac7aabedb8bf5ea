#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/camera.hpp"
#include "app/scene/source.hpp"
#include "app/scene/sparse_dense.hpp"

/// Finds particles on the screen. A scene is a pure function of slot, seed and clock, so the host computes
/// positions itself and does not wait for a GPU.
namespace warpsieve::scene {

/// A point of OpenGL's normalised device coordinates: -1 to 1, y points up.
struct ScreenPoint {
    float x = 0;
    float y = 0;
};

/// The position of a slot's particle; nullopt for an empty slot.
std::optional<Position> locate(const Frame& frame, std::uint64_t slot);

/// A position on the screen; nullopt behind the camera or outside the view.
std::optional<ScreenPoint> project(const Matrix& view_projection, const Vector& position);

/// The squared distance of a position from `point` on the screen, in half heights of the view; huge behind
/// the camera or outside the view. `aspect`: width of the view over its height.
float squared_distance_to(const Matrix& view_projection, const Vector& position, ScreenPoint point,
                          float aspect);

/// The positions at which particles are drawn.
struct Placement {
    const SparseDenseLayout* sparse_dense = nullptr;  ///< null: at the positions of their source
    double kept_fraction = 0;  ///< kept slots over all slots; estimates the rank of a rising particle

    Vector drawn_position(std::uint64_t slot, const Position& position) const;
};

struct PickQuery {
    Matrix view_projection;
    Placement placement;
    ScreenPoint point;
    float aspect = 1;     ///< width of the view over its height
    float reach = 0.01F;  ///< maximum distance of a particle, in half heights of the view
    /// A longer buffer is searched in several turns: each looks at every n-th slot.
    std::uint64_t max_slots = std::uint64_t{1} << 18;
    std::uint64_t turn = 0;  ///< modulo n, the first slot that this turn looks at
};

/// The result of a pick: a slot or an index of the output; both empty if nothing is within reach.
struct Picked {
    std::optional<std::uint64_t> slot;
    std::optional<std::uint64_t> output_index;
};

/// The particle, or the cell of the sparse and dense scene, that is nearest to a point of the screen and
/// within reach. A cell stands for its first item. Uses all host threads.
Picked pick(const Frame& frame, const PickQuery& query);

}  // namespace warpsieve::scene
