// Lays the cells of the sparse and dense scene over a pixel. Makes the same picture as cells.* without rasterising.
// Appended to tone.glsl, splat.glsl, sparse_dense.glsl and cell_look.glsl.

layout(std430, binding = 4) restrict readonly buffer Looks {
    vec2 looks[];
};
layout(binding = 3) uniform sampler1D slot_ramp;
// From pixels to columns and rows of a field, in homogeneous coordinates.
layout(location = 0) uniform mat3 to_sparse;
layout(location = 1) uniform mat3 to_dense;

vec3 with_field(vec3 below, CellField field, uint first_look, mat3 to_field, vec2 pixel) {
    vec3 seen = to_field * vec3(pixel, 1.0);
    // Behind the camera.
    if (seen.z <= 0.0) return below;
    vec2 at = seen.xy / seen.z;
    vec2 cells = vec2(field.columns, field.rows);
    vec2 metres = vec2(length(field.across.xyz), length(field.along.xyz));
    vec2 to_edge = margin + metres * min(at, cells - at);
    if (any(lessThan(to_edge, vec2(0.0)))) return below;
    vec2 change = abs(to_field[0].xy - at * to_field[0].z) + abs(to_field[1].xy - at * to_field[1].z);
    change /= seen.z;
    below = lay_over(below, look_of_base(to_edge, change * metres, on_paper), on_paper);

    // Lit neighbours shine on this pixel too.
    const float beyond = 0.5 * (shine - 1.0);
    ivec2 low = max(ivec2(floor(at - beyond)), ivec2(0));
    ivec2 high = min(ivec2(floor(at + beyond)), ivec2(cells) - 1);
    for (int column = low.x; column <= high.x; ++column) {
        for (int row = low.y; row <= high.y; ++row) {
            uint cell = uint(column) * field.rows + uint(row);
            if (cell >= field.cells) continue;
            vec2 look = looks[first_look + cell];
            vec2 point = 2.0 * (at - vec2(column, row)) - 1.0;
            if (look.y == 0.0 && any(greaterThan(abs(point), vec2(1.0)))) continue;
            vec3 colour = textureLod(slot_ramp, look.x, 0.0).rgb;
            below = lay_over(below, look_of_cell(point, 2.0 * change, colour, look.y, on_paper), on_paper);
        }
    }
    return below;
}

vec3 with_cells(vec3 below, ivec2 pixel) {
    vec2 centre_of_pixel = vec2(pixel) + 0.5;
    below = with_field(below, sparse, 0u, to_sparse, centre_of_pixel);
    return with_field(below, dense, sparse.cells, to_dense, centre_of_pixel);
}
