// Step 1 of the cells of the two-stage scene: notes where the first item of each cell is in the output. Runs over
// the output, so unordered results work too. Appended to splat.glsl and stage.glsl.

layout(local_size_x = 256) in;

layout(std430, binding = 1) restrict readonly buffer Handles {
    uint handles[];
};
layout(std430, binding = 4) restrict writeonly buffer Ranks {
    uint ranks[];  // of the first item of each cell, plus 1; 0: not in the output
};

void main() {
    uint threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint within_cell = (1u << sparse.bits) - 1u;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) {
        uint slot = handles[first_index + i] - 1u;
        if ((slot & within_cell) == 0u && (slot >> sparse.bits) < sparse.cells) ranks[slot >> sparse.bits] = i + 1u;
    }
}
