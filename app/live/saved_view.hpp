#pragma once

#include <optional>

#include "app/gl/context.hpp"
#include "app/scene/camera.hpp"
#include "app/settings/settings.hpp"

/// Keeps the geometry of the window and the camera in the settings, so that the next start restores them.
namespace warpsieve {

/// The saved geometry of the window; nullopt before the first start.
std::optional<gl::WindowGeometry> window_geometry(const Settings& settings);
void save_window_geometry(const gl::Context& context, Settings& settings);

/// Restores the saved camera; does nothing if none was saved.
void restore_camera(const Settings& settings, scene::CameraMotion& camera);
void save_camera(const scene::Camera& camera, Settings& settings);

}  // namespace warpsieve
