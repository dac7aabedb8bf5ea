#include "app/capture/thumbnails.hpp"

#include <algorithm>

#include "app/capture/png.hpp"
#include "platform/files.hpp"

namespace warpsieve::capture {
namespace {

constexpr gl::PixelSize cell{160, 90};
constexpr std::uint64_t max_file_bytes = std::uint64_t{64} << 20;

}  // namespace

void ThumbnailAtlas::load(std::span<const std::string> files, Thumbnails& thumbnails) {
    constexpr int columns = atlas_side / cell.width;
    constexpr int num_cells = columns * (atlas_side / cell.height);
    const auto missing = std::ranges::find_if(
        files, [&](const std::string& file) { return !thumbnails.pictures.contains(file); });
    if (missing == files.end()) return;
    if (num_used_cells_ == num_cells) {
        thumbnails.pictures.clear();
        num_used_cells_ = 0;
    }
    // A file that cannot be decoded keeps an empty thumbnail, so it is not read again.
    Thumbnail& thumbnail = thumbnails.pictures[*missing];
    const auto decoded = decode_png(platform::read_file(*missing, max_file_bytes).text);
    if (!decoded) return;
    const Image small = fit_into(*decoded, cell);
    const int left = num_used_cells_ % columns * cell.width;
    const int top = num_used_cells_ / columns * cell.height;
    ++num_used_cells_;
    for (int y = 0; y < small.height; ++y) {
        for (int x = 0; x < small.width; ++x) {
            const std::uint8_t* rgb = small.rgb.data() + (static_cast<std::size_t>(y) * small.width + x) * 3;
            pixels_[static_cast<std::size_t>(top + y) * atlas_side + left + x] =
                0xFF000000U | std::uint32_t{rgb[2]} << 16 | std::uint32_t{rgb[1]} << 8 | rgb[0];
        }
    }
    texture_.upload({atlas_side, atlas_side}, pixels_);
    thumbnails.texture = texture_.name();
    constexpr auto side = static_cast<float>(atlas_side);
    thumbnail = {.u0 = static_cast<float>(left) / side,
                 .v0 = static_cast<float>(top) / side,
                 .u1 = static_cast<float>(left + small.width) / side,
                 .v1 = static_cast<float>(top + small.height) / side,
                 .width = static_cast<float>(small.width),
                 .height = static_cast<float>(small.height)};
}

}  // namespace warpsieve::capture
