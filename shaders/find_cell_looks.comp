// Finds the look of each cell of the sparse and dense scene, and the cells that have an arc. Appended to
// particles.glsl, splat.glsl and sparse_dense.glsl.

layout(local_size_x = 64) in;

layout(std430, binding = 2) restrict writeonly buffer Arcs {
    uvec4 arcs[];  // cell, item of the dense array, bits of the light; light 0: no arc
};
layout(std430, binding = 3) restrict readonly buffer Ranks {
    uint ranks[];  // rank of the item of each cell, plus 1; 0: not in the output
};
layout(std430, binding = 4) restrict writeonly buffer Looks {
    vec2 looks[];  // share of the slot ramp, light; first the sparse buffer, then the dense array
};

float age_of_cell(uint cell) {
    return positions[int(handles[first_index + ranks[cell] - 1u]) + base_vertex].w;
}

void find_sparse_look(uint cell) {
    float light = ranks[cell] == 0u ? 0.0 : cell_light(age_of_cell(cell));
    looks[cell] = vec2(float(cell) / float(sparse.cells), light);
}

void find_dense_look(uint cell) {
    uint item = item_of(dense, cell);
    vec2 look = vec2(0.0);
    if (item < count) look = vec2(share_of(handles[first_index + item] - 1u), dense_cell_light);
    looks[sparse.cells + cell] = look;
}

// Chooses the live cell with the largest hash of its group: the choice holds until that item dies.
void choose_arc(uint arc) {
    uint chosen = 0u;
    uint largest_hash = 0u;
    for (uint cell = arc * cells_per_arc; cell < min((arc + 1u) * cells_per_arc, sparse.cells); ++cell) {
        uint hash = hash_of(cell) | 1u;
        if (ranks[cell] == 0u || hash <= largest_hash) continue;
        largest_hash = hash;
        chosen = cell;
    }
    if (largest_hash == 0u) {
        arcs[arc] = uvec4(0u);
        return;
    }
    float age = age_of_cell(chosen);
    float light = smoothstep(0.0, 0.06, age) * (1.0 - smoothstep(0.92, 1.0, age));
    arcs[arc] = uvec4(chosen, ranks[chosen] - 1u, floatBitsToUint(light), 0u);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < sparse.cells) find_sparse_look(i);
    if (i < dense.cells) find_dense_look(i);
    if (i * cells_per_arc < sparse.cells) choose_arc(i);
}
