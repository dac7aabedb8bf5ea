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

/// Looks at a target from a sphere around it. The default frames the whole fountain, seen slightly from
/// above.
class Camera {
  public:
    /// Turns by radians around the vertical axis and upwards; stays above the ground and short of straight
    /// down.
    void orbit(float around, float up);

    /// Multiplies the distance to the target: below 1 goes closer. Stays between the jet and a view from
    /// afar.
    void zoom(float factor);

    /// Back to the default.
    void reset() { *this = Camera(); }

    /// From the world to OpenGL's clip space, for a viewport `aspect` times as wide as high. A viewport
    /// higher than wide opens the vertical angle, so that the fountain stays in it.
    Matrix view_projection(float aspect) const;

    /// Where the camera is.
    Vector position() const;

    float distance() const { return distance_; }

    /// Height of the viewport divided by the height that it sees at a distance of 1 m: pixels per metre at
    /// distance d are viewport height * magnification / d.
    float magnification(float aspect) const;

  private:
    float around_ = 0.6F;
    float up_ = 0.27F;
    float distance_ = 20.0F;
    Vector target_{0.0F, 2.0F, 0.0F};
};

}  // namespace warpsieve::scene
