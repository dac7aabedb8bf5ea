#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/gl/context.hpp"
#include "app/scene/camera.hpp"
#include "app/settings/window_preferences.hpp"

/// Colour, size and brightness of particles, shared by sprites, compute splat and host splat.
namespace warpsieve::render {

/// The pixel columns [begin, end) of a picture. A draw leaves the other columns unchanged.
struct Columns {
    int begin = 0;
    int end = 0;

    int count() const { return end - begin; }
    bool operator==(const Columns&) const = default;
};

/// Linear light, or linear absorption on the light theme's paper.
struct Rgb {
    float red, green, blue;
};

inline constexpr std::size_t ramp_size = 256;

/// A colour by age: the first entry is for newly born particles, the last for dead ones.
using Ramp = std::array<Rgb, ramp_size>;

/// Dark theme: white and cyan at birth, then blue and violet, then dark red; lightness falls throughout, so
/// that ages differ without hue. Light theme: the light that ink of such a colour absorbs.
Ramp make_ramp(Theme theme);

/// Colour by index of the slot: scene/slot_colours.hpp.
Ramp make_slot_ramp(Theme theme);

/// Size and brightness of a sprite. The more particles there are, the smaller and fainter each is: 2^12 look
/// like sparks, 2^24 like glowing gas. The shaders receive these numbers and the count.
struct SpriteScale {
    /// Pixels per metre at a distance of 1 m.
    float pixels_per_metre = 0;
    /// Light of a single particle of colour 1 at `reference_distance`, summed over its pixels.
    float energy_of_one = 0;

    /// Light of one of `count` particles of colour 1 at `reference_distance`, summed over its pixels.
    float energy(std::uint64_t count) const;
    /// Light of the brightest bead on an arc of the sparse and dense scene.
    float bead_energy() const;
    /// Standard deviation of a sprite, in metres.
    static float spread(std::uint64_t count);
};

/// The camera's default distance. There, a sprite has exactly energy(count).
inline constexpr float reference_distance = 20.0F;
inline constexpr float energy_exponent = -1.0F;
inline constexpr float spread_of_one = 0.30F;
inline constexpr float spread_exponent = -0.22F;
inline constexpr float min_spread_pixels = 0.5F;
inline constexpr float max_spread_pixels = 3.0F;
/// Largest factor on the energy of sprites nearer than the reference distance.
inline constexpr float max_brightness = 4.0F;
/// Upper bound of all ramp channels.
inline constexpr float max_colour = 1.6F;
/// Upper bound of a sprite's light at its centre.
inline constexpr float max_peak = 1.3F;
/// A sprite's radius over its standard deviation: its profile (1 - r^2)^2 reaches zero at the radius.
inline constexpr float radius_per_spread = 2.828427F;
/// Up to this many particles, a splat spreads each over four pixels. Above, one pixel looks the same.
inline constexpr std::uint32_t max_particles_over_four_pixels = std::uint32_t{1} << 18;

SpriteScale sprite_scale(const scene::Camera& camera, gl::PixelSize viewport);

/// Converts linear light to a display value, 0 to 1: a filmic curve, then gamma 2. Must match tone() in
/// tone.glsl. Source: K. Narkowicz, "ACES filmic tone mapping curve", 2016.
float tone(float light);
/// The light that tone() turns into that display value, at most max_colour.
float light_of(float display);

}  // namespace warpsieve::render
