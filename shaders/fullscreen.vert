// One triangle that covers the viewport: cheaper than two, and without a buffer. Its corners are computed from
// the vertex number: (-1, -1), (3, -1), (-1, 3).
void main() {
    vec2 corner = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);
    gl_Position = vec4(corner, 0.0, 1.0);
}
