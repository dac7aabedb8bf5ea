// Step 1 of the compute splat: each particle adds its light to its pixel or to the nearest four. Appended to
// splat.glsl, splat_add.glsl, streak.glsl and streak_add.glsl. The indirect dispatch has at most 65,535 groups, the limit that OpenGL guarantees;
// with more particles than threads, each thread takes several.

layout(local_size_x = 256) in;

layout(std430, binding = 0) restrict readonly buffer Positions {
    vec4 positions[];  // x, y, z in metres, age from 0 to 1
};
layout(std430, binding = 1) restrict readonly buffer Handles {
    uint handles[];
};
layout(binding = 0) uniform sampler1D ramp;

void main() {
    float units_of_one = energy() * units_per_light();
    uint threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) {
        uint handle = handles[first_index + i];
        int slot = int(handle) + base_vertex;
        vec4 particle = positions[slot];
        deposit_streak(particle.xyz, streak_end(particle, uint(slot)).xyz, units_of_one * colour_of(ramp, particle.w),
                       random_of(handle));
    }
}
