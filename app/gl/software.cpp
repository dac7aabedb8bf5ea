#include "app/gl/software.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compaction/error.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"

namespace warpsieve::gl {

namespace {

constexpr const char* software_variable = "LIBGL_ALWAYS_SOFTWARE";

/// Sets an environment variable during its life, then restores the earlier value.
class ScopedVariable {
  public:
    ScopedVariable(const char* name, const char* value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        platform::set_environment(name, value);
    }
    ~ScopedVariable() {
        if (before_) {
            platform::set_environment(name_, *before_);
        } else {
            platform::unset_environment(name_);
        }
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace

bool software_wanted() {
    const char* const value = std::getenv(software_variable);
    return value && (std::string_view(value) == "1" || std::string_view(value) == "true");
}

std::unique_ptr<Context> open_in_software(const std::function<std::unique_ptr<Context>()>& open) {
    try {
        const ScopedVariable software(software_variable, "1");
        // Makes GLVND load Mesa's library for a window.
        const ScopedVariable library("__GLX_VENDOR_LIBRARY_NAME", "mesa");
        return open();
    } catch (const compaction::Error&) {
        return open();
    }
}

namespace {

constexpr const char* cache_off_variable = "MESA_SHADER_CACHE_DISABLE";
/// Enough for the index, 1.3 MB, and the shaders of this program, less than 1 MB.
constexpr std::uint64_t needed_cache_bytes = 4 << 20;

/// The folder of Mesa's shader cache.
/// Source: Mesa 22.3, src/util/disk_cache_os.c, disk_cache_generate_cache_dir.
std::filesystem::path shader_cache_folder() {
    for (const char* const name : {"MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR", "XDG_CACHE_HOME"}) {
        const char* const folder = std::getenv(name);
        if (folder && *folder) return std::filesystem::path(folder) / "mesa_shader_cache";
    }
    return platform::home_folder() / ".cache" / "mesa_shader_cache";
}

}  // namespace

std::string check_shader_cache() {
    if (std::getenv(cache_off_variable)) return {};
    const std::filesystem::path folder = shader_cache_folder();
    const std::string problem = platform::try_to_write(folder, needed_cache_bytes);
    if (problem.empty()) return {};
    platform::set_environment(cache_off_variable, "true");
    return "OpenGL's shader cache is off: " + folder.string() + " cannot be written (" + problem +
           "). The program works, but starts more slowly.";
}

}  // namespace warpsieve::gl
