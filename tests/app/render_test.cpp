#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/gl/context.hpp"
#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/render/look.hpp"
#include "app/render/particle_renderer.hpp"
#include "compaction/error.hpp"

namespace warpsieve {
namespace {

using panels::Rectangle;

constexpr gl::PixelSize window{400, 300};
constexpr Rectangle whole_window{0, 0, window.width, window.height};

/// Far enough apart that their sprites do not touch.
const std::vector<scene::Position> four_places{
    {-5, 1, 0, 0.1F}, {-2, 4, 0, 0.3F}, {2, 1.5F, 1, 0.5F}, {5, 4, -1, 0.7F}};

struct Pixel {
    float x = 0;
    float y = 0;
};

struct Colour {
    std::uint8_t red, green, blue, alpha;
    bool operator==(const Colour&) const = default;
};

/// What a draw left in the framebuffer, rows from the top down.
struct Picture {
    gl::PixelSize size;
    std::vector<Colour> pixels;

    const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y * size.width + x)]; }
};

/// Where the camera sees a place, in window pixels from the top left.
Pixel seen_at(const scene::Camera& camera, const scene::Position& p, const Rectangle& viewport) {
    const scene::Matrix m =
        camera.view_projection(static_cast<float>(viewport.width) / static_cast<float>(viewport.height));
    const auto clip = [&](std::size_t row) {
        return m[row] * p.x + m[4 + row] * p.y + m[8 + row] * p.z + m[12 + row];
    };
    const float right = clip(0) / clip(3);
    const float up = clip(1) / clip(3);
    return {static_cast<float>(viewport.x) + static_cast<float>(viewport.width) * (0.5F + 0.5F * right),
            static_cast<float>(viewport.y) + static_cast<float>(viewport.height) * (0.5F - 0.5F * up)};
}

int difference(const Colour& a, const Colour& b) {
    return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
}

/// The places whose surroundings differ between two pictures.
std::vector<std::size_t> lit_places(const Picture& with, const Picture& without,
                                    const std::vector<Pixel>& places) {
    std::vector<std::size_t> lit;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const int x = static_cast<int>(places[i].x);
        const int y = static_cast<int>(places[i].y);
        if (difference(with.at(x, y), without.at(x, y)) > 60) lit.push_back(i);
    }
    return lit;
}

/// Pixels that differ although none of `places` is within `reach` pixels of them.
int stray_pixels(const Picture& with, const Picture& without, const std::vector<Pixel>& places, float reach) {
    int stray = 0;
    for (int y = 0; y < with.size.height; ++y) {
        for (int x = 0; x < with.size.width; ++x) {
            if (with.at(x, y) == without.at(x, y)) continue;
            const bool explained = std::ranges::any_of(places, [&](const Pixel& place) {
                return std::hypot(place.x - static_cast<float>(x), place.y - static_cast<float>(y)) < reach;
            });
            stray += explained ? 0 : 1;
        }
    }
    return stray;
}

class RenderTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        setenv("WARPSIEVE_GL_DEBUG", "1", 1);
        ImGui::CreateContext();
        try {
            context_ = gl::open_headless(window);
        } catch (const compaction::Error& error) {
            why_not_ = error.what();
        }
    }

    static void TearDownTestSuite() {
        context_.reset();
        ImGui::DestroyContext();
    }

    void SetUp() override {
        if (!context_) GTEST_SKIP() << why_not_;
        while (glGetError() != GL_NO_ERROR) {
        }
    }

    void TearDown() override {
        if (context_) {
            EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        }
    }

    /// Draws over black and reads the framebuffer back.
    static Picture draw(render::ParticleRenderer& renderer, const scene::DrawableParticles& particles,
                        Rectangle viewport = whole_window, Theme theme = Theme::dark) {
        glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        renderer.draw(particles, camera_, theme, context_->framebuffer(), window, viewport);

        Picture picture{window, std::vector<Colour>(static_cast<std::size_t>(window.width * window.height))};
        glReadPixels(0, 0, window.width, window.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());
        for (int y = 0; y < window.height / 2; ++y) {
            const auto row = picture.pixels.begin() + y * window.width;
            std::swap_ranges(row, row + window.width, picture.pixels.end() - (y + 1) * window.width);
        }
        return picture;
    }

    static std::vector<Pixel> seen(const std::vector<scene::Position>& positions,
                                   Rectangle viewport = whole_window) {
        std::vector<Pixel> pixels;
        for (const scene::Position& position : positions)
            pixels.push_back(seen_at(camera_, position, viewport));
        return pixels;
    }

    static inline std::unique_ptr<gl::Context> context_;
    static inline std::string why_not_;
    static inline const scene::Camera camera_;
};

