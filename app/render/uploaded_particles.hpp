#pragma once

#include "app/gl/object.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Uploads particles from host memory to OpenGL buffers.
class UploadedParticles {
  public:
    /// Replaces the last upload without waiting for earlier draws. Handles must be within the positions.
    /// Throws compaction::Error{invalid_argument} for 2^32 or more handles.
    scene::GlParticles upload(const scene::HostParticles& particles);

  private:
    gl::Buffer positions_;
    gl::Buffer handles_;
    gl::Buffer command_;
};

}  // namespace warpsieve::render
