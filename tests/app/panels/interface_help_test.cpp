// The list of keys: it opens, closes and fits.
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>

#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(InterfaceTest, ColumnsOfTheHelpKeepApart) {
    window_ = {1600, 1400};
    frame();
    press(GLFW_KEY_F1);
    const ImGuiWindow* const help = ImGui::FindWindowByName("help");
    ASSERT_NE(help, nullptr);
    const float second = help->Pos.x + help->Size.x / 2;
    drawn::GlyphFinder finder;
    float left_of_it = 0;
    float first_of_it = FLT_MAX;
    for (const drawn::Glyph& glyph : drawn::glyphs_of(*help->DrawList, finder)) {
        const bool in_second = (glyph.low.x + glyph.high.x) / 2 >= second;
        if (in_second)
            first_of_it = std::min(first_of_it, glyph.low.x);
        else
            left_of_it = std::max(left_of_it, glyph.high.x);
    }
    EXPECT_GT(first_of_it - left_of_it, 24) << left_of_it << ", " << first_of_it;
}

TEST_F(InterfaceTest, TheHelpFitsIntoEveryWindowThatIsLargeEnough) {
    for (const gl::PixelSize size : {gl::PixelSize{1280, 720}, {1600, 1000}, {2560, 1440}}) {
        window_ = size;
        frame();
        press(GLFW_KEY_F1);
        frame();
        const ImGuiWindow* const help = ImGui::FindWindowByName("help");
        ASSERT_NE(help, nullptr);
        EXPECT_EQ(help->ScrollMax.y, 0) << size.width << " x " << size.height;
        press(GLFW_KEY_F1);
    }
}

TEST_F(InterfaceTest, TheHelpIsGroupedAndFiltered) {
    window_ = {1600, 1000};
    frame();
    press(GLFW_KEY_F1);
    EXPECT_NE(drawn::all_text().find("A/Blens"), std::string::npos) << drawn::all_text();
    const bool paused = machine_.settings.run.paused;
    type("swap a");
    press(GLFW_KEY_SPACE);
    frame();
    EXPECT_NE(drawn::all_text().find("lens:swapAandB"), std::string::npos);
    EXPECT_EQ(drawn::all_text().find("startorendarecording"), std::string::npos);
    EXPECT_EQ(machine_.settings.run.paused, paused) << "letters and signs filter";
    for (int i = 0; i < 6; ++i) press(GLFW_KEY_BACKSPACE);
    type("no such key");
    EXPECT_NE(drawn::all_text().find("Nothingmatches."), std::string::npos);
}

TEST_F(InterfaceTest, TheHelpOpensAndCloses) {
    frame();
    const int before = ImGui::GetDrawData()->TotalVtxCount;
    press(GLFW_KEY_F1);
    EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, before + 400);
    EXPECT_NE(drawn::all_text().find("Tabnextcontrol;withShifttheonebefore"), std::string::npos)
        << drawn::all_text();
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, before + 400);
}

}  // namespace
}  // namespace warpsieve