/// The path that draws host memory: OpenGL's sprites or the splat of the host's threads.
enum class Path { sprites, splat };

class HostParticlesTest : public RenderTest, public testing::WithParamInterface<Path> {
  protected:
    static gl::ContextInfo info_for(Path path) {
        gl::ContextInfo info = context_->info();
        info.software = path == Path::splat;
        return info;
    }

    void SetUp() override {
        RenderTest::SetUp();
        if (context_) renderer_ = std::make_unique<render::ParticleRenderer>(info_for(GetParam()));
    }

    std::unique_ptr<render::ParticleRenderer> renderer_;
};

INSTANTIATE_TEST_SUITE_P(Paths, HostParticlesTest, testing::Values(Path::sprites, Path::splat),
                         [](const auto& path) { return path.param == Path::sprites ? "sprites" : "splat"; });

TEST_P(HostParticlesTest, NoParticlesLeaveTheGround) {
    const Picture picture = draw(*renderer_, scene::HostParticles{});
    EXPECT_EQ(picture.at(2, 2), (Colour{0x0B, 0x0D, 0x11, 255}));
    EXPECT_GT(std::ranges::count_if(picture.pixels, [](const Colour& c) { return c.blue > 0x18; }), 200);
}

TEST_P(HostParticlesTest, ParticlesAreWhereTheCameraSeesThemAndNowhereElse) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, scene::HostParticles{four_places, all});
    const std::vector<Pixel> places = seen(four_places);
    EXPECT_EQ(lit_places(picture, ground, places), (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(stray_pixels(picture, ground, places, 14), 0);
}

TEST_P(HostParticlesTest, OnlyKeptHandlesAreDrawnAndHandleOneIsSlotZero) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> kept{1, 3};
    const Picture picture = draw(*renderer_, scene::HostParticles{four_places, kept});
    EXPECT_EQ(lit_places(picture, ground, seen(four_places)), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(stray_pixels(picture, ground, seen({four_places[0], four_places[2]}), 14), 0);
}

TEST_P(HostParticlesTest, TheNextFrameShowsNothingOfTheLast) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    draw(*renderer_, scene::HostParticles{four_places, all});
    EXPECT_EQ(draw(*renderer_, scene::HostParticles{}).pixels, ground.pixels);
}

TEST_P(HostParticlesTest, ParticlesOutOfSightAreNoTrouble) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const scene::Vector eye = camera_.position();
    const std::vector<scene::Position> out_of_sight{{2 * eye.x, 2 * eye.y, 2 * eye.z, 0.5F},
                                                    {eye.x, eye.y, eye.z, 0.5F},
                                                    {500, 0, 0, 0.5F},
                                                    {0, 400, 0, 1.0F},
                                                    {0, -400, 0, 0.0F}};
    const std::vector<compaction::Item> all{1, 2, 3, 4, 5};
    EXPECT_EQ(draw(*renderer_, scene::HostParticles{out_of_sight, all}).pixels, ground.pixels);
}

TEST_P(HostParticlesTest, AnOddViewportIsKeptTo) {
    constexpr Rectangle viewport{37, 21, 333, 187};
    const Picture ground = draw(*renderer_, scene::HostParticles{}, viewport);
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, scene::HostParticles{four_places, all}, viewport);
    EXPECT_EQ(lit_places(picture, ground, seen(four_places, viewport)),
              (std::vector<std::size_t>{0, 1, 2, 3}));
    for (int y = 0; y < window.height; ++y) {
        for (int x = 0; x < window.width; ++x) {
            const bool inside = x >= viewport.x && x < viewport.x + viewport.width && y >= viewport.y &&
                                y < viewport.y + viewport.height;
            if (!inside) {
                ASSERT_EQ(picture.at(x, y), (Colour{0, 0, 0, 255})) << x << ", " << y;
            }
        }
    }
}

