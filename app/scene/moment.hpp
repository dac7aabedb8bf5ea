#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/host_device.hpp"
#include "compaction/predicate.hpp"

/// Shared by all particle sources: the clock, the life cycle of a slot, and hashes instead of random numbers.
/// A scene is a pure function of slot, seed and clock: every engine fills exactly the same buffer, and a
/// change of the live fraction shows in the next frame.
namespace warpsieve::scene {

/// Time and seed of a frame. Made by Clock.
struct Moment {
    std::uint64_t phase = 0;       ///< cycles since the start, 32.32 fixed point
    std::uint64_t live_below = 0;  ///< a slot is live while its phase in the cycle (0 to 2^32) is below this
    std::uint64_t time = 0;        ///< seconds since the start, 32.32 fixed point
    std::uint32_t seed = 1;
};

inline constexpr float life_seconds = 3.2F;
inline constexpr float full_turn = 6.2831853F;

/// A 32-bit hash. Source: Wellons 2018, "Prospecting for Hash Functions", lowbias32.
COMPACTION_HOST_DEVICE inline std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// From 0 to below 1.
COMPACTION_HOST_DEVICE inline float unit(std::uint32_t bits) {
    return static_cast<float>(bits >> 8) * 0x1p-24F;
}

/// Random bits of a particle: each generation of a slot gets new ones.
COMPACTION_HOST_DEVICE inline std::uint32_t random_of(std::uint32_t slot, std::uint32_t generation,
                                                      std::uint32_t seed) {
    return hash(slot + 0x9e3779b9U * (generation + 1) + seed);
}

/// The position of a slot in its cycle of birth, death and waiting.
struct SlotCycle {
    std::uint32_t generation;  ///< particles born in this slot before this one
    std::uint32_t phase;       ///< 0 to 2^32
};

/// The cycle of a slot that is `offset` / 2^32 cycles ahead of the clock.
COMPACTION_HOST_DEVICE inline SlotCycle cycle_ahead(std::uint64_t offset, const Moment& moment) {
    const std::uint64_t shifted = moment.phase + offset;
    return {static_cast<std::uint32_t>(shifted >> 32), static_cast<std::uint32_t>(shifted)};
}

/// The cycle of a slot that is independent of its neighbours. `seed_hash`: hash(moment.seed).
COMPACTION_HOST_DEVICE inline SlotCycle cycle_of(std::uint32_t slot, std::uint32_t seed_hash,
                                                 const Moment& moment) {
    return cycle_ahead(hash(slot ^ seed_hash), moment);
}

COMPACTION_HOST_DEVICE inline bool is_live(const SlotCycle& cycle, const Moment& moment) {
    return cycle.phase < moment.live_below;
}

/// Age of a live slot per unit of SlotCycle::phase.
inline float age_per_cycle_phase(const Moment& moment) {
    return static_cast<float>(1 / static_cast<double>(moment.live_below));
}

/// The age of a live slot's particle, 0 to 1. `age_per_phase`: age_per_cycle_phase(moment).
COMPACTION_HOST_DEVICE inline float age_of(const SlotCycle& cycle, float age_per_phase) {
    const float age = static_cast<float>(cycle.phase) * age_per_phase;
    return age < 1 ? age : 1;
}

/// The handle of a slot; 0 means empty.
COMPACTION_HOST_DEVICE inline compaction::Item handle_of(std::uint32_t slot) {
    return slot + 1;
}

/// Turns scene time and live fraction into moments. A life always takes life_seconds; the live fraction sets
/// how long a slot then waits. The phase is summed over the frames, because the fraction may change.
class Clock {
  public:
    void advance(double seconds, float live_fraction) {
        // A cycle is a life and the wait after it; the life is `live_fraction` of the cycle.
        phase_ += static_cast<std::uint64_t>(seconds / life_seconds * clamped(live_fraction) * one);
        time_ += static_cast<std::uint64_t>(seconds * one);
    }
    Moment moment(float live_fraction, std::uint32_t seed) const {
        return {phase_, static_cast<std::uint64_t>(clamped(live_fraction) * one), time_, seed};
    }
    double seconds() const { return static_cast<double>(time_) / one; }
    void reset() { *this = Clock(); }

  private:
    static constexpr double one = 0x1p32;

    static double clamped(float live_fraction) {
        return std::clamp(static_cast<double>(live_fraction), 0.0, 1.0);
    }

    std::uint64_t phase_ = 0;
    std::uint64_t time_ = 0;
};

}  // namespace warpsieve::scene
