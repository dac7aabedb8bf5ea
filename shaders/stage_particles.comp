// Adds the particles of the two-stage scene, which rise from the dense array to their places. As splat.comp, and
// appended to splat.glsl, splat_add.glsl, streak.glsl, streak_add.glsl and stage.glsl.

layout(local_size_x = 256) in;

layout(std430, binding = 0) restrict readonly buffer Positions {
    vec4 positions[];  // x, y, z in metres of the source, age from 0 to 1
};
layout(std430, binding = 1) restrict readonly buffer Handles {
    uint handles[];
};
layout(binding = 0) uniform sampler1D ramp;
layout(binding = 1) uniform sampler1D slot_ramp;

void main() {
    float units_of_one = energy() * units_per_light();
    uint threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) {
        uint handle = handles[first_index + i];
        int slot = int(handle) + base_vertex;
        vec4 particle = positions[slot];
        vec3 colour = has_slot_colour(handle, particle.w) ? colour_of(slot_ramp, share_of(handle - 1u))
                                                          : colour_of(ramp, particle.w);
        deposit_streak(risen_from(i, particle), risen_from(i, streak_end(particle, uint(slot))), units_of_one * colour,
                       random_of(handle));
    }
}
