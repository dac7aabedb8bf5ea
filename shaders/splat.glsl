// What the three steps of the compute splat share, followed by the step in the same text: where light is
// summed up, and what follows from the number of particles, which only the GPU knows.

// The first words of the buffer that the GPU wrote the count into, which also sizes the indirect dispatch.
layout(std140, binding = 0) uniform Command {
    uint count;
    uint instances;
    uint first_index;
    int base_vertex;
};

// The host's part. The numbers are explained in look.hpp.
layout(std140, binding = 1) uniform Frame {
    mat4 view_projection;
    ivec2 size;  // of the picture
    float energy_of_one;
    float energy_exponent;
    float spread_of_one;  // in pixels at the camera's distance
    float spread_exponent;
    float least_spread;
    float most_spread;
    float most_peak;
    float radius_per_spread;
    float reference_distance;
    float most_nearness;
    float most_colour;
    uint most_spread_over_four;
    bool on_paper;
    int columns_begin;  // of the picture, those that are wanted
    int columns_end;
};

// Light that fell on each pixel, as integers: [size.y][size.x][3]. Integers add up to the same sum in any
// order, so the picture does not depend on which thread came first. All 0 between frames.
layout(std430, binding = 2) restrict buffer Sums {
    uint sums[];
};

float particles() {
    return float(max(count, 1u));
}

// Standard deviation of a sprite, in pixels.
float spread() {
    return clamp(spread_of_one * pow(particles(), spread_exponent), least_spread, most_spread);
}

// Light of one particle of colour 1 at the reference distance, as far as its sprite's peak allows.
float energy() {
    float radius = radius_per_spread * spread();
    float brightest = most_peak * 3.14159265 * radius * radius / 3.0;
    return min(energy_of_one * pow(particles(), energy_exponent), brightest);
}

// What the brightest particle that can be adds to a sum, less one unit for rounding: even if all of them fell
// on one pixel, its 32 bits would hold them.
float most_units() {
    return float(min(0xFFFFFFFFu / max(count, 1u), 65536u) - 1u);
}

// Units of the sums per unit of light.
float units_per_light() {
    return most_units() / (energy() * most_nearness * most_colour);
}

// A crowd of particles hides that each lights one pixel; a few share their light over the nearest four.
bool spreads_over_four() {
    return count <= most_spread_over_four;
}

// The Gaussian that makes sprites of lit pixels has this variance: less than the sprite's own by what the
// sharing of light over pixels brings. The same as blur_weights() in splat.cpp.
float blur_variance() {
    return spread() * spread() - (spreads_over_four() ? 1.0 / 6.0 : 1.0 / 12.0);
}

// Enough for the most spread there is, 3 pixels.
const int most_radius = 8;

int blur_radius() {
    float variance = blur_variance();
    return variance < 0.04 ? 0 : min(int(ceil(2.5 * sqrt(variance))), most_radius);
}
