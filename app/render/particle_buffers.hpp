#pragma once

#include <glad/gl.h>

#include <cstdint>

#include "app/gl/object.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// The binding points of the uniform blocks in the shaders.
enum UniformBlock : GLuint { command_block, frame_block, sparse_dense_block };
/// The binding points of the storage blocks in the shaders.
enum StorageBlock : GLuint {
    handles_block,             ///< the handles of the particles to draw
    splat_sums_block,          ///< the light of each pixel, which the splat adds up
    arcs_block,                ///< the arcs of the sparse and dense scene
    ranks_block,               ///< 1 + the rank of the item of each sparse cell; 0: not kept
    looks_block,               ///< the appearance of the sparse and dense cells
    previous_positions_block,  ///< the positions in the previous frame, for streaks
    attributes_block,          ///< the first attribute; the others follow
};

/// Binds the buffers that particles.glsl and streak.glsl declare, and removes the bindings at the end of its
/// life, because CUDA may map the buffers next.
class BoundParticles {
  public:
    explicit BoundParticles(const scene::GlParticles& particles);
    ~BoundParticles();
    BoundParticles(const BoundParticles&) = delete;
    BoundParticles& operator=(const BoundParticles&) = delete;
};

/// The size of one slot's value of the largest attribute, in bytes.
std::int64_t largest_attribute_bytes();

/// Uploads particles from host memory to OpenGL buffers.
class UploadedParticles {
  public:
    /// Replaces the last upload without waiting for earlier draws. Handles must be within the slots.
    /// Throws compaction::Error{invalid_argument} for 2^32 or more handles.
    scene::GlParticles upload(const scene::HostParticles& particles);

  private:
    template <typename T>
    using GlBuffer = gl::Buffer;

    scene::Attributes<GlBuffer> attributes_;
    gl::Buffer handles_;
    gl::Buffer command_;
};

}  // namespace warpsieve::render
