#include "app/render/streak.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/app/render/render_fixture.hpp"

namespace warpsieve {
namespace {

constexpr float frame_seconds = 1.0F / 60;

scene::Position aged(scene::Position position, float seconds) {
    position.age += seconds / scene::life_seconds;
    return position;
}

/// The frame `seconds` after the first second.
scene::Frame frame_at(double seconds, std::uint32_t seed = 1) {
    scene::Frame frame;
    frame.source = &scene::Fountain::info;
    frame.slots = four_positions.size();
    frame.moment.time = static_cast<std::uint64_t>((1 + seconds) * 0x1p32);
    frame.moment.phase = frame.moment.time;
    frame.moment.seed = seed;
    return frame;
}

TEST(Streak, EndsWhereTheParticleWas) {
    const scene::Position before{1, 2, 3, 0.4F};
    scene::Position now = aged(before, frame_seconds);
    now.x += 30 * frame_seconds;
    const scene::Position end = render::streak_end(now, before);
    EXPECT_NEAR(now.x - end.x, 30 * render::streak_seconds, 1e-3F);
    EXPECT_FLOAT_EQ(end.y, 2);
    EXPECT_NEAR(now.age - end.age, render::streak_seconds / scene::life_seconds, 1e-4F);
}

TEST(Streak, IsNoLongerThanTheParticleLives) {
    const scene::Position before{0, 0, 0, 0.001F};
    scene::Position now = aged(before, 0.004F);
    now.y = 1;
    EXPECT_NEAR(render::streak_end(now, before).age, 0, 1e-6F);
}

TEST(Streak, ThereIsNoneWhereMotionIsNotKnown) {
    const scene::Position now{1, 2, 3, 0.5F};
    for (const float age : {0.5F, 0.6F, 1.0F, 0.3F, -1e9F, std::numeric_limits<float>::quiet_NaN()}) {
        const scene::Position end = render::streak_end(now, {9, 9, 9, age});
        EXPECT_EQ(end.x, now.x) << age;
        EXPECT_EQ(end.age, now.age) << age;
    }
}

TEST(Streak, ManyParticlesHaveShortStreaksAndMoreHaveNone) {
    EXPECT_EQ(render::points_per_streak(1), render::max_streak_points);
    EXPECT_EQ(render::points_per_streak(1 << 19), 4);
    EXPECT_EQ(render::points_per_streak(1 << 21), 1);
    EXPECT_EQ(render::points_per_streak(std::uint64_t{1} << 32), 1);
}

/// Four particles that move upwards.
class StreaksTest : public MethodTest {
  protected:
    static constexpr float speed = 28;  // metres per second

    void SetUp() override {
        MethodTest::SetUp();
        if (renderer_) renderer_->set_bloom(false);
    }

    static std::vector<scene::Position> positions_at(float seconds) {
        std::vector<scene::Position> positions = four_positions;
        for (scene::Position& position : positions) {
            position = aged(position, seconds);
            position.y += speed * seconds;
        }
        return positions;
    }
    Picture draw_at(float seconds, const scene::Frame* frame) {
        const std::vector<scene::Position> positions = positions_at(seconds);
        return draw(*renderer_, host_particles(positions, all), whole_window, Theme::dark, frame);
    }
    /// Points in the middle of the streaks, and as far ahead of the particles.
    static std::vector<Pixel> behind(float seconds) { return beside(seconds, -0.5F); }
    static std::vector<Pixel> ahead(float seconds) { return beside(seconds, 0.5F); }
    static std::vector<Pixel> beside(float seconds, float part) {
        std::vector<scene::Position> positions = positions_at(seconds);
        for (scene::Position& position : positions) position.y += part * speed * render::streak_seconds;
        return seen(positions);
    }
    int light_at(const Picture& picture, const std::vector<Pixel>& pixels) {
        int light = 0;
        for (const Pixel& pixel : pixels) {
            const Colour& c = picture.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
            light += c.red + c.green + c.blue;
        }
        return light;
    }

