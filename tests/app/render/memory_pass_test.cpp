// The drawing of a compaction's memory.
#include "app/render/memory_pass.hpp"

#include <algorithm>
#include <vector>

#include "tests/app/render/render_fixture.hpp"
#include "tests/app/scene/fake_memory.hpp"

namespace warpsieve {
namespace {

const scene::Camera& viewpoint() {
    static const scene::Camera camera(scene::memory_viewpoint());
    return camera;
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
    memory_.now().looks.push_back({0, 9, 4, 79});
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
