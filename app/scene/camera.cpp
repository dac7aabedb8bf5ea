#include "app/scene/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpsieve::scene {
namespace {

constexpr float field_of_view = 0.62F;  // vertical, radians
constexpr float near_plane = 0.1F;
constexpr float far_plane = 200.0F;

constexpr float min_elevation = 0.02F;
constexpr float max_elevation = 1.45F;
constexpr float min_distance = 2.0F;
constexpr float max_distance = 80.0F;

// Time constants of exponential decays, in seconds.
constexpr double coasting_s = 0.28;         // of the speed after the release
constexpr double speed_averaging_s = 0.05;  // of the average speed at which the mouse turns the camera
constexpr double zooming_s = 0.09;          // of the zoom that is left

constexpr float min_speed = 0.004F;  // radians per second
constexpr float min_zoom_left = 1e-4F;
constexpr double max_step_s = 0.1;  // the camera must not jump after a stall

constexpr float orbit_speed = 0.07F;     // radians per second
constexpr float sway_amplitude = 0.30F;  // radians to either side
constexpr double sway_period_s = 44;
constexpr double idle_ramp_s = 2;  // from rest to full speed

Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
float dot(const Vector& a, const Vector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vector normalised(const Vector& a) {
    const float scale = 1.0F / std::sqrt(dot(a, a));
    return {a.x * scale, a.y * scale, a.z * scale};
}

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t i = 0; i < 4; ++i)
                product[4 * column + row] += a[4 * i + row] * b[4 * column + i];
        }
    }
    return product;
}

Matrix look_at(const Vector& eye, const Vector& target) {
    const Vector back = normalised(eye - target);
    const Vector right = normalised(cross({0, 1, 0}, back));
    const Vector up = cross(back, right);
    return {right.x, up.x, back.x, 0, right.y,          up.y,          back.y,          0,
            right.z, up.z, back.z, 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1};
}

Matrix perspective(float cotangent, float aspect) {
    constexpr float depth = near_plane - far_plane;
    return {cotangent / aspect,
            0,
            0,
            0,
            0,
            cotangent,
            0,
            0,
            0,
            0,
            (near_plane + far_plane) / depth,
            -1,
            0,
            0,
            2 * near_plane * far_plane / depth,
            0};
}

/// The share of a value that remains after `seconds` of exponential decay with this time constant.
float remaining_after(double seconds, double time_constant_s) {
    return static_cast<float>(std::exp(-seconds / time_constant_s));
}

}  // namespace

void Camera::reset() {
    azimuth_ = home_.azimuth;
    elevation_ = home_.elevation;
    distance_ = home_.distance;
    target_ = home_.target;
}

void Camera::move_to(const Pose& pose) {
    reset();
    orbit(pose.azimuth - azimuth_, pose.elevation - elevation_);
    zoom(pose.distance / distance_);
}

void Camera::move_to(const Pose& pose, const Vector& target) {
    move_to(pose);
    target_ = target;
}

void Camera::orbit(float azimuth, float elevation) {
    azimuth_ = std::remainder(azimuth_ + azimuth, 2 * std::numbers::pi_v<float>);
    elevation_ = std::clamp(elevation_ + elevation, min_elevation, max_elevation);
}

void Camera::zoom(float factor) {
    distance_ = std::clamp(distance_ * factor, min_distance, max_distance);
}

Vector Camera::position() const {
    return {target_.x + distance_ * std::cos(elevation_) * std::sin(azimuth_),
            target_.y + distance_ * std::sin(elevation_),
            target_.z + distance_ * std::cos(elevation_) * std::cos(azimuth_)};
}

float Camera::magnification(float aspect) const {
    return std::min(aspect / home_.aspect, 1.0F) / (2 * std::tan(field_of_view / 2));
}

Matrix Camera::view_projection(float aspect) const {
    return perspective(2 * magnification(aspect), aspect) * look_at(position(), target_);
}

void CameraMotion::show(const Viewpoint& home) {
    camera_ = Camera(home);
    flight_.reset();
    azimuth_speed_ = elevation_speed_ = 0;
    zoom_left_ = 1;
    idle_s_ = idle_motion_s_ = 0;
}

