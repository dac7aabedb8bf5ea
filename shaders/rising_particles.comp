// Adds the particles of the sparse and dense scene, which rise from the dense array. Like splat.comp, but also records
// the rank of the item that each cell shows, because the output may have any order. Appended to particles.glsl, splat.glsl,
// streak.glsl, splat_add.glsl and sparse_dense.glsl.

layout(binding = 0) uniform sampler1D ramp;
layout(binding = 1) uniform sampler1D slot_ramp;

layout(std430, binding = 3) restrict writeonly buffer Ranks {
    uint ranks[];  // rank of the item of each cell, plus 1; 0: not in the output
};

void record_rank(uint slot, uint rank) {
    uint cell = cell_of(sparse, slot);
    bool is_shown = count <= max_items_shown || item_of(sparse, cell) == slot;
    if (cell < sparse.cells && is_shown) ranks[cell] = rank + 1u;
}

void main() {
    float units_of_one = energy() * units_per_light();
    uint threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x; first < count; first += threads) {
        // Threads beyond the last particle add nothing.
        uint i = first + gl_LocalInvocationID.x;
        uint handle = handles[first_index + min(i, count - 1u)];
        int slot = int(handle) + base_vertex;
        vec4 particle = positions[slot];
        vec3 head = risen_position(i, particle);
        vec3 tail = shows_streaks() ? risen_position(i, streak_end(particle, uint(slot))) : head;
        vec3 colour = has_slot_colour(handle, particle.w) ? colour_of(slot_ramp, share_of(handle - 1u))
                                                          : colour_of_particle(ramp, slot);
        if (i < count) record_rank(handle - 1u, i);
        deposit_streak(head, tail, i < count ? units_of_one * colour : vec3(0.0), random_of(handle));
    }
}
