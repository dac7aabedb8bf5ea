// The cells at a point of a field of the sparse and dense scene, with the base below them. Appended to tone.glsl,
// sparse_dense.glsl and cell_look.glsl.

layout(std430, binding = 4) restrict readonly buffer Looks {
    vec2 looks[];  // share of the slot ramp, light
};
layout(binding = 3) uniform sampler1D slot_ramp;

// Two layers as one. A layer over a picture gives picture * (1 - layer), plus layer if it is light ("screen") and not
// ink ("multiply"). The formula is right for both.
vec3 together(vec3 below, vec3 above) {
    return below + (1.0 - below) * above;
}

// `point`: columns and rows; `pixel_size`: the size of a pixel there.
vec3 look_of_field(CellField field, uint first_look, vec2 point, vec2 pixel_size, bool paper) {
    vec2 size = vec2(field.columns, field.rows);
    vec2 metres = vec2(length(field.across.xyz), length(field.along.xyz));
    vec2 to_edge = margin + metres * min(point, size - point);
    if (any(lessThan(to_edge, vec2(0.0)))) return vec3(0.0);
    vec3 seen = look_of_base(to_edge, pixel_size * metres, paper);

    // Lit neighbours shine on this pixel too.
    const float beyond = 0.5 * (shine - 1.0);
    ivec2 low = max(ivec2(floor(point - beyond)), ivec2(0));
    ivec2 high = min(ivec2(floor(point + beyond)), ivec2(size) - 1);
    for (int column = low.x; column <= high.x; ++column) {
        for (int row = low.y; row <= high.y; ++row) {
            uint cell = uint(column) * field.rows + uint(row);
            if (cell >= field.cells) continue;
            vec2 look = looks[first_look + cell];
            vec2 in_cell = 2.0 * (point - vec2(column, row)) - 1.0;
            if (look.y == 0.0 && any(greaterThan(abs(in_cell), vec2(1.0)))) continue;
            vec3 colour = textureLod(slot_ramp, look.x, 0.0).rgb;
            seen = together(seen, look_of_cell(in_cell, 2.0 * pixel_size, colour, look.y, paper));
        }
    }
    return seen;
}
