#include <algorithm>

#include "app/scene/moment.hpp"

namespace warpsieve::scene {
namespace {

constexpr double one = 0x1p32;

double clamped(float live_fraction) {
    return std::clamp(static_cast<double>(live_fraction), 0.0, 1.0);
}

}  // namespace

void Clock::advance(double seconds, float live_fraction) {
    // A cycle is a life and the wait after it; the life is `live_fraction` of the cycle.
    phase_ += static_cast<std::uint64_t>(seconds / life_seconds * clamped(live_fraction) * one);
    time_ += static_cast<std::uint64_t>(seconds * one);
}

Moment Clock::moment(float live_fraction, std::uint32_t seed) const {
    return {phase_, static_cast<std::uint64_t>(clamped(live_fraction) * one), time_, seed};
}

}  // namespace warpsieve::scene
