#include "app/render/particle_style.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/scene/slot_colours.hpp"

namespace warpsieve::render {
namespace {

struct Stop {
    float age;
    Rgb colour;
};

constexpr std::array dark_stops = std::to_array<Stop>({
    {0.00F, {1.10F, 1.45F, 1.60F}},   // white-hot
    {0.06F, {0.34F, 1.00F, 1.50F}},   // cyan
    {0.18F, {0.09F, 0.56F, 1.10F}},   // the accent, #4CC2FF
    {0.38F, {0.08F, 0.22F, 1.05F}},   // blue
    {0.56F, {0.26F, 0.10F, 0.82F}},   // violet
    {0.70F, {0.52F, 0.060F, 0.28F}},  // magenta
    {0.84F, {0.55F, 0.075F, 0.02F}},  // ember
    {1.00F, {0.14F, 0.008F, 0.004F}}  // dark red
});

/// Absorptions of ink. The comments name the colour that is seen on the paper.
constexpr std::array light_stops = std::to_array<Stop>({
    {0.00F, {1.35F, 0.90F, 0.42F}},  // ink: deep navy
    {0.18F, {1.15F, 0.62F, 0.18F}},  // blue
    {0.38F, {0.90F, 0.78F, 0.10F}},  // indigo
    {0.56F, {0.50F, 0.80F, 0.14F}},  // violet
    {0.70F, {0.18F, 0.72F, 0.34F}},  // magenta
    {0.84F, {0.06F, 0.52F, 0.60F}},  // ember
    {1.00F, {0.03F, 0.12F, 0.15F}}   // dark red, thin
});

/// `colour`: 0xRRGGBB.
Rgb display_values_of(std::uint32_t colour) {
    const auto channel = [colour](int shift) { return static_cast<float>(colour >> shift & 255) / 255; };
    return {channel(16), channel(8), channel(0)};
}

Rgb mix(const Rgb& a, const Rgb& b, float t) {
    return {std::lerp(a.red, b.red, t), std::lerp(a.green, b.green, t), std::lerp(a.blue, b.blue, t)};
}

Rgb colour_at(std::span<const Stop> stops, float age) {
    const auto next =
        std::ranges::find_if(stops.subspan(1), [&](const Stop& stop) { return stop.age >= age; });
    const Stop& above = next == stops.end() ? stops.back() : *next;
    const Stop& below = *(&above - 1);
    return mix(below.colour, above.colour, (age - below.age) / (above.age - below.age));
}

}  // namespace

Ramp make_ramp(Theme theme) {
    const std::span<const Stop> stops =
        theme == Theme::dark ? std::span<const Stop>(dark_stops) : std::span<const Stop>(light_stops);
    Ramp ramp;
    for (std::size_t i = 0; i < ramp_size; ++i) {
        ramp[i] = colour_at(stops, static_cast<float>(i) / (ramp_size - 1));
    }
    return ramp;
}

Ramp make_slot_ramp(Theme theme) {
    const scene::SlotColours& stops =
        theme == Theme::dark ? scene::dark_slot_colours : scene::light_slot_colours;
    Ramp ramp;
    for (std::size_t i = 0; i < ramp_size; ++i) {
        const float at = static_cast<float>(i * (stops.size() - 1)) / static_cast<float>(ramp_size - 1);
        const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
        const Rgb display = mix(display_values_of(stops[below]), display_values_of(stops[below + 1]),
                                at - static_cast<float>(below));
        // Ink absorbs what the paper does not show.
        const auto light = [theme](float value) {
            return light_of(theme == Theme::dark ? value : 1 - value);
        };
        ramp[i] = {light(display.red), light(display.green), light(display.blue)};
    }
    return ramp;
}

float SpriteScale::energy(std::uint64_t count) const {
    return energy_of_one * std::pow(static_cast<float>(std::max<std::uint64_t>(count, 1)), energy_exponent);
}

float SpriteScale::bead_energy() const {
    // All arcs have the same number of beads, so the light of a bead grows with the pixels of a metre.
    constexpr float light_per_pixel = 0.1F;
    return light_per_pixel * pixels_per_metre / reference_distance;
}

float SpriteScale::spread(std::uint64_t count) {
    return spread_of_one * std::pow(static_cast<float>(std::max<std::uint64_t>(count, 1)), spread_exponent);
}

SpriteScale sprite_scale(const scene::Camera& camera, gl::PixelSize viewport) {
    const auto width = static_cast<float>(viewport.width);
    const auto height = static_cast<float>(viewport.height);
    // All particles together spread this mean light over about the outline of the fountain, the default
    // source.
    constexpr float mean_light = 0.35F;
    constexpr float outline_square_metres = 100.0F;
    const float pixels_per_metre = height * camera.magnification(width / height);
    const float reference_pixels_per_metre = pixels_per_metre / reference_distance;
    return {pixels_per_metre,
            mean_light * outline_square_metres * reference_pixels_per_metre * reference_pixels_per_metre};
}

float light_of(float display) {
    float low = 0, high = max_colour;
    constexpr int bisections = 24;  // as many as a float has significant bits
    for (int i = 0; i < bisections; ++i) {
        const float middle = (low + high) / 2;
        (tone(middle) < display ? low : high) = middle;
    }
    return low;
}

float tone(float light) {
    const float filmic = light * (2.51F * light + 0.03F) / (light * (2.43F * light + 0.59F) + 0.14F);
    return std::sqrt(std::clamp(filmic, 0.0F, 1.0F));
}

}  // namespace warpsieve::render
