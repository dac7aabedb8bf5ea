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
        .viewpoint = {.around = 0.6F,
                      .up = 0.27F,
                      .distance = 21.5F,
                      .target = {0, 1.6F, 0},
                      .aspect = 1.75F,
                      .on_ground = true}};

    explicit Fountain(const Frame& frame) : moment_(frame.moment) {}

    COMPACTION_HOST_DEVICE bool place(std::uint32_t slot, Position& position) const {
        const SlotCycle cycle = cycle_of(slot, moment_);
        if (!is_live(cycle, moment_)) return false;
        position = position_of(random_of(slot, cycle.generation, moment_.seed), age_of(cycle, moment_));
        return true;
    }

  private:
    COMPACTION_HOST_DEVICE static Position position_of(std::uint32_t random, float age) {
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
            time -= 2.0F * upward / gravity;
            upward *= restitution;
            height = upward * time - 0.5F * gravity * time * time;
        }
        return {distance * std::cos(around), height < 0.0F ? 0.0F : height, distance * std::sin(around), age};
    }

    Moment moment_;
};

}  // namespace warpsieve::scene
