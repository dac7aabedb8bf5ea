#pragma once

#include <array>

namespace warpsieve::scene {

/// A 4x4 matrix, column-major as OpenGL reads it: element (row, column) is at [4 * column + row].
using Matrix = std::array<float, 16>;

/// A point or a direction in metres; y points up and the ground is y = 0.
struct Vector {
    float x = 0;
    float y = 0;
    float z = 0;
};

/// A subject, and a position from which all of it is visible.
struct Viewpoint {
    float around = 0.6F;     ///< radians about the vertical axis
    float up = 0.27F;        ///< radians above the horizon
    float distance = 20.0F;  ///< metres to the target
    Vector target{0, 2, 0};
    float aspect = 1.75F;   ///< the subject's width over its height
    bool on_ground = true;  ///< whether the ground is drawn
};

/// Where a camera is, relative to its target.
struct Pose {
    float around = 0;    ///< radians about the vertical axis
    float up = 0;        ///< radians above the horizon
    float distance = 0;  ///< metres

    bool operator==(const Pose&) const = default;
};

/// Orbits a target; starts at the subject's viewpoint.
class Camera {
  public:
    explicit Camera(const Viewpoint& home = {}) : home_(home) { reset(); }

    /// Turns by radians around the vertical axis and upwards. Stays above the ground and does not reach the
    /// vertical.
    void orbit(float around, float up);

    /// Multiplies the distance to the target, within limits; below 1 moves closer.
    void zoom(float factor);

    /// Returns to the subject's viewpoint.
    void reset();

    /// Where it is; moves it there, within limits.
    Pose pose() const { return {around_, up_, distance_}; }
    void take(const Pose& pose);
    bool at_home() const { return pose() == Pose{home_.around, home_.up, home_.distance}; }

    /// World to OpenGL clip space for a viewport of this aspect ratio. A viewport narrower than the subject
    /// widens the vertical angle, so that the subject stays visible.
    Matrix view_projection(float aspect) const;

    Vector position() const;

    float distance() const { return distance_; }

    bool shows_ground() const { return home_.on_ground; }

    /// Viewport height over the visible height at a distance of 1 m. At distance d, a metre is viewport
    /// height * magnification / d pixels.
    float magnification(float aspect) const;

  private:
    Viewpoint home_;
    float around_ = 0;
    float up_ = 0;
    float distance_ = 0;
};

}  // namespace warpsieve::scene
