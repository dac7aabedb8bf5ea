#version 450 core

// Draws a particle as a point, which the fragment shader turns into a soft disc.

// x, y, z in metres, age from 0 to 1. A storage buffer instead of a vertex attribute: drivers that determine the
// index range first may fail, because the indices lie anywhere in the buffer.
layout(std430, binding = 0) restrict readonly buffer Positions {
    vec4 positions[];
};

// The first words of the indirect command, which the GPU wrote.
layout(std140, binding = 0) uniform Command {
    uint count;
    uint instances;
    uint first_index;
    int base_vertex;
};

layout(location = 0) uniform mat4 view_projection;
layout(location = 1) uniform float pixels_per_metre;   // at a distance of 1 m
layout(location = 2) uniform vec2 energy;              // energy.x * count^energy.y, at the reference distance
layout(location = 3) uniform vec2 spread;              // spread.x * count^spread.y metres
layout(location = 4) uniform vec2 spread_pixels;       // minimum and maximum
layout(location = 5) uniform float reference_distance;
layout(location = 6) uniform float most_peak;
layout(location = 7) uniform float radius_per_spread;
layout(binding = 0) uniform sampler1D ramp;

flat out vec3 peak;  // light at the centre of the sprite

void main() {
    // The handle in the index buffer plus the command's base vertex.
    vec4 particle = positions[gl_VertexID];
    gl_Position = view_projection * vec4(particle.xyz, 1.0);

    // For a perspective projection w is the distance in front of the camera.
    float away = max(gl_Position.w, 0.1);
    float n = max(float(count), 1.0);
    float sigma = spread.x * pow(n, spread.y) * pixels_per_metre / away;
    float radius = radius_per_spread * clamp(sigma, spread_pixels.x, spread_pixels.y);

    // The profile (1 - r^2)^2 over a disc of this radius sums to pi * radius^2 / 3. Dividing by it makes a sprite's
    // light independent of its size.
    float nearness = reference_distance / away;
    float light = energy.x * pow(n, energy.y) * min(nearness * nearness * nearness, 4.0);
    float height = min(light * 3.0 / (3.14159265 * radius * radius), most_peak);

    // Ramp entries sit at texel centres.
    float entries = float(textureSize(ramp, 0));
    peak = height * texture(ramp, (particle.w * (entries - 1.0) + 0.5) / entries).rgb;
    gl_PointSize = 2.0 * radius;
}
