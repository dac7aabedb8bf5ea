// The plot of phases, drawn without a window: its data, the frame under the mouse, and the number of
// vertices.
#include "app/plots/stacked_phases.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/plots/bands.hpp"
#include "tests/app/panels/drawn_text.hpp"

namespace {

using namespace warpsieve;
using compaction::PhaseRole;

class StackedPhasesTest : public testing::Test {
  protected:
    StackedPhasesTest() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {1600, 700};
        io.IniFilename = nullptr;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the renderer sets
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        ImFont* const font = io.Fonts->Fonts[0];
        style_ = {plots::palette_of(plots::PaletteId::dark), {font, font, font, font}, 1, false};
        for (compaction::Algorithm& algorithm : algorithms_) {
            algorithm.phases.assign(compaction::max_phases, {PhaseRole::count, "phase", ""});
            algorithm.phases.back().role = PhaseRole::fused;
        }
    }
    ~StackedPhasesTest() override { ImGui::DestroyContext(); }

    /// A timeline of `frames` frames of two algorithms in turn, some of them late.
    void fill(std::size_t frames) {
        for (std::size_t i = 0; i < frames; ++i) {
            experiments::FrameSample sample;
            sample.frame = i;
            sample.algorithm = &algorithms_[i / 500 % 2];
            sample.num_phases = compaction::max_phases;
            const float wobble =
                1 + 0.1F * std::sin(static_cast<float>(i) * 0.7F) + (i % 173 == 0 ? 3.0F : 0.0F);
            for (float& us : sample.phase_us) us = 2 * wobble;
            sample.between_us = wobble;
            sample.total_us = static_cast<float>(2 * compaction::max_phases + 1) * wobble;
            sample.interop_us = 9 * wobble;
            timeline_.push(sample);
        }
    }
    void draw(const plots::PhaseSeries& series, ImVec2 size = {1600, 700}) {
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({1600, 700});
        ImGui::Begin("plot", nullptr, ImGuiWindowFlags_NoDecoration);
        plot_.draw(*ImGui::GetWindowDrawList(), {0, 0}, size, series, style_, 1.0 / 60);
        ImGui::End();
        ImGui::Render();
    }
    plots::PhaseSeries series(std::size_t frames) const {
        return {.timeline = timeline_,
                .algorithm = algorithms_[0],
                .window = {.end = timeline_.end(), .frames = frames},
                .logarithmic = false,
                .pinned = {},
                .held = false};
    }

    std::vector<compaction::Algorithm> algorithms_{2};
    experiments::Timeline timeline_;
    plots::Style style_;
    plots::StackedPhases plot_;
};

