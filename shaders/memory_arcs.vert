// Arcs from a buffer: ten quads of a line that faces the camera, and a quad for the bright head.

layout(location = 0) uniform mat4 view_projection;
layout(location = 1) uniform vec2 half_size;  // of the view, in pixels
layout(location = 2) uniform float scale;     // of widths

struct Arc {
    vec3 from;
    float height;
    vec3 to;
    float width;
    float begin;
    float end;
    uint colour;
    float head;
};
layout(std430, binding = 0) restrict readonly buffer Arcs {
    Arc arcs[];
};

out vec2 across;       // -1 to 1 over the line or head
out float along;       // 0 at the tail to 1 at the head
flat out vec4 tint;
flat out float head;   // 0: a line

const int steps = 10;
const int vertices_per_arc = 6 * (steps + 1);

vec4 at(Arc arc, float t) {
    vec3 point = mix(arc.from, arc.to, t);
    point.y += arc.height * 4.0 * t * (1.0 - t);
    return view_projection * vec4(point, 1.0);
}

void main() {
    Arc arc = arcs[gl_VertexID / vertices_per_arc];
    int i = gl_VertexID % vertices_per_arc;
    const ivec2 unit[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));
    ivec2 corner = unit[i % 6];
    tint = unpackUnorm4x8(arc.colour);
    if (i >= 6 * steps) {
        across = 2.0 * vec2(corner) - 1.0;
        along = 1.0;
        head = arc.head;
        vec4 middle = at(arc, arc.end);
        float radius = arc.head > 0.0 ? scale * (2.2 * arc.width + 1.0) : 0.0;
        gl_Position = middle + vec4(across * radius / half_size * middle.w, 0.0, 0.0);
        return;
    }
    along = float(i / 6 + corner.y) / float(steps);
    float t = mix(arc.begin, arc.end, along);
    vec4 middle = at(arc, t);
    vec4 next = at(arc, t + 0.02);
    vec2 direction = (next.xy / next.w - middle.xy / middle.w) * half_size;
    vec2 normal = vec2(-direction.y, direction.x) / max(length(direction), 1e-4);
    float side = 2.0 * float(corner.x) - 1.0;
    across = vec2(side, 0.0);
    head = 0.0;
    gl_Position = middle + vec4(normal * side * (0.5 * scale * arc.width + 0.5) / half_size * middle.w, 0.0, 0.0);
}
