#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// Divides the time of each frame among its parts on the host's clock, and averages the device's times, which
/// arrive frames later. The parts of a frame and the rest add up to the frame, because each instant belongs
/// to one of them. Allocates nothing.
class FrameClock {
  public:
    using Clock = std::chrono::steady_clock;

    /// Ends the last frame and begins the next one.
    void begin_frame(Clock::time_point now = Clock::now());
    /// The time from now on belongs to `part`, or to none.
    void enter(std::optional<FramePart> part, Clock::time_point now = Clock::now());
    /// Adds the device's time of a part in an earlier frame.
    void add_device_time(FramePart part, double us);

    /// Forgets all frames, the current one too: what they did has changed.
    void restart() { *this = {}; }

    /// Means over the last frames; zero without any. `on_device`: whether device times were measured.
    FrameTimes times(bool on_device) const;

  private:
    static constexpr std::size_t frames_averaged = 60;

    /// The last values, in a ring.
    struct Recent {
        std::array<double, frames_averaged> values{};
        std::size_t pushed = 0;  ///< number of values so far

        void push(double value) { values[pushed++ % frames_averaged] = value; }
        double mean() const;
    };

    std::optional<FramePart> part_;                            ///< the part that the current time belongs to
    Clock::time_point part_start_;                             ///< when this part began
    std::optional<Clock::time_point> frame_start_;             ///< empty before the first frame
    std::array<Clock::duration, frame_parts.size()> spent_{};  ///< time of each part in the current frame
    Recent frames_us_;
    std::array<Recent, frame_parts.size()> host_us_;
    std::array<Recent, frame_parts.size()> device_us_;
};

}  // namespace warpsieve
