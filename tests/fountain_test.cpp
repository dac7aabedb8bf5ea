#include "app/scene/fountain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace warpsieve::scene;

constexpr std::uint32_t num_slots = 1 << 20;

Moment moment_at(double seconds, float density, std::uint32_t seed = 1) {
    Clock clock;
    clock.advance(seconds, density);
    return clock.moment(density, seed);
}

std::vector<bool> live_slots(const Moment& moment) {
    std::vector<bool> live(num_slots);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot)
        live[slot] = is_live(cycle_of(slot, moment), moment);
    return live;
}

double live_fraction(const Moment& moment) {
    const std::vector<bool> live = live_slots(moment);
    return static_cast<double>(std::count(live.begin(), live.end(), true)) / num_slots;
}

TEST(Fountain, KeepsTheLiveFractionAtAllTimes) {
    for (const float density : {0.0F, 0.01F, 0.5F, 1.0F}) {
        // Five standard deviations of a binomial distribution.
        const double bound = 5 * std::sqrt(static_cast<double>(density * (1 - density)) / num_slots);
        for (const double seconds : {0.0, 0.5, 7.0, 1000.0}) {
            EXPECT_NEAR(live_fraction(moment_at(seconds, density)), static_cast<double>(density),
                        bound + 1e-7)
                << "density " << density << " after " << seconds << " s";
        }
    }
}

TEST(Fountain, LimitsTheLiveFractionToWhatIsPossible) {
    EXPECT_EQ(live_fraction(moment_at(1, -0.5F)), 0);
    EXPECT_EQ(live_fraction(moment_at(1, 1.5F)), 1);
}

TEST(Fountain, FollowsFromTheSeed) {
    EXPECT_EQ(live_slots(moment_at(2, 0.5F, 7)), live_slots(moment_at(2, 0.5F, 7)));
    EXPECT_NE(live_slots(moment_at(2, 0.5F, 7)), live_slots(moment_at(2, 0.5F, 8)));
}

TEST(Fountain, ParticlesDieAndAreBornElsewhere) {
    const std::vector<bool> before = live_slots(moment_at(0, 0.5F));
    const std::vector<bool> after = live_slots(moment_at(life_seconds, 0.5F));
    std::uint32_t died = 0;
    std::uint32_t born = 0;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        died += before[slot] && !after[slot];
        born += !before[slot] && after[slot];
    }
    // After half a cycle every slot has changed sides, but for rounding.
    EXPECT_GT(died, 0.49 * num_slots);
    EXPECT_GT(born, 0.49 * num_slots);
}

TEST(Fountain, HandlesAreNeverZero) {
    EXPECT_EQ(handle_of(0), 1U);
    EXPECT_EQ(handle_of(num_slots - 1), num_slots);
    EXPECT_NE(handle_of(std::numeric_limits<std::uint32_t>::max() - 1), 0U);
}

TEST(Fountain, ParticlesFlyAboveTheGround) {
    for (const float density : {0.01F, 0.5F, 1.0F}) {
        const Moment moment = moment_at(12.3, density);
        for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
            const SlotCycle cycle = cycle_of(slot, moment);
            if (!is_live(cycle, moment)) continue;
            const Position position = position_of(slot, cycle, moment);
            ASSERT_TRUE(std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z))
                << slot;
            ASSERT_GE(position.y, 0) << slot;
            ASSERT_GE(position.age, 0) << slot;
            ASSERT_LT(position.age, 1) << slot;
        }
    }
}

TEST(Fountain, LivesFromBirthToDeath) {
    const Moment moment = moment_at(0, 0.5F);
    EXPECT_EQ(position_of(3, {0, 0}, moment).age, 0);
    const Position at_birth = position_of(3, {0, 0}, moment);
    EXPECT_EQ(at_birth.x, 0);
    EXPECT_EQ(at_birth.y, 0);
    EXPECT_EQ(at_birth.z, 0);
    const Position at_death = position_of(3, {0, static_cast<std::uint32_t>(moment.live_below - 1)}, moment);
    EXPECT_GT(at_death.age, 0.999F);
    EXPECT_LE(at_death.age, 1);
    EXPECT_TRUE(std::isfinite(at_death.x));
}

}  // namespace
