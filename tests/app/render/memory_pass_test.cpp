// The drawing of a compaction's memory.
#include "app/render/memory_pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/app/render/render_fixture.hpp"
#include "tests/app/scene/fake_memory.hpp"

namespace warpsieve {
namespace {

const scene::Camera& viewpoint() {
    static const scene::Camera camera(scene::memory_viewpoint());
    return camera;
}

using Linear = std::array<double, 3>;

Linear linear(const scene::Tint& tint) {
    const auto channel = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return {channel(static_cast<double>(tint.red)), channel(static_cast<double>(tint.green)),
            channel(static_cast<double>(tint.blue))};
}

/// Of WCAG 2.1.
double contrast(const scene::Tint& first, const scene::Tint& second) {
    const auto luminance = [](const scene::Tint& tint) {
        const Linear light = linear(tint);
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    };
    const double a = luminance(first), b = luminance(second);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

double contrast(const Colour& first, const Colour& second) {
    const auto tint = [](const Colour& colour) {
        const auto channel = [](std::uint8_t byte) { return static_cast<float>(byte) / 255; };
        return scene::Tint{channel(colour.red), channel(colour.green), channel(colour.blue)};
    };
    return contrast(tint(first), tint(second));
}

class MemoryPassTest : public RenderTest {
  protected:
    void SetUp() override {
        RenderTest::SetUp();
        if (context_) renderer_ = std::make_unique<render::ParticleRenderer>(context_->info());
    }

    Picture draw_memory(Theme theme = Theme::dark, bool at_rest = false,
                        std::span<const render::Columns> parts = whole_columns) {
        scene::describe(memory_, memory_.state(), render::memory_colours(theme), at_rest, scene_);
        clear();
        for (const render::Columns& part : parts)
            renderer_->draw_memory(scene_, viewpoint(), theme, context_->framebuffer(), window, whole_window,
                                   part);
        return read();
    }
    static Colour at(const Picture& picture, const scene::Vector& position) {
        const Pixel pixel = seen_at(viewpoint(), {position.x, position.y, position.z, 0}, whole_window);
        return picture.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
    }
    /// Stores the first `cells` cells of the output.
    void fill_output(std::size_t cells) {
        for (std::size_t i = 0; i < cells; ++i) memory_.now().output[i] = {1, 0.2F, 61};
    }

    fake::Memory memory_;
    scene::MemoryScene scene_;
    std::unique_ptr<render::ParticleRenderer> renderer_;
};

TEST_F(MemoryPassTest, AStoredCellIsLitAndAnEmptyOneIsNot) {
    memory_.move_to(99);
    fill_output(32 * 40);
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const Picture picture = draw_memory(theme);
        const Colour stored = at(picture, scene_.output.at(20, 8)),
                     empty = at(picture, scene_.output.at(60, 8));
        EXPECT_GT(difference(stored, empty), 120);
        const scene::Tint ground = render::memory_colours(theme).ground;
        EXPECT_NEAR(picture.at(1, 1).red, 255 * ground.red, 1);
    }
}

TEST_F(MemoryPassTest, KeptItemsOfTheInputAreLit) {
    const Picture picture = draw_memory();
    // The last part keeps nearly all, the first nearly none.
    const Colour last = at(picture, scene_.input.at(124, 16)), first = at(picture, scene_.input.at(4, 16));
    EXPECT_GT(last.blue, first.blue + 40);
}

TEST_F(MemoryPassTest, ALoadLightsItsCells) {
    memory_.move_to(20);
    const Picture before = draw_memory();
    for (std::size_t cell = 32 * 4; cell < 32 * 8; ++cell) {
        memory_.now().input[cell].loaded_at = 20;
        memory_.now().input[cell].phase = 0;
    }
    const Picture after = draw_memory();
    const scene::Vector loaded = scene_.input.at(6, 16), other = scene_.input.at(40, 16);
    EXPECT_GT(at(after, loaded).blue, at(before, loaded).blue + 80);
    EXPECT_LT(difference(at(after, other), at(before, other)), 100);
}

TEST_F(MemoryPassTest, PillarsHideWhatIsBehindThem) {
    memory_.move_to(70);
    const Picture before = draw_memory();
    memory_.store_words(fake::memory_parts);
    const Picture after = draw_memory();
    const scene::Vector top = scene_.words[12].top;
    const Colour pillar = at(after, {top.x, top.y - 0.2F, top.z + 0.25F});
    EXPECT_GT(pillar.blue, pillar.red + 40) << "a count is blue";
    EXPECT_GT(difference(pillar, at(before, {top.x, top.y - 0.2F, top.z + 0.25F})), 60);
}

TEST_F(MemoryPassTest, AtRestOnlyTheWordsAreLaidOverThePicture) {
    memory_.move_to(100);
    memory_.store_words(fake::memory_parts);
    const Picture picture = draw_memory(Theme::dark, true);
    EXPECT_EQ(picture.at(2, 2), (Colour{0, 0, 0, 255}));
    const auto lit =
        std::ranges::count_if(picture.pixels, [](const Colour& c) { return c.red + c.green + c.blue > 90; });
    EXPECT_GT(lit, 500);
    EXPECT_LT(lit, 20'000);
}

TEST_F(MemoryPassTest, TwoSidesMakeTheWholePicture) {
    memory_.move_to(80);
    memory_.store_words(fake::memory_parts);
    fill_output(900);
    memory_.now().flights.push_back({256, 8, 70, 81});
    memory_.now().look_back_loads.push_back({0, 9, 4, 79});
    const Picture whole = draw_memory();
    const std::array parts{render::Columns{0, 170}, render::Columns{170, window.width}};
    EXPECT_EQ(draw_memory(Theme::dark, false, parts).pixels, whole.pixels);
}

TEST_F(MemoryPassTest, SeveralSamplesChangeOnlyEdges) {
    memory_.move_to(80);
    memory_.store_words(fake::memory_parts);
    fill_output(900);
    for (const bool at_rest : {false, true}) {
        scene::describe(memory_, memory_.state(), render::memory_colours(Theme::dark), at_rest, scene_);
        const auto picture_with = [&](bool smooth) {
            clear();
            render::MemoryPass(smooth).draw(scene_, viewpoint(), Theme::dark,
                                            {context_->framebuffer(), 0, 0, window, 0, window.width});
            glViewport(0, 0, window.width, window.height);
            return read();
        };
        const Picture plain = picture_with(false), smooth = picture_with(true);
        std::int64_t apart = 0;
        for (std::size_t i = 0; i < plain.pixels.size(); ++i)
            apart += difference(plain.pixels[i], smooth.pixels[i]);
        EXPECT_GT(apart, 0);
        EXPECT_LT(static_cast<double>(apart) / static_cast<double>(plain.pixels.size()), 3.0);
    }
}

TEST_F(MemoryPassTest, AtRestNoPixelOfTheWordsIsCutOff) {
    memory_.move_to(100);
    memory_.store_words(fake::memory_parts);
    scene::describe(memory_, memory_.state(), render::memory_colours(Theme::dark), true, scene_);
    const Picture alone = draw_memory(Theme::dark, true);
    // A plate far in front makes the area large, and is outside the view.
    const auto with_far_box = [&] {
        scene_.boxes.push_back({{0, 0, 60}, 0, {100, 0.1F, 60}, scene::BoxForm::floor});
        clear();
        renderer_->draw_memory(scene_, viewpoint(), Theme::dark, context_->framebuffer(), window,
                               whole_window, {0, window.width});
        return read();
    };
    EXPECT_EQ(with_far_box().pixels, alone.pixels);
}

/// The highest contrast with the corner of the picture of the pixels around a position.
double contrast_near(const Picture& picture, const scene::Vector& position) {
    const Pixel pixel = seen_at(viewpoint(), {position.x, position.y, position.z, 0}, whole_window);
    double highest = 1;
    for (int y = -3; y <= 3; ++y) {
        const Colour& seen = picture.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y) + y);
        highest = std::max(highest, contrast(seen, picture.at(1, 1)));
    }
    return highest;
}

TEST_F(MemoryPassTest, OutlinesStandOutFromTheGround) {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        scene::describe(memory_, memory_.state(), render::memory_colours(theme), false, scene_);
        const scene::Tint count = render::memory_colours(theme).phases[0];
        const auto byte = [](float value) { return static_cast<std::uint32_t>(255 * value + 0.5F); };
        scene_.boxes = {{{0, 0, 0},
                         byte(count.red) | byte(count.green) << 8 | byte(count.blue) << 16 | 0xFF000000,
                         {3, 1.5F, 1},
                         scene::BoxForm::solid}};
        clear();
        renderer_->draw_memory(scene_, viewpoint(), theme, context_->framebuffer(), window, whole_window,
                               {0, window.width});
        const Picture picture = read();
        constexpr float margin = 0.22F;
        const scene::Vector front = scene_.input.at(90, static_cast<float>(scene_.input.rows)),
                            back = scene_.output.at(90, 0);
        EXPECT_GE(contrast_near(picture, {front.x, front.y, front.z + margin}), 3) << "input";
        EXPECT_GE(contrast_near(picture, {back.x, back.y + 0.7F * margin, back.z - 0.7F * margin}), 3)
            << "output";
        EXPECT_GE(contrast_near(picture, {0, 1.5F, 0.5F}), 3) << "box";
    }
}

