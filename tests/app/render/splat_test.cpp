#include "app/render/splat.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

#include "tests/app/render/host_particles.hpp"

namespace warpsieve::render {
namespace {

constexpr std::size_t num_particles = std::size_t{1} << 17;
constexpr int max_threads = 4;

/// `spread`: standard deviation in metres.
std::vector<scene::Position> cloud(float spread) {
    std::mt19937 random(7);
    std::normal_distribution<float> coordinate(0, spread);
    std::uniform_real_distribution<float> age(0, 1);
    std::vector<scene::Position> positions(num_particles);
    for (scene::Position& position : positions)
        position = {coordinate(random), 3 + coordinate(random), coordinate(random), age(random)};
    return positions;
}

/// Compares pictures by one thread and by several, which share the particles differently each time.
void expect_one_picture(const std::vector<scene::Position>& positions) {
    std::vector<compaction::Item> handles(num_particles);
    std::iota(handles.begin(), handles.end(), compaction::Item{1});
    const scene::HostParticles particles = host_particles(positions, handles);
    const gl::PixelSize size{1280, 720};
    const tbb::global_control more_than_cores(tbb::global_control::max_allowed_parallelism, max_threads);
    const auto draw_with = [&](int num_threads) {
        tbb::task_arena arena(num_threads);
        Splatter splatter;
        return arena.execute([&] {
            const auto picture =
                splatter.draw(particles, scene::Camera{}, make_ramp(Theme::dark), size, {0, size.width});
            return std::vector<std::uint32_t>(picture.begin(), picture.end());
        });
    };
    const std::vector<std::uint32_t> alone = draw_with(1);
    for (int round = 0; round < 5; ++round) {
        const std::vector<std::uint32_t> shared = draw_with(max_threads);
        EXPECT_EQ(std::ranges::mismatch(shared, alone).in1 - shared.begin(), std::ssize(shared))
            << "first differing pixel";
    }
}

TEST(Splat, ThePictureDoesNotDependOnTheThreads) {
    expect_one_picture(cloud(2));
}

TEST(Splat, SaturatedPixelsDoNotDependOnTheThreads) {
    expect_one_picture(cloud(0.02F));
}

}  // namespace
}  // namespace warpsieve::render
