// Images of pictures, and the picture of a plot.
#include "app/capture/picture.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/capture/capture.hpp"
#include "app/panels/interface.hpp"
#include "compaction/error.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

namespace warpsieve {
namespace {

TEST(Picture, IsCroppedAndStacked) {
    capture::Image image{3, 2, {}};
    for (int i = 0; i < 3 * 2 * 3; ++i) image.rgb.push_back(static_cast<std::uint8_t>(i));
    const capture::Image part = capture::cropped(image, 1, 1, 5, 5);
    EXPECT_EQ(part.width, 2);
    EXPECT_EQ(part.height, 1);
    EXPECT_EQ(part.rgb, (std::vector<std::uint8_t>{12, 13, 14, 15, 16, 17}));
    EXPECT_EQ(capture::cropped(image, 9, 9, 1, 1).rgb.size(), 0U);
    const capture::Image both = capture::stacked(image, image);
    EXPECT_EQ(both.height, 4);
    EXPECT_EQ(both.rgb.size(), 2 * image.rgb.size());
}

/// Share of the pixels whose red channel is below a third.
double share_of_dark(const capture::Image& image) {
    std::size_t dark = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) dark += image.rgb[i] < 85;
    return 3.0 * static_cast<double>(dark) / static_cast<double>(image.rgb.size());
}

TEST(Picture, OfAPlotHasItsOwnThemeAndTheWindowKeepsItsTheme) {
    ImGui::CreateContext();
    {
        std::unique_ptr<gl::Context> context;
        try {
            context = gl::open_headless({1280, 720});
        } catch (const compaction::Error& error) {
            ImGui::DestroyContext();
            GTEST_SKIP() << error.what();
        }
        fake::Machine machine;
        fake::make_gpu_machine(machine);
        panels::Interface interface(1, Theme::dark);
        const auto window = [&] {
            context->begin_interface_frame();
            interface.build(machine.snapshot, machine.settings, context->size());
            context->end_interface_frame();
            context->draw_interface();
            const capture::Image image = capture::read_framebuffer(context->framebuffer(), context->size());
            context->present();
            return image;
        };
        window();
        EXPECT_GT(share_of_dark(window()), 0.5);

        capture::PictureDrawer drawer(*context);
        for (const Theme theme : {Theme::light, Theme::dark}) {
            window();
            interface.set_style(2, theme);
            const capture::Image image = drawer.draw({2560, 1440}, [&] {
                EXPECT_TRUE(interface.build_picture(machine.snapshot, machine.settings, {2560, 1440}));
            });
            interface.set_style(1, Theme::dark);
            const double dark = share_of_dark(cropped(image, 0, 0, 600, 1300));
            if (theme == Theme::light) {
                EXPECT_LT(dark, 0.3) << "white for print";
            } else {
                EXPECT_GT(dark, 0.5);
                EXPECT_LT(dark, 0.99) << "the picture is empty";
            }
        }
        window();
        const double dark = share_of_dark(window());
        EXPECT_GT(dark, 0.5) << "the window kept its theme";
        EXPECT_LT(dark, 0.99) << "the window has lost its text";
    }
    ImGui::DestroyContext();
}

}  // namespace
}  // namespace warpsieve
