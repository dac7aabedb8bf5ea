#pragma once

#include <cstdint>

#include "app/scene/camera.hpp"

namespace warpsieve::scene {

/// What moves the camera while nobody does.
enum class IdleMotion : std::uint8_t {
    none,
    orbit,  ///< once around
    sway,   ///< from side to side: for subjects with a front
};

/// What a hand does to the view in a frame.
struct CameraInput {
    float around = 0;  ///< radians
    float up = 0;
    float zoom = 1;     ///< factor on the distance
    bool held = false;  ///< a button holds the view
    bool reset = false;

    bool any() const { return around != 0 || up != 0 || zoom != 1 || held || reset; }
};

/// A camera with inertia. It coasts when it is let go, eases to a new distance, and moves slowly by itself
/// once nobody has touched it for a while.
class CameraMotion {
  public:
    /// Seconds without input until the camera moves by itself.
    static constexpr double idle_after_s = 8;

    /// Starts at the viewpoint, at rest.
    void show(const Viewpoint& home);

    /// Moves to a pose of the camera at once.
    void take(const Pose& pose) { camera_.take(pose); }

    /// Call once a frame. `seconds`: since the last call. `at_once`: moves by itself without waiting.
    void advance(const CameraInput& input, double seconds, IdleMotion idle, bool at_once = false);

    const Camera& camera() const { return camera_; }

  private:
    Camera camera_;
    float speed_around_ = 0;  ///< radians per second
    float speed_up_ = 0;
    float zoom_left_ = 1;  ///< factor that the distance has yet to change by
    double idle_s_ = 0;
    double swayed_s_ = 0;  ///< time that it has moved by itself
};

}  // namespace warpsieve::scene
