#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gl/keys.hpp"
#include "app/gl/pixels.hpp"

namespace warpsieve::gl {

/// Renderer and version, as the OpenGL implementation reports them.
struct ContextInfo {
    std::string renderer;   ///< GL_RENDERER
    std::string version;    ///< GL_VERSION
    bool software = false;  ///< llvmpipe, softpipe, SWR
};

/// Position and size of a window on the desktop, in screen coordinates.
struct WindowGeometry {
    PixelSize size;
    int x = 0;  ///< left edge of its content
    int y = 0;  ///< upper edge of its content
};

/// A current OpenGL 4.5 core context with a framebuffer: a window or an offscreen surface.
///
/// It also owns Dear ImGui's backends. A frame is
///
///     context->begin_interface_frame();
///     ... panels ...
///     context->end_interface_frame();
///     ... draw the scene into context->framebuffer() ...
///     context->draw_interface();
///     context->present();
///
/// The font texture follows the font atlas: clear and refill the atlas between frames, and the next frame
/// uploads it. Destroy the Context before the ImGuiState. WARPSIEVE_GL_DEBUG=1 requests a debug context and
/// prints driver messages; builds without NDEBUG always do both.
class Context {
  public:
    virtual ~Context() = default;

    virtual const ContextInfo& info() const = 0;
    virtual PixelSize size() const = 0;
    /// The framebuffer object of the frame: 0 for a window.
    virtual unsigned framebuffer() const = 0;
    /// The RGBA8 texture of that framebuffer; 0 for a window.
    virtual unsigned texture() const = 0;
    /// The display's scale; 1 is 100 %.
    virtual float content_scale() const = 0;
    virtual bool should_close() const = 0;
    /// Empty offscreen and while the window is minimised or maximised.
    virtual std::optional<WindowGeometry> geometry() const = 0;
    /// Sleeps until input arrives or the time is over; returns at once offscreen.
    virtual void wait_for_input(double seconds) = 0;
    /// Returns the files of the last drop on the window, once; empty if there was none since the last call.
    virtual std::vector<std::filesystem::path> take_dropped() = 0;
    /// The keys of the current interface frame, oldest first.
    virtual std::span<const KeyEvent> keys() const = 0;

    /// Starts a Dear ImGui frame with the current size, time and, in a window, input.
    virtual void begin_interface_frame() = 0;
    /// Starts an interface frame of another size, for a picture, without input and with the mouse outside.
    /// Call after draw_interface().
    virtual void begin_picture_frame(PixelSize size) = 0;
    /// Ends the frame of begin_interface_frame() or begin_picture_frame(), and builds its draw lists.
    void end_interface_frame();
    /// Draws the interface over framebuffer().
    void draw_interface() { draw_interface_into(framebuffer()); }
    /// Draws the interface into the caller's framebuffer.
    virtual void draw_interface_into(unsigned framebuffer) = 0;
    /// Waits until the GPU has drawn everything.
    static void finish();
    /// Shows the frame: swaps the window's buffers or flushes the offscreen surface.
    virtual void present() = 0;
};

/// The size of the first window on a display with that work area: most of it, and at least 1280 x 720 where
/// that fits.
constexpr PixelSize first_window_size(PixelSize work_area) {
    constexpr auto most_of = [](int length, int min) {
        return std::min(length, std::max(length * 85 / 100, min));
    };
    return {most_of(work_area.width, 1280), most_of(work_area.height, 720)};
}

/// A resizable GLFW window with vsync. `size`: nullopt fits it to the display. `geometry`: gives the
/// position, and is ignored if no monitor shows the title bar of such a window. Needs an ImGuiState. Throws
/// compaction::Error{unavailable}.
std::unique_ptr<Context> open_window(std::optional<PixelSize> size, const std::string& title,
                                     const std::optional<WindowGeometry>& geometry = {});

/// An EGL context without a display: the device platform on NVIDIA, surfaceless on Mesa. Needs an ImGuiState.
/// Throws compaction::Error{unavailable} that lists the platforms tried.
std::unique_ptr<Context> open_headless(PixelSize size);

/// Sets the function to call when the X server of the window is gone. Xlib cannot continue then:
/// `save_and_exit` must end the process without using OpenGL or the window. Call after open_window; has no
/// effect offscreen.
void when_display_is_lost(std::function<void()> save_and_exit);

/// Whether DISPLAY or WAYLAND_DISPLAY is set.
bool display_available();

}  // namespace warpsieve::gl
