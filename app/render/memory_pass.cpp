#include "app/render/memory_pass.hpp"

namespace warpsieve::render {

scene::MemoryColours memory_colours(Theme) {
    return {};
}

void MemoryPass::draw(const scene::MemoryScene&, const scene::Camera&, gl::PixelSize, Theme) {}

}  // namespace warpsieve::render
