#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/camera.hpp"
#include "app/scene/source.hpp"
#include "app/scene/two_stage.hpp"

/// Finds particles on the screen. A scene is a pure function of slot, seed and clock, so the host computes
/// positions itself and never waits for a GPU.
namespace warpsieve::scene {

/// A point of OpenGL's normalised device coordinates: -1 to 1, y points up.
struct ScreenPoint {
    float x = 0;
    float y = 0;
};

/// Where the particle of a slot is; nothing for an empty slot.
std::optional<Position> locate(const Frame& frame, std::uint64_t slot);

/// Where a position is on the screen; nothing for one behind the camera or outside of the view.
std::optional<ScreenPoint> project(const Matrix& view_projection, const Vector& position);

/// Where particles are drawn.
struct Placement {
    const TwoStageLayout* stage = nullptr;  ///< null: where their source puts them
    double kept_share = 0;                  ///< of the slots; gives the rank of a rising particle, nearly

    Vector place(std::uint64_t slot, const Position& position) const;
};

struct PickQuery {
    Matrix view_projection;
    Placement placement;
    ScreenPoint point;
    float aspect = 1;     ///< width of the view over its height
    float reach = 0.01F;  ///< the farthest a particle may be, in half heights of the view
    std::uint64_t max_slots = std::uint64_t{1} << 18;  ///< a longer buffer is searched in turns
    std::uint64_t turn = 0;                            ///< which part of it
};

/// What the mouse points at: a slot, or a place of the output.
struct Picked {
    std::optional<std::uint64_t> slot;
    std::optional<std::uint64_t> place;
};

/// The particle, or the cell of the two-stage scene, nearest to a point of the screen; nothing where none is
/// within reach. A cell is its first item. Uses all host threads.
Picked pick(const Frame& frame, const PickQuery& query);

}  // namespace warpsieve::scene
