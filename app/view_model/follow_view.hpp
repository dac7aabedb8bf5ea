#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace warpsieve {

/// A pixel of the window.
struct WindowPoint {
    float x = 0;
    float y = 0;
};

/// Answers about single particles, a frame or a few after the request.
struct FollowView {
    /// What is under the mouse, while it is requested: a slot, or a place of the output.
    std::optional<std::uint64_t> picked;
    std::optional<std::uint64_t> picked_place;
    /// Where the requested item is: its particle, its slot and its place in the output. Empty if unseen.
    std::array<std::optional<WindowPoint>, 3> markers;
};

}  // namespace warpsieve
