// The strip of the frame, beside the timings and instead of them.
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/timeline_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(TimelineViewTest, TheStripOfTheFrameStandsBesideThePlotAndInsteadOfIt) {
    EXPECT_TRUE(has_control("frame strip"));
    machine_.settings.window.tab = "particles";
    for (const gl::PixelSize size : {gl::PixelSize{1280, 720}, gl::PixelSize{1600, 1000}}) {
        window_ = size;
        frame();
        EXPECT_TRUE(has_control("frame strip")) << size.width;
        EXPECT_TRUE(has_control("timings plot")) << size.width;
        EXPECT_NE(drawn::all_text().find("median25%75%"), std::string::npos) << "the table has lost columns";
    }
    window_ = {1024, 640};
    frame();
    EXPECT_FALSE(has_control("frame strip")) << "the plot needs the room";
}

TEST_F(TimelineViewTest, TheStripOfTheFrameFolds) {
    window_ = {1600, 1000};
    machine_.settings.window.tab = "particles";
    frame();
    const auto [low, high] = corners("timings plot");
    click(point_of("fold frame strip"));
    EXPECT_FALSE(machine_.settings.window.show_frame_strip);
    frame();
    EXPECT_FALSE(has_control("frame strip"));
    const auto [wider_low, wider_high] = corners("timings plot");
    EXPECT_GT(wider_high.x - wider_low.x, high.x - low.x + 100);
    click(point_of("fold frame strip"));
    frame();
    EXPECT_TRUE(has_control("frame strip"));
}

TEST_F(TimelineViewTest, FiguresOfTheFrameKeepApart) {
    machine_.snapshot.timings.frame = {
        998, {8.01, 9.02, 7.03, 6.04, 5.05, 4.06}, FramePartTimes{177, 188, 199, 166, 155, 144}};
    window_ = {2560, 1440};
    for (const float scale : {1.0F, 1.5F}) {
        machine_.settings.window.scale = machine_.snapshot.display.scale = scale;
        interface_->set_style(scale, Theme::dark);
        machine_.settings.window.tab = "particles";
        frame();
        frame();
        ASSERT_TRUE(has_control("frame strip"));
        drawn::GlyphFinder finder;
        std::size_t found = 0;
        for (const drawn::WindowText& window : drawn::texts(finder)) {
            for (std::size_t i = 3; i + 2 < window.glyphs.size(); ++i) {
                const auto is = [&](std::size_t at, char c) {
                    return window.glyphs[at].codepoint == static_cast<unsigned char>(c);
                };
                if (!(is(i - 3, '8') && is(i - 2, '.') && is(i - 1, '0') && is(i, '1') && is(i + 1, '1')))
                    continue;
                ++found;
                const float digit = window.glyphs[i].high.x - window.glyphs[i].low.x;
                EXPECT_GT(window.glyphs[i + 1].low.x - window.glyphs[i].high.x, 0.8F * digit) << scale;
            }
        }
        EXPECT_EQ(found, 1U);
    }
}

TEST_F(TimelineViewTest, TheStripOfTheFrameFillsItsRoom) {
    for (const gl::PixelSize size :
         {gl::PixelSize{1280, 720}, gl::PixelSize{1600, 1000}, gl::PixelSize{2560, 1440}}) {
        window_ = size;
        frame();
        frame();
        const auto [low, high] = corners("frame strip");
        const ImVec2 last{low.x + (high.x - low.x) * 0.6F, low.y};
        EXPECT_FALSE(drawn::text_within(last, high).empty()) << "no figures on the right at " << size.width;
    }
}

}  // namespace
}  // namespace warpsieve
