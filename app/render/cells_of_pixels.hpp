#pragma once

#include <array>

#include "app/gl/pixels.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/two_stage.hpp"

namespace warpsieve::render {

/// The homography from pixels (x to the right, y upwards) to columns and rows of a field, column-major. The
/// third coordinate is positive in front of the camera.
std::array<float, 9> cells_of_pixels(const scene::CellField& field, const scene::Matrix& view_projection,
                                     gl::PixelSize size);

}  // namespace warpsieve::render
