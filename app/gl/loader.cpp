#include "app/gl/loader.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/format/terminal.hpp"

namespace warpsieve::gl {
namespace {

std::string text_of(GLenum name) {
    const auto* text = reinterpret_cast<const char*>(glGetString(name));
    return text ? text : "";
}

bool is_software(std::string_view renderer) {
    constexpr std::array names{"llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer"};
    return std::ranges::any_of(
        names, [&](std::string_view name) { return renderer.find(name) != std::string_view::npos; });
}

void GLAD_API_PTR print_once(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei,
                             const GLchar* message, const void*) {
    // Notifications are left out: a run has thousands, about buffer placement and shader recompilation.
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_OTHER) return;
    static std::set<std::pair<GLenum, GLuint>> printed;
    if (!printed.emplace(source, id).second) return;
    experiments::format::print_error_line(
        std::string(type == GL_DEBUG_TYPE_ERROR ? "OpenGL error: " : "OpenGL warning: ") + message);
}

/// Does nothing unless the current context is a debug context.
void print_driver_messages_from_now_on() {
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if (!(flags & GL_CONTEXT_FLAG_DEBUG_BIT)) return;
    glEnable(GL_DEBUG_OUTPUT);
    // Synchronous: a debugger in the callback shows the call that caused the message.
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(print_once, nullptr);
}

}  // namespace

bool debug_context_wanted() {
#ifndef NDEBUG
    return true;
#else
    const char* value = std::getenv("WARPSIEVE_GL_DEBUG");
    return value && std::string_view(value) != "0" && std::string_view(value) != "";
#endif
}

ContextInfo load_opengl(GLADloadfunc entry_point) {
    const int version = gladLoadGL(entry_point);
    if (version < GLAD_MAKE_VERSION(4, 5)) {
        throw compaction::Error(
            compaction::ErrorCode::unavailable,
            "Warpsieve needs OpenGL 4.5, but the driver offers " +
                (version ? std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
                               std::to_string(GLAD_VERSION_MINOR(version))
                         : std::string("none")) +
                ". Update the graphics driver, or use Mesa's software renderer: LIBGL_ALWAYS_SOFTWARE=1.");
    }
    print_driver_messages_from_now_on();
    const std::string renderer = text_of(GL_RENDERER);
    return {.renderer = renderer, .version = text_of(GL_VERSION), .software = is_software(renderer)};
}

}  // namespace warpsieve::gl
