// Rings every two metres and twelve spokes over a faint pool of light. All fade outwards.

layout(location = 1) uniform float half_size;
layout(location = 2) uniform vec3 line_colour;
layout(location = 3) uniform vec3 pool_colour;

in vec2 ground;
layout(location = 0) out vec4 colour;

// Coverage of a pixel by a line one pixel wide. `away`: distance to the line; `pixel`: size of a pixel;
// `spacing`: distance between lines; all in one unit. Dense lines fade.
float line(float away, float pixel, float spacing) {
    float covered = 1.0 - smoothstep(0.4, 1.3, away / pixel);
    return covered * (1.0 - smoothstep(0.15, 0.5, pixel / spacing));
}

void main() {
    const float ring_spacing = 2.0;
    const float spoke_angle = 6.28318531 / 12.0;

    float radius = length(ground);
    float to_ring = abs(radius - ring_spacing * max(round(radius / ring_spacing), 1.0));
    float rings = line(to_ring, fwidth(radius), ring_spacing);

    // Distance to the nearest spoke in metres. The pixel size comes from the position, because the angle is
    // discontinuous where it wraps.
    float angle = atan(ground.y, ground.x);
    float to_spoke = radius * abs(sin(angle - spoke_angle * round(angle / spoke_angle)));
    float pixel = max(length(fwidth(ground)) * 0.7, 1e-4);
    float spokes = line(to_spoke, pixel, radius * spoke_angle) * smoothstep(1.5, 2.5, radius);

    float fade = 1.0 - smoothstep(0.25, 1.0, radius / half_size);
    float pool = exp(-radius * radius / 26.0);
    float lines = fade * max(rings, 0.5 * spokes);
    colour = vec4(line_colour * lines + pool_colour * pool * fade, lines);
}
