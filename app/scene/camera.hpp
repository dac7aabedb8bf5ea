#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace warpsieve::scene {

/// A 4x4 matrix, column-major as OpenGL reads it: element (row, column) is at [4 * column + row].
using Matrix = std::array<float, 16>;

/// A point or a direction in metres; y points up and the ground is y = 0.
struct Vector {
    float x = 0;
    float y = 0;
    float z = 0;

    bool operator==(const Vector&) const = default;
};

/// A subject, and a camera position that shows all of it.
struct Viewpoint {
    float azimuth = 0.6F;     ///< radians about the vertical axis
    float elevation = 0.27F;  ///< radians above the horizon
    float distance = 20.0F;   ///< metres to the target
    Vector target{0, 2, 0};
    float aspect = 1.75F;   ///< the subject's width over its height
    bool on_ground = true;  ///< whether the ground is drawn

    bool operator==(const Viewpoint&) const = default;
};

/// The position of a camera relative to its target.
struct Pose {
    float azimuth = 0;    ///< radians about the vertical axis
    float elevation = 0;  ///< radians above the horizon
    float distance = 0;   ///< metres

    bool operator==(const Pose&) const = default;
};

/// Orbits a target; starts at the subject's viewpoint.
class Camera {
  public:
    explicit Camera(const Viewpoint& home = {}) : home_(home) { reset(); }

    /// Turns by radians. Limits the elevation, so that the camera stays above the ground and short of the
    /// vertical.
    void orbit(float azimuth, float elevation);

    /// Multiplies the distance to the target, within limits; below 1 moves closer.
    void zoom(float factor);

    /// Returns to the subject's viewpoint.
    void reset();

    Pose pose() const { return {azimuth_, elevation_, distance_}; }
    /// Moves to a pose around the subject's target, within limits.
    void move_to(const Pose& pose);
    /// Moves to a pose around another target, until the next reset() or move_to().
    void move_to(const Pose& pose, const Vector& target);
    const Vector& target() const { return target_; }
    bool at_home() const { return pose() == Pose{home_.azimuth, home_.elevation, home_.distance}; }

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
    float azimuth_ = 0;
    float elevation_ = 0;
    float distance_ = 0;
    Vector target_;
};

/// How the camera moves while there is no input.
enum class IdleMotion : std::uint8_t {
    none,
    orbit,  ///< around the target
    sway,   ///< from side to side: for subjects with a front
};

/// Input of one frame.
struct CameraInput {
    float azimuth = 0;    ///< turn, in radians
    float elevation = 0;  ///< turn, in radians
    float zoom = 1;       ///< factor on the distance
    bool held = false;    ///< a mouse button is down
    bool reset = false;

    bool any() const { return azimuth != 0 || elevation != 0 || zoom != 1 || held || reset; }
};

/// A camera with inertia. It coasts when the mouse button is released, eases to a new distance, and moves
/// slowly by itself after a while without input.
class CameraMotion {
  public:
    /// Seconds without input until the camera moves by itself.
    static constexpr double idle_after_s = 8;

    /// Starts at the viewpoint, at rest.
    void show(const Viewpoint& home);

    /// Moves to a pose of the camera at once.
    void move_to(const Pose& pose) { camera_.move_to(pose); }

    /// The time of a flight, in seconds.
    static constexpr double flight_s = 1.2;
    /// Moves smoothly to a viewpoint. Input stops the flight.
    void fly_to(const Viewpoint& goal);
    /// Moves smoothly from another camera's position to its own, or to the goal of its flight.
    void fly_from(const Camera& start);
    /// Ends a flight at its goal.
    void land();

    /// Call once a frame. `seconds`: since the last call. `idle_at_once`: the idle motion does not wait for
    /// idle_after_s.
    void advance(const CameraInput& input, double seconds, IdleMotion idle, bool idle_at_once = false);

    const Camera& camera() const { return camera_; }

  private:
    /// The way from one pose and target to another.
    struct Flight {
        Pose from;
        Vector from_target;
        Pose to;
        Vector to_target;
        double elapsed_s = 0;
    };

    void fly(double seconds);

    Camera camera_;
    std::optional<Flight> flight_;
    float azimuth_speed_ = 0;    ///< radians per second
    float elevation_speed_ = 0;  ///< radians per second
    float zoom_left_ = 1;        ///< remaining factor on the distance
    double idle_s_ = 0;          ///< seconds without input
    double idle_motion_s_ = 0;   ///< seconds of moving by itself
};

}  // namespace warpsieve::scene
