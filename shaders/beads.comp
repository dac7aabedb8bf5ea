// Adds the beads that flow along the arcs from the sparse buffer to the dense array. Appended to particles.glsl,
// splat.glsl, streak.glsl, splat_add.glsl and sparse_dense.glsl.

layout(std430, binding = 2) restrict readonly buffer Arcs {
    uvec4 arcs[];  // cell, item of the dense array, bits of the light; light 0: no arc
};
layout(binding = 1) uniform sampler1D slot_ramp;

void main() {
    uint arc = gl_GlobalInvocationID.x / beads_per_arc;
    uint number = gl_GlobalInvocationID.x % beads_per_arc;
    uvec4 ends = arcs[arc];
    vec2 position_and_light = bead(arc, number);
    vec3 position = arc_point(centre(sparse, ends.x), position_of_item(dense, ends.y), position_and_light.x);
    float light = bead_energy * units_per_light() * position_and_light.y * uintBitsToFloat(ends.z);
    deposit(position, light * colour_of(slot_ramp, float(ends.x) / float(sparse.cells)), hashed(gl_GlobalInvocationID.x));
}
