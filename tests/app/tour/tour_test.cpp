// The guided tour: each step can run on each engine, and leaving restores the settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "app/tour/tour.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/engine.hpp"

namespace warpsieve::tour {
namespace {

using compaction::EngineId;

constexpr std::array engines{EngineId::cuda, EngineId::cpu, EngineId::simulated};

Settings defaults_of(EngineId engine) {
    Settings settings;
    settings.run.engine = engine;
    settings.run.slots = 1 << 18;
    settings.run.iterations = 4;
    return settings;
}

/// Settings of a user that differ from everything that a step sets.
Settings users_own(EngineId engine) {
    Settings settings;
    settings.run.engine = engine;
    settings.run.source = "galaxy";
    settings.run.slots = 54'321;
    settings.run.live_fraction = 0.123F;
    settings.run.seed = 77;
    settings.run.paused = true;
    settings.run.iterations = 3;
    settings.run.check = false;
    constexpr std::array<std::array<const char*, 2>, 3> algorithms{
        {{"spataro", "billeter"}, {"cpu_loop", "std_copy_if"}, {"simulated_spataro", "simulated_billeter"}}};
    const auto found = static_cast<std::size_t>(std::ranges::find(engines, engine) - engines.begin());
    settings.run.a.algorithm = algorithms[found][0];
    settings.run.b.algorithm = algorithms[found][1];
    settings.window.tab = timeline_tab;
    settings.window.particles_mode = ParticlesMode::output_alone;
    settings.window.lens_mode = LensMode::inside;
    settings.window.divider = 0.25F;
    settings.window.slow_motion = 33;
    settings.window.slot_map_colour = MapColour::age;
    settings.window.slot_map_zoom = 3;
    settings.window.camera_azimuth = 1;
    settings.window.camera_distance = 12;
    return settings;
}

TEST(TourSteps, ExplainFirstAndThenCompare) {
    ASSERT_EQ(steps().size(), num_steps);
    for (std::size_t i = 0; i < num_steps; ++i) {
        const Step& step = steps()[i];
        EXPECT_FALSE(step.title.empty());
        EXPECT_EQ(step.figure == Figure::ratio, i >= num_explaining) << step.title;
        EXPECT_EQ(step.tab == lens_tab, i >= num_explaining) << step.title;
        EXPECT_NE(std::ranges::find(tab_ids, step.tab), tab_ids.end()) << step.title;
    }
}

TEST(TourSteps, AreShort) {
    for (const Step& step : steps()) {
        for (const EngineStep* on : {&step.cuda, &step.cpu}) {
            EXPECT_LT(step.text.size() + on->text.size(), 330U) << step.title;
            EXPECT_FALSE(step.text.empty());
        }
    }
}

TEST(TourSteps, AreLegalOnEachEngine) {
    for (const EngineId engine : engines) {
        for (const Step& step : steps()) {
            Settings settings = users_own(engine);
            apply_step(settings, step, defaults_of(engine));
            EXPECT_EQ(settings.run.engine, engine);
            for (const Side side : both_sides) {
                const AlgorithmConfig& config = settings.run.algorithm_config(side);
                const compaction::Algorithm& algorithm = find_compaction_algorithm(config.algorithm);
                EXPECT_EQ(algorithm.engine, engine) << step.title;
                // The catalogue does not describe the options of an engine that is not built in.
                if (algorithm.phases.empty()) continue;
                EXPECT_NO_THROW(compaction::validate(algorithm, config.options)) << step.title;
            }
        }
    }
}

TEST(TourSteps, CompareTwoDifferentRuns) {
    for (const EngineId engine : engines) {
        for (const Step& step : steps().subspan(num_explaining)) {
            Settings settings;
            settings.run.engine = engine;
            apply_step(settings, step, defaults_of(engine));
            EXPECT_FALSE(settings.run.a == settings.run.b) << step.title;
            EXPECT_TRUE(settings.compares()) << step.title;
        }
    }
}

/// On the GPU the winner of a comparison is the first of the next.
TEST(TourSteps, ChangeOneFactorAtATimeOnTheGpu) {
    for (std::size_t i = num_explaining + 1; i < num_steps; ++i) {
        const StepAlgorithm& before = steps()[i - 1].cuda.b;
        const StepAlgorithm& now = steps()[i].cuda.a;
        EXPECT_EQ(before.id, now.id) << steps()[i].title;
        EXPECT_EQ(before.value, now.value) << steps()[i].title;
    }
}

TEST(TourSteps, StopWithinPhasesOfTheirAlgorithm) {
    for (const EngineId engine : engines) {
        for (const Step& step : steps()) {
            EXPECT_EQ(step.part == ScenePart::none, step.tab != particles_tab) << step.title;
            if (!step.stop) continue;
            EXPECT_EQ(step.tab, particles_tab) << step.title;
            Settings settings = users_own(engine);
            apply_step(settings, step, defaults_of(engine));
            EXPECT_GT(settings.window.slow_motion, 0) << step.title;
            const compaction::Algorithm& algorithm = find_compaction_algorithm(settings.run.a.algorithm);
            if (algorithm.phases.empty()) continue;
            EXPECT_NE(std::ranges::find(algorithm.phases, step.stop->role, &compaction::Phase::role),
                      algorithm.phases.end())
                << step.title;
            EXPECT_GT(step.stop->share, 0);
            EXPECT_LE(step.stop->share, 1);
        }
    }
}

TEST(Tour, RestoresAllThatItReplaced) {
    for (const EngineId engine : engines) {
        for (std::size_t last = 0; last < num_steps; ++last) {
            const Settings before = users_own(engine);
            Settings settings = before;
            Tour tour;
            for (std::size_t i = 0; i <= last; ++i) tour.show(i, settings, defaults_of(engine));
            EXPECT_EQ(tour.index(), last);
            EXPECT_FALSE(settings == before);
            Settings kept = settings;
            tour.restore(kept);
            EXPECT_EQ(kept, before) << "while it runs";
            tour.leave(settings);
            EXPECT_EQ(settings, before);
            EXPECT_FALSE(tour.runs());
        }
    }
}

TEST(Tour, KeepsWhatTheUserSetsMeanwhile) {
    Settings settings = users_own(EngineId::cpu);
    Tour tour;
    tour.show(0, settings, defaults_of(EngineId::cpu));
    settings.window.theme = Theme::light;
    settings.window.scale = 1.5F;
    settings.window.window_width = 900;
    tour.leave(settings);
    EXPECT_EQ(settings.window.theme, Theme::light);
    EXPECT_EQ(settings.window.scale, 1.5F);
    EXPECT_EQ(settings.window.window_width, 900);
}

TEST(Tour, DoesNotDependOnTheStepsBefore) {
    for (const EngineId engine : engines) {
        Settings walked = users_own(engine);
        Tour tour;
        for (std::size_t i = 0; i < num_steps; ++i) {
            tour.show(i, walked, defaults_of(engine));
            Settings direct = users_own(engine);
            Tour other;
            other.show(i, direct, defaults_of(engine));
            EXPECT_EQ(walked.run.a, direct.run.a);
            if (i >= num_explaining) {
                EXPECT_EQ(walked.run.b, direct.run.b);
            }
            EXPECT_EQ(walked.window, direct.window);
            EXPECT_EQ(walked.run.slots, direct.run.slots);
        }
    }
}

TEST(Tour, StaysOnTheUsersEngineAndWithinItsSteps) {
    Settings settings = users_own(EngineId::cpu);
    Tour tour;
    tour.show(num_steps + 5, settings, defaults_of(EngineId::cpu));
    EXPECT_EQ(tour.index(), num_steps - 1);
    settings.run.engine = EngineId::cuda;
    tour.show(2, settings, defaults_of(EngineId::cpu));
    EXPECT_EQ(settings.run.engine, EngineId::cpu);
    tour.leave(settings);
    tour.leave(settings);
    EXPECT_EQ(settings, users_own(EngineId::cpu));
}

}  // namespace
}  // namespace warpsieve::tour
