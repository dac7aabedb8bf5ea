// The cells of the sparse and dense scene and the bases below them. Appended to tone.glsl, sparse_dense.glsl, cell_look.glsl
// and field_look.glsl.

layout(location = 1) uniform bool on_paper;

in vec2 in_field;
flat in int is_dense;
layout(location = 0) out vec4 colour;  // blended as "screen" or, on paper, as "multiply"

void main() {
    vec2 pixel_size = fwidth(in_field);
    vec3 seen = is_dense == 1 ? look_of_field(dense, sparse.cells, in_field, pixel_size, on_paper)
                              : look_of_field(sparse, 0u, in_field, pixel_size, on_paper);
    colour = vec4(seen, 1.0);
}
