#include "app/scene/camera_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpsieve::scene {
namespace {

// Seconds in which speed or way shrinks to 1/e.
constexpr double coasting = 0.28;
constexpr double measuring = 0.05;
constexpr double zooming = 0.09;
constexpr float least_speed = 0.004F;  // radians per second
constexpr double longest_step = 0.1;   // a stall does not throw the camera

constexpr float orbit_speed = 0.07F;  // radians per second
constexpr float sway_width = 0.30F;   // radians to either side
constexpr double sway_period = 44;    // seconds
constexpr double starting = 2;        // seconds until full speed

float share_after(double seconds, double constant) {
    return static_cast<float>(std::exp(-seconds / constant));
}

}  // namespace

void CameraMotion::show(const Viewpoint& home) {
    camera_ = Camera(home);
    speed_around_ = speed_up_ = 0;
    zoom_left_ = 1;
    idle_s_ = swayed_s_ = 0;
}

void CameraMotion::advance(const CameraInput& input, double seconds, IdleMotion idle, bool at_once) {
    const double step = std::clamp(seconds, 0.0, longest_step);
    idle_s_ = input.any() ? 0 : idle_s_ + step;
    if (input.reset) {
        camera_.reset();
        speed_around_ = speed_up_ = 0;
        zoom_left_ = 1;
        swayed_s_ = 0;
        return;
    }
    if (input.held || input.around != 0 || input.up != 0) {
        camera_.orbit(input.around, input.up);
        if (step > 0) {
            const float kept = share_after(step, measuring);
            const auto per_second = static_cast<float>(1 / step);
            speed_around_ = std::lerp(input.around * per_second, speed_around_, kept);
            speed_up_ = std::lerp(input.up * per_second, speed_up_, kept);
        }
    } else if (std::abs(speed_around_) + std::abs(speed_up_) > least_speed) {
        camera_.orbit(speed_around_ * static_cast<float>(step), speed_up_ * static_cast<float>(step));
        const float kept = share_after(step, coasting);
        speed_around_ *= kept;
        speed_up_ *= kept;
    }
    zoom_left_ *= input.zoom;
    if (std::abs(zoom_left_ - 1) > 1e-4F) {
        const float now = std::pow(zoom_left_, 1 - share_after(step, zooming));
        camera_.zoom(now);
        zoom_left_ /= now;
    }
    if (idle == IdleMotion::none || (!at_once && idle_s_ < idle_after_s)) return;
    const double since = at_once ? swayed_s_ : idle_s_ - idle_after_s;
    const auto strength = static_cast<float>(std::min(1.0, since / starting));
    swayed_s_ += step;
    constexpr double turns = 2 * std::numbers::pi / sway_period;
    const float speed = idle == IdleMotion::orbit
                            ? orbit_speed
                            : sway_width * static_cast<float>(turns * std::cos(turns * swayed_s_));
    camera_.orbit(strength * speed * static_cast<float>(step), 0);
}

}  // namespace warpsieve::scene
