#pragma once

// No X11 or Wayland headers: these contexts have no window.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::gl {

/// The entry points of libEGL for an offscreen context. The library is loaded at run time, so that a machine
/// without it can still open a window. Missing client extensions are nullptr.
struct EglLibrary {
    /// Throws compaction::Error{unavailable} that names the package to install.
    EglLibrary();

    PFNEGLGETPROCADDRESSPROC get_proc_address = nullptr;
    PFNEGLQUERYSTRINGPROC query_string = nullptr;
    PFNEGLGETERRORPROC get_error = nullptr;
    PFNEGLINITIALIZEPROC initialize = nullptr;
    PFNEGLTERMINATEPROC terminate = nullptr;
    PFNEGLBINDAPIPROC bind_api = nullptr;
    PFNEGLCREATECONTEXTPROC create_context = nullptr;
    PFNEGLDESTROYCONTEXTPROC destroy_context = nullptr;
    PFNEGLMAKECURRENTPROC make_current = nullptr;

    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;
    PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;
    PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string = nullptr;

    /// The devices of NVIDIA's driver: the only ones that CUDA can share buffers with.
    std::vector<EGLDeviceEXT> nvidia_devices() const;
};

/// Owns a current OpenGL 4.5 core context and its EGL display.
class EglContext {
  public:
    /// Tries NVIDIA's devices, then Mesa's surfaceless platform. Throws compaction::Error{unavailable} with
    /// the error of each.
    EglContext();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    using EntryPoint = void (*)();
    /// Returns the OpenGL function `name`, for the loader.
    static EntryPoint entry_point(const char* name);

  private:
    /// Returns whether the display has such a context, which is then current. Otherwise adds the reason to
    /// failures_. `name`: the display in the reason.
    bool try_display(std::string_view name, EGLenum platform, void* device);
    void add_failure(const std::string& failure);

    EglLibrary library_;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    std::string failures_;  ///< "NVIDIA device 0: no display, EGL error 0x3001; ..."
};

}  // namespace warpsieve::gl
