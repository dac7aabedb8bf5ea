#pragma once

#include <functional>
#include <memory>

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// Whether OpenGL shall draw in software, by Mesa: LIBGL_ALWAYS_SOFTWARE is set to 1 or true.
bool software_wanted();

/// Opens a context that draws in software; where Mesa cannot, one as the system chooses. Call before other
/// threads start: `open` runs with a changed environment.
std::unique_ptr<Context> open_in_software(const std::function<std::unique_ptr<Context>()>& open);

}  // namespace warpsieve::gl
