// Lays the cells of the sparse and dense scene over a pixel. Makes the same picture as cells.* without rasterising.
// Appended to tone.glsl, splat.glsl, sparse_dense.glsl, cell_look.glsl and field_look.glsl.

// From pixels to columns and rows of a field, in homogeneous coordinates.
layout(location = 0) uniform mat3 to_sparse;
layout(location = 1) uniform mat3 to_dense;

vec3 with_field(vec3 below, CellField field, uint first_look, mat3 to_field, vec2 pixel) {
    vec3 seen = to_field * vec3(pixel, 1.0);
    // Behind the camera.
    if (seen.z <= 0.0) return below;
    vec2 point = seen.xy / seen.z;
    vec2 pixel_size = abs(to_field[0].xy - point * to_field[0].z) + abs(to_field[1].xy - point * to_field[1].z);
    pixel_size /= seen.z;
    return lay_over(below, look_of_field(field, first_look, point, pixel_size, on_paper), on_paper);
}

vec3 with_cells(vec3 below, ivec2 pixel) {
    vec2 centre_of_pixel = vec2(pixel) + 0.5;
    below = with_field(below, sparse, 0u, to_sparse, centre_of_pixel);
    return with_field(below, dense, sparse.cells, to_dense, centre_of_pixel);
}
