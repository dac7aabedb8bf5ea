#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/gl/context.hpp"
#include "app/scene/camera.hpp"
#include "app/settings/settings.hpp"

/// How particles look, in one place, so that sprites, compute splat and host splat agree.
namespace warpsieve::render {

/// Linear light, or linear absorption on the light theme's paper.
struct Rgb {
    float red, green, blue;
};

inline constexpr std::size_t ramp_size = 256;

/// Colour by age: entry 0 is newly born, the last is dead.
using Ramp = std::array<Rgb, ramp_size>;

/// Dark theme: white-hot and cyan at birth, blue and violet in flight, ember and dark red at death; lightness
/// falls all the way, so the order reads without hue. Light theme: what an ink of such a colour takes away
/// from white.
Ramp make_ramp(Theme theme);

/// How large and how bright a sprite is. The more there are, the smaller and fainter each, so that 2^12 read
/// as single sparks and 2^24 as glowing gas. Shared with the shaders, which are given these numbers and
/// the count.
struct SpriteScale {
    /// Pixels per metre at a distance of 1 m.
    float pixels_per_metre = 0;
    /// Sum over the pixels of a sprite of ramp entry 1 at `reference_distance`, if it were the only one.
    float energy_of_one = 0;

    float energy(std::uint64_t count) const;
    /// Standard deviation in metres.
    static float spread(std::uint64_t count);
};

/// The camera's default distance, at which a sprite has the energy that its count gives it.
inline constexpr float reference_distance = 20.0F;
inline constexpr float energy_exponent = -1.0F;
inline constexpr float spread_of_one = 0.20F;
inline constexpr float spread_exponent = -0.20F;
inline constexpr float least_spread_pixels = 0.5F;
inline constexpr float most_spread_pixels = 3.0F;
/// Nearer than the reference distance a sprite has up to this many times its energy.
inline constexpr float most_nearness = 4.0F;
/// No channel of a ramp exceeds this.
inline constexpr float most_colour = 1.6F;
/// No single sprite is brighter than this at its centre.
inline constexpr float most_peak = 1.3F;
/// A sprite's radius over its standard deviation: its profile (1 - r^2)^2 reaches zero at the radius.
inline constexpr float radius_per_spread = 2.828427F;
/// Above this many particles a pixel has enough of them to hide that a splat lights one pixel with each
/// instead of four.
inline constexpr std::uint32_t most_spread_over_four = std::uint32_t{1} << 18;

SpriteScale sprite_scale(const scene::Camera& camera, gl::PixelSize viewport);

/// Linear light to what the display is sent, 0 to 1: a filmic curve, then the display's gamma taken as 2.
/// The same as tone() in tone.glsl. Source: K. Narkowicz, "ACES filmic tone mapping curve", 2016.
float tone(float light);

}  // namespace warpsieve::render
