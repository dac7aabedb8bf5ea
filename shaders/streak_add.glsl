// Adds the light of a streak to the sums. Appended to splat.glsl, splat_add.glsl and streak.glsl.

bool shows_streaks() {
    return streak_points(particles()) > 1.0;
}

// Adds the light of a sprite along its way from `tail`, where it is faint, to `head`, in metres. All threads of the
// group must call it together; `units` 0: adds nothing.
void deposit_streak(vec3 head, vec3 tail, vec3 units, float dither) {
    if (!shows_streaks()) {
        deposit(head, units, dither);
        return;
    }
    float most_points = streak_points(particles());
    vec4 from = view_projection * vec4(head, 1.0);
    vec4 to = view_projection * vec4(tail, 1.0);
    vec2 steps = vec2(0.0, 1.0);
    if (min(from.w, to.w) > 0.1) {
        vec2 way = 0.5 * (to.xy / to.w - from.xy / from.w) * vec2(size);
        steps = streak_steps(length(way) / (streak_spacing * spread()), particles());
    }
    float points = steps.x + 1.0;
    vec3 per_step = steps.x > 0.0 ? (tail - head) * (steps.y / steps.x) : vec3(0.0);
    for (float point = 0.0; point < most_points; ++point) {
        float share = point < points ? 2.0 * (points - point - 0.5) / (points * points) : 0.0;
        deposit(head + point * per_step, share * units, fract(dither + point * 0.618034));
    }
}
