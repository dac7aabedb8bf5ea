// Input and output of a compaction as one quad each, of two triangles.

layout(location = 0) uniform mat4 view_projection;
layout(location = 1) uniform vec3 corners[2];  // of input and output
layout(location = 3) uniform vec3 across[2];   // from one column to the next
layout(location = 5) uniform vec3 along[2];    // from one row to the next
layout(location = 7) uniform ivec2 size[2];    // columns and rows

out vec2 in_field;  // columns and rows
flat out int sheet;
flat out vec2 border;  // columns and rows of base around the cells

const float margin = 0.22;  // metres of base around the cells

void main() {
    const vec2 unit[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
    sheet = gl_VertexID / 6;
    border = margin / vec2(length(across[sheet]), length(along[sheet]));
    in_field = mix(-border, vec2(size[sheet]) + border, unit[gl_VertexID % 6]);
    gl_Position = view_projection *
                  vec4(corners[sheet] + in_field.x * across[sheet] + in_field.y * along[sheet], 1.0);
}
