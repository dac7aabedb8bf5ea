#include "app/render/streak.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::render {
namespace {

struct Pixel {
    float right, up;
};

/// Pixels from the middle of the picture, and whether the place is in front of the camera.
bool project(const Streaks& streaks, const scene::Vector& place, Pixel& pixel) {
    const scene::Matrix& m = streaks.view_projection;
    const auto clip = [&](std::size_t row) {
        return m[row] * place.x + m[4 + row] * place.y + m[8 + row] * place.z + m[12 + row];
    };
    const float w = clip(3);
    if (w <= 0.1F) return false;
    pixel = {streaks.half_width * clip(0) / w, streaks.half_height * clip(1) / w};
    return true;
}

}  // namespace

scene::Position streak_end(const scene::Position& now, const scene::Position& before) {
    const float seconds = (now.age - before.age) * scene::life_seconds;
    // False for memory that no particle has been written to.
    if (!(seconds > 0 && seconds < longest_motion_seconds)) return now;
    // A particle has no way before its birth.
    const float shown = std::min(streak_seconds, now.age * scene::life_seconds) / seconds;
    return {now.x + shown * (before.x - now.x), now.y + shown * (before.y - now.y),
            now.z + shown * (before.z - now.z), now.age + shown * (before.age - now.age)};
}

int streak_points(std::uint64_t count) {
    const std::uint64_t share = most_streaks_points / std::max<std::uint64_t>(count, 1);
    return static_cast<int>(std::clamp<std::uint64_t>(share, 1, most_streak_points));
}

std::size_t Streaks::cut(const splat_kernels::Batch& heads, std::size_t i, splat_kernels::Batch& points,
                         std::size_t count) const {
    const scene::Vector head{heads.x[i], heads.y[i], heads.z[i]};
    const scene::Vector tail{heads.tail_x[i], heads.tail_y[i], heads.tail_z[i]};
    int steps = 0;
    float part = 1;  // of the streak, if all of it would be too long
    Pixel from{}, to{};
    if (project(*this, head, from) && project(*this, tail, to)) {
        const float right = to.right - from.right, up = to.up - from.up;
        const float length = std::sqrt(right * right + up * up) / spacing;
        const auto most_steps = static_cast<float>(most_points - 1);
        steps = static_cast<int>(std::min(length, most_steps) + 0.75F);
        if (length > most_steps) part = most_steps / length;
    }
    const float per_step = steps > 0 ? part / static_cast<float>(steps) : 0;
    const auto num_points = static_cast<float>(steps + 1);
    for (int step = 0; step <= steps; ++step, ++count) {
        const float t = per_step * static_cast<float>(step);
        points.x[count] = head.x + t * (tail.x - head.x);
        points.y[count] = head.y + t * (tail.y - head.y);
        points.z[count] = head.z + t * (tail.z - head.z);
        points.age[count] = heads.age[i];
        const float left = num_points - static_cast<float>(step) - 0.5F;
        points.light[count] = heads.light[i] * 2 * left / (num_points * num_points);
    }
    return count;
}

}  // namespace warpsieve::render
