// A soft disc, or a streak, with additive blending, so that order does not matter.

flat in vec3 peak;
flat in float reach;
flat in vec2 half_streak;
layout(location = 0) out vec4 light;

void main() {
    vec2 point = (2.0 * gl_PointCoord - 1.0) * reach;
    float length_squared = dot(half_streak, half_streak);
    float along = length_squared > 0.0 ? clamp(dot(point, half_streak) / length_squared, -1.0, 1.0) : 0.0;
    vec2 offset = point - along * half_streak;
    float inside = max(1.0 - dot(offset, offset), 0.0);
    // The light fades towards the tail.
    light = vec4(peak * inside * inside * (1.0 - along), 1.0);
}
