#pragma once

#include <glad/gl.h>

namespace warpsieve::render {

/// The binding points, as the shaders declare them.
enum UniformBlock : GLuint { command_block, frame_block, stage_block };
enum StorageBlock : GLuint {
    positions_block,
    handles_block,
    sums_block,
    arcs_block,
    ranks_block,
    looks_block,
    earlier_block
};

/// The bytes of the draw command that the shaders read.
constexpr GLsizeiptr command_block_bytes = 4 * sizeof(GLuint);

}  // namespace warpsieve::render
