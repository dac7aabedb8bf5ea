// Step 1 of the compute splat: each particle adds its light to its pixel or to the nearest four. Appended to
// particles.glsl, splat.glsl, streak.glsl and splat_add.glsl. OpenGL guarantees no more than 65,535 groups, so with many
// particles each thread handles several.

layout(binding = 0) uniform sampler1D ramp;

void main() {
    float units_of_one = energy() * units_per_light();
    uint threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x; first < count; first += threads) {
        // Threads beyond the last particle add nothing.
        uint i = first + gl_LocalInvocationID.x;
        uint handle = handles[first_index + min(i, count - 1u)];
        int slot = int(handle) + base_vertex;
        vec4 particle = positions[slot];
        vec3 tail = shows_streaks() ? streak_end(particle, uint(slot)).xyz : particle.xyz;
        vec3 units = i < count ? units_of_one * colour_of_particle(ramp, slot) : vec3(0.0);
        deposit_streak(particle.xyz, tail, units, random_of(handle));
    }
}
