#pragma once

#include "app/gl/object.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Particles of host memory in buffers that OpenGL draws from.
class UploadedParticles {
  public:
    /// Replaces what was uploaded before. The handles must be within the positions. Never waits for the draws
    /// of earlier frames. Throws compaction::Error{invalid_argument} for 2^32 handles or more.
    scene::GlParticles upload(const scene::HostParticles& particles);

  private:
    gl::Buffer positions_;
    gl::Buffer handles_;
    gl::Buffer command_;
};

}  // namespace warpsieve::render
