#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// Whether OpenGL shall draw in software, by Mesa: LIBGL_ALWAYS_SOFTWARE is set to 1 or true.
bool software_wanted();

/// Opens a context that draws in software, or the default context of the system if Mesa cannot. Call before
/// other threads start: `open` runs with a changed environment.
std::unique_ptr<Context> open_in_software(const std::function<std::unique_ptr<Context>()>& open);

/// Mesa maps the index of its shader cache into memory, and a full disk would end the program at the first
/// write (SIGBUS). Tries to write where the cache is and switches the cache off if that fails. Call before a
/// context exists and other threads start. Returns a sentence if it switches the cache off, else "".
std::string check_shader_cache();

}  // namespace warpsieve::gl
