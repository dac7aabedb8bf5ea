// Shared by the compute shaders that add light to the sums. Appended to particles.glsl, splat.glsl and streak.glsl.

layout(local_size_x = 256) in;

// A fixed pseudo-random number from 0 to 1 for each handle. Source: Wellons 2018, "Prospecting for Hash Functions", lowbias32.
float random_of(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return float(x >> 8) * (1.0 / 16777216.0);
}

// The next addition of each thread of the group: the first of three adjacent sums, and the three amounts.
shared uint firsts[gl_WorkGroupSize.x];
shared uint amounts[3u * gl_WorkGroupSize.x];

// Adds `units` to the sums of a pixel. All threads of the group must call it together: adjacent threads then add the three
// colours of a pixel in one memory access, which takes a third of the time.
void add(ivec2 pixel, vec3 units, float dither) {
    uint thread = gl_LocalInvocationID.x;
    bool inside = all(greaterThanEqual(pixel, ivec2(0))) && all(lessThan(pixel, size));
    // One particle of millions adds only a few units. Random rounding keeps the mean; rounding to nearest would lose
    // the faintest channel.
    uvec3 amount = inside ? uvec3(units + dither) : uvec3(0u);
    firsts[thread] = inside ? first_sum_of(pixel) : 0u;
    amounts[3u * thread] = amount.r;
    amounts[3u * thread + 1u] = amount.g;
    amounts[3u * thread + 2u] = amount.b;
    // The amounts are complete before other threads add them.
    barrier();
    for (uint i = thread; i < 3u * gl_WorkGroupSize.x; i += gl_WorkGroupSize.x) {
        if (amounts[i] > 0u) atomicAdd(sums[firsts[i / 3u] + i % 3u], amounts[i]);
    }
    // All amounts are added before the next ones are stored.
    barrier();
}

const ivec2 outside = ivec2(-1);

// Adds the light of a sprite at `position`, in metres. `units`: at the reference distance; 0 adds nothing. All threads of
// the group must call it together.
void deposit(vec3 position, vec3 units, float dither) {
    vec4 clip = view_projection * vec4(position, 1.0);
    vec2 pixel = (0.5 + 0.5 * clip.xy / clip.w) * vec2(size);
    // Particles farther from the columns add no light to them, even through spread, blur and bloom.
    const float reach = float(max_radius + 1 + bloom_reach);
    // For a perspective projection w is the distance in front of the camera.
    bool seen = clip.w > 0.1 && all(greaterThanEqual(pixel, vec2(0.0))) && all(lessThan(pixel, vec2(size))) &&
                pixel.x >= float(columns_begin) - reach && pixel.x < float(columns_end) + reach && units != vec3(0.0);

    float nearness = reference_distance / clip.w;
    // The cube instead of the square, so that distant particles fade.
    units *= min(nearness * nearness * nearness, max_brightness);
    if (!spreads_over_four()) {
        add(seen ? ivec2(pixel) : outside, units, dither);
        return;
    }
    ivec2 low = ivec2(floor(pixel - 0.5));
    vec2 to_next = fract(pixel - 0.5);
    for (int i = 0; i < 4; ++i) {
        ivec2 step = ivec2(i & 1, i >> 1);
        vec2 share = mix(1.0 - to_next, to_next, vec2(step));
        add(seen ? low + step : outside, units * share.x * share.y, dither);
    }
}

bool shows_streaks() {
    return points_per_streak(particles()) > 1.0;
}

// Adds the light of a sprite along its path from `tail`, where it is faint, to `head`, in metres. `units` 0 adds nothing.
// All threads of the group must call it together.
void deposit_streak(vec3 head, vec3 tail, vec3 units, float dither) {
    if (!shows_streaks()) {
        deposit(head, units, dither);
        return;
    }
    float max_points = points_per_streak(particles());
    vec4 from = view_projection * vec4(head, 1.0);
    vec4 to = view_projection * vec4(tail, 1.0);
    vec2 steps = vec2(0.0, 1.0);
    if (min(from.w, to.w) > 0.1) {
        vec2 path = 0.5 * (to.xy / to.w - from.xy / from.w) * vec2(size);
        steps = streak_steps(length(path) / (streak_spacing * spread()), particles());
    }
    float num_points = steps.x + 1.0;
    vec3 per_step = steps.x > 0.0 ? (tail - head) * (steps.y / steps.x) : vec3(0.0);
    for (float point = 0.0; point < max_points; ++point) {
        float share = point < num_points ? 2.0 * (num_points - point - 0.5) / (num_points * num_points) : 0.0;
        // Steps of the golden ratio spread the dither of the points evenly.
        deposit(head + point * per_step, share * units, fract(dither + point * 0.618034));
    }
}
