#version 450 core

// A soft disc with additive blending, so that order does not matter.

flat in vec3 peak;
layout(location = 0) out vec4 light;

void main() {
    vec2 offset = 2.0 * gl_PointCoord - 1.0;
    float inside = max(1.0 - dot(offset, offset), 0.0);
    light = vec4(peak * inside * inside, 1.0);
}
