#pragma once

#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// The colours of the scene of memory: items by their slot, phases as in the plots.
scene::MemoryColours memory_colours(Theme theme);

/// Draws the scene of memory: sheets, boxes, ribbons and arcs.
class MemoryPass {
  public:
    /// Draws over the bound framebuffer, into the OpenGL viewport of this size.
    void draw(const scene::MemoryScene& memory, const scene::Camera& camera, gl::PixelSize size, Theme theme);

  private:
    gl::VertexArray no_vertices_;
};

}  // namespace warpsieve::render
