#include "app/live/frame_clock.hpp"

#include <algorithm>
#include <numeric>

namespace warpsieve {
namespace {

double microseconds(FrameClock::Clock::duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

std::size_t index_of(FramePart part) {
    return static_cast<std::size_t>(part);
}

}  // namespace

double FrameClock::Recent::mean() const {
    const std::size_t known = std::min(pushed, frames_averaged);
    if (known == 0) return 0;
    return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(known), 0.0) /
           static_cast<double>(known);
}

void FrameClock::begin_frame(Clock::time_point now) {
    enter(std::nullopt, now);
    if (frame_start_) {
        frames_us_.push(microseconds(now - *frame_start_));
        for (std::size_t i = 0; i < spent_.size(); ++i) host_us_[i].push(microseconds(spent_[i]));
    }
    spent_ = {};
    frame_start_ = now;
}

void FrameClock::enter(std::optional<FramePart> part, Clock::time_point now) {
    if (part_) spent_[index_of(*part_)] += now - part_start_;
    part_ = part;
    part_start_ = now;
}

void FrameClock::add_device_time(FramePart part, double us) {
    device_us_[index_of(part)].push(us);
}

FrameTimes FrameClock::times(bool on_device) const {
    FrameTimes times;
    times.frame_us = frames_us_.mean();
    for (std::size_t i = 0; i < frame_parts.size(); ++i) times.host_us[i] = host_us_[i].mean();
    if (!on_device) return times;
    times.device_us.emplace();
    for (std::size_t i = 0; i < frame_parts.size(); ++i) (*times.device_us)[i] = device_us_[i].mean();
    return times;
}

}  // namespace warpsieve
