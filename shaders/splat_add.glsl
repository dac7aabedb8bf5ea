// Shared by the compute shaders that add light to the sums. Appended to splat.glsl.

// A fixed pseudo-random number from 0 to 1 for each handle. Source: C. Ellis, "lowbias32", 2018.
float random_of(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return float(x >> 8) * (1.0 / 16777216.0);
}

// `share`: 0 to 1 along the ramp, whose entries sit at texel centres.
vec3 colour_of(sampler1D ramp, float share) {
    float entries = float(textureSize(ramp, 0));
    return textureLod(ramp, (clamp(share, 0.0, 1.0) * (entries - 1.0) + 0.5) / entries, 0.0).rgb;
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

// Adds the light of a sprite at `place`, in metres. `units`: at the reference distance.
void deposit(vec3 place, vec3 units, float dither) {
    vec4 clip = view_projection * vec4(place, 1.0);

    // For a perspective projection w is the distance in front of the camera.
    if (clip.w <= 0.1) return;
    vec2 pixel = (0.5 + 0.5 * clip.xy / clip.w) * vec2(size);
    if (any(lessThan(pixel, vec2(0.0))) || any(greaterThanEqual(pixel, vec2(size)))) return;
    // Blur, the spread over four pixels and the bloom reach no farther.
    const float reach = float(most_radius + 1 + bloom_reach);
    if (pixel.x < float(columns_begin) - reach || pixel.x >= float(columns_end) + reach) return;

    float nearness = reference_distance / clip.w;
    // One power more than the distance alone asks for: what is far away fades.
    units *= min(nearness * nearness * nearness, most_nearness);
    if (!spreads_over_four()) {
        add(ivec2(pixel), units, dither);
        return;
    }
    vec2 corner = floor(pixel - 0.5);
    vec2 to_next = pixel - 0.5 - corner;
    vec2 to_this = 1.0 - to_next;
    ivec2 low = ivec2(corner);
    add(low, units * to_this.x * to_this.y, dither);
    add(low + ivec2(1, 0), units * to_next.x * to_this.y, dither);
    add(low + ivec2(0, 1), units * to_this.x * to_next.y, dither);
    add(low + ivec2(1, 1), units * to_next.x * to_next.y, dither);
}
