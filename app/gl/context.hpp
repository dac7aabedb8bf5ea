#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpsieve::gl {

struct PixelSize {
    int width = 1280;
    int height = 720;

    bool operator==(const PixelSize&) const = default;
};

/// What the GL implementation says of itself.
struct ContextInfo {
    std::string renderer;   ///< GL_RENDERER
    std::string version;    ///< GL_VERSION
    bool software = false;  ///< llvmpipe, softpipe, SWR
};

/// A current OpenGL 4.5 core context with something to draw into: a window or an offscreen surface. The
/// application is the same over both.
///
/// It owns Dear ImGui's backends as well, so the rest of the program only calls ImGui:: functions. A frame is
///
///     context->begin_interface_frame();
///     ImGui::NewFrame();  ... panels ...  ImGui::Render();
///     ... draw the scene into context->framebuffer() ...
///     context->draw_interface();
///     context->present();
///
/// The font texture follows the font atlas: clear and refill it between frames, and the next frame uploads
/// it. Destroy the Context before the ImGui context. Setting WARPSIEVE_GL_DEBUG=1 asks for a debug context
/// and prints what the driver reports; builds without NDEBUG always do.
class Context {
  public:
    virtual ~Context() = default;

    virtual const ContextInfo& info() const = 0;
    virtual PixelSize size() const = 0;
    /// The framebuffer object that the frame is drawn into: 0 for a window.
    virtual unsigned framebuffer() const = 0;
    /// Scale the display asks for; 1 is 100 %.
    virtual float content_scale() const = 0;
    virtual bool should_close() const = 0;
    /// Sleeps until there is input, at most that long; not at all where there can be none.
    virtual void wait_for_input(double seconds) = 0;
    /// The files that were dropped on the window since the last call; in one drop, the last.
    virtual std::vector<std::filesystem::path> take_dropped() = 0;

    /// Feeds Dear ImGui: size, time and, in a window, the input since the last frame.
    virtual void begin_interface_frame() = 0;
    /// Draws what ImGui::Render made into framebuffer(), over what is there.
    virtual void draw_interface() = 0;
    /// Begins another frame of the interface, of that size, for a picture of it: it reads no input and finds
    /// nothing under the mouse. Go on with ImGui::NewFrame, after the window's own frame was drawn.
    virtual void begin_picture_frame(PixelSize size) = 0;
    /// Draws what ImGui::Render made into a framebuffer of the caller's.
    virtual void draw_interface_into(unsigned framebuffer) = 0;
    /// Shows the frame: swaps the window's buffers; flushes an offscreen surface.
    virtual void present() = 0;
};

/// A GLFW window, resizable, vsync on. Needs an ImGui context. Throws compaction::Error{unavailable}.
std::unique_ptr<Context> open_window(PixelSize size, const std::string& title);

/// An EGL context without a display: the device platform on NVIDIA, surfaceless on Mesa. Needs an ImGui
/// context. Throws compaction::Error{unavailable} that says which platforms were tried.
std::unique_ptr<Context> open_headless(PixelSize size);

/// DISPLAY or WAYLAND_DISPLAY is set.
bool display_available();

}  // namespace warpsieve::gl
