// How Dear ImGui's frames are drawn.
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

TEST_F(InterfaceDrawing, ClippingBetweenPixelsKeepsTheFirstRow) {
    context_->begin_interface_frame();
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.PushClipRect({20, 40}, {60.5F, 59.5F});
    list.AddRectFilled({20, 40}, {61, 60}, IM_COL32_WHITE);
    list.PopClipRect();
    context_->end_interface_frame();
    const Picture picture = drawn();
    constexpr Colour white{255, 255, 255, 255};
    EXPECT_EQ(picture.at(20, 40), white);
    EXPECT_EQ(picture.at(59, 58), white);
    EXPECT_EQ(picture.at(20, 39), black);
    EXPECT_EQ(picture.at(20, 59), black);
    EXPECT_EQ(picture.at(60, 40), black);
}

TEST_F(InterfaceDrawing, NewFontsAreUploaded) {
    const auto draw_text = [] {
        context_->begin_interface_frame();
        ImGui::GetForegroundDrawList()->AddText({20, 20}, IM_COL32_WHITE, "fonts");
        context_->end_interface_frame();
        return drawn();
    };
    const Picture before = draw_text();
    ImGui::GetIO().Fonts->Clear();
    ImFontConfig larger;
    larger.SizePixels = 26;
    ImGui::GetIO().Fonts->AddFontDefault(&larger);
    const Picture after = draw_text();
    EXPECT_NE(before.pixels, after.pixels);
    ImGui::GetIO().Fonts->Clear();
    ImGui::GetIO().Fonts->AddFontDefault();
    EXPECT_EQ(draw_text().pixels, before.pixels);
}

TEST_F(InterfaceDrawing, SoftwareOpenGlDoesNotFilterTheFonts) {
    for (const bool rebuilt : {false, true}) {
        if (rebuilt) {
            ImGui::GetIO().Fonts->Clear();
            ImGui::GetIO().Fonts->AddFontDefault();
        }
        lay_out(0);
        drawn();
        const auto name = static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(ImGui::GetIO().Fonts->TexID));
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
            GLint value = 0;
            glGetTextureParameteriv(name, filter, &value);
            EXPECT_EQ(value, context_->info().software ? GL_NEAREST : GL_LINEAR);
        }
    }
}

TEST_F(InterfaceDrawing, LeavesNoClippingAndNoBlendingBehind) {
    lay_out(0);
    drawn();
    EXPECT_FALSE(glIsEnabled(GL_SCISSOR_TEST));
    EXPECT_FALSE(glIsEnabled(GL_BLEND));
}

}  // namespace
}  // namespace warpsieve
