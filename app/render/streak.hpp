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
#include "app/render/splat_kernels.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/source.hpp"

/// A moving particle is drawn as a streak: its light is spread along its latest path and fades towards the
/// tail. The more particles there are, the shorter the longest streak is. streak.glsl has the same functions.
namespace warpsieve::render {

/// A streak shows the path of this many seconds of scene time.
inline constexpr float streak_seconds = 1.0F / 40;
/// Older positions are ignored, because they no longer show the current speed.
inline constexpr float max_motion_seconds = 0.25F;
/// Distance between the points of a streak, in standard deviations of a sprite; at this distance they merge.
inline constexpr float streak_spacing = 2.0F;
inline constexpr int max_streak_points = 5;
/// The points of all streaks together, roughly.
inline constexpr std::uint64_t max_total_streak_points = std::uint64_t{1} << 21;
/// With more slots, there are no streaks, because they need two copies of the positions.
inline constexpr std::uint64_t max_streak_slots = std::uint64_t{1} << 20;

/// The tail of a particle that was at `before` in an earlier frame; `now` if another particle was in its
/// slot. The time between the two follows from the ages.
scene::Position streak_end(const scene::Position& now, const scene::Position& before);

/// The number of points of each streak if `count` particles are drawn; 1: there are no streaks.
int points_per_streak(std::uint64_t count);

/// Samples streaks at points, for the host splat.
struct StreakSampler {
    scene::Matrix view_projection;
    float half_width = 0;  ///< of the picture, in pixels
    float half_height = 0;
    float spacing = 1;   ///< pixels
    int max_points = 1;  ///< of a streak

    /// Appends the points of the streak of particle `i` to `points`, which holds `count` so far. Returns the
    /// new count, at most `max_streak_points` more.
    std::size_t append_points(const splat_kernels::Batch& heads, std::size_t i, splat_kernels::Batch& points,
                              std::size_t count) const;
};

/// A copy of positions in host memory.
class HostCopy {
  public:
    using Positions = std::span<const scene::Position>;
    void copy_from(Positions positions);
    /// The copy; empty unless it is as long as `positions`.
    Positions matching(Positions positions) const;

  private:
    std::vector<scene::Position> copy_;
};

/// A copy of positions in an OpenGL buffer.
class GlCopy {
  public:
    using Positions = GLuint;
    void copy_from(GLuint positions);
    /// The copy; 0 unless it is as long as `positions`.
    GLuint matching(GLuint positions) const;

  private:
    std::optional<gl::Program> program_;  ///< compiled on first use
    gl::Buffer copy_;
    GLint64 bytes_ = 0;
};

/// Whether both frames have the same particles at the same positions.
bool same_frame(const scene::Frame& a, const scene::Frame& b);
/// Whether `frame` has the particles of `last` a short time later.
bool is_continued(const scene::Frame& last, const scene::Frame& frame);

/// Keeps the positions of the last two frames, so that motion is known while the scene runs and while it is
/// paused.
template <typename Copy>
class PreviousPositions {
  public:
    using Positions = typename Copy::Positions;

    /// Copies the positions of `frame` if it is a new one. Returns those of the previous frame; empty or 0 if
    /// they are not known. Call once or more for each drawn frame.
    Positions record(const scene::Frame& frame, Positions positions) {
        if (frame.slots > max_streak_slots) {
            last_.reset();
            return {};
        }
        if (!last_ || !same_frame(*last_, frame)) {
            has_previous_ = last_ && is_continued(*last_, frame);
            newest_ = 1 - newest_;
            copies_[newest_].copy_from(positions);
            last_ = frame;
        }
        return has_previous_ ? copies_[1 - newest_].matching(positions) : Positions{};
    }

  private:
    std::array<Copy, 2> copies_;
    std::size_t newest_ = 0;
    std::optional<scene::Frame> last_;
    bool has_previous_ = false;  ///< copies_[1 - newest_] holds the previous frame of the same particles
};

}  // namespace warpsieve::render
