// Draws a particle as a point, which the fragment shader turns into a soft disc, or into a streak if the particle moves.
// Appended to particles.glsl and streak.glsl.

layout(location = 0) uniform mat4 view_projection;
layout(location = 1) uniform float pixels_per_metre;   // at a distance of 1 m
layout(location = 2) uniform vec2 energy;              // energy.x * count^energy.y, at the reference distance
layout(location = 3) uniform vec2 spread;              // spread.x * count^spread.y metres
layout(location = 4) uniform vec2 spread_pixels;       // minimum and maximum
layout(location = 5) uniform float reference_distance;
layout(location = 6) uniform float max_peak;
layout(location = 7) uniform float radius_per_spread;
layout(location = 8) uniform vec2 size;                // of the picture, in pixels
layout(binding = 0) uniform sampler1D ramp;

// Must match max_brightness in particle_style.hpp.
const float max_brightness = 4.0;

flat out vec3 peak;        // light in the middle of the streak
flat out float reach;      // half the side of the point, in radii of the disc
flat out vec2 half_streak; // from the middle of the streak to its head, in radii; y points down

void main() {
    // The handle in the index buffer plus the command's base vertex.
    vec4 particle = positions[gl_VertexID];
    gl_Position = view_projection * vec4(particle.xyz, 1.0);
    vec4 tail = view_projection * vec4(streak_end(particle, uint(gl_VertexID)).xyz, 1.0);

    // For a perspective projection w is the distance in front of the camera.
    float camera_distance = max(gl_Position.w, 0.1);
    float num_particles = max(float(count), 1.0);
    float sigma = spread.x * pow(num_particles, spread.y) * pixels_per_metre / camera_distance;
    float radius = radius_per_spread * clamp(sigma, spread_pixels.x, spread_pixels.y);

    vec2 path = vec2(0.0);
    if (min(gl_Position.w, tail.w) > 0.1) {
        path = 0.5 * size * (tail.xy / tail.w - gl_Position.xy / gl_Position.w);
        vec2 steps = streak_steps(length(path) * radius_per_spread / (streak_spacing * radius), num_particles);
        path *= steps.x > 0.0 ? steps.y : 0.0;
        gl_Position.xy += path / size * gl_Position.w;
    }
    half_streak = 0.5 * vec2(path.x, -path.y) / radius;
    reach = 1.0 + length(half_streak);

    // The profile (1 - r^2)^2 sums to pi * radius^2 / 3 over a disc, and to 16/15 * radius per pixel along a path.
    // Dividing by the sum makes the light of a sprite independent of its size.
    float nearness = reference_distance / camera_distance;
    float light = energy.x * pow(num_particles, energy.y) * min(nearness * nearness * nearness, max_brightness);
    float disc = 3.14159265 / 3.0 * radius * radius;
    float height = min(light, max_peak * disc) / (disc + 16.0 / 15.0 * radius * length(path));

    peak = height * colour_of_particle(ramp, gl_VertexID);
    gl_PointSize = 2.0 * radius * reach;
}
