#include "app/gl/egl.hpp"

#include <array>
#include <cstdio>

#include "app/gl/loader.hpp"
#include "app/gl/software.hpp"
#include "compaction/error.hpp"
#include "platform/dynamic_library.hpp"

namespace warpsieve::gl {
namespace {

constexpr auto context_attributes(bool debug) {
    return std::to_array<EGLint>({EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_CONTEXT_OPENGL_DEBUG, debug ? EGL_TRUE : EGL_FALSE, EGL_NONE});
}

/// Matches whole words: one extension's name may be a prefix of another's.
bool has_word(const char* words, std::string_view word) {
    if (!words) return false;
    const std::string padded = " " + std::string(words) + " ";
    return padded.find(" " + std::string(word) + " ") != std::string::npos;
}

std::string error_text(EGLint code) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "EGL error 0x%04X", static_cast<unsigned>(code));
    return text.data();
}

PFNEGLGETPROCADDRESSPROC& global_get_proc_address() {
    static PFNEGLGETPROCADDRESSPROC function = nullptr;
    return function;
}

}  // namespace

EglLibrary::EglLibrary() {
    platform::DynamicLibrary library("libEGL.so.1");
    if (!library.loaded()) {
        throw compaction::Error(
            compaction::ErrorCode::unavailable,
            "Running without a window needs libEGL.so.1. Install libegl1 and start again.");
    }
    const auto load = [&]<typename Function>(Function& function, const char* name) {
        function = library.find<Function>(name);
        if (!function) {
            throw compaction::Error(
                compaction::ErrorCode::unavailable,
                std::string("libEGL.so.1 has no ") + name + ". Update libegl1 to EGL 1.5 or newer.");
        }
    };
    load(get_proc_address, "eglGetProcAddress");
    load(query_string, "eglQueryString");
    load(get_error, "eglGetError");
    load(initialize, "eglInitialize");
    load(terminate, "eglTerminate");
    load(bind_api, "eglBindAPI");
    load(create_context, "eglCreateContext");
    load(destroy_context, "eglDestroyContext");
    load(make_current, "eglMakeCurrent");
    library.keep_loaded();

    const auto load_extension = [&]<typename Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(get_proc_address(name));
    };
    load_extension(get_platform_display, "eglGetPlatformDisplayEXT");
    load_extension(query_devices, "eglQueryDevicesEXT");
    load_extension(query_device_string, "eglQueryDeviceStringEXT");
    global_get_proc_address() = get_proc_address;
}

std::vector<EGLDeviceEXT> EglLibrary::nvidia_devices() const {
    if (!query_devices || !query_device_string) return {};
    EGLint count = 0;
    if (!query_devices(0, nullptr, &count)) return {};
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    if (!query_devices(count, devices.data(), &count)) return {};
    devices.resize(static_cast<std::size_t>(count));
    std::erase_if(devices, [&](EGLDeviceEXT device) {
        return !has_word(query_device_string(device, EGL_EXTENSIONS), "EGL_NV_device_cuda");
    });
    return devices;
}

EglContext::EglContext() {
    if (!library_.get_platform_display) {
        throw compaction::Error(
            compaction::ErrorCode::unavailable,
            "libEGL.so.1 cannot create a context without a display. Update libegl1 to EGL 1.5 or newer.");
    }
    const std::vector<EGLDeviceEXT> devices =
        software_wanted() ? std::vector<EGLDeviceEXT>{} : library_.nvidia_devices();
    if (devices.empty() && !software_wanted()) add_failure("NVIDIA: no EGL device");
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (try_display("NVIDIA device " + std::to_string(i), EGL_PLATFORM_DEVICE_EXT, devices[i])) return;
    }
    if (try_display("Mesa surfaceless", EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY)) return;
    throw compaction::Error(compaction::ErrorCode::unavailable,
                            "No OpenGL 4.5 context could be created without a window (tried " + failures_ +
                                "). Install NVIDIA's driver, or libegl-mesa0 and libgl1-mesa-dri.");
}

EglContext::~EglContext() {
    library_.make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    library_.destroy_context(display_, context_);
    library_.terminate(display_);
}

bool EglContext::try_display(std::string_view name, EGLenum platform, void* device) {
    const auto failed = [&](const std::string& what) {
        add_failure(std::string(name) + ": " + what + ", " + error_text(library_.get_error()));
        return false;
    };
    const EGLDisplay display = library_.get_platform_display(platform, device, nullptr);
    if (display == EGL_NO_DISPLAY) return failed("no display");
    if (!library_.initialize(display, nullptr, nullptr)) return failed("initialisation failed");

    // No config and no surface: frames are drawn into a framebuffer object.
    const auto attributes = context_attributes(debug_context_wanted());
    EGLContext context = EGL_NO_CONTEXT;
    if (library_.bind_api(EGL_OPENGL_API)) {
        context = library_.create_context(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
    }
    if (context == EGL_NO_CONTEXT) {
        failed("no OpenGL 4.5 core context");
        library_.terminate(display);
        return false;
    }
    if (!library_.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        failed("the context needs a surface");
        library_.destroy_context(display, context);
        library_.terminate(display);
        return false;
    }
    display_ = display;
    context_ = context;
    return true;
}

void EglContext::add_failure(const std::string& failure) {
    failures_ += (failures_.empty() ? "" : "; ") + failure;
}

EglContext::EntryPoint EglContext::entry_point(const char* name) {
    return global_get_proc_address()(name);
}

}  // namespace warpsieve::gl
