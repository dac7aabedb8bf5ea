#pragma once

#include <string>

namespace warpsieve::gl {

/// Mesa maps the index of its shader cache into memory, and a full disk would end the program at the first
/// write (SIGBUS). Tries to write where the cache is and switches the cache off if that fails. Call before a
/// context exists and other threads start. Returns a sentence about it; "" if the cache stays.
std::string check_shader_cache();

}  // namespace warpsieve::gl
