#pragma once

// Neither X11 nor Wayland headers: the contexts made here have no window.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::gl {

/// The entry points of libEGL that an offscreen context needs. The library is opened at run time, so a
/// machine without it still starts in a window. Extensions of the client are absent (nullptr) where libEGL
/// does not have them.
struct EglLibrary {
    /// Throws compaction::Error{unavailable} that says what to install.
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

    /// The devices that are GPUs of NVIDIA's driver, the only one whose devices CUDA can share buffers with.
    std::vector<EGLDeviceEXT> nvidia_devices() const;
};

/// A current OpenGL 4.5 core context on an EGL display of its own; released on destruction.
class EglContext {
  public:
    /// Tries NVIDIA's devices, then Mesa without a surface. Throws compaction::Error{unavailable} with what
    /// each said.
    EglContext();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// The function of that name, for the OpenGL loader.
    static void (*entry_point(const char* name))();

  private:
    bool try_display(std::string_view platform, EGLenum kind, void* device);

    EglLibrary library_;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    std::string tried_;
};

}  // namespace warpsieve::gl
