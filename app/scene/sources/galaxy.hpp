#pragma once

#include <cmath>

#include "app/scene/source.hpp"

namespace warpsieve::scene {

/// Two attractors. Stars are born in the arms of a disc, drift inwards and die near the core. Some belong to
/// a small companion galaxy. Slots are independent.
class Galaxy {
  public:
    static constexpr SourceInfo info{
        .id = "galaxy",
        .name = "Galaxy",
        .meaning =
            "Stars are born in the arms, drift inwards and die near the core of one of two attractors. "
            "Slots are independent, as in the fountain; only the positions differ.",
        .has_patterns = false,
        .viewpoint = {.azimuth = 0.5F,
                      .elevation = 0.62F,
                      .distance = 21.0F,
                      .target = {0.5F, -0.1F, 0.7F},
                      .aspect = 1.75F,
                      .on_ground = false}};

    explicit Galaxy(const Frame& frame)
        : moment_(frame.moment),
          seed_hash_(hash(frame.moment.seed)),
          age_per_cycle_phase_(age_per_cycle_phase(frame.moment)),
          disc_turn_(turn_of(frame.moment, /*period_seconds=*/40)),
          companion_turn_(turn_of(frame.moment, /*period_seconds=*/120)) {}

    COMPACTION_HOST_DEVICE bool is_live(std::uint32_t slot) const {
        return scene::is_live(cycle_of(slot, seed_hash_, moment_), moment_);
    }

    COMPACTION_HOST_DEVICE Position position_of(std::uint32_t slot) const {
        const SlotCycle cycle = cycle_of(slot, seed_hash_, moment_);
        const std::uint32_t random = random_of(slot, cycle.generation, moment_.seed);
        Position position = in_disc(random, age_of(cycle, age_per_cycle_phase_));
        constexpr std::uint32_t stars_per_companion_star = 12;
        if (random % stars_per_companion_star == 0) move_to_companion(position);
        return position;
    }

  private:
    static constexpr float rim = 8.0F;  // metres

    /// The current angle of a rotation, in radians.
    static float turn_of(const Moment& moment, std::uint64_t period_seconds) {
        const std::uint64_t period = period_seconds << 32;  // 32.32 fixed point
        const std::uint64_t elapsed = moment.time % period;
        return full_turn * static_cast<float>(static_cast<double>(elapsed) / static_cast<double>(period));
    }

    /// A random number from -1 to 1, concentrated near 0.
    COMPACTION_HOST_DEVICE static float centred_random(std::uint32_t random) {
        const float a = 2 * unit(random) - 1;
        return a * std::abs(a);
    }

    COMPACTION_HOST_DEVICE Position in_disc(std::uint32_t random, float age) const {
        constexpr float winding = 2.1F;              // radians by which an arm lags per e-fold of the radius
        constexpr float spread = 0.25F * full_turn;  // to either side of an arm, half-way to the next
        constexpr float core_radius = 0.12F;

        const float birth_radius = rim * std::sqrt(0.06F + 0.94F * unit(random));
        const float radius = core_radius + birth_radius * (1 - age);
        random = hash(random);
        const float arm = (random & 1) != 0 ? 0.5F * full_turn : 0.0F;
        const float angle =
            arm + disc_turn_ - winding * std::log(radius / rim) + spread * centred_random(random);
        random = hash(random);
        // Thin at the rim, with a bulge at the core.
        const float height = (0.12F + 1.1F / (1 + radius * radius)) * centred_random(random);
        return {radius * std::cos(angle), height, radius * std::sin(angle), age};
    }

    /// Scales the disc down, tilts it and moves it to its orbit.
    COMPACTION_HOST_DEVICE void move_to_companion(Position& position) const {
        constexpr float size = 0.17F;
        constexpr float orbit = 9.0F;
        constexpr float cos_tilt = 0.4F;
        constexpr float sin_tilt = 0.9F;
        const float x = size * position.x;
        const float y = size * (cos_tilt * position.y + sin_tilt * position.z);
        const float z = size * (cos_tilt * position.z - sin_tilt * position.y);
        position.x = x + orbit * std::cos(companion_turn_);
        position.y = y + 1.2F;
        position.z = z + orbit * std::sin(companion_turn_);
    }

    Moment moment_;
    std::uint32_t seed_hash_;
    float age_per_cycle_phase_;
    float disc_turn_;
    float companion_turn_;
};

}  // namespace warpsieve::scene
