#include "app/render/cells_of_pixels.hpp"

#include <cstddef>

namespace warpsieve::render {
namespace {

using Vector3 = std::array<double, 3>;

Vector3 cross(const Vector3& a, const Vector3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector3& a, const Vector3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

std::array<float, 9> cells_of_pixels(const scene::CellField& field, const scene::Matrix& view_projection,
                                     gl::PixelSize size) {
    // The way from (column, row, 1) to homogeneous pixels, by columns.
    const auto pixels_of = [&](const std::array<float, 4>& metres, double w) {
        const auto clip = [&](std::size_t row) {
            const auto m = [&](std::size_t column) {
                return static_cast<double>(view_projection[4 * column + row]);
            };
            return m(0) * static_cast<double>(metres[0]) + m(1) * static_cast<double>(metres[1]) +
                   m(2) * static_cast<double>(metres[2]) + m(3) * w;
        };
        return Vector3{0.5 * size.width * (clip(3) + clip(0)), 0.5 * size.height * (clip(3) + clip(1)),
                       clip(3)};
    };
    const Vector3 across = pixels_of(field.across, 0);
    const Vector3 along = pixels_of(field.along, 0);
    const Vector3 corner = pixels_of(field.corner, 1);
    // The rows of its inverse.
    const std::array rows{cross(along, corner), cross(corner, across), cross(across, along)};
    const double determinant = dot(across, rows[0]);
    std::array<float, 9> inverse{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            inverse[3 * column + row] = static_cast<float>(rows[row][column] / determinant);
    }
    return inverse;
}

}  // namespace warpsieve::render
