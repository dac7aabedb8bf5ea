#pragma once

#include <optional>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/scene/camera.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// A picture of the ground, or of the plain background for sources without ground. Redrawn only when camera,
/// theme or size change.
class Ground {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    Ground();

    /// Returns the texture, [size.height][size.width] RGBA8.
    GLuint draw(const scene::Camera& camera, Theme theme, gl::PixelSize size);

  private:
    /// What a picture shows, besides its size, which picture_ knows.
    struct Subject {
        scene::Matrix view_projection;
        Theme theme;
        bool shows_ground;
        bool operator==(const Subject&) const = default;
    };

    gl::Program program_;
    gl::VertexArray no_vertices_;
    gl::RenderTarget picture_;
    std::optional<Subject> drawn_;  ///< what picture_ shows
};

}  // namespace warpsieve::render