void CameraMotion::fly_to(const Viewpoint& goal) {
    flight_ = Flight{.from = camera_.pose(),
                     .from_target = camera_.target(),
                     .to = {goal.azimuth, goal.elevation, goal.distance},
                     .to_target = goal.target};
    azimuth_speed_ = elevation_speed_ = 0;
    zoom_left_ = 1;
}

void CameraMotion::fly_from(const Camera& start) {
    const Pose to = flight_ ? flight_->to : camera_.pose();
    const Vector to_target = flight_ ? flight_->to_target : camera_.target();
    flight_ = Flight{.from = start.pose(), .from_target = start.target(), .to = to, .to_target = to_target};
    camera_.move_to(start.pose(), start.target());
}

void CameraMotion::land() {
    if (flight_) fly(flight_s);
}

void CameraMotion::fly(double seconds) {
    flight_->elapsed_s += seconds;
    const auto progress = static_cast<float>(std::min(flight_->elapsed_s / flight_s, 1.0));
    const float t = progress * progress * (3 - 2 * progress);  // eases in and out
    const Pose &from = flight_->from, &to = flight_->to;
    const Vector &from_target = flight_->from_target, &to_target = flight_->to_target;
    const float turn = std::remainder(to.azimuth - from.azimuth, 2 * std::numbers::pi_v<float>);
    camera_.move_to({from.azimuth + t * turn, std::lerp(from.elevation, to.elevation, t),
                     std::lerp(from.distance, to.distance, t)},
                    {std::lerp(from_target.x, to_target.x, t), std::lerp(from_target.y, to_target.y, t),
                     std::lerp(from_target.z, to_target.z, t)});
    if (progress >= 1) flight_.reset();
}

void CameraMotion::advance(const CameraInput& input, double seconds, IdleMotion idle, bool idle_at_once) {
    const double step = std::clamp(seconds, 0.0, max_step_s);
    idle_s_ = input.any() || flight_ ? 0 : idle_s_ + step;
    if (input.any()) flight_.reset();
    if (flight_) return fly(step);
    if (input.reset) {
        camera_.reset();
        azimuth_speed_ = elevation_speed_ = 0;
        zoom_left_ = 1;
        idle_motion_s_ = 0;
        return;
    }
    if (input.held || input.azimuth != 0 || input.elevation != 0) {
        camera_.orbit(input.azimuth, input.elevation);
        if (step > 0) {
            const float remaining = remaining_after(step, speed_averaging_s);
            const auto per_second = static_cast<float>(1 / step);
            azimuth_speed_ = std::lerp(input.azimuth * per_second, azimuth_speed_, remaining);
            elevation_speed_ = std::lerp(input.elevation * per_second, elevation_speed_, remaining);
        }
    } else if (std::abs(azimuth_speed_) + std::abs(elevation_speed_) > min_speed) {
        camera_.orbit(azimuth_speed_ * static_cast<float>(step), elevation_speed_ * static_cast<float>(step));
        const float remaining = remaining_after(step, coasting_s);
        azimuth_speed_ *= remaining;
        elevation_speed_ *= remaining;
    }
    zoom_left_ *= input.zoom;
    if (std::abs(zoom_left_ - 1) > min_zoom_left) {
        const float factor = std::pow(zoom_left_, 1 - remaining_after(step, zooming_s));
        camera_.zoom(factor);
        zoom_left_ /= factor;
    }
    if (idle == IdleMotion::none || (!idle_at_once && idle_s_ < idle_after_s)) return;
    const double moving_s = idle_at_once ? idle_motion_s_ : idle_s_ - idle_after_s;
    const auto strength = static_cast<float>(std::min(1.0, moving_s / idle_ramp_s));
    idle_motion_s_ += step;
    constexpr double sway_frequency = 2 * std::numbers::pi / sway_period_s;  // radians per second
    const float speed =
        idle == IdleMotion::orbit
            ? orbit_speed
            : sway_amplitude * static_cast<float>(sway_frequency * std::cos(sway_frequency * idle_motion_s_));
    camera_.orbit(strength * speed * static_cast<float>(step), 0);
}

}  // namespace warpsieve::scene
