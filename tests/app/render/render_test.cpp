#include <cstdint>

#include "app/gl/program.hpp"
#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "tests/app/render/render_fixture.hpp"

namespace warpsieve {
namespace {

class HostParticlesTest : public MethodTest {};
INSTANTIATE_TEST_SUITE_P(Methods, HostParticlesTest,
                         testing::Values(Method::sprites, Method::compute_splat, Method::host_splat),
                         [](const auto& method) { return name_of(method.param); });

TEST_P(HostParticlesTest, WithoutParticlesOnlyTheGroundIsDrawn) {
    const Picture picture = draw(*renderer_, scene::HostParticles{});
    EXPECT_EQ(picture.at(2, 2), (Colour{0x0B, 0x0D, 0x11, 255}));
    EXPECT_GT(std::ranges::count_if(picture.pixels, [](const Colour& c) { return c.blue > 0x18; }), 200);
}

TEST_P(HostParticlesTest, ParticlesAreDrawnAtTheirProjections) {
    renderer_->set_bloom(false);
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, host_particles(four_positions, all));
    const std::vector<Pixel> pixels = seen(four_positions);
    EXPECT_EQ(lit_pixels(picture, ground, pixels), (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(stray_pixels(picture, ground, pixels, 14), 0);
}

TEST_P(HostParticlesTest, OnlyKeptHandlesAreDrawnAndHandleOneIsSlotZero) {
    renderer_->set_bloom(false);
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> kept{1, 3};
    const Picture picture = draw(*renderer_, host_particles(four_positions, kept));
    EXPECT_EQ(lit_pixels(picture, ground, seen(four_positions)), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(stray_pixels(picture, ground, seen({four_positions[0], four_positions[2]}), 14), 0);
}

TEST_P(HostParticlesTest, FramesAreIndependent) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    draw(*renderer_, host_particles(four_positions, all));
    EXPECT_EQ(draw(*renderer_, scene::HostParticles{}).pixels, ground.pixels);
}

TEST_P(HostParticlesTest, ParticlesOutOfSightAreIgnored) {
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const scene::Vector eye = camera_.position();
    const std::vector<scene::Position> out_of_sight{{2 * eye.x, 2 * eye.y, 2 * eye.z, 0.5F},
                                                    {eye.x, eye.y, eye.z, 0.5F},
                                                    {500, 0, 0, 0.5F},
                                                    {0, 400, 0, 1.0F},
                                                    {0, -400, 0, 0.0F}};
    const std::vector<compaction::Item> all{1, 2, 3, 4, 5};
    EXPECT_EQ(draw(*renderer_, host_particles(out_of_sight, all)).pixels, ground.pixels);
}

TEST_P(HostParticlesTest, DrawsOnlyInsideTheViewport) {
    constexpr Rectangle viewport{37, 21, 333, 187};
    const Picture ground = draw(*renderer_, scene::HostParticles{}, viewport);
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, host_particles(four_positions, all), viewport);
    EXPECT_EQ(lit_pixels(picture, ground, seen(four_positions, viewport)),
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

TEST_P(HostParticlesTest, TwoSidesMakeTheWholePicture) {
    // Particles on both sides of each divider would make a seam or missing light visible.
    const FountainFrame fountain(1U << 14);
    const scene::HostParticles particles = host_particles(fountain.positions, fountain.handles);
    constexpr Rectangle viewport{37, 21, 333, 187};
    const Picture whole = draw(*renderer_, particles, viewport);
    for (const int divider : {0, 1, 100, 166, 332, 333}) {
        clear();
        for (const render::Columns side : {render::Columns{0, divider}, {divider, viewport.width}}) {
            renderer_->draw(particles, camera_, Theme::dark, context_->framebuffer(), window, viewport, side);
        }
        EXPECT_EQ(read().pixels, whole.pixels) << divider;
    }
}

TEST_P(HostParticlesTest, EachSideShowsOnlyItsOwnParticles) {
    renderer_->set_bloom(false);
    const Picture ground = draw(*renderer_, scene::HostParticles{});
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const std::vector<compaction::Item> second_and_fourth{2, 4};
    clear();
    const auto half = [&](const std::vector<compaction::Item>& handles, render::Columns columns) {
        renderer_->draw(host_particles(four_positions, handles), camera_, Theme::dark,
                        context_->framebuffer(), window, whole_window, columns);
    };
    half(second_and_fourth, {0, window.width / 2});
    half(all, {window.width / 2, window.width});
    const Picture picture = read();
    // Two particles are on the left, two on the right.
    EXPECT_EQ(lit_pixels(picture, ground, seen(four_positions)), (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_EQ(
        stray_pixels(picture, ground, seen({four_positions[1], four_positions[2], four_positions[3]}), 14),
        0);
}

TEST_P(HostParticlesTest, AnEmptyViewportDrawsNothing) {
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, host_particles(four_positions, all), {10, 10, 0, 50});
    EXPECT_TRUE(std::ranges::all_of(picture.pixels, [](const Colour& c) {
        return c == Colour{0, 0, 0, 255};
    }));
}

TEST_P(HostParticlesTest, HotCoresShineOnTheirSurroundingsUnlessSwitchedOff) {
    // One column of light, many particles thick.
    const std::vector<scene::Position> core(4000, {0, 3, 0, 0});
    std::vector<compaction::Item> all(core.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<compaction::Item>(i + 1);
    const scene::HostParticles particles = host_particles(core, all);
    const Pixel pixel = seen({core[0]}).front();
    const auto beside = [&](const Picture& picture) {
        const Colour& c = picture.at(static_cast<int>(pixel.x) + 24, static_cast<int>(pixel.y));
        return c.red + c.green + c.blue;
    };
    const int with = beside(draw(*renderer_, particles));
    renderer_->set_bloom(false);
    EXPECT_GT(with, beside(draw(*renderer_, particles)) + 15);
}

TEST_P(HostParticlesTest, LightThemeIsInkOnPaper) {
    const Picture paper = draw(*renderer_, scene::HostParticles{}, whole_window, Theme::light);
    EXPECT_EQ(paper.at(2, 2), (Colour{255, 255, 255, 255}));
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    const Picture picture = draw(*renderer_, host_particles(four_positions, all), whole_window, Theme::light);
    EXPECT_EQ(lit_pixels(picture, paper, seen(four_positions)), (std::vector<std::size_t>{0, 1, 2, 3}));
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        ASSERT_LE(picture.pixels[i].red, paper.pixels[i].red);
        ASSERT_LE(picture.pixels[i].blue, paper.pixels[i].blue);
    }
}

TEST_P(HostParticlesTest, LeavesTheDocumentedState) {
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    draw(*renderer_, host_particles(four_positions, all), {5, 5, 100, 100});
    std::array<GLint, 4> viewport{};
    GLint framebuffer = 0;
    glGetIntegerv(GL_VIEWPORT, viewport.data());
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    EXPECT_EQ(viewport, (std::array<GLint, 4>{0, 0, window.width, window.height}));
    EXPECT_EQ(static_cast<unsigned>(framebuffer), context_->framebuffer());
    EXPECT_FALSE(glIsEnabled(GL_BLEND));
    EXPECT_FALSE(glIsEnabled(GL_SCISSOR_TEST));
}

TEST_P(HostParticlesTest, ANewSizeStartsEmpty) {
    const std::vector<compaction::Item> all{1, 2, 3, 4};
    for (const Rectangle viewport : {Rectangle{0, 0, 131, 67}, Rectangle{0, 0, 67, 131},
                                     Rectangle{0, 0, 1, 1}, Rectangle{0, 0, 33, 299}, whole_window}) {
        draw(*renderer_, host_particles(four_positions, all), viewport);
        const Picture after = draw(*renderer_, scene::HostParticles{}, viewport);
        render::ParticleRenderer fresh(context_->info(), GetParam());
        EXPECT_EQ(after.pixels, draw(fresh, scene::HostParticles{}, viewport).pixels)
            << viewport.width << " x " << viewport.height;
    }
}

TEST_F(RenderTest, ACompileErrorNamesTheShaderAndTheReason) {
    try {
        const gl::Program program("broken", {"void main() { undeclared = 1; }\n"}, {"void main() {}\n"});
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
        context_->end_interface_frame();
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

TEST(Style, LightnessFallsWithAge) {
    const render::Ramp ramp = render::make_ramp(Theme::dark);
    const auto luminance = [](const render::Rgb& c) {
        return 0.2126F * c.red + 0.7152F * c.green + 0.0722F * c.blue;
    };
    for (std::size_t i = 1; i < render::ramp_size; ++i) {
        EXPECT_LT(luminance(ramp[i]), luminance(ramp[i - 1])) << "entry " << i;
    }
}

TEST(Style, NoColourExceedsItsBound) {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        for (const render::Rgb& colour : render::make_ramp(theme))
            EXPECT_LE(std::max({colour.red, colour.green, colour.blue}), render::max_colour);
    }
}

TEST(Style, ToneRisesFromBlackToWhite) {
    EXPECT_EQ(render::tone(0), 0);
    for (float light = 0; light < 10; light += 0.1F)
        EXPECT_LE(render::tone(light), render::tone(light + 0.1F));
    EXPECT_EQ(render::tone(1000), 1);
}

TEST(Camera, StaysAboveTheGroundAndWithinItsLimits) {
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

TEST(Camera, AFullTurnReturnsToTheStart) {
    scene::Camera camera;
    for (int i = 0; i < 8; ++i) camera.orbit(0.785398163F, 0);
    const scene::Matrix turned = camera.view_projection(2);
    const scene::Matrix start = scene::Camera().view_projection(2);
    for (std::size_t i = 0; i < start.size(); ++i) EXPECT_NEAR(turned[i], start[i], 1e-4F) << i;
}

TEST(CameraMotion, CoastsWhenLetGoAndComesToRest) {
    scene::CameraMotion motion;
    for (int i = 0; i < 10; ++i)
        motion.advance({.azimuth = 0.02F, .held = true}, 1 / 60.0, scene::IdleMotion::none);
    const auto x = [&] { return motion.camera().position().x; };
    const float let_go = x();
    motion.advance({}, 1 / 60.0, scene::IdleMotion::none);
    EXPECT_GT(std::abs(x() - let_go), 1e-3F);
    for (int i = 0; i < 600; ++i) motion.advance({}, 1 / 60.0, scene::IdleMotion::none);
    const float rest = x();
    motion.advance({}, 1 / 60.0, scene::IdleMotion::none);
    EXPECT_EQ(x(), rest);
    // Held still before it is let go, it stays.
    for (int i = 0; i < 60; ++i) motion.advance({.held = true}, 1 / 60.0, scene::IdleMotion::none);
    EXPECT_EQ(x(), rest);
}

TEST(CameraMotion, MovesByItselfOnlyWhenIdle) {
    scene::CameraMotion motion;
    const auto x = [&] { return motion.camera().position().x; };
    const float start = x();
    for (int i = 0; i < 60 * 7; ++i) motion.advance({}, 1 / 60.0, scene::IdleMotion::orbit);
    EXPECT_EQ(x(), start);
    for (int i = 0; i < 60 * 4; ++i) motion.advance({}, 1 / 60.0, scene::IdleMotion::orbit);
    EXPECT_NE(x(), start);
    motion.advance({.zoom = 0.999F}, 1 / 60.0, scene::IdleMotion::orbit);
    const float touched = motion.camera().position().x / motion.camera().distance();
    motion.advance({}, 1 / 60.0, scene::IdleMotion::orbit);
    EXPECT_NEAR(motion.camera().position().x / motion.camera().distance(), touched, 1e-5F);
}

TEST(CameraMotion, EasesToItsDistance) {
    scene::CameraMotion motion;
    const float before = motion.camera().distance();
    motion.advance({.zoom = 0.5F}, 1 / 60.0, scene::IdleMotion::none);
    EXPECT_GT(motion.camera().distance(), 0.75F * before);
    for (int i = 0; i < 120; ++i) motion.advance({}, 1 / 60.0, scene::IdleMotion::none);
    EXPECT_NEAR(motion.camera().distance(), 0.5F * before, 0.01F * before);
}

TEST(CameraMotion, FliesToAGoalAndBackUntilTheUserTakesOver) {
    scene::CameraMotion motion;
    const scene::Pose home = motion.camera().pose();
    const scene::Viewpoint goal{.azimuth = 1, .elevation = 0.5F, .distance = 9, .target = {1, 2, 3}};
    const auto pass = [&](int frames) {
        for (int i = 0; i < frames; ++i) motion.advance({}, 1 / 60.0, scene::IdleMotion::none);
    };
    motion.fly_to(goal);
    pass(20);
    EXPECT_NE(motion.camera().pose(), home) << "it is on its way";
    EXPECT_GT(motion.camera().distance(), 9.5F);
    pass(80);
    EXPECT_NEAR(motion.camera().distance(), 9, 1e-4F);
    EXPECT_NEAR(motion.camera().target().z, 3, 1e-4F);
    scene::CameraMotion own;
    own.fly_from(motion.camera());
    EXPECT_NEAR(own.camera().distance(), 9, 1e-4F) << "it begins where the other camera is";
    for (int i = 0; i < 100; ++i) own.advance({}, 1 / 60.0, scene::IdleMotion::none);
    EXPECT_NEAR(own.camera().distance(), home.distance, 1e-4F);
    EXPECT_NEAR(own.camera().target().z, 0, 1e-4F);
    motion.fly_to({});
    pass(20);
    motion.advance({.azimuth = 0.1F}, 1 / 60.0, scene::IdleMotion::none);
    const float stopped = motion.camera().distance();
    pass(100);
    EXPECT_EQ(motion.camera().distance(), stopped) << "the user has it";
}

TEST(Camera, SeesTheFountainAtAnyAspectRatio) {
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
