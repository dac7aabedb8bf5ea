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

/// A subject, and from where it is seen whole.
struct Viewpoint {
    float around = 0.6F;     ///< radians about the vertical axis
    float up = 0.27F;        ///< radians above the horizon
    float distance = 20.0F;  ///< metres to the target
    Vector target{0, 2, 0};
    float aspect = 1.75F;   ///< the subject is this much wider than high
    bool on_ground = true;  ///< whether the ground is drawn below it
};

/// Looks at a target from a sphere around it; starts where its subject is seen whole.
class Camera {
  public:
    explicit Camera(const Viewpoint& home = {}) : home_(home) { reset(); }

    /// Turns by radians around the vertical axis and upwards; stays above the ground and short of straight
    /// down.
    void orbit(float around, float up);

    /// Multiplies the distance to the target: below 1 goes closer. Stays between the jet and a view from
    /// afar.
    void zoom(float factor);

    /// Back to where it started.
    void reset();

    /// From the world to OpenGL's clip space, for a viewport `aspect` times as wide as high. A viewport
    /// narrower than the subject opens the vertical angle, so that the subject stays in it.
    Matrix view_projection(float aspect) const;

    /// Where the camera is.
    Vector position() const;

    float distance() const { return distance_; }

    bool shows_ground() const { return home_.on_ground; }

    /// Height of the viewport divided by the height that it sees at a distance of 1 m: pixels per metre at
    /// distance d are viewport height * magnification / d.
    float magnification(float aspect) const;

  private:
    Viewpoint home_;
    float around_ = 0;
    float up_ = 0;
    float distance_ = 0;
};

}  // namespace warpsieve::scene
