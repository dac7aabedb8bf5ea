#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "app/gl/object.hpp"
#include "app/render/particle_style.hpp"
#include "app/scene/draw_command.hpp"
#include "tests/app/render/render_fixture.hpp"

namespace warpsieve {
namespace {

class ComputeSplatTest : public RenderTest {};

/// Draws particles from OpenGL buffers, with the count in a buffer.
class GlParticlesTest : public MethodTest {
  protected:
    static Picture draw_command(render::ParticleRenderer& renderer,
                                const std::vector<scene::Position>& positions,
                                const std::vector<compaction::Item>& handles,
                                const scene::DrawCommand& command) {
        gl::Buffer position_buffer, handle_buffer, command_buffer;
        fill(position_buffer, std::span(positions));
        fill(handle_buffer, std::span(handles));
        fill(command_buffer, std::span(&command, 1));
        return draw(renderer, scene::GlParticles{
                                  {position_buffer.name()}, handle_buffer.name(), command_buffer.name()});
    }

  private:
    template <typename T>
    static void fill(gl::Buffer& buffer, std::span<const T> items) {
        // At least as large as the program's own buffers, padded with 0.
        std::vector<T> padded(items.begin(), items.end());
        padded.resize(std::max(items.size(), 65'536 / sizeof(T)));
        glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(padded.size() * sizeof(T)), padded.data(),
                             0);
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, GlParticlesTest, testing::Values(Method::sprites, Method::compute_splat),
                         [](const auto& method) { return name_of(method.param); });

TEST_P(GlParticlesTest, DrawsTheCountOfTheCommand) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> handles{4, 2, 1, 3};
    for (std::uint32_t count = 0; count <= handles.size(); ++count) {
        const Picture picture = draw_command(*renderer_, four_positions, handles, scene::draw_command(count));
        std::vector<std::size_t> expected;
        for (std::uint32_t i = 0; i < count; ++i) expected.push_back(handles[i] - 1);
        std::ranges::sort(expected);
        EXPECT_EQ(lit_pixels(picture, ground, seen(four_positions)), expected) << "count " << count;
    }
}

TEST_P(GlParticlesTest, UsesTheBasesOfTheCommand) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> handles{1, 2, 3};
    scene::DrawCommand command = scene::draw_command(2);
    command.first_index = 1;
    command.base_vertex = 0;
    const Picture picture = draw_command(*renderer_, four_positions, handles, command);
    EXPECT_EQ(lit_pixels(picture, ground, seen(four_positions)), (std::vector<std::size_t>{2, 3}));
}

TEST(DrawCommand, HasGroupsForEveryParticleUpToTheLimit) {
    EXPECT_EQ(scene::draw_command(0).groups_x, 0);
    EXPECT_EQ(scene::draw_command(1).groups_x, 1);
    EXPECT_EQ(scene::draw_command(256).groups_x, 1);
    EXPECT_EQ(scene::draw_command(257).groups_x, 2);
    EXPECT_EQ(scene::draw_command(65535 * 256 + 1).groups_x, 65535);
    EXPECT_EQ(scene::draw_command(0xFFFFFFFF).groups_x, 65535);
    EXPECT_EQ(offsetof(scene::DrawCommand, groups_x), scene::dispatch_offset_bytes);
    EXPECT_EQ(sizeof(scene::DrawCommand), 32);
}

/// The mean of a channel over cells of 20 x 20 pixels.
std::vector<double> cell_means(const Picture& picture, std::uint8_t Colour::*channel) {
    constexpr int cell = 20;
    std::vector<double> means;
    for (int top = 0; top < picture.size.height; top += cell) {
        for (int left = 0; left < picture.size.width; left += cell) {
            double sum = 0;
            for (int i = 0; i < cell * cell; ++i) sum += picture.at(left + i % cell, top + i / cell).*channel;
            means.push_back(sum / (cell * cell));
        }
    }
    return means;
}

/// Mean difference between the channels of two pictures.
double mean_difference(const Picture& a, const Picture& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += difference(a.pixels[i], b.pixels[i]);
    return sum / (3.0 * static_cast<double>(a.pixels.size()));
}

TEST_F(ComputeSplatTest, AllMethodsMakeTheSamePicture) {
    const FountainFrame frame(1U << 17);
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const auto picture_by = [&](Method method) {
            render::ParticleRenderer renderer(context_->info(), method);
            return draw(renderer, host_particles(frame.positions, frame.handles), whole_window, theme);
        };
        const Picture host_splat = picture_by(Method::host_splat);
        const Picture compute_splat = picture_by(Method::compute_splat);
        const Picture sprites = picture_by(Method::sprites);
        EXPECT_LT(mean_difference(compute_splat, host_splat), 0.3);
        for (const auto channel : {&Colour::red, &Colour::green, &Colour::blue}) {
            const std::vector<double> by_host = cell_means(host_splat, channel);
            const std::vector<double> by_sprites = cell_means(sprites, channel);
            for (std::size_t i = 0; i < by_host.size(); ++i) {
                EXPECT_NEAR(by_sprites[i], by_host[i], 24) << "cell " << i;
            }
        }
    }
}

TEST_F(ComputeSplatTest, BothSplatsMakeTheSamePictureOfManyParticles) {
    const FountainFrame frame(600'000);
    ASSERT_GT(frame.handles.size(), render::max_particles_over_four_pixels);
    render::ParticleRenderer by_host(context_->info(), Method::host_splat);
    render::ParticleRenderer by_compute(context_->info(), Method::compute_splat);
    const scene::HostParticles particles = host_particles(frame.positions, frame.handles);
    const Picture host_splat = draw(by_host, particles);
    const Picture compute_splat = draw(by_compute, particles);
    EXPECT_LT(mean_difference(compute_splat, host_splat), 0.3);
}

TEST_F(ComputeSplatTest, TheOrderOfTheParticlesDoesNotMatter) {
    FountainFrame frame(1U << 16);
    render::ParticleRenderer renderer(context_->info(), Method::compute_splat);
    const Picture first = draw(renderer, host_particles(frame.positions, frame.handles));
    EXPECT_EQ(draw(renderer, host_particles(frame.positions, frame.handles)).pixels, first.pixels);
    std::ranges::reverse(frame.handles);
    EXPECT_EQ(draw(renderer, host_particles(frame.positions, frame.handles)).pixels, first.pixels);
}

/// The largest sum of a number of particles: all on one pixel, with the greatest brightness. The picture is
/// one pixel, so that most light spreads out of it and it does not become white.
TEST_F(ComputeSplatTest, TheLargestSumsDoNotOverflow) {
    constexpr Rectangle one_pixel{0, 0, 1, 1};
    const scene::Vector eye = camera_.position();
    const std::vector<scene::Position> near{{eye.x * 0.7F, 2 + (eye.y - 2) * 0.7F, eye.z * 0.7F, 0.0F}};
    render::ParticleRenderer renderer(context_->info(), Method::compute_splat);
    const Colour below = draw(renderer, scene::HostParticles{}, one_pixel).at(0, 0);

    // The smallest spread, 1/2 pixel, less that of a pixel; three taps on either side suffice.
    const double variance = 0.25 - 1.0 / 12;
    double weights = 1;
    for (int i = 1; i <= 3; ++i) weights += 2 * std::exp(-i * i / (2 * variance));
    const float light = render::sprite_scale(camera_, {1, 1}).energy_of_one * render::max_brightness *
                        static_cast<float>(1 / (weights * weights));
    const render::Rgb colour = render::make_ramp(Theme::dark).front();
    const auto expected = [&](float part, std::uint8_t under) {
        const float over = render::tone(light * part);
        return under + (255.0F - under) * over;
    };
    for (const std::size_t count : {std::size_t{300'001}, std::size_t{1'500'007}}) {
        const std::vector<compaction::Item> handles(count, 1);
        const Colour drawn = draw(renderer, host_particles(near, handles), one_pixel).at(0, 0);
        EXPECT_NEAR(drawn.red, expected(colour.red, below.red), 2) << "count " << count;
        EXPECT_NEAR(drawn.green, expected(colour.green, below.green), 2) << "count " << count;
        EXPECT_NEAR(drawn.blue, expected(colour.blue, below.blue), 2) << "count " << count;
    }
}

TEST_F(ComputeSplatTest, ManySlotsUseTheComputeSplat) {
    gl::ContextInfo hardware = context_->info();
    hardware.software = false;
    render::ParticleRenderer automatic(hardware);
    render::ParticleRenderer sprites(hardware, Method::sprites);
    render::ParticleRenderer compute_splat(hardware, Method::compute_splat);
    std::vector<scene::Position> positions = four_positions;
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    positions.resize(std::size_t{1} << 18);
    EXPECT_EQ(draw(automatic, host_particles(positions, all)).pixels,
              draw(sprites, host_particles(positions, all)).pixels);
    positions.resize(positions.size() + 1);
    EXPECT_EQ(draw(automatic, host_particles(positions, all)).pixels,
              draw(compute_splat, host_particles(positions, all)).pixels);
}

}  // namespace
}  // namespace warpsieve
