// The particle sources: properties of all of them, and of each one.
#include "app/scene/sources.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "tests/support/test_picture.hpp"
#include "workloads/streams.hpp"

namespace warpsieve::scene {
namespace {

using compaction::Item;
using workloads::Pattern;

constexpr std::uint64_t num_slots = std::uint64_t{1} << 20;

/// A frame and its run ends.
struct MadeFrame {
    MadeFrame(const SourceInfo& source, double seconds, float live_fraction, std::uint32_t seed = 1,
              std::uint64_t slots = num_slots, Pattern pattern = Pattern::random) {
        Clock clock;
        clock.advance(seconds, live_fraction);
        frame = {&source, slots, clock.moment(live_fraction, seed),
                 streams.make(pattern, slots, static_cast<double>(live_fraction), seed)};
    }

    workloads::StreamFunctions streams;
    Frame frame;
};

template <typename T>
using Array = std::vector<T>;

/// The slots of a frame, simulated on the host.
struct Slots {
    std::vector<Item> handles;
    Attributes<Array> attributes;

    explicit Slots(const MadeFrame& made) : handles(made.frame.slots) {
        ParticleArrays arrays;
        for_each_attribute(
            [&](auto& pointer, auto& array) {
                array.resize(made.frame.slots);
                pointer = array.data();
            },
            arrays, attributes);
        std::ranges::fill(attributes.position, Position{0, 0, 0, -1});
        visit_source(made.frame, [&](const auto& source) {
            for (std::uint32_t slot = 0; slot < made.frame.slots; ++slot)
                simulate_slot(source, slot, handles.data(), arrays);
        });
    }

    double live_fraction() const {
        const auto empty = std::ranges::count(handles, Item{0});
        return 1 - static_cast<double>(empty) / static_cast<double>(handles.size());
    }
};

class SourceTest : public testing::TestWithParam<const SourceInfo*> {
  protected:
    const SourceInfo& source() const { return *GetParam(); }
};

TEST_P(SourceTest, KeepsTheLiveFractionAtAllTimes) {
    for (const float live_fraction : {0.0F, 0.01F, 0.5F, 0.9F, 1.0F}) {
        // Five standard deviations of a binomial distribution.
        const double bound =
            5 * std::sqrt(static_cast<double>(live_fraction * (1 - live_fraction)) / num_slots);
        for (const double seconds : {0.0, 0.5, 7.0, 1000.0}) {
            EXPECT_NEAR(Slots({source(), seconds, live_fraction}).live_fraction(),
                        static_cast<double>(live_fraction), bound + 1e-6)
                << "live fraction " << live_fraction << " after " << seconds << " s";
        }
    }
}

TEST_P(SourceTest, KeepsTheLiveFractionOfFewSlotsAndOddLengths) {
    for (const std::uint64_t slots : {std::uint64_t{4'096}, std::uint64_t{100'003}}) {
        for (const float live_fraction : {0.1F, 0.5F}) {
            const double bound = 5 * std::sqrt(static_cast<double>(live_fraction * (1 - live_fraction)) /
                                               static_cast<double>(slots));
            EXPECT_NEAR(Slots({source(), 3.3, live_fraction, 5, slots}).live_fraction(),
                        static_cast<double>(live_fraction), bound + 1.0 / 512)
                << slots << " slots, live fraction " << live_fraction;
        }
    }
}

TEST_P(SourceTest, ClampsTheLiveFraction) {
    EXPECT_EQ(Slots({source(), 1, -0.5F}).live_fraction(), 0);
    EXPECT_EQ(Slots({source(), 1, 1.5F}).live_fraction(), 1);
}

TEST_P(SourceTest, DependsOnSlotSeedAndClockAlone) {
    const Slots once({source(), 2, 0.5F, 7});
    const Slots again({source(), 2, 0.5F, 7});
    EXPECT_EQ(once.handles, again.handles);
    for (std::size_t slot = 0; slot < num_slots; slot += 97)
        ASSERT_EQ(once.attributes.position[slot].x, again.attributes.position[slot].x) << slot;
    EXPECT_NE(once.handles, Slots({source(), 2, 0.5F, 8}).handles);
}

TEST_P(SourceTest, WritesHandlesAndOnlyTheLivePositions) {
    const Slots slots({source(), 12.3, 0.5F});
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (slots.handles[slot] == 0) {
            ASSERT_EQ(slots.attributes.position[slot].age, -1)
                << "the position of an empty slot was written: " << slot;
        } else {
            ASSERT_EQ(slots.handles[slot], handle_of(slot));
        }
    }
}

TEST_P(SourceTest, ParticlesAreVisibleAndHaveValidAges) {
    for (const float live_fraction : {0.01F, 0.5F, 1.0F}) {
        const Slots slots({source(), 12.3, live_fraction});
        for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
            if (slots.handles[slot] == 0) continue;
            const Position& at = slots.attributes.position[slot];
            ASSERT_TRUE(std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z)) << slot;
            ASSERT_LT(std::hypot(at.x, at.y, at.z), 30) << slot;
            ASSERT_GE(at.age, 0) << slot;
            ASSERT_LE(at.age, 1) << slot;
            if (source().viewpoint.on_ground) {
                ASSERT_GE(at.y, 0) << slot;
            }
        }
    }
}

