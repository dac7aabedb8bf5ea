#pragma once

#include <optional>

#include "app/gl/context.hpp"
#include "app/scene/camera.hpp"
#include "app/settings/settings.hpp"

/// Window and camera in the settings, so that the next start looks like the last one.
namespace warpsieve {

/// Where the window was; nothing before the first start.
std::optional<gl::WindowGeometry> window_geometry(const Settings& settings);
void save_window_geometry(const gl::Context& context, Settings& settings);

/// Moves the camera to where it was, if it was moved.
void restore_camera(const Settings& settings, scene::CameraMotion& camera);
void save_camera(const scene::Camera& camera, Settings& settings);

}  // namespace warpsieve