/// What is seen of linear light with a complete deficiency of one kind of cones, or with none. Source:
/// Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision
/// deficiency", table 1.
using Vision = std::array<Linear, 3>;
constexpr std::array visions = std::to_array<Vision>(
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}});

/// In CIELAB, where a distance of 2.3 is just seen.
Linear seen_with(const Vision& vision, const scene::Tint& tint) {
    const Linear light = linear(tint);
    Linear rgb{};
    for (std::size_t i = 0; i < 3; ++i)
        rgb[i] =
            std::clamp(vision[i][0] * light[0] + vision[i][1] * light[1] + vision[i][2] * light[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047),
                 y = f(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]),
                 z = f((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(MemoryColours, ItemsAreToldFromPhasesWithEveryColourVision) {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const scene::MemoryColours& colours = render::memory_colours(theme);
        for (const Vision& vision : visions) {
            const double least = &vision == &visions.front() ? 20 : 9;
            for (std::size_t slot = 0; slot < colours.slots.size(); ++slot) {
                const Linear item = seen_with(vision, colours.slots[slot]);
                for (std::size_t phase = 0; phase < colours.phases.size(); ++phase) {
                    const Linear hue = seen_with(vision, colours.phases[phase]);
                    EXPECT_GE(std::hypot(item[0] - hue[0], item[1] - hue[1], item[2] - hue[2]), least)
                        << "slot colour " << slot << ", phase " << phase << ", vision "
                        << &vision - visions.data() << ", theme " << static_cast<int>(theme);
                }
            }
        }
    }
}

TEST(MemoryColours, AnItemStandsOutFromAHoleAndItsLightnessShowsTheOrder) {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const scene::MemoryColours& colours = render::memory_colours(theme);
        double last = seen_with(visions.front(), colours.slots.front())[0];
        for (const scene::Tint& item : colours.slots) {
            EXPECT_GE(contrast(item, colours.hole), 3);
            // From light to dark on the dark theme, and from dark to light on paper.
            const double lightness = seen_with(visions.front(), item)[0];
            EXPECT_LE((theme == Theme::dark ? 1 : -1) * (lightness - last), 0.05);
            last = lightness;
        }
    }
}

TEST(MemoryColours, PhasesAreTheSeriesOfThePlots) {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const scene::MemoryColours& colours = render::memory_colours(theme);
        const scene::Tint& count = colours.phases[static_cast<std::size_t>(compaction::PhaseRole::count)];
        EXPECT_NEAR(count.red * 255, 0x56, 0.5F);
        EXPECT_NEAR(count.green * 255, 0xB4, 0.5F);
        EXPECT_NEAR(count.blue * 255, 0xE9, 0.5F);
        EXPECT_EQ(colours.ground.red > 0.5F, theme == Theme::light);
    }
}

}  // namespace
}  // namespace warpsieve