TEST_P(SourceTest, HasIdNameAndMeaning) {
    EXPECT_EQ(find_source(source().id), &source());
    EXPECT_FALSE(std::string(source().name).empty());
    EXPECT_FALSE(std::string(source().meaning).empty());
    EXPECT_GT(source().viewpoint.distance, 0);
}

/// All but Picture, whose live slots do not depend on the live fraction.
INSTANTIATE_TEST_SUITE_P(All, SourceTest,
                         testing::Values(&Fountain::info, &Galaxy::info, &Fireworks::info, &Synthetic::info),
                         [](const auto& param) { return std::string(param.param->id); });

class LivingSourceTest : public SourceTest {};

TEST_P(LivingSourceTest, ParticlesDieAndAreBorn) {
    const Slots before({source(), 0, 0.5F});
    const Slots after({source(), static_cast<double>(life_seconds), 0.5F});
    std::uint32_t died = 0;
    std::uint32_t born = 0;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        died += before.handles[slot] != 0 && after.handles[slot] == 0;
        born += before.handles[slot] == 0 && after.handles[slot] != 0;
    }
    // After half a cycle every slot has changed state, except for rounding.
    EXPECT_GT(died, 0.49 * num_slots);
    EXPECT_GT(born, 0.49 * num_slots);
}

INSTANTIATE_TEST_SUITE_P(All, LivingSourceTest,
                         testing::Values(&Fountain::info, &Galaxy::info, &Fireworks::info),
                         [](const auto& param) { return std::string(param.param->id); });

TEST(Pictures, ShowTheBrightPixelsUpright) {
    workloads::StreamFunctions streams;
    const auto picture = testing_support::test_picture();
    const std::uint64_t slots = picture->bright.size();
    Frame frame{&Picture::info, slots, {}, streams.make(Pattern::picture, slots, 0.5, 1, picture)};
    const Picture source(frame);
    float top = -100, bottom = 100;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        ASSERT_EQ(source.is_live(slot), picture->bright[slot] != 0) << slot;
        if (!source.is_live(slot)) continue;
        const Position at = source.position_of(slot);
        const Position below = source.position_of(slot + picture->width);
        const Position right = source.position_of(slot + 2);
        ASSERT_LT(below.y, at.y + 0.4F) << slot;
        if (slot % picture->width + 2 < picture->width) {
            ASSERT_GT(right.x, at.x) << slot;
        }
        ASSERT_GE(at.age, 0);
        ASSERT_LE(at.age, 1);
        top = std::max(top, at.y);
        bottom = std::min(bottom, at.y);
    }
    EXPECT_GT(top, 3);
    EXPECT_LT(bottom, -3);
}

TEST(Pictures, WithoutOneNoSlotIsLive) {
    workloads::StreamFunctions streams;
    const Frame frame{&Picture::info, 4'096, {}, streams.make(Pattern::picture, 4'096, 0.5, 1)};
    const Picture source(frame);
    for (std::uint32_t slot = 0; slot < 4'096; ++slot) ASSERT_FALSE(source.is_live(slot));
}

TEST(Sources, AnUnknownIdGivesTheDefault) {
    EXPECT_EQ(find_source("no such source"), nullptr);
    EXPECT_EQ(&effective_source("no such source"), sources().front());
}

