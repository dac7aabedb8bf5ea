#include "app/live/saved_view.hpp"

namespace warpsieve {

std::optional<gl::WindowGeometry> window_geometry(const Settings& settings) {
    const WindowPreferences& window = settings.window;
    if (window.window_width == 0 || window.window_height == 0) return std::nullopt;
    return gl::WindowGeometry{{window.window_width, window.window_height}, window.window_x, window.window_y};
}

void save_window_geometry(const gl::Context& context, Settings& settings) {
    const std::optional<gl::WindowGeometry> geometry = context.geometry();
    if (!geometry) return;
    settings.window.window_width = geometry->size.width;
    settings.window.window_height = geometry->size.height;
    settings.window.window_x = geometry->x;
    settings.window.window_y = geometry->y;
}

void restore_camera(const Settings& settings, scene::CameraMotion& camera) {
    const WindowPreferences& window = settings.window;
    if (window.camera_distance > 0)
        camera.move_to({window.camera_azimuth, window.camera_elevation, window.camera_distance});
}

void save_camera(const scene::Camera& camera, Settings& settings) {
    const scene::Pose pose = camera.at_home() ? scene::Pose{} : camera.pose();
    settings.window.camera_azimuth = pose.azimuth;
    settings.window.camera_elevation = pose.elevation;
    settings.window.camera_distance = pose.distance;
}

}  // namespace warpsieve
