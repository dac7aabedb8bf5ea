#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "app/gl/context.hpp"
#include "app/gl/imgui_backend.hpp"
#include "app/gl/loader.hpp"
#include "compaction/error.hpp"
#include "platform/dynamic_library.hpp"

namespace warpsieve::gl {
namespace {

/// The argument of when_display_is_lost(). Global, because Xlib's handler gets no pointer to user data.
std::function<void()> on_lost_display;

/// Whether the environment has this variable and it is not empty.
bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
}

[[noreturn]] void throw_unavailable(const std::string& what) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    throw compaction::Error(compaction::ErrorCode::unavailable,
                            what + (reason ? std::string(" (") + reason + ")" : "") +
                                ". Start with --headless to run without a window.");
}

/// GLFW between init and terminate. A class, so that Window destroys its window before glfwTerminate().
class GlfwLibrary {
  public:
    GlfwLibrary() {
        if (glfwInit()) return;
        throw_unavailable(
            is_set("WAYLAND_DISPLAY") && !is_set("DISPLAY")
                ? "The window needs X, which this Wayland session does not offer: install Xwayland "
                  "(package xwayland) and log in again"
                : "The window could not be opened: no display answers");
    }
    ~GlfwLibrary() { glfwTerminate(); }
    GlfwLibrary(const GlfwLibrary&) = delete;
    GlfwLibrary& operator=(const GlfwLibrary&) = delete;
};

struct DestroyWindow {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, DestroyWindow>;

/// Whether a monitor shows the middle of the window's upper edge, where the title bar is.
bool is_visible(const WindowGeometry& geometry) {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    const int middle = geometry.x + geometry.size.width / 2;
    return std::any_of(monitors, monitors + count, [&](GLFWmonitor* monitor) {
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
        return middle >= x && middle < x + width && geometry.y >= y && geometry.y < y + height;
    });
}

/// The size for a first start; 1280 x 720 if no monitor is known.
PixelSize size_for_display() {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    PixelSize area{1280, 720};
    int x = 0, y = 0;
    if (monitor) glfwGetMonitorWorkarea(monitor, &x, &y, &area.width, &area.height);
    return first_window_size(area);
}

WindowHandle create_window(PixelSize size, const std::string& title,
                           const std::optional<WindowGeometry>& geometry) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug_context_wanted() ? GLFW_TRUE : GLFW_FALSE);
    // No depth and stencil buffers: particles have their own render target, and the interface uses none.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    const bool positioned = geometry && is_visible(*geometry);
    if (positioned) glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    WindowHandle window(glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr));
    if (!window)
        throw_unavailable("The display offers no window with OpenGL 4.5 core: update the graphics driver");
    constexpr PixelSize min_size{640, 400};
    glfwSetWindowSizeLimits(window.get(), min_size.width, min_size.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (positioned) {
        glfwSetWindowPos(window.get(), geometry->x, geometry->y);
        glfwShowWindow(window.get());
    }
    return window;
}

/// Feeds the window's input to Dear ImGui. Keys pass through a KeyQueue.
class WindowInput {
  public:
    explicit WindowInput(GLFWwindow* window) : window_(window) {
        glfwSetWindowUserPointer(window, this);
        // Set before Dear ImGui's callback, which calls this one.
        glfwSetMouseButtonCallback(window, [](GLFWwindow* from, int, int action, int) {
            if (action == GLFW_PRESS) input_of(from).queue_.push_click();
        });
        glfwSetDropCallback(window, [](GLFWwindow* from, int count, const char** paths) {
            input_of(from).dropped_.assign(paths, paths + count);
        });
        // Callbacks track the geometry: a query in every frame would wait for the X server.
        glfwSetWindowPosCallback(window,
                                 [](GLFWwindow* from, int x, int y) { input_of(from).moved_to(x, y); });
        glfwSetWindowSizeCallback(window, [](GLFWwindow* from, int width, int height) {
            input_of(from).resized_to({width, height});
        });
        glfwSetWindowMaximizeCallback(
            window, [](GLFWwindow* from, int on) { input_of(from).maximised_ = on == GLFW_TRUE; });
        glfwSetWindowIconifyCallback(
            window, [](GLFWwindow* from, int on) { input_of(from).minimised_ = on == GLFW_TRUE; });
        glfwGetWindowPos(window, &geometry_.x, &geometry_.y);
        glfwGetWindowSize(window, &geometry_.size.width, &geometry_.size.height);
        ImGui_ImplGlfw_InitForOpenGL(window, /*install_callbacks=*/true);
        // Replace Dear ImGui's callbacks: keys and characters wait in queue_ for their frame.
        glfwSetKeyCallback(window, [](GLFWwindow* from, int key, int, int action, int modifiers) {
            using Kind = KeyEvent::Kind;
            input_of(from).queue_.push({.kind = action == GLFW_PRESS    ? Kind::press
                                                : action == GLFW_REPEAT ? Kind::repeat
                                                                        : Kind::release,
                                        .key = key,
                                        .ctrl = (modifiers & GLFW_MOD_CONTROL) != 0,
                                        .shift = (modifiers & GLFW_MOD_SHIFT) != 0,
                                        .alt = (modifiers & GLFW_MOD_ALT) != 0});
        });
        glfwSetCharCallback(window, [](GLFWwindow* from, unsigned character) {
            input_of(from).queue_.push({.kind = KeyEvent::Kind::character, .character = character});
        });
    }
    ~WindowInput() { ImGui_ImplGlfw_Shutdown(); }
    WindowInput(const WindowInput&) = delete;
    WindowInput& operator=(const WindowInput&) = delete;

