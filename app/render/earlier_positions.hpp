#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/source.hpp"

namespace warpsieve::render {

/// A copy of positions in host memory.
class HostCopy {
  public:
    using Positions = std::span<const scene::Position>;
    void take(Positions positions);
    /// Empty unless the copy is as long as `positions`.
    Positions beside(Positions positions) const;

  private:
    std::vector<scene::Position> copy_;
};

/// A copy of positions in an OpenGL buffer.
class GlCopy {
  public:
    using Positions = GLuint;
    void take(GLuint positions);
    /// 0 unless the copy is as long as `positions`.
    GLuint beside(GLuint positions) const;

  private:
    std::optional<gl::Program> program_;  ///< compiled on first use
    gl::Buffer copy_;
    GLint64 bytes_ = 0;
};

/// Keeps the positions of the last frame and of the one before it, so that the particles' motion is known
/// while the scene runs and stays known while it is paused.
template <typename Copy>
class EarlierPositions {
  public:
    using Positions = typename Copy::Positions;

    /// The positions of the frame before `frame`; empty or 0 if they are not known. `positions`: those of
    /// `frame`. A frame may be drawn several times.
    Positions before(const scene::Frame& frame, Positions positions) {
        if (!shows_motion(frame)) {
            last_.reset();
            return {};
        }
        if (!last_ || !same(*last_, frame)) {
            known_ = last_ && follows(*last_, frame);
            newest_ = 1 - newest_;
            copies_[newest_].take(positions);
            last_ = frame;
        }
        return known_ ? copies_[1 - newest_].beside(positions) : Positions{};
    }

  private:
    static bool shows_motion(const scene::Frame& frame);
    static bool same(const scene::Frame& last, const scene::Frame& frame);
    /// Whether the particles of `last` have moved on to those of `frame`.
    static bool follows(const scene::Frame& last, const scene::Frame& frame);

    std::array<Copy, 2> copies_;
    std::size_t newest_ = 0;
    std::optional<scene::Frame> last_;
    bool known_ = false;
};

extern template class EarlierPositions<HostCopy>;
extern template class EarlierPositions<GlCopy>;

}  // namespace warpsieve::render