TEST_F(StackedPhasesTest, TellsTheFrameUnderTheMouse) {
    fill(3'000);
    for (int i = 0; i < 3; ++i) draw(series(100));  // until the names at the edge have taken their room
    ASSERT_TRUE(plot_.plot_frame());
    const plots::PlotFrame place = *plot_.plot_frame();
    for (const std::uint64_t back : {0U, 1U, 50U, 99U}) {
        ImGui::GetIO().MousePos = {place.high.x - (static_cast<float>(back) + 0.5F) * place.column_width,
                                   (place.low.y + place.high.y) / 2};
        draw(series(100));
        draw(series(100));
        EXPECT_EQ(plot_.hovered(), timeline_.end() - 1 - back);
    }
    plots::PhaseSeries earlier = series(100);
    earlier.window.end = 1'000;
    draw(earlier);
    EXPECT_EQ(plot_.hovered(), 900U);
    ImGui::GetIO().MousePos = {place.high.x + 3, place.low.y + 10};
    draw(series(100));
    EXPECT_FALSE(plot_.hovered());
}

TEST_F(StackedPhasesTest, LabelsKeepApartInANarrowPlot) {
    fill(3'000);
    drawn::GlyphFinder finder;
    for (float width = 90; width < 420; width += 7) {
        for (const std::size_t frames : {100U, 450U, 3'000U}) {
            SCOPED_TRACE(testing::Message() << width << " pixels, " << frames << " frames");
            for (int i = 0; i < 3; ++i) draw(series(frames), {width, 220});
            for (const drawn::WindowText& window : drawn::texts(finder))
                EXPECT_EQ(drawn::overlapping_text(window), "");
        }
    }
}

TEST_F(StackedPhasesTest, ALateFrameDoesNotSetTheAxis) {
    algorithms_[0].phases.resize(2);
    for (std::size_t i = 0; i < 100; ++i) {
        experiments::FrameSample sample;
        sample.frame = i;
        sample.algorithm = &algorithms_[0];
        sample.num_phases = 2;
        sample.total_us = i == 0 ? 10'000.0F : 25.0F;
        sample.phase_us = {0.4F * sample.total_us, 0.5F * sample.total_us};
        sample.between_us = 0.1F * sample.total_us;
        timeline_.push(sample);
    }
    draw(series(100));
    EXPECT_EQ(plot_.highest_us(), 10'000);
    EXPECT_EQ(plot_.left_out_text(), "1 frame above 40.0 µs");
}

TEST_F(StackedPhasesTest, TheAxisFitsThePresentSettings) {
    const auto push = [this](float total_us, std::uint32_t epoch) {
        experiments::FrameSample sample;
        sample.algorithm = &algorithms_[0];
        sample.total_us = total_us;
        sample.config_epoch = epoch;
        timeline_.push(sample);
    };
    for (int i = 0; i < 95; ++i) push(1'000, 0);
    for (int i = 0; i < 5; ++i) push(10, 1);
    draw(series(100));
    EXPECT_EQ(plot_.left_out_text(), "95 frames above 12.0 µs") << "shorter streams are seen at once";
    for (int i = 0; i < 3; ++i) push(30'000, 2);
    draw(series(100));
    EXPECT_EQ(plot_.left_out_text(), "") << "longer streams too, from their first frame";
    plots::PhaseSeries earlier = series(90);
    earlier.window.end = 99;
    draw(earlier);
    EXPECT_NE(plot_.left_out_text(), "") << "scrolled back, the newest visible frame counts";
    earlier.fits_all = true;
    for (int i = 0; i < 300; ++i) draw(earlier);
    EXPECT_EQ(plot_.left_out_text(), "");
}

TEST_F(StackedPhasesTest, AFrameWithoutPhasesIsAGapInTheStack) {
    fill(100);
    experiments::FrameSample untimed;
    untimed.frame = 100;
    untimed.algorithm = &algorithms_[0];
    untimed.total_us = 13;
    timeline_.push(untimed);
    draw(series(101));
    ASSERT_EQ(plot_.columns().columns.size(), 101U);
    for (std::size_t i = 0; i < 100; ++i) {
        const plots::Column& column = plot_.columns().columns[i];
        EXPECT_NEAR(column.stack_us(), column.total_us, 1e-4F);
    }
    EXPECT_FALSE(plot_.columns().columns[100].stacked);
    EXPECT_FLOAT_EQ(plot_.columns().columns[100].total_us, 13);
}

TEST_F(StackedPhasesTest, TheRightEndIsNotCalledNowWhereTheHistoryIsHeld) {
    fill(100);
    const auto drawn = [this](bool held) {
        plots::PhaseSeries all = series(100);
        all.held = held;
        for (int i = 0; i < 3; ++i) draw(all);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    const int now = drawn(false);
    EXPECT_EQ(drawn(true), now + 4) << "\"held\" has one letter more than \"now\"";
}

TEST_F(StackedPhasesTest, ALineOfTheRunningBHasNoSummaryWhereItHasNoFrames) {
    fill(50);
    const std::vector<float> total_us(50, 10.0F);
    plots::TotalsLine b{.name = "total of B",
                        .total_us = total_us,
                        .us = {.median = 10, .q1 = 9, .q3 = 11, .min = 8, .max = 12, .n = 50}};
    // Whether something in B's colour is drawn in the left half, where the plot has no frames yet.
    const auto left_of_the_frames = [&](bool with_quartiles) {
        plots::PhaseSeries all = series(600);
        b.with_quartiles = with_quartiles;
        all.compared = b;
        for (int i = 0; i < 3; ++i) draw(all);
        const ImDrawList& list = *ImGui::GetDrawData()->CmdLists[0];
        const float middle = (plot_.plot_frame()->low.x + plot_.plot_frame()->high.x) / 2;
        return std::ranges::any_of(list.VtxBuffer, [&](const ImDrawVert& vertex) {
            return vertex.col == style_.palette.compared && vertex.pos.x < middle;
        });
    };
    EXPECT_TRUE(left_of_the_frames(true)) << "a saved run has its median across the plot";
    EXPECT_FALSE(left_of_the_frames(false));
}

TEST_F(StackedPhasesTest, AnAxisForAllFramesFitsALateOneAtOnce) {
    algorithms_[0].phases.resize(1);
    const auto push = [this](float total_us) {
        experiments::FrameSample sample;
        sample.algorithm = &algorithms_[0];
        sample.num_phases = 1;
        sample.total_us = sample.phase_us[0] = total_us;
        timeline_.push(sample);
    };
    for (int i = 0; i < 600; ++i) push(10);
    plots::PhaseSeries all = series(600);
    all.fits_all = true;
    for (int i = 0; i < 3; ++i) draw(all);
    push(95);
    ++all.window.end;
    draw(all);
    EXPECT_EQ(plot_.left_out_text(), "");
    EXPECT_EQ(plot_.highest_us(), 95);
    for (int i = 0; i < 120; ++i) draw(all);
    push(10);
    ++all.window.end;
    draw(all);
    EXPECT_NE(drawn::all_text().find("100"), std::string::npos) << "the axis does not end above 95";
}

TEST_F(StackedPhasesTest, NamesFollowTheirBands) {
    algorithms_[0].phases.resize(2);
    const auto push = [this](float first_us, float second_us) {
        experiments::FrameSample sample;
        sample.algorithm = &algorithms_[0];
        sample.num_phases = 2;
        sample.phase_us = {first_us, second_us};
        sample.total_us = first_us + second_us;
        timeline_.push(sample);
    };
    const auto draw_newest = [this] {
        plots::PhaseSeries newest = series(600);
        newest.fits_all = true;
        draw(newest);
    };
    for (int i = 0; i < 600; ++i) push(10, 90);
    draw_newest();
    const float before = plot_.names().back().low.y;
    // This many new frames make the plot recompute its cached times.
    for (int i = 0; i < 200; ++i) {
        push(90, 10);
        draw_newest();
    }
    const float half = 0.5F * (plot_.plot_frame()->high.y - plot_.plot_frame()->low.y);
    EXPECT_LT(plot_.names().back().low.y, before - 0.5F * half);
}

TEST_F(StackedPhasesTest, HasFewVerticesForEachColumnAndBand) {
    // Phases with the role `fused` would add the strokes of their hatching.
    for (compaction::Phase& phase : algorithms_[0].phases) phase.role = PhaseRole::count;
    for (std::size_t i = 0; i < 400; ++i) {
        experiments::FrameSample sample;
        sample.algorithm = &algorithms_[0];
        sample.num_phases = compaction::max_phases;
        sample.phase_us.fill(2 + std::sin(static_cast<float>(i)));
        sample.total_us = static_cast<float>(compaction::max_phases) * sample.phase_us[0];
        timeline_.push(sample);
    }
    draw(series(400));
    const std::size_t columns = plot_.columns().columns.size();
    ASSERT_EQ(columns, 400U);
    constexpr std::size_t of_lines = 4;
    constexpr std::size_t axes_and_names = 1'500;
    EXPECT_LT(static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount),
              columns * (3 * compaction::max_phases + of_lines) + axes_and_names);
}

TEST_F(StackedPhasesTest, DrawsAtMostOneColumnPerPixel) {
    fill(6'000);
    const std::vector<float> total_us(6'000, 10.0F);
    const plots::TotalsLine ghost{.name = "ghost",
                                  .total_us = total_us,
                                  .us = {.median = 10, .q1 = 9, .q3 = 11, .min = 8, .max = 12, .n = 6'000},
                                  .with_quartiles = true};
    for (const bool plain : {false, true}) {
        for (const bool logarithmic : {false, true}) {
            style_.plain = plain;
            plots::PhaseSeries all = series(6'000);
            all.logarithmic = logarithmic;
            all.compared = ghost;
            draw(all);
            EXPECT_LE(plot_.columns().columns.size(), 1'600U) << plain << logarithmic;
            EXPECT_GT(plot_.columns().columns.size(), 600U) << plain << logarithmic;
        }
    }
}

}  // namespace
