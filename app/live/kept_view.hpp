#pragma once

#include <optional>

#include "app/gl/context.hpp"
#include "app/scene/camera.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/requests.hpp"

/// Window and camera in the settings, so that the next start looks like the last one.
namespace warpsieve {

/// Where the window was; nothing before the first start.
std::optional<gl::WindowPlace> window_place(const Settings& settings);
void keep_window_place(const gl::Context& context, Settings& settings);

/// Moves the camera to where it was, if it was moved.
void restore_camera(const Settings& settings, scene::Camera& camera);
void keep_camera(const scene::Camera& camera, Settings& settings);

/// Moves the camera as the panels requested, and keeps where it is.
void move_camera(const Requests& requests, scene::Camera& camera, Settings& settings);

}  // namespace warpsieve