    const std::vector<compaction::Item> all{1, 2, 3, 4};
};
INSTANTIATE_TEST_SUITE_P(Methods, StreaksTest,
                         testing::Values(Method::sprites, Method::compute_splat, Method::host_splat),
                         [](const auto& method) { return name_of(method.param); });

TEST_P(StreaksTest, LieBehindTheParticlesOnceTheyHaveMoved) {
    const scene::Frame first = frame_at(0), second = frame_at(frame_seconds);
    draw_at(0, &first);
    const Picture moving = draw_at(frame_seconds, &second);
    const Picture unknown = draw_at(frame_seconds, nullptr);
    EXPECT_GT(light_at(moving, behind(frame_seconds)), light_at(unknown, behind(frame_seconds)) + 300);
    EXPECT_LT(light_at(moving, ahead(frame_seconds)), light_at(unknown, ahead(frame_seconds)) + 40);
}

TEST_P(StreaksTest, StayWhileTheSceneIsPaused) {
    const scene::Frame first = frame_at(0), second = frame_at(frame_seconds);
    draw_at(0, &first);
    const Picture moving = draw_at(frame_seconds, &second);
    EXPECT_EQ(draw_at(frame_seconds, &second).pixels, moving.pixels);
    EXPECT_EQ(draw_at(frame_seconds, &second).pixels, moving.pixels);
}

TEST_P(StreaksTest, DoNotCrossFromOneSceneToAnother) {
    const scene::Frame second = frame_at(frame_seconds);
    const Picture still = draw_at(frame_seconds, &second);
    const scene::Frame other_seed = frame_at(0, 2), long_ago = frame_at(-0.5), later = frame_at(0.1);
    for (const scene::Frame* before : {&other_seed, &long_ago, &later}) {
        draw_at(0, before);
        EXPECT_EQ(draw_at(frame_seconds, &second).pixels, still.pixels);
    }
}

TEST_P(StreaksTest, KeepTheLightOfTheParticles) {
    const auto light_of = [](const Picture& picture) {
        double sum = 0;
        for (const Colour& c : picture.pixels) sum += c.red + c.green + c.blue;
        return sum;
    };
    // Faint sprites, for which tone mapping is nearly linear.
    const FountainFrame before(1U << 14), now(1U << 14, frame_seconds);
    const scene::HostParticles particles = host_particles(now.positions, now.handles);
    const Picture still = draw(*renderer_, particles);
    draw(*renderer_, host_particles(before.positions, before.handles), whole_window, Theme::dark,
         &before.frame);
    const Picture moving = draw(*renderer_, particles, whole_window, Theme::dark, &now.frame);
    EXPECT_NE(moving.pixels, still.pixels);
    EXPECT_NEAR(light_of(moving) / light_of(still), 1.0, 0.1);
}

/// Mean difference between the channels of two pictures.
double apart(const Picture& a, const Picture& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += difference(a.pixels[i], b.pixels[i]);
    return sum / (3.0 * static_cast<double>(a.pixels.size()));
}

TEST_F(RenderTest, AllMethodsDrawTheSameStreaks) {
    const FountainFrame before(1U << 16), now(1U << 16, frame_seconds);
    const auto picture_by = [&](Method method) {
        render::ParticleRenderer renderer(context_->info(), method);
        draw(renderer, host_particles(before.positions, before.handles), whole_window, Theme::dark,
             &before.frame);
        return draw(renderer, host_particles(now.positions, now.handles), whole_window, Theme::dark,
                    &now.frame);
    };
    const Picture by_host = picture_by(Method::host_splat);
    EXPECT_LT(apart(picture_by(Method::compute_splat), by_host), 0.5);
    EXPECT_LT(apart(picture_by(Method::sprites), by_host), 5);
}

TEST_F(RenderTest, HostAndGpuDrawTheSameStreaksOfSparseAndDense) {
    constexpr std::uint32_t slots = 1U << 14;
    const FountainFrame before(slots), now(slots, frame_seconds);
    const scene::SparseDenseLayout layout =
        scene::sparse_dense_layout(slots, scene::Fountain::info.viewpoint, 2);
    const auto picture_by = [&](Method method, bool in_motion) {
        render::ParticleRenderer renderer(context_->info(), method);
        draw_sparse_dense(renderer, host_particles(before.positions, before.handles), layout, Theme::dark,
                          whole_columns, in_motion ? &before.frame : nullptr);
        return draw_sparse_dense(renderer, host_particles(now.positions, now.handles), layout, Theme::dark,
                                 whole_columns, in_motion ? &now.frame : nullptr);
    };
    const Picture by_host = picture_by(Method::host_splat, true);
    EXPECT_LT(apart(by_host, picture_by(Method::compute_splat, true)), 1);
    EXPECT_NE(by_host.pixels, picture_by(Method::host_splat, false).pixels);
}

}  // namespace
}  // namespace warpsieve
