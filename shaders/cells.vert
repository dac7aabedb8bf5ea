// The cells of the sparse and dense scene as quads. Instance 0 is the base of the sparse buffer, instance 1 the base of
// the dense array; their cells follow. Appended to sparse_dense.glsl, tone.glsl and cell_look.glsl.

layout(std430, binding = 4) restrict readonly buffer Looks {
    vec2 looks[];
};
layout(location = 0) uniform mat4 view_projection;

out vec2 point;          // in the quad; the cell is -1 to 1
flat out vec2 reach;     // half the size of the cell or base, in metres
flat out vec2 look;      // share of the slot ramp, light
flat out int is_base;

void main() {
    uint i = uint(gl_InstanceID);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    bool of_dense = i == 1u || i >= 2u + sparse.cells;
    CellField field = sparse;
    if (of_dense) field = dense;
    is_base = i < 2u ? 1 : 0;

    vec3 across = field.across.xyz;
    vec3 along = field.along.xyz;
    vec2 size = vec2(length(across), length(along));
    vec3 middle;
    if (is_base == 1) {
        vec2 cells = vec2(field.columns, field.rows);
        middle = at(field, 0.5 * cells.x, 0.5 * cells.y);
        reach = 0.5 * cells * size + margin;
        point = corner;
        look = vec2(0.0, of_dense ? 1.0 : 0.0);
    } else {
        look = looks[i - 2u];
        uint cell = of_dense ? i - 2u - sparse.cells : i - 2u;
        middle = centre(field, cell);
        reach = 0.5 * size;
        // Lit cells shine on their surroundings.
        point = corner * (look.y > 0.0 ? shine : 1.0);
    }
    vec3 world = middle + point.x * reach.x * normalize(across) + point.y * reach.y * normalize(along);
    gl_Position = view_projection * vec4(world, 1.0);
}
