// Ribbons from a buffer, each from one interval to another: twelve quads each.

layout(location = 0) uniform mat4 view_projection;

struct Ribbon {
    vec3 from;
    float from_width;
    vec3 to;
    float to_width;
    uint colour;
};
layout(std430, binding = 0) restrict readonly buffer Ribbons {
    Ribbon ribbons[];
};

out vec4 tint;

const int steps = 12;
const int vertices_per_ribbon = 6 * steps;

void main() {
    Ribbon ribbon = ribbons[gl_VertexID / vertices_per_ribbon];
    int i = gl_VertexID % vertices_per_ribbon;
    const ivec2 unit[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));
    ivec2 corner = unit[i % 6];
    float t = float(i / 6 + corner.y) / float(steps);
    float aside = t * t * (3.0 - 2.0 * t);
    vec3 position = mix(ribbon.from, ribbon.to, vec3(aside, t, t));
    position.x += float(corner.x) * mix(ribbon.from_width, ribbon.to_width, aside);
    tint = unpackUnorm4x8(ribbon.colour);
    tint.a *= 0.55 + 0.45 * sin(3.1416 * t);
    gl_Position = view_projection * vec4(position, 1.0);
}
