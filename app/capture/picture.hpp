#pragma once

#include <functional>

#include "app/capture/png.hpp"
#include "app/gl/context.hpp"
#include "app/gl/render_target.hpp"

namespace warpsieve::capture {

/// Draws interface frames into pictures, without showing them in the window.
class PictureDrawer {
  public:
    explicit PictureDrawer(gl::Context& context) : context_(context) {}

    /// Calls `build` within an interface frame of this size, with the mouse outside. Call after the window's
    /// frame was drawn and before it is presented. Waits until the picture is drawn.
    Image draw(gl::PixelSize size, const std::function<void()>& build);
    /// Builds such a frame without drawing it. Its draw lists are valid until the next frame.
    void build(gl::PixelSize size, const std::function<void()>& build);

  private:
    gl::Context& context_;
    gl::RenderTarget target_;
};

/// The part of the picture within the rectangle.
Image cropped(const Image& image, int x, int y, int width, int height);

/// Stacks two pictures of the same width.
Image stacked(const Image& above, const Image& below);

}  // namespace warpsieve::capture
