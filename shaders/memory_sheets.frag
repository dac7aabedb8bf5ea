// The cells of input and output. Each has a body, which shows its item, and a face around and below it, which shows that
// it was accessed. A body loses its margin with the distance instead of flickering.

layout(location = 7) uniform ivec2 size[2];         // columns and rows
layout(location = 9) uniform ivec2 num_cells;       // of input and output; the last column may have fewer
layout(location = 10) uniform vec3 base_colour;
layout(location = 11) uniform vec3 rim_colour;
layout(location = 12) uniform vec3 gap_colour;      // between parts

// scene::SheetCell.
struct Cell {
    uint body;
    uint face;
    uint edges;
    float glow;
};
layout(std430, binding = 0) restrict readonly buffer Cells {
    Cell cells[];  // of the input, then of the output
};

in vec2 in_field;
flat in int sheet;
flat in vec2 border;
layout(location = 0) out vec4 colour;

// For each axis, the share of [point - change / 2, point + change / 2] that bodies cover. A body lies between `low` and
// `high` of its cell.
vec2 covered(vec2 point, vec2 change, vec2 low, vec2 high) {
    vec2 from = point - 0.5 * change;
    vec2 to = point + 0.5 * change;
    // The integral of the bodies from 0 to x.
    vec2 until_to = floor(to) * (high - low) + clamp(fract(to), low, high) - low;
    vec2 until_from = floor(from) * (high - low) + clamp(fract(from), low, high) - low;
    return (until_to - until_from) / change;
}

void main() {
    vec2 change = max(fwidth(in_field), vec2(1e-4));
    vec2 to_border = min(in_field, vec2(size[sheet]) - in_field);
    if (min(to_border.x, to_border.y) < 0.0) {
        // The base, with a rim one and a half pixels wide.
        vec2 to_end = (to_border + border) / change;
        float rim = 1.0 - smoothstep(0.5, 1.8, min(to_end.x, to_end.y));
        colour = vec4(mix(base_colour, rim_colour, rim), 1.0);
        return;
    }
    ivec2 at = min(ivec2(in_field), size[sheet] - 1);
    int index = at.x * size[sheet].y + at.y;
    if (index >= num_cells[sheet]) {
        colour = vec4(base_colour, 1.0);
        return;
    }
    Cell cell = cells[index + sheet * num_cells.x];
    vec4 body = unpackUnorm4x8(cell.body);
    vec4 face = unpackUnorm4x8(cell.face);
    vec3 seen = mix(base_colour, face.rgb, face.a);

    // Half of what separates two parts.
    const float gap = 0.26;
    // x, y, z, w: left, upper, right and lower side, in the bits of scene::SheetEdge.
    vec4 sides = vec4(notEqual(uvec4(cell.edges) & uvec4(1u, 4u, 2u, 8u), uvec4(0u)));
    vec2 in_cell = in_field - vec2(at);
    vec4 to_side = vec4(in_cell, 1.0 - in_cell) / change.xyxy;
    vec4 apart = sides * (1.0 - smoothstep(-0.5, 0.5, to_side - max(gap / change.xyxy, 0.75)));
    seen = mix(seen, gap_colour, max(max(apart.x, apart.y), max(apart.z, apart.w)));

    // Without an item, the body is small, so that kept and dropped differ in shape too.
    float body_margin = body.a > 0.0 ? 0.08 : 0.3;
    vec2 low = max(vec2(body_margin), 0.08 + gap * sides.xy);
    vec2 high = min(vec2(1.0 - body_margin), 0.92 - gap * sides.zw);
    vec2 cover = clamp(covered(in_field, change, low, high), 0.0, 1.0);
    float inside = cover.x * cover.y;
    seen = mix(seen, body.rgb, inside);
    vec2 from_centre = 2.0 * in_cell - 1.0;
    seen += (1.0 - seen) * body.rgb * cell.glow * exp(-1.6 * dot(from_centre, from_centre));
    colour = vec4(seen, 1.0);
}
