#pragma once

#include <glad/gl.h>

#include <cstdint>

#include "app/gl/object.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// The binding points of the shaders.
enum UniformBlock : GLuint { command_block, frame_block, sparse_dense_block };
enum StorageBlock : GLuint {
    handles_block,
    sums_block,
    arcs_block,
    ranks_block,
    looks_block,
    earlier_block,
    attributes_block,  ///< of the first attribute; the others follow
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

/// The bytes of the largest attribute of one slot.
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
