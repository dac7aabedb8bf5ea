// Streaks along the particles' motion: the same functions as in streak.hpp, which documents them.

layout(std430, binding = 5) restrict readonly buffer Earlier {
    vec4 earlier[];  // the positions of the previous frame, or the current ones if those are not known
};

const float life_seconds = 3.2;
const float streak_seconds = 1.0 / 40.0;
const float max_motion_seconds = 0.25;
const float streak_spacing = 2.0;
const float max_total_streak_points = 2097152.0;
const float max_streak_points = 5.0;

vec4 streak_end(vec4 now, uint slot) {
    vec4 before = earlier[slot];
    float seconds = (now.w - before.w) * life_seconds;
    if (!(seconds > 0.0 && seconds < max_motion_seconds)) return now;
    return mix(now, before, min(streak_seconds, now.w * life_seconds) / seconds);
}

float points_per_streak(float particles) {
    return clamp(floor(max_total_streak_points / particles), 1.0, max_streak_points);
}

// Returns the number of steps along a streak, and the shown fraction of the streak. `spacings`: its length over the
// spacing of the points.
vec2 streak_steps(float spacings, float particles) {
    float max_steps = points_per_streak(particles) - 1.0;
    return vec2(floor(min(spacings, max_steps) + 0.75), spacings > max_steps ? max_steps / spacings : 1.0);
}
