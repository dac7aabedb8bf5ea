#pragma once

#include <glad/gl.h>

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// Whether WARPSIEVE_GL_DEBUG is set to something other than 0, or the build has assertions.
bool debug_context_wanted();

/// Loads the entry points of the current context and describes it. A debug context then prints each of the
/// driver's errors and warnings to stderr once. Throws compaction::Error{unavailable} below OpenGL 4.5.
ContextInfo load_opengl(GLADloadfunc entry_point);

}  // namespace warpsieve::gl
