#pragma once

#include <cmath>
#include <cstdint>

#include "compaction/host_device.hpp"
#include "compaction/keep.hpp"

/// The fountain, as a pure function: whether a slot holds a particle, how old it is and where it flies follow
/// from the slot, the seed and the scene clock alone. So every engine fills the same buffer from the same
/// moment, to the last handle, and a change of the live fraction shows in the very next frame.
namespace warpsieve::scene {

/// Where a particle is and how far through its life: x, y, z in metres, age from 0 (born) to 1 (dead).
struct alignas(16) Position {
    float x, y, z, age;
};

/// What the simulation needs to know of a frame. Made by Clock.
struct Moment {
    std::uint64_t phase = 0;       ///< lives lived since the start, 32.32 fixed point
    std::uint64_t live_below = 0;  ///< a slot is live while its phase within a cycle is below this, of 2^32
    std::uint32_t seed = 1;
};

inline constexpr float life_seconds = 3.2F;

/// A well-mixed 32-bit hash (Ellis 2018, "lowbias32").
COMPACTION_HOST_DEVICE inline std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// A slot's place in its cycle of birth, death and waiting.
struct SlotCycle {
    std::uint32_t generation;  ///< particles born in this slot before
    std::uint32_t phase;       ///< of 2^32
};

COMPACTION_HOST_DEVICE inline SlotCycle cycle_of(std::uint32_t slot, const Moment& moment) {
    const std::uint64_t shifted = moment.phase + hash(slot ^ hash(moment.seed));
    return {static_cast<std::uint32_t>(shifted >> 32), static_cast<std::uint32_t>(shifted)};
}

COMPACTION_HOST_DEVICE inline bool is_live(const SlotCycle& cycle, const Moment& moment) {
    return cycle.phase < moment.live_below;
}

/// The handle of a slot: never 0, so 0 can mean empty.
COMPACTION_HOST_DEVICE inline compaction::Item handle_of(std::uint32_t slot) {
    return slot + 1;
}

COMPACTION_HOST_DEVICE inline float unit(std::uint32_t bits) {
    return static_cast<float>(bits >> 8) * 0x1p-24F;
}

/// Where the particle of a live slot is: thrown from the nozzle into a cone, pulled down by gravity, and
/// bouncing off the ground, each time with less of its speed.
COMPACTION_HOST_DEVICE inline Position position_of(std::uint32_t slot, const SlotCycle& cycle,
                                                   const Moment& moment) {
    constexpr float gravity = 9.81F;
    constexpr float restitution = 0.42F;
    constexpr float turn = 6.2831853F;

    std::uint32_t random = hash(slot + 0x9e3779b9U * (cycle.generation + 1) + moment.seed);
    const float around = turn * unit(random);
    random = hash(random);
    const float off_axis = 0.05F + 0.24F * std::sqrt(unit(random));
    random = hash(random);
    const float speed = 9.4F + 2.6F * unit(random);

    const float age =
        static_cast<float>(static_cast<double>(cycle.phase) / static_cast<double>(moment.live_below));
    const float outward = speed * std::sin(off_axis);
    float upward = speed * std::cos(off_axis);
    float time = age * life_seconds;
    const float distance = outward * time;
    float height = upward * time - 0.5F * gravity * time * time;
    for (int bounce = 0; bounce < 3 && height < 0.0F; ++bounce) {
        time -= 2.0F * upward / gravity;
        upward *= restitution;
        height = upward * time - 0.5F * gravity * time * time;
    }
    return {distance * std::cos(around), height < 0.0F ? 0.0F : height, distance * std::sin(around), age};
}

/// Turns scene time and live fraction into moments. A life takes life_seconds whatever the live fraction is;
/// what varies is how long a slot then waits, so the phase is summed up frame by frame.
class Clock {
  public:
    void advance(double seconds, float density);
    Moment moment(float density, std::uint32_t seed) const;
    void reset() { phase_ = 0; }

  private:
    std::uint64_t phase_ = 0;
};

}  // namespace warpsieve::scene
