// A square of ground around the nozzle, as a strip of four vertices.

layout(location = 0) uniform mat4 view_projection;
layout(location = 1) uniform float half_size;  // metres

out vec2 ground;

void main() {
    ground = half_size * (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0);
    gl_Position = view_projection * vec4(ground.x, 0.0, ground.y, 1.0);
}
