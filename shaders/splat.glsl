// Shared by the three steps of the compute splat: the sums of light, and the values that depend on the number of
// particles, which only the GPU knows. Appended to particles.glsl.

// Set by the host. particle_style.hpp documents the numbers.
layout(std140, binding = 1) uniform Frame {
    mat4 view_projection;
    ivec2 size;  // of the picture
    float energy_of_one;
    float energy_exponent;
    float spread_of_one;  // in pixels at the camera's distance
    float spread_exponent;
    float min_spread;
    float max_spread;
    float max_peak;
    float radius_per_spread;
    float reference_distance;
    float max_brightness;
    float max_colour;
    uint max_particles_over_four_pixels;
    bool on_paper;
    int columns_begin;  // the requested columns of the picture
    int columns_end;
    float bead_energy;  // light of a bead on an arc of the sparse and dense scene
    float beads;        // number of beads; 0 without the sparse and dense scene
};

// Light per pixel as integers, [size.y][size.x][4]; the last of the four is unused. Integer sums do not depend on the
// order of the threads. All 0 between frames.
layout(std430, binding = 1) restrict buffer Sums {
    uint sums[];
};

float particles() {
    return float(max(count, 1u));
}

// Standard deviation of a sprite, in pixels.
float spread() {
    return clamp(spread_of_one * pow(particles(), spread_exponent), min_spread, max_spread);
}

// Light of one particle of colour 1 at the reference distance, limited by the peak of its sprite.
float energy() {
    float radius = radius_per_spread * spread();
    float brightest = max_peak * 3.14159265 * radius * radius / 3.0;
    return min(energy_of_one * pow(particles(), energy_exponent), brightest);
}

// Units of the brightest possible particle, less one for rounding. Even if all particles and beads are on one pixel, the
// 32-bit sum does not overflow.
float max_units() {
    float lights = particles() + beads * bead_energy / energy();
    return floor(min(4294967295.0 / lights, 65536.0)) - 1.0;
}

// Units of the sums per unit of light.
float units_per_light() {
    return max_units() / (energy() * max_brightness * max_colour);
}

// Few particles are spread over the nearest four pixels each; for many, one pixel suffices.
bool spreads_over_four() {
    return count <= max_particles_over_four_pixels;
}

// Variance of the blur: the variance of the sprite less that of the spread over pixels. Must match blur_weights() in
// splat.cpp.
float blur_variance() {
    return spread() * spread() - (spreads_over_four() ? 1.0 / 6.0 : 1.0 / 12.0);
}

uint first_sum_of(ivec2 pixel) {
    return 4u * uint(pixel.y * size.x + pixel.x);
}

// Sufficient for the largest spread, 3 pixels.
const int max_radius = 8;

// Reach of the bloom, in pixels.
const int bloom_reach = 64;  // bloom::reach

int blur_radius() {
    float variance = blur_variance();
    return variance < 0.04 ? 0 : min(int(ceil(2.5 * sqrt(variance))), max_radius);
}
