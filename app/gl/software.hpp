#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// Whether the user wants Mesa to draw in software: LIBGL_ALWAYS_SOFTWARE is set to 1 or true.
bool software_wanted();

/// Opens a context that draws in software, or the default context of the system if Mesa cannot. Call before
/// other threads start: `open` runs with a changed environment.
std::unique_ptr<Context> open_in_software(const std::function<std::unique_ptr<Context>()>& open);

/// Tries to write into the folder of Mesa's shader cache and switches the cache off if that fails: Mesa maps
/// its index into memory, and a full disk would end the program at the first write (SIGBUS). Returns a
/// sentence if it switches the cache off, else "". Call before a context exists and other threads start.
std::string check_shader_cache();

}  // namespace warpsieve::gl