    /// Polls the events since the last frame, and passes Dear ImGui the keys that belong to this frame.
    void begin_frame() {
        glfwPollEvents();
        const bool typing = ImGui::GetCurrentContext()->WantTextInputNextFrame == 1;
        keys_ = queue_.next_frame(typing);
        for (const KeyEvent& event : keys_) {
            if (event.kind == KeyEvent::Kind::character)
                ImGui_ImplGlfw_CharCallback(window_, event.character);
            else if (event.kind != KeyEvent::Kind::repeat)
                ImGui_ImplGlfw_KeyCallback(window_, event.key, /*scancode=*/0,
                                           event.kind == KeyEvent::Kind::press ? GLFW_PRESS : GLFW_RELEASE,
                                           /*mods=*/0);
        }
        ImGui_ImplGlfw_NewFrame();
    }

    std::span<const KeyEvent> keys() const { return keys_; }
    bool has_waiting_keys() const { return !queue_.empty(); }
    std::vector<std::filesystem::path> take_dropped() { return std::exchange(dropped_, {}); }
    std::optional<WindowGeometry> geometry() const {
        return geometry_.size.width > 0 && !maximised_or_minimised() ? std::optional(geometry_)
                                                                     : std::nullopt;
    }

  private:
    bool maximised_or_minimised() const { return maximised_ || minimised_; }
    void moved_to(int x, int y) {
        if (maximised_or_minimised()) return;
        geometry_.x = x;
        geometry_.y = y;
    }
    void resized_to(PixelSize size) { geometry_.size = size; }
    static WindowInput& input_of(GLFWwindow* window) {
        return *static_cast<WindowInput*>(glfwGetWindowUserPointer(window));
    }

    GLFWwindow* window_;
    KeyQueue queue_;
    std::span<const KeyEvent> keys_;
    std::vector<std::filesystem::path> dropped_;
    WindowGeometry geometry_;
    bool maximised_ = false;
    bool minimised_ = false;
};

ContextInfo make_current(GLFWwindow* window) {
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    return load_opengl(glfwGetProcAddress);
}

class Window final : public Context {
  public:
    Window(std::optional<PixelSize> size, const std::string& title,
           const std::optional<WindowGeometry>& geometry)
        : window_(create_window(size ? *size : size_for_display(), title, geometry)),
          info_(make_current(window_.get())),
          input_(window_.get()),
          interface_(info_) {}

    const ContextInfo& info() const override { return info_; }

    PixelSize size() const override {
        PixelSize size;
        glfwGetFramebufferSize(window_.get(), &size.width, &size.height);
        return size;
    }

    unsigned framebuffer() const override { return 0; }
    unsigned texture() const override { return 0; }

    float content_scale() const override {
        float horizontal = 1, vertical = 1;
        glfwGetWindowContentScale(window_.get(), &horizontal, &vertical);
        return horizontal;
    }

    bool should_close() const override { return glfwWindowShouldClose(window_.get()); }

    std::optional<WindowGeometry> geometry() const override { return input_.geometry(); }

    void wait_for_input(double seconds) override {
        if (!input_.has_waiting_keys()) glfwWaitEventsTimeout(seconds);
    }

    std::vector<std::filesystem::path> take_dropped() override { return input_.take_dropped(); }
    std::span<const KeyEvent> keys() const override { return input_.keys(); }

    void begin_interface_frame() override {
        interface_.begin_frame();
        input_.begin_frame();
        ImGui::NewFrame();
    }

    void begin_picture_frame(PixelSize size) override { interface_.begin_picture_frame(size); }
    void draw_interface_into(unsigned framebuffer) override { ImGuiBackend::draw(framebuffer); }
    void present() override { glfwSwapBuffers(window_.get()); }

  private:
    // Destroyed in reverse: backends while the context is current, then the window, then GLFW.
    GlfwLibrary library_;
    WindowHandle window_;
    ContextInfo info_;
    WindowInput input_;
    ImGuiBackend interface_;
};

}  // namespace

void when_display_is_lost(std::function<void()> save_and_exit) {
    // GLFW loads Xlib at run time too, so the program does not link it.
    static platform::DynamicLibrary xlib("libX11.so.6");
    if (!xlib.loaded()) return;
    using Handler = int (*)(void* display);
    const auto set_handler = xlib.find<Handler (*)(Handler)>("XSetIOErrorHandler");
    on_lost_display = std::move(save_and_exit);
    if (!set_handler) return;
    set_handler([](void*) {
        on_lost_display();
        return 0;
    });
}

bool display_available() {
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

std::unique_ptr<Context> open_window(std::optional<PixelSize> size, const std::string& title,
                                     const std::optional<WindowGeometry>& geometry) {
    return std::make_unique<Window>(size, title, geometry);
}

}  // namespace warpsieve::gl
