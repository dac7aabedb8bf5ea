#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/moment.hpp"

/// The inner loops of the splat, compiled for several instruction sets and dispatched at run time.
namespace warpsieve::render::splat_kernels {

/// Four 16-bit channels (red, green, blue, unused) per pixel.
inline constexpr std::size_t channels = 4;

/// Colours by age, then colours by slot, in units of the accumulators.
inline constexpr std::size_t table_size = 1024;
using ColourTable = std::array<std::uint16_t, 2 * table_size * channels>;

/// The value of Batch::age that selects the colour of a slot; `share`: 0 to 1 along the stream.
constexpr float age_of_slot_colour(float share) {
    return (table_size + (table_size - 2.0F) * share) / (table_size - 1.0F);
}
inline constexpr float max_age = 2;

inline constexpr std::size_t batch_size = 256;

/// A batch of particles as a structure of arrays.
struct Batch {
    alignas(64) std::array<float, batch_size> x, y, z, age;
    alignas(64) std::array<float, batch_size> light;  ///< factor on the table's light, 0 to 1
    /// Ends of the streaks, if motion is known; not used by the kernels.
    alignas(64) std::array<float, batch_size> tail_x, tail_y, tail_z;
    alignas(64) std::array<std::int32_t, batch_size> pixel;   ///< lower left of the lit pixels
    alignas(64) std::array<std::int32_t, batch_size> colour;  ///< entry of the table
    /// Light on the pixel, its right neighbour and the two above, as 16-bit fractions of `max_brightness`,
    /// because near particles are brighter than the table. All 0 for invisible particles.
    alignas(64) std::array<std::array<std::int32_t, batch_size>, 4> weight;
};

/// Camera and layout of the accumulators. A border of one pixel avoids bounds checks at the edge.
struct Projection {
    scene::Matrix view_projection;
    float width = 0;  ///< pixels of the picture without the border
    float height = 0;
    float left = 0;  ///< particles outside [left, right) count as invisible
    float right = 0;
    std::uint32_t stride = 0;  ///< pixels from one row of the accumulators to the next
    float reference_distance = 1;
    bool spread_over_four = false;  ///< bilinear; otherwise all light goes to the nearest pixel
};

/// The lit pixels, inclusive; empty while left > right.
struct Bounds {
    std::int32_t left = INT32_MAX;
    std::int32_t right = INT32_MIN;
    std::int32_t bottom = INT32_MAX;
    std::int32_t top = INT32_MIN;

    bool empty() const { return left > right; }
};

/// Projects the particles of a batch: fills pixel, colour and weight, widens `bounds`.
void project(const Projection& projection, std::size_t count, Batch& batch, Bounds& bounds);

/// The largest value of a sum.
inline constexpr float max_sum = 65535;

/// Adds the light of a batch to `accumulators`, saturating at max_sum.
void deposit(const Projection& projection, const ColourTable& table, std::size_t count, const Batch& batch,
             std::uint16_t* accumulators);

/// sum[i] += in[i], saturating at max_sum: the result does not depend on the number of accumulators.
void add(const std::uint16_t* in, std::size_t count, float* sum);
/// sum[i] += in[i] * scale.
void add_scaled(const float* in, float scale, std::size_t count, float* sum);

/// The width of a cell of add_enlarged(), in pixels.
inline constexpr std::size_t enlargement = 8;

/// Adds cells to a row of pixels, interpolated: light[i] += the cells around pixel `first_pixel` + i, four
/// channels each. The centre of cell c is between the pixels 8 c - 1 and 8 c.
void add_enlarged(const float* cells, std::size_t first_pixel, std::size_t pixels, float* light);

/// Tone-maps `count` channels of linear light into bytes.
void tone_map(const float* light, std::size_t count, std::uint8_t* bytes);

}  // namespace warpsieve::render::splat_kernels
