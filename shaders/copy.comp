// Copies positions. On data-centre GPUs, glCopyNamedBufferSubData takes ten times as long.

layout(local_size_x = 256) in;

layout(std430, binding = 6) restrict readonly buffer From {
    vec4 from[];
};
layout(std430, binding = 5) restrict writeonly buffer To {
    vec4 to[];
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(from.length())) to[i] = from[i];
}
