// How Dear ImGui's frames are drawn: at once, or a frame later while the next one is laid out.
#include <cstdint>

#include "tests/app/render/render_fixture.hpp"

namespace warpsieve {
namespace {

constexpr Colour black{0, 0, 0, 255};

class InterfaceDrawing : public RenderTest {
  protected:
    /// Rectangles in two windows and in front of them, one of them cut off; `shift` moves them to the right.
    static void lay_out(float shift) {
        context_->begin_interface_frame();
        for (const float left : {20.0F, 200.0F}) {
            ImGui::SetNextWindowPos({left + shift, 40});
            ImGui::SetNextWindowSize({120, 100});
            ImGui::Begin(left < 100 ? "first" : "second", nullptr,
                         ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
            ImDrawList& list = *ImGui::GetWindowDrawList();
            // The window cuts off the right half.
            list.AddRectFilled({left + shift + 60, 60}, {left + shift + 180, 80}, IM_COL32(0, 255, 0, 255));
            ImGui::End();
        }
        ImGui::GetForegroundDrawList()->AddRectFilled({10 + shift, 200}, {50 + shift, 220},
                                                      IM_COL32(255, 0, 0, 128));
        context_->end_interface_frame();
    }
    static Picture drawn() {
        clear();
        context_->draw_interface();
        return read();
    }
    static Picture kept() {
        clear();
        EXPECT_TRUE(context_->draw_kept_interface());
        return read();
    }
};

TEST_F(InterfaceDrawing, PutsEveryListWhereItBelongs) {
    lay_out(0);
    const Picture picture = drawn();
    constexpr Colour green{0, 255, 0, 255};
    for (const int left : {20, 200}) {
        EXPECT_EQ(picture.at(left + 55, 70), black);
        EXPECT_EQ(picture.at(left + 65, 70), green);
        EXPECT_EQ(picture.at(left + 115, 79), green);
        EXPECT_EQ(picture.at(left + 125, 70), black) << "not cut off by its window";
        EXPECT_EQ(picture.at(left + 65, 81), black);
    }
    const Colour& red = picture.at(30, 210);
    EXPECT_NEAR(red.red, 128, 1) << "not blended";
    EXPECT_EQ(red.green, 0);
}

TEST_F(InterfaceDrawing, AKeptFrameIsDrawnWhileTheNextOneIsLaidOut) {
    lay_out(0);
    const Picture first = drawn();
    lay_out(30);
    EXPECT_EQ(kept().pixels, first.pixels) << "drawing keeps";
    context_->keep_interface();
    lay_out(60);
    const Picture second = kept();
    EXPECT_NE(second.pixels, first.pixels);
    lay_out(30);
    EXPECT_EQ(second.pixels, drawn().pixels);
}

TEST_F(InterfaceDrawing, NothingIsKeptThatNamesAnOldFontTexture) {
    lay_out(0);
    context_->keep_interface();
    ImGui::GetIO().Fonts->Clear();
    ImGui::GetIO().Fonts->AddFontDefault();
    lay_out(30);
    EXPECT_FALSE(context_->draw_kept_interface());
}

TEST_F(InterfaceDrawing, APictureIsNotKept) {
    lay_out(0);
    context_->draw_interface_into(context_->framebuffer());
    EXPECT_FALSE(context_->draw_kept_interface());
}

TEST_F(InterfaceDrawing, LeavesNoClippingAndNoBlendingBehind) {
    lay_out(0);
    drawn();
    EXPECT_FALSE(glIsEnabled(GL_SCISSOR_TEST));
    EXPECT_FALSE(glIsEnabled(GL_BLEND));
}

}  // namespace
}  // namespace warpsieve
