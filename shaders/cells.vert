// The sparse buffer and the dense array as one quad each, of two triangles. Appended to sparse_dense.glsl, tone.glsl and
// cell_look.glsl.

layout(location = 0) uniform mat4 view_projection;

out vec2 in_field;        // columns and rows
flat out int is_dense;

void main() {
    const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
    is_dense = gl_VertexID / 6;
    CellField field = sparse;
    if (is_dense == 1) field = dense;
    vec2 cells = vec2(field.columns, field.rows);
    vec2 metres = vec2(length(field.across.xyz), length(field.along.xyz));
    vec2 border = margin / metres;
    in_field = mix(-border, cells + border, corners[gl_VertexID % 6]);
    gl_Position = view_projection * vec4(at(field, in_field.x, in_field.y), 1.0);
}
