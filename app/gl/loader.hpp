#pragma once

#include <glad/gl.h>

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// WARPSIEVE_GL_DEBUG is set to something other than 0, or the build keeps its assertions.
bool debug_context_wanted();

/// Loads the entry points of the current context and says what it is. In a debug context errors and warnings
/// of the driver are printed to stderr from here on, each once. Throws compaction::Error{unavailable} below
/// OpenGL 4.5.
ContextInfo load_opengl(GLADloadfunc entry_point);

}  // namespace warpsieve::gl
