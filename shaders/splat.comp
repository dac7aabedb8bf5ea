// Step 1 of the compute splat: each particle adds its light to its pixel or to the nearest four. Appended to
// splat.glsl. The indirect dispatch has at most 65,535 groups, the limit that OpenGL guarantees; with more
// particles than threads, each thread takes several.

layout(local_size_x = 256) in;

layout(std430, binding = 0) restrict readonly buffer Positions {
    vec4 positions[];  // x, y, z in metres, age from 0 to 1
};
layout(std430, binding = 1) restrict readonly buffer Handles {
    uint handles[];
};
layout(binding = 0) uniform sampler1D ramp;

// A fixed pseudo-random number from 0 to 1 for each handle. Source: C. Ellis, "lowbias32", 2018.
float hashed(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return float(x >> 8) * (1.0 / 16777216.0);
}

void add(ivec2 pixel, vec3 units, float dither) {
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, size))) return;
    // Among millions, a particle adds only a few units. Random rounding keeps the mean; rounding to nearest would
    // lose the faintest channel.
    uvec3 amount = uvec3(units + dither);
    uint first = 3u * uint(pixel.y * size.x + pixel.x);
    if (amount.r > 0u) atomicAdd(sums[first], amount.r);
    if (amount.g > 0u) atomicAdd(sums[first + 1u], amount.g);
    if (amount.b > 0u) atomicAdd(sums[first + 2u], amount.b);
}

void splat(uint handle, float units_of_one) {
    vec4 particle = positions[int(handle) + base_vertex];
    vec4 clip = view_projection * vec4(particle.xyz, 1.0);

    // For a perspective projection w is the distance in front of the camera.
    if (clip.w <= 0.1) return;
    vec2 place = (0.5 + 0.5 * clip.xy / clip.w) * vec2(size);
    if (any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(size)))) return;
    // Blur and the spread over four pixels reach no farther.
    const float reach = float(most_radius + 1);
    if (place.x < float(columns_begin) - reach || place.x >= float(columns_end) + reach) return;

    // Ramp entries sit at texel centres.
    float entries = float(textureSize(ramp, 0));
    float age = (clamp(particle.w, 0.0, 1.0) * (entries - 1.0) + 0.5) / entries;
    float nearness = reference_distance / clip.w;
    vec3 units = units_of_one * min(nearness * nearness, most_nearness) * textureLod(ramp, age, 0.0).rgb;
    float dither = hashed(handle);

    if (!spreads_over_four()) {
        add(ivec2(place), units, dither);
        return;
    }
    vec2 corner = floor(place - 0.5);
    vec2 to_next = place - 0.5 - corner;
    vec2 to_this = 1.0 - to_next;
    ivec2 pixel = ivec2(corner);
    add(pixel, units * to_this.x * to_this.y, dither);
    add(pixel + ivec2(1, 0), units * to_next.x * to_this.y, dither);
    add(pixel + ivec2(0, 1), units * to_this.x * to_next.y, dither);
    add(pixel + ivec2(1, 1), units * to_next.x * to_next.y, dither);
}

void main() {
    float units_of_one = energy() * units_per_light();
    uint threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) splat(handles[first_index + i], units_of_one);
}
