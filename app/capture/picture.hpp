#pragma once

#include <functional>

#include "app/capture/png.hpp"
#include "app/gl/context.hpp"
#include "app/gl/render_target.hpp"

namespace warpsieve::capture {

/// Draws interface that the window does not show into pictures.
class PictureDrawer {
  public:
    explicit PictureDrawer(gl::Context& context) : context_(context) {}

    /// `build` is called between ImGui::NewFrame and ImGui::Render of a frame of that size, in which nothing
    /// is under the mouse. Call after the window's own frame was drawn, before it is presented. Waits for the
    /// drawing.
    Image draw(gl::PixelSize size, const std::function<void()>& build);

  private:
    gl::Context& context_;
    gl::RenderTarget target_;
};

/// The part of a picture that lies within it.
Image cropped(const Image& image, int x, int y, int width, int height);

/// One picture above another of the same width.
Image stacked(const Image& above, const Image& below);

}  // namespace warpsieve::capture