TEST_P(HostParticlesTest, AnEmptyViewportDrawsNothing) {
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, scene::HostParticles{four_places, all}, {10, 10, 0, 50});
    EXPECT_TRUE(std::ranges::all_of(picture.pixels, [](const Colour& c) {
        return c == Colour{0, 0, 0, 255};
    }));
}

TEST_P(HostParticlesTest, LightThemeIsInkOnPaper) {
    const Picture paper = draw(*renderer_, scene::HostParticles{}, whole_window, Theme::light);
    EXPECT_EQ(paper.at(2, 2), (Colour{255, 255, 255, 255}));
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture =
        draw(*renderer_, scene::HostParticles{four_places, all}, whole_window, Theme::light);
    EXPECT_EQ(lit_places(picture, paper, seen(four_places)), (std::vector<std::size_t>{0, 1, 2, 3}));
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        ASSERT_LE(picture.pixels[i].red, paper.pixels[i].red);
        ASSERT_LE(picture.pixels[i].blue, paper.pixels[i].blue);
    }
}

TEST_P(HostParticlesTest, LeavesTheStateThatItPromises) {
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    draw(*renderer_, scene::HostParticles{four_places, all}, {5, 5, 100, 100});
    std::array<GLint, 4> viewport{};
    GLint framebuffer = 0;
    glGetIntegerv(GL_VIEWPORT, viewport.data());
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    EXPECT_EQ(viewport, (std::array<GLint, 4>{0, 0, window.width, window.height}));
    EXPECT_EQ(static_cast<unsigned>(framebuffer), context_->framebuffer());
    EXPECT_FALSE(glIsEnabled(GL_BLEND));
}

TEST_F(RenderTest, TheDrawObeysTheCountThatIsInTheCommand) {
    render::ParticleRenderer renderer(context_->info());
    const Picture ground = draw(renderer, scene::HostParticles{});
    const std::vector<compaction::Item> handles{4, 2, 1, 3};
    gl::Buffer positions, handle_buffer;
    glNamedBufferStorage(positions.name(),
                         static_cast<GLsizeiptr>(four_places.size() * sizeof(scene::Position)),
                         four_places.data(), 0);
    glNamedBufferStorage(handle_buffer.name(),
                         static_cast<GLsizeiptr>(handles.size() * sizeof(compaction::Item)), handles.data(),
                         0);
    for (std::uint32_t count = 0; count <= handles.size(); ++count) {
        const std::array<std::uint32_t, 5> words{count, 1, 0, ~std::uint32_t{0}, 0};  // base vertex -1
        gl::Buffer command;
        glNamedBufferStorage(command.name(), sizeof(words), words.data(), 0);
        const Picture picture =
            draw(renderer, scene::GlParticles{positions.name(), handle_buffer.name(), command.name()});
        std::vector<std::size_t> expected;
        for (std::uint32_t i = 0; i < count; ++i) expected.push_back(handles[i] - 1);
        std::ranges::sort(expected);
        EXPECT_EQ(lit_places(picture, ground, seen(four_places)), expected) << "count " << count;
    }
}

/// The fountain as it is half-way through its particles' lives.
struct FountainFrame {
    std::vector<scene::Position> positions;
    std::vector<compaction::Item> handles;

    explicit FountainFrame(std::uint32_t slots) : positions(slots) {
        scene::Moment moment;
        moment.phase = std::uint64_t{3} << 31;
        moment.live_below = std::uint64_t{1} << 31;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            const scene::SlotCycle cycle = scene::cycle_of(slot, moment);
            if (!scene::is_live(cycle, moment)) continue;
            positions[slot] = scene::position_of(slot, cycle, moment);
            handles.push_back(scene::handle_of(slot));
        }
    }
};

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

TEST_F(RenderTest, BothPathsLookAlike) {
    const FountainFrame frame(1U << 17);
    std::vector<Picture> pictures;
    for (const bool software : {false, true}) {
        gl::ContextInfo info = context_->info();
        info.software = software;
        render::ParticleRenderer renderer(info);
        pictures.push_back(draw(renderer, scene::HostParticles{frame.positions, frame.handles}));
        const std::string path = testing::TempDir() + (software ? "render_splat.png" : "render_sprites.png");
        EXPECT_NE(
            stbi_write_png(path.c_str(), window.width, window.height, 4, pictures.back().pixels.data(), 0), 0)
            << path;
    }
    for (const auto channel : {&Colour::red, &Colour::green, &Colour::blue}) {
        const std::vector<double> sprites = cell_means(pictures[0], channel);
        const std::vector<double> splat = cell_means(pictures[1], channel);
        for (std::size_t i = 0; i < sprites.size(); ++i)
            EXPECT_NEAR(sprites[i], splat[i], 24) << "cell " << i;
    }
}

