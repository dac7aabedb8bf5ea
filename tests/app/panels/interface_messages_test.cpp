// What the window reports: messages, the status line, badges and the card of a change.
#include <imgui_internal.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/diagnostics/change_watch.hpp"
#include "app/diagnostics/quality_flags.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(InterfaceTest, MessagesAreDismissedAndAFailureStays) {
    machine_.snapshot.messages.push_back(
        {Severity::warning, "Something was not as it should be. Do this next.", 0});
    machine_.snapshot.messages.push_back({Severity::error, "Nothing could be written.", 0});
    machine_.snapshot.checks.a.wrong = 1;
    machine_.snapshot.checks.a.first_failure = "sequence_wise, frame 7: kept 3 items, the reference keeps 4";
    frame();
    frame();
    EXPECT_EQ(click(point_of("dismiss message 2")).dismiss_message, std::optional<std::size_t>{1});
    EXPECT_GT(point_of("dismiss message 2").y, point_of("dismiss message 1").y) << "newer messages lie lower";
}

TEST_F(InterfaceTest, MessagesCoverNothing) {
    for (const char* tab : {"particles", "slot_map", "lens", "timeline", "labs"}) {
        SCOPED_TRACE(tab);
        machine_.settings.window.tab = tab;
        machine_.snapshot.messages.clear();
        frame();
        for (int i = 0; i < 5; ++i)
            machine_.snapshot.messages.push_back(
                {Severity::error, "Error number " + std::to_string(i) + ".", 0});
        frame();
        frame();
        const ImGuiWindow* messages = ImGui::FindWindowByName("messages");
        ASSERT_TRUE(messages && messages->Active);
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (window == messages || !window->Active || window->ParentWindow || window->Size.x <= 1)
                continue;
            if (window->Flags & ImGuiWindowFlags_Tooltip ||
                std::string_view(window->Name) == "Debug##Default")
                continue;
            ImRect other = window->Rect();
            other.Expand(-1);
            EXPECT_FALSE(messages->Rect().Overlaps(other)) << window->Name;
        }
    }
}

TEST_F(InterfaceTest, WhatPassesIsInTheStatusLine) {
    machine_.snapshot.messages.push_back({Severity::info, "Saved a picture.", 0});
    frame();
    frame();
    EXPECT_TRUE(has_control("notice"));
    EXPECT_FALSE(has_control("dismiss message 1"));
    EXPECT_GT(point_of("notice").y, static_cast<float>(window_.height) - 30);
}

TEST_F(InterfaceTest, EveryBadgeIsShownInANarrowWindow) {
    const std::vector<QualityFlag> badges{{"throttled", Quality::bad, "Hot.", "Cool."},
                                          {"noisy", Quality::caution, "Noise.", "Wait."},
                                          {"steady clock", Quality::good, "Good.", ""}};
    machine_.snapshot.quality.flags = badges;
    for (const gl::PixelSize size : {gl::PixelSize{1024, 640}, gl::PixelSize{1280, 720}}) {
        window_ = size;
        frame();
        frame();
        for (const QualityFlag& badge : badges)
            EXPECT_TRUE(has_control("badge: " + badge.name)) << size.width;
    }
    fake::compare(machine_);
    window_ = {1024, 640};
    frame();
    frame();
    for (const QualityFlag& badge : badges) EXPECT_TRUE(has_control("badge: " + badge.name)) << "in the lens";
}

TEST_F(InterfaceTest, WhatOnlyPassesIsLeftOutOfAPicture) {
    machine_.snapshot.messages.push_back({Severity::warning, "Something was not as it should be.", 0});
    machine_.snapshot.messages.push_back({Severity::info, "A picture was saved.", 0});
    machine_.snapshot.display.for_picture = true;
    frame();
    frame();
    EXPECT_TRUE(has_control("dismiss message 1"));
    EXPECT_FALSE(has_control("notice"));
}

TEST_F(InterfaceTest, BadgesAndTheCardOfAChangeAreShown) {
    const std::vector<QualityFlag> badges{{"warming up", Quality::caution, "Few frames.", "Wait."}};
    machine_.snapshot.quality.flags = badges;
    const ChangeCard card{
        {"vector width: quad → scalar"}, {}, {{"total", "10.0 µs", "15.0 µs", "1.5 × longer"}}};
    machine_.snapshot.quality.change = &card;
    window_ = {1600, 900};
    frame();
    frame();
    point_of("badge: warming up");
    EXPECT_FALSE(has_control("change card, figures"));
    EXPECT_NE(drawn::all_text().find("10.0µs→15.0µs,1.5×longer"), std::string::npos) << drawn::all_text();
    // Where not all of it fits, it names the cause.
    window_ = {1280, 720};
    frame();
    frame();
    EXPECT_NE(drawn::all_text().find("vectorwidth:"), std::string::npos) << drawn::all_text();
    EXPECT_NE(drawn::all_text().find("1.5×longer"), std::string::npos);
    window_ = {1024, 640};
    frame();
    frame();
    EXPECT_NE(drawn::all_text().find("1.5×longer"), std::string::npos) << drawn::all_text();
    EXPECT_NE(drawn::all_text().find("Slotmap"), std::string::npos) << "the tabs keep their names";
    window_ = {1600, 900};
    frame();
    frame();
    ImGui::GetIO().MousePos = point_of("change card");
    frame();
    EXPECT_TRUE(has_control("change card, figures")) << "it opens under the mouse";
    EXPECT_TRUE(click(point_of("change card")).dismiss_change);
}

TEST_F(InterfaceTest, TheStripNamesAChangeWhereverItShowsItsEffect) {
    static const ChangeCard card{{"algorithm: Sequence-wise, vectorised → Single pass"},
                                 {},
                                 {{"total", "10.0 µs", "5.8 µs", "1.73 × shorter"}}};
    machine_.snapshot.quality.change = &card;
    for (const float scale : {1.0F, 1.5F, 2.0F}) {
        interface_.reset();
        interface_.emplace(scale, Theme::dark);
        for (int width = 1024; width <= 1920; width += 32) {
            window_ = {width, width * 9 / 16};
            frame();
            frame();
            if (!has_control("change card")) continue;
            const auto [low, high] = corners("change card");
            const std::string text = drawn::text_within(low, high);
            EXPECT_EQ(text.find("algorithm"), 0U) << width << " at " << scale << ": " << text;
        }
    }
}

TEST_F(InterfaceTest, AChangeWithoutADifferenceNamesItsCause) {
    static const ChangeCard card{
        {"vector width: quad → scalar"}, {}, {{"total", "10.0 µs", "10.1 µs", no_difference}}};
    machine_.snapshot.quality.change = &card;
    frame();
    frame();
    EXPECT_NE(drawn::all_text().find("vectorwidth:"), std::string::npos) << drawn::all_text();
    EXPECT_NE(drawn::all_text().find("nodifference"), std::string::npos);
}

TEST_F(InterfaceTest, TheStatusLineHasTheFramesOfNow) {
    // After a change of the view, most frames of the statistics are those of the view before.
    machine_.figures->frame_us.median = 33'000;
    machine_.snapshot.timings.frame.frame_us = 11'800;
    frame();
    const std::string text = drawn::text_within({0, static_cast<float>(window_.height) - 30},
                                                {static_cast<float>(window_.width), 1e6F});
    EXPECT_NE(text.find("11.8ms84.7fps"), std::string::npos) << text;
}

}  // namespace
}  // namespace warpsieve
