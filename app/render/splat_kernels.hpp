#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/moment.hpp"

/// The inner loops of the splat, compiled for several instruction sets and chosen at run time.
namespace warpsieve::render::splat_kernels {

/// Four 16-bit channels (red, green, blue, unused) per pixel.
inline constexpr std::size_t channels = 4;

/// Colours by age as the accumulators hold them.
inline constexpr std::size_t table_size = 1024;
using ColourTable = std::array<std::uint16_t, table_size * channels>;

inline constexpr std::size_t batch_size = 256;

/// Particles in flight between the steps, as arrays of one property each, which is the shape that vector
/// units want.
struct Batch {
    alignas(64) std::array<float, batch_size> x, y, z, age;
    alignas(64)
        std::array<std::int32_t, batch_size> pixel;  ///< of the lower left corner that the particle lights
    alignas(64) std::array<std::int32_t, batch_size> colour;  ///< entry of the table
    /// Light on the pixel, its right neighbour, and the two above; all 0 for a particle out of sight. 16-bit
    /// fractions of `most_nearness`, so that near particles can be brighter than the table.
    alignas(64) std::array<std::array<std::int32_t, batch_size>, 4> weight;
};

/// Where the accumulators' pixels are and where the camera looks. The picture has a border of one pixel, so
/// the four pixels of a particle at its edge need no test.
struct Projection {
    scene::Matrix view_projection;
    float width = 0;  ///< of the picture, in pixels, border excluded
    float height = 0;
    float left = 0;  ///< particles left of it, or not left of `right`, are left out as if out of sight
    float right = 0;
    std::uint32_t stride = 0;  ///< pixels from one row of the accumulators to the next
    float reference_distance = 1;
    bool spread_over_four = false;  ///< by nearness to each; otherwise all light goes to the nearest pixel
};

/// The pixels that were lit, inclusive; empty while left > right.
struct Bounds {
    std::int32_t left = INT32_MAX;
    std::int32_t right = INT32_MIN;
    std::int32_t bottom = INT32_MAX;
    std::int32_t top = INT32_MIN;

    bool empty() const { return left > right; }
};

/// Projects the particles of a batch: fills pixel, colour and weight, widens `bounds`.
void project(const Projection& projection, std::size_t count, Batch& batch, Bounds& bounds);

/// Where the sums of light stop.
inline constexpr float most_sum = 65535;

/// Adds the light of a batch to `accumulators`; sums stop at most_sum instead of wrapping round.
void deposit(const Projection& projection, const ColourTable& table, std::size_t count, const Batch& batch,
             std::uint16_t* accumulators);

/// sum[i] += in[i], up to most_sum: what one accumulator would hold of all the light, however it was shared
/// out among several.
void add(const std::uint16_t* in, std::size_t count, float* sum);
/// sum[i] += in[i] * scale.
void add_scaled(const float* in, float scale, std::size_t count, float* sum);

/// Tone-maps `count` channels of linear light into bytes.
void tone_map(const float* light, std::size_t count, std::uint8_t* bytes);

}  // namespace warpsieve::render::splat_kernels
