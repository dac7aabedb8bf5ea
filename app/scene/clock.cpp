#include <algorithm>

#include "app/scene/moment.hpp"

namespace warpsieve::scene {
namespace {

constexpr double one = 0x1p32;

double possible(float density) {
    return std::clamp(static_cast<double>(density), 0.0, 1.0);
}

}  // namespace

void Clock::advance(double seconds, float density) {
    // One cycle is a life and the wait after it: life_seconds are a `density` part of it.
    phase_ += static_cast<std::uint64_t>(seconds / life_seconds * possible(density) * one);
    time_ += static_cast<std::uint64_t>(seconds * one);
}

Moment Clock::moment(float density, std::uint32_t seed) const {
    return {phase_, static_cast<std::uint64_t>(possible(density) * one), time_, seed};
}

}  // namespace warpsieve::scene
