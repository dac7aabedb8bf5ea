#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

namespace warpsieve {

/// What a frame spends its time on, in order.
enum class FramePart : std::uint8_t { simulate, compact, publish, draw, panels, present };

struct FramePartInfo {
    FramePart part;
    const char* name;
    const char* meaning;
};
inline constexpr std::array frame_parts{
    FramePartInfo{FramePart::simulate, "simulate", "Spawning, ageing and moving every slot."},
    FramePartInfo{FramePart::compact, "compact",
                  "All compactions of the frame, of A and of B. The table shows the time of one."},
    FramePartInfo{FramePart::publish, "publish",
                  "Handing positions, kept items and their number to the drawing."},
    FramePartInfo{FramePart::draw, "draw", "Drawing the particles."},
    FramePartInfo{FramePart::panels, "panels", "Laying out and drawing the controls, views and plots."},
    FramePartInfo{FramePart::present, "present", "Showing the frame. With vsync, it waits for the display."},
};

/// A time for each part of a frame, in microseconds.
using FramePartTimes = std::array<double, frame_parts.size()>;

/// Where the time of a frame goes: means over the last frames, in microseconds. Means, because they add up.
struct FrameView {
    double frame_us = 0;                      ///< from the start of a frame to that of the next; 0: unknown
    FramePartTimes host_us{};                 ///< the host's clock; other_us() fills up to frame_us
    std::optional<FramePartTimes> device_us;  ///< the GPU's clock; a part that it does not time is 0

    double other_us() const { return rest(host_us); }
    /// The time in which the GPU does none of the parts.
    double idle_us() const { return device_us ? rest(*device_us) : 0; }

  private:
    double rest(const FramePartTimes& parts) const {
        const double left = frame_us - std::accumulate(parts.begin(), parts.end(), 0.0);
        return left > 0 ? left : 0;
    }
};

}  // namespace warpsieve