TEST_F(RenderTest, AShaderThatDoesNotCompileSaysWhichAndWhy) {
    try {
        const gl::Program program("broken", {"#version 450 core\nvoid main() { undeclared = 1; }\n"},
                                  {"#version 450 core\nvoid main() {}\n"});
        FAIL() << "it compiled";
    } catch (const compaction::Error& error) {
        const std::string what = error.what();
        EXPECT_EQ(error.code(), compaction::ErrorCode::device_failure);
        EXPECT_NE(what.find("broken"), std::string::npos) << what;
        EXPECT_NE(what.find("vertex"), std::string::npos) << what;
        EXPECT_NE(what.find("undeclared"), std::string::npos) << what;
    }
}

TEST_F(RenderTest, TheFontTextureFollowsTheAtlas) {
    const auto font_texture_height = [&] {
        context_->begin_interface_frame();
        ImGui::NewFrame();
        ImGui::Render();
        context_->draw_interface();
        GLint height = 0;
        const auto name = static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(ImGui::GetIO().Fonts->TexID));
        glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_HEIGHT, &height);
        return height;
    };
    const GLint before = font_texture_height();
    ImFontConfig large;
    large.SizePixels = 60;
    ImGui::GetIO().Fonts->Clear();
    ImGui::GetIO().Fonts->AddFontDefault(&large);
    EXPECT_GT(font_texture_height(), before);
}

TEST(Look, LightnessFallsWithAge) {
    const render::Ramp ramp = render::make_ramp(Theme::dark);
    const auto luminance = [](const render::Rgb& c) {
        return 0.2126F * c.red + 0.7152F * c.green + 0.0722F * c.blue;
    };
    for (std::size_t i = 1; i < render::ramp_size; ++i) {
        EXPECT_LT(luminance(ramp[i]), luminance(ramp[i - 1])) << "entry " << i;
    }
}

TEST(Look, ToneRisesFromBlackToWhite) {
    EXPECT_EQ(render::tone(0), 0);
    for (float light = 0; light < 10; light += 0.1F)
        EXPECT_LE(render::tone(light), render::tone(light + 0.1F));
    EXPECT_EQ(render::tone(1000), 1);
}

TEST(Camera, StaysAboveTheGroundAndInReach) {
    scene::Camera camera;
    camera.orbit(0, -100);
    camera.zoom(1e6F);
    EXPECT_GT(camera.position().y, 0);
    EXPECT_LE(camera.distance(), 100);
    camera.zoom(0);
    EXPECT_GT(camera.distance(), 0.5F);
    camera.reset();
    EXPECT_EQ(camera.view_projection(1.5F), scene::Camera().view_projection(1.5F));
}

TEST(Camera, TurningAllTheWayRoundComesBack) {
    scene::Camera camera;
    for (int i = 0; i < 8; ++i) camera.orbit(0.785398163F, 0);
    const scene::Matrix turned = camera.view_projection(2);
    const scene::Matrix start = scene::Camera().view_projection(2);
    for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(turned[i], start[i], 1e-4F) << i;
}

TEST(Camera, SeesTheFountainInAnyShapeOfViewport) {
    const FountainFrame frame(1U << 12);
    for (const Rectangle viewport : {Rectangle{0, 0, 900, 460}, {0, 0, 460, 900}, {0, 0, 600, 600}}) {
        int inside = 0;
        for (const compaction::Item handle : frame.handles) {
            const Pixel pixel = seen_at(scene::Camera(), frame.positions[handle - 1], viewport);
            inside += pixel.x >= 0 && pixel.x < static_cast<float>(viewport.width) && pixel.y >= 0 &&
                      pixel.y < static_cast<float>(viewport.height);
        }
        EXPECT_GT(inside, 0.97 * static_cast<double>(frame.handles.size()))
            << viewport.width << " x " << viewport.height;
    }
}

}  // namespace
}  // namespace warpsieve
