#pragma once

#include "app/story/story.hpp"

/// Pace of the story, and the reference code of each method.
namespace warpsieve::story {

/// The camera moves to the next length, then rests.
inline constexpr double move_back_s = 1.6;
inline constexpr double rest_back_s = 0.6;
/// From one step of a worker to the next.
inline constexpr double beat_s = 0.45;
/// An item flies to its place.
inline constexpr double flight_s = 0.8;

}  // namespace warpsieve::story
