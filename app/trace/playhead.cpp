#include "app/trace/playhead.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::trace {
namespace {

constexpr double max_slowdown = 1e6;
constexpr double fastest_steps_per_second = 4'000;
constexpr double slowest_steps_per_second = 4;

double share_of(int position) {
    return static_cast<double>(std::clamp(position, 0, last_dial_position)) / last_dial_position;
}

int position_at(double share) {
    if (std::isnan(share)) return 0;
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * last_dial_position));
}

}  // namespace

double slowdown_at(int position) {
    return std::pow(max_slowdown, share_of(position));
}

double steps_per_second_at(int position) {
    return fastest_steps_per_second *
           std::pow(slowest_steps_per_second / fastest_steps_per_second, share_of(position));
}

int dial_position_of_slowdown(double slowdown) {
    return position_at(std::log(std::max(slowdown, 1.0)) / std::log(max_slowdown));
}

int dial_position_of_steps_per_second(double steps_per_second) {
    const double steps = std::clamp(steps_per_second, slowest_steps_per_second, fastest_steps_per_second);
    return position_at(std::log(steps / fastest_steps_per_second) /
                       std::log(slowest_steps_per_second / fastest_steps_per_second));
}

double playhead_speed(int position, bool in_steps) {
    if (position <= 0) return 0;
    return in_steps ? steps_per_second_at(position) : 1e6 / slowdown_at(position);
}

void Playhead::pass(double seconds, double speed, double duration) {
    constexpr double longest_rest_s = 1;
    time = std::clamp(time, 0.0, duration);
    if (!playing || speed <= 0 || duration <= 0) return;
    if (time < duration) {
        time = std::min(time + seconds * speed, duration);
        rested_s = 0;
        return;
    }
    // A short compaction rests for a short time.
    rested_s += seconds;
    if (rested_s < std::min(longest_rest_s, duration / speed)) return;
    time = 0;
    rested_s = 0;
}

void Playhead::scrub(double to_time) {
    time = to_time;
    playing = false;
    rested_s = 0;
}

void Playhead::play_or_pause(double duration) {
    playing = !playing;
    if (playing && time >= duration) time = 0;
    rested_s = 0;
}

}  // namespace warpsieve::trace
