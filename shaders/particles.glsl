// The particles that are drawn, and their colours.

// The first words of the indirect command, which the GPU wrote.
layout(std140, binding = 0) uniform Command {
    uint count;
    uint instances;
    uint first_index;
    int base_vertex;
};

// The index of a particle's slot, plus 1.
layout(std430, binding = 0) restrict readonly buffer Handles {
    uint handles[];
};

// The attributes of each slot, in the order of scene/attributes.hpp. Storage buffers instead of vertex attributes:
// drivers that determine the index range first may fail, because the indices lie anywhere in the buffer.
layout(std430, binding = 6) restrict readonly buffer Positions {
    vec4 positions[];  // x, y, z in metres, age from 0 to 1
};

// `share`: 0 to 1 along the ramp, whose entries sit at texel centres.
vec3 colour_of(sampler1D ramp, float share) {
    float entries = float(textureSize(ramp, 0));
    return textureLod(ramp, (clamp(share, 0.0, 1.0) * (entries - 1.0) + 0.5) / entries, 0.0).rgb;
}

vec3 colour_of_particle(sampler1D ramp, int slot) {
    return colour_of(ramp, positions[slot].w);
}
