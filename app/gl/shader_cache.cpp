#include "app/gl/shader_cache.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "platform/files.hpp"
#include "platform/process.hpp"

namespace warpsieve::gl {
namespace {

constexpr const char* off_switch = "MESA_SHADER_CACHE_DISABLE";
/// The index has 1.3 MB; the shaders of this program have less than 1 MB.
constexpr std::uint64_t needed_bytes = 4 << 20;

/// Where Mesa keeps its cache.
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
    if (std::getenv(off_switch)) return {};
    const std::filesystem::path folder = shader_cache_folder();
    const std::string problem = platform::try_to_write(folder, needed_bytes);
    if (problem.empty()) return {};
    platform::set_environment(off_switch, "true");
    return "OpenGL's shader cache is off: " + folder.string() + " cannot be written (" + problem +
           "). The program works, but starts more slowly.";
}

}  // namespace warpsieve::gl
