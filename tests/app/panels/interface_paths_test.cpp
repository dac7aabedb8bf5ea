// Paths in the window: typed ones, and long ones.
#include <string>

#include "app/panels/path_field.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(InterfaceTest, APathOverTheLimitOfTheSystemIsRefused) {
    window_ = {1280, 1000};
    for (const std::size_t length : {std::size_t{255}, std::size_t{256}, std::size_t{100'000}}) {
        frame();
        click(point_of("folder"));
        frame();
        type(std::string(length, 'x').c_str());
        click(point_of("live fraction"));
        EXPECT_EQ(machine_.settings.window.capture_folder.string().size(), 255U) << length;
    }
}

TEST_F(InterfaceTest, APathIsCutInItsMiddle) {
    frame();
    const ImFont* font = ImGui::GetFont();
    const std::string path = "/home/someone/measurements/großer Rechner/2026-10-04 single pass.csv";
    EXPECT_EQ(panels::elided_path(font, path, 2000), path);
    for (const float width : {180.0F, 240.0F, 320.0F}) {
        const std::string shown = panels::elided_path(font, path, width);
        EXPECT_LE(plots::text_width(font, shown), width);
        EXPECT_TRUE(shown.starts_with("/h")) << shown;
        EXPECT_TRUE(shown.ends_with("pass.csv")) << shown;
        EXPECT_NE(shown.find("…"), std::string::npos) << shown;
    }
    EXPECT_EQ(panels::elided_path(font, path, -8), "…") << "a window can be too small for anything";
    EXPECT_LE(plots::text_width(font, panels::elided_path(font, std::string(1'000'000, 'x'), 300)), 300);
    // No character is cut in two.
    const std::string umlauts = "ääääääääääääääääääääääääääääääääääääääääääää";
    for (float width = 30; width < 200; width += 3) {
        const std::string shown = panels::elided_path(font, umlauts, width);
        EXPECT_EQ(shown.size() % 2, 1U) << "two bytes each, and three for the ellipsis: " << shown;
    }
}

}  // namespace
}  // namespace warpsieve
