#pragma once

#include <cstddef>
#include <cstdint>

#include "app/render/splat_kernels.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/moment.hpp"

/// A moving particle is drawn as a streak: its light is spread along the way of its last moments and fades
/// towards the earliest. The more particles, the shorter the longest streak. streak.glsl has the same
/// functions.
namespace warpsieve::render {

/// A streak shows the way of this many seconds of scene time.
inline constexpr float streak_seconds = 1.0F / 40;
/// Motion over a longer time says nothing about the present speed.
inline constexpr float longest_motion_seconds = 0.25F;
/// From one point of a streak to the next, in standard deviations of a sprite: points merge.
inline constexpr float streak_spacing = 2.0F;
/// The points of one streak, and about those of all streaks together.
inline constexpr int most_streak_points = 5;
inline constexpr std::uint64_t most_streaks_points = std::uint64_t{1} << 21;
/// Motion is not known above this many slots, because it takes two copies of the positions.
inline constexpr std::uint64_t most_streak_slots = std::uint64_t{1} << 20;

/// Where the streak of a particle ends that was at `before` in an earlier frame; `now` if another particle
/// was in its slot. How long ago that was follows from the ages.
scene::Position streak_end(const scene::Position& now, const scene::Position& before);

/// The points of one streak of `count` particles; 1: there are no streaks.
int streak_points(std::uint64_t count);

/// Cuts streaks into points, for the host splat.
struct Streaks {
    scene::Matrix view_projection;
    float half_width = 0;  ///< of the picture, in pixels
    float half_height = 0;
    float spacing = 1;    ///< pixels
    int most_points = 1;  ///< of a streak

    /// Replaces particle `i` of `heads`, whose streak ends at tail_x[i], tail_y[i], tail_z[i], by its points,
    /// at most `most_streak_points`. They are added to `points` from index `count` on; returns their end.
    std::size_t cut(const splat_kernels::Batch& heads, std::size_t i, splat_kernels::Batch& points,
                    std::size_t count) const;
};

}  // namespace warpsieve::render
