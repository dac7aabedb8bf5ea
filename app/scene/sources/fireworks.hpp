#pragma once

#include <cmath>

#include "app/scene/source.hpp"

namespace warpsieve::scene {

/// Shells rise, burst and burn out. The sparks of a shell are adjacent slots, so liveness is clustered.
class Fireworks {
  public:
    static constexpr SourceInfo info{
        .id = "fireworks",
        .name = "Fireworks",
        .meaning =
            "The sparks of a shell are adjacent: one 64th of the slots is born and dies together. Some "
            "sequences are full and others empty, which shows how well an algorithm balances work.",
        .has_patterns = false,
        .viewpoint = {.azimuth = 0.35F,
                      .elevation = 0.1F,
                      .distance = 23.0F,
                      .target = {0, 4.6F, 0},
                      .aspect = 1.9F,
                      .on_ground = true}};

    /// Rising, burning and waiting shells together.
    static constexpr std::uint32_t num_shells = 64;

    explicit Fireworks(const Frame& frame)
        : moment_(frame.moment),
          shells_per_slot_((std::uint64_t{num_shells} << 32) / frame.slots),
          start_(hash(frame.moment.seed)),
          age_per_cycle_phase_(age_per_cycle_phase(frame.moment)) {}

    COMPACTION_HOST_DEVICE bool is_live(std::uint32_t slot) const {
        return scene::is_live(cycle_of(shell_of(slot), hash(slot + start_)), moment_);
    }

    COMPACTION_HOST_DEVICE Position position_of(std::uint32_t slot) const {
        const std::uint32_t shell = shell_of(slot);
        const std::uint32_t spark = hash(slot + start_);
        const SlotCycle cycle = cycle_of(shell, spark);
        return flight(random_of(shell, cycle.generation, moment_.seed), spark,
                      age_of(cycle, age_per_cycle_phase_));
    }

  private:
    COMPACTION_HOST_DEVICE std::uint32_t shell_of(std::uint32_t slot) const {
        return static_cast<std::uint32_t>(slot * shells_per_slot_ >> 32);
    }

    /// Shells are born at equal intervals, adjacent shells far apart in time. The sparks of a shell are born
    /// within one interval. Births are thus uniform over the cycle, which gives the live fraction.
    COMPACTION_HOST_DEVICE SlotCycle cycle_of(std::uint32_t shell, std::uint32_t spark) const {
        constexpr std::uint32_t far_apart = 39;            // birth intervals between adjacent shells
        constexpr std::uint32_t birth_interval_bits = 26;  // 2^32 / num_shells is 2^26
        const std::uint32_t ahead =
            (shell * far_apart << birth_interval_bits) + (spark >> (32 - birth_interval_bits));
        return cycle_ahead(std::uint64_t{ahead} + start_, moment_);
    }

    COMPACTION_HOST_DEVICE static Position flight(std::uint32_t shell, std::uint32_t spark, float age) {
        constexpr float rise = 0.16F;  // fraction of a life before the burst

        const float x = 19.0F * (unit(shell) - 0.5F);
        shell = hash(shell);
        const float z = 11.0F * (unit(shell) - 0.5F);
        shell = hash(shell);
        const float top = 4.6F + 4.2F * unit(shell);
        shell = hash(shell);
        const float size = 1.9F + 2.3F * unit(shell);

        if (age < rise) {
            const float below = 1 - age / rise;
            return {x * (1 - 0.1F * below), top * (1 - below * below), z, age};
        }
        // Uniform directions, air drag and gravity.
        const float time = (age - rise) / (1 - rise);
        const float slowed = 1 - std::exp(-4.5F * time);
        spark = hash(spark);
        const float up = 2 * unit(spark) - 1;
        const float across = std::sqrt(1 - up * up);
        spark = hash(spark);
        const float around = full_turn * unit(spark);
        const float out = size * slowed * (1 - 0.2F * unit(hash(spark)));
        const float height = top + out * up - 2.2F * time * time;
        return {x + out * across * std::cos(around), height < 0 ? 0 : height,
                z + out * across * std::sin(around), age};
    }

    Moment moment_;
    std::uint64_t shells_per_slot_;  // 32.32 fixed point
    std::uint32_t start_;
    float age_per_cycle_phase_;
};

}  // namespace warpsieve::scene
