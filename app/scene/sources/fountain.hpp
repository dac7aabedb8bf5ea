#pragma once

#include <cmath>

#include "app/scene/source.hpp"

namespace warpsieve::scene {

/// Particles leave the nozzle within a cone, fall and bounce, losing speed each time. Slots are independent.
class Fountain {
  public:
    static constexpr SourceInfo info{
        .id = "fountain",
        .name = "Fountain",
        .meaning =
            "Each drop is born, flies and dies independently, so every slot is live with the same "
            "probability. This is the usual case, and the hardest one for branch prediction.",
        .has_patterns = false,
        .viewpoint = {.azimuth = 0.6F,
                      .elevation = 0.27F,
                      .distance = 21.5F,
                      .target = {0, 1.6F, 0},
                      .aspect = 1.75F,
                      .on_ground = true}};

    explicit Fountain(const Frame& frame)
        : moment_(frame.moment),
          seed_hash_(hash(frame.moment.seed)),
          age_per_cycle_phase_(age_per_cycle_phase(frame.moment)) {}

    COMPACTION_HOST_DEVICE bool is_live(std::uint32_t slot) const {
        return scene::is_live(cycle_of(slot, seed_hash_, moment_), moment_);
    }

    COMPACTION_HOST_DEVICE Position position_of(std::uint32_t slot) const {
        const SlotCycle cycle = cycle_of(slot, seed_hash_, moment_);
        return flight(random_of(slot, cycle.generation, moment_.seed), age_of(cycle, age_per_cycle_phase_));
    }

  private:
    COMPACTION_HOST_DEVICE static Position flight(std::uint32_t random, float age) {
        constexpr float gravity = 9.81F;
        constexpr float restitution = 0.42F;

        const float around = full_turn * unit(random);
        random = hash(random);
        const float off_axis = 0.05F + 0.24F * std::sqrt(unit(random));
        random = hash(random);
        const float speed = 9.4F + 2.6F * unit(random);

        const float outward = speed * std::sin(off_axis);
        float upward = speed * std::cos(off_axis);
        float time = age * life_seconds;
        const float distance = outward * time;
        float height = upward * time - 0.5F * gravity * time * time;
        for (int bounce = 0; bounce < 3 && height < 0.0F; ++bounce) {
            time -= (2.0F / gravity) * upward;
            upward *= restitution;
            height = upward * time - 0.5F * gravity * time * time;
        }
        return {distance * std::cos(around), height < 0.0F ? 0.0F : height, distance * std::sin(around), age};
    }

    Moment moment_;
    std::uint32_t seed_hash_;
    float age_per_cycle_phase_;
};

}  // namespace warpsieve::scene