TEST(Handles, AreNeverZero) {
    EXPECT_EQ(handle_of(0), 1U);
    EXPECT_NE(handle_of(std::numeric_limits<std::uint32_t>::max() - 1), 0U);
}

/// Mean length of the runs of slots that are all live or all empty.
double mean_run(const std::vector<Item>& handles) {
    std::uint64_t runs = 1;
    for (std::size_t i = 1; i < handles.size(); ++i) runs += (handles[i] == 0) != (handles[i - 1] == 0);
    return static_cast<double>(handles.size()) / static_cast<double>(runs);
}

TEST(Fireworks, AdjacentSlotsLiveTogether) {
    EXPECT_NEAR(mean_run(Slots({Fountain::info, 5, 0.5F}).handles), 2, 0.1);
    const Slots slots({Fireworks::info, 5, 0.5F});
    const std::uint64_t per_shell = num_slots / Fireworks::num_shells;
    std::uint64_t whole = 0;
    for (std::uint64_t shell = 0; shell < Fireworks::num_shells; ++shell) {
        const auto begin = slots.handles.begin() + static_cast<std::ptrdiff_t>(shell * per_shell);
        const auto empty = std::count(begin, begin + static_cast<std::ptrdiff_t>(per_shell), Item{0});
        whole += empty == 0 || static_cast<std::uint64_t>(empty) == per_shell;
    }
    // One may be rising and one burning out.
    EXPECT_GE(whole, Fireworks::num_shells - 2);
}

TEST(Galaxy, ParticlesDieNearTheCoreOfAnAttractor) {
    const Slots slots({Galaxy::info, 5, 0.9F});
    double near_core = 0;
    double dying = 0;
    for (const Position& at : slots.attributes.position) {
        if (at.age < 0.95F) continue;
        ++dying;
        near_core += std::hypot(at.x, at.z) < 1;
    }
    ASSERT_GT(dying, 1000);
    // A twelfth of the stars belongs to the companion galaxy.
    EXPECT_NEAR(near_core / dying, 11.0 / 12, 0.02);
}

/// Every pattern, length and fraction, compared with the streams of the benches.
TEST(Synthetic, KeepsTheItemsOfTheBenchesStreams) {
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        for (const std::uint64_t slots : {std::uint64_t{4'096}, std::uint64_t{100'003}, num_slots}) {
            for (const float live_fraction : {0.0F, 0.003F, 0.3F, 0.5F, 0.99F, 1.0F}) {
                const std::uint32_t seed = 11;
                const Slots shown({Synthetic::info, 4.2, live_fraction, seed, slots, info.pattern});
                const std::vector<Item> measured =
                    workloads::make_stream(info.pattern, slots, static_cast<double>(live_fraction), seed);
                const bool same = std::ranges::equal(shown.handles, measured, [](Item handle, Item item) {
                    return (handle != 0) == (item != 0);
                });
                EXPECT_TRUE(same) << info.name << ", " << slots << " slots, live fraction " << live_fraction;
            }
        }
    }
}

TEST(Synthetic, PlacesTheSlotsRowByRow) {
    const Slots slots({Synthetic::info, 0, 1.0F, 1, 4'096, Pattern::full});
    for (std::uint32_t slot = 1; slot < 4'096; ++slot) {
        const Position& before = slots.attributes.position[slot - 1];
        const Position& at = slots.attributes.position[slot];
        if (slot % 64 == 0) {
            ASSERT_GT(at.z, before.z) << slot;
            ASSERT_EQ(at.x, slots.attributes.position[0].x) << slot;
        } else {
            ASSERT_GT(at.x, before.x) << slot;
            ASSERT_EQ(at.z, before.z) << slot;
        }
    }
}

TEST(Synthetic, TheClockMovesOnlyTheLight) {
    const Slots now({Synthetic::info, 1, 0.5F, 1, 4'096});
    const Slots later({Synthetic::info, 3, 0.5F, 1, 4'096});
    EXPECT_EQ(now.handles, later.handles);
    const auto kept = std::ranges::find_if(now.handles, [](Item handle) { return handle != 0; });
    const auto slot = static_cast<std::size_t>(kept - now.handles.begin());
    EXPECT_NE(now.attributes.position[slot].age, later.attributes.position[slot].age);
}

}  // namespace
}  // namespace warpsieve::scene
