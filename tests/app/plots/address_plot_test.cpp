// The plot of time by address: no mark is lost, times and pixels convert, and texts say what is under the
// mouse.
#include "app/plots/address_plot.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "app/panels/fonts.hpp"
#include "app/trace/playhead.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/plots/fake_replay.hpp"

namespace {

using namespace warpsieve;
using plots::MarkLook;
using plots::MergedMarks;

bool covers(const MergedMarks& marks, std::size_t row, double x, double y) {
    return marks.row == row && marks.left <= x && x < marks.right && marks.top <= y && y < marks.bottom;
}

/// Whether a rectangle covers the middle of the mark.
bool is_covered(const std::vector<MergedMarks>& merged, const trace::MemoryReplay& replay,
                const trace::ReplayMark& mark, std::uint32_t columns, std::uint32_t height) {
    const double x = (mark.begin + mark.end) / 2 / replay.duration() * columns;
    const double y = static_cast<double>(mark.low + mark.high) / 2 * height;
    return std::ranges::any_of(merged,
                               [&](const MergedMarks& marks) { return covers(marks, mark.row, x, y); });
}

std::shared_ptr<fake::Replay> random_replay(bool in_steps, unsigned num_marks, double duration) {
    auto replay = std::make_shared<fake::Replay>(in_steps, duration);
    replay->add_phase({"count", compaction::PhaseRole::count, 0, duration / 2, false, {}, {}});
    replay->add_phase({"move", compaction::PhaseRole::scatter, duration / 2, duration, false, {}, {}});
    replay->add_buffer({compaction::BufferRole::counts, "counts", 100, true, false});
    std::mt19937 random(num_marks);
    std::uniform_real_distribution<double> share(0, 1);
    for (unsigned i = 0; i < num_marks; ++i) {
        const double begin = std::floor(share(random) * (duration - 1));
        const auto low = static_cast<float>(share(random) * 0.99);
        replay->add_mark({begin, begin + 1, static_cast<std::uint32_t>(random() % 3), low, low + 0.003F,
                          static_cast<std::uint8_t>(random() % 2), random() % 2 == 0});
    }
    return replay;
}

TEST(MergedMarks, CoverEveryMark) {
    for (const unsigned num_marks : {1U, 400U, 30'000U}) {
        for (const bool in_steps : {true, false}) {
            const auto replay = random_replay(in_steps, num_marks, 700);
            for (const std::uint32_t columns : {1U, 97U, 900U}) {
                for (const std::uint32_t height : {1U, 7U, 30U}) {
                    const auto merged = plots::merge_marks(*replay, columns, height, 2);
                    EXPECT_LE(merged.size(), plots::max_merged_marks);
                    for (std::size_t i = 0; i < replay->marks().size(); i += 1 + num_marks / 400)
                        ASSERT_TRUE(is_covered(merged, *replay, replay->marks()[i], columns, height))
                            << i << ", " << columns << " x " << height;
                    for (const MergedMarks& each : merged) {
                        EXPECT_LT(each.left, each.right);
                        EXPECT_LT(each.top, each.bottom);
                        EXPECT_LE(each.right, columns);
                        EXPECT_LE(each.bottom, height);
                    }
                }
            }
        }
    }
}

TEST(MergedMarks, DoNotOverlap) {
    const auto merged = plots::merge_marks(*random_replay(true, 2'000, 300), 300, 20, 2);
    std::vector<int> seen(3 * 300 * 20);
    for (const MergedMarks& each : merged) {
        for (int x = each.left; x < each.right; ++x) {
            for (int y = each.top; y < each.bottom; ++y)
                EXPECT_EQ(seen[static_cast<std::size_t>((each.row * 20 + y) * 300 + x)]++, 0);
        }
    }
}

TEST(MergedMarks, ShowStoresBeforeLoads) {
    fake::Replay replay(true, 10);
    replay.add_mark({2, 3, 0, 0, 0.5F, 0, true});
    replay.add_mark({2, 3, 0, 0, 0.5F, 1, false});
    const auto merged = plots::merge_marks(replay, 10, 10, 1);
    ASSERT_EQ(merged.size(), 1U);
    EXPECT_EQ(merged[0].look, MarkLook::stores);
    EXPECT_EQ(merged[0].left, 2);
    EXPECT_EQ(merged[0].right, 3);
    EXPECT_EQ(merged[0].top, 0);
    EXPECT_EQ(merged[0].bottom, 5);
}

TEST(MergedMarks, OfSpansAreSolidOnlyAtTheirEnds) {
    fake::Replay replay(false, 10);
    replay.add_mark({2, 8, 0, 0, 1, 0, false});
    const auto merged = plots::merge_marks(replay, 10, 4, 1);
    ASSERT_EQ(merged.size(), 3U);
    EXPECT_EQ(merged[0].look, MarkLook::loads);
    EXPECT_EQ(merged[1].look, MarkLook::spread_loads);
    EXPECT_EQ(merged[2].look, MarkLook::loads);
    EXPECT_EQ(merged[1].left, 3);
    EXPECT_EQ(merged[1].right, 7);
}

TEST(MergedMarks, OfARectangleAreOne) {
    fake::Replay replay(true, 10);
    for (int i = 0; i < 10; ++i)
        replay.add_mark({i % 2 + 4.0, i % 2 + 5.0, 0, static_cast<float>(i) / 10,
                         static_cast<float>(i + 1) / 10, 0, true});
    EXPECT_LE(plots::merge_marks(replay, 10, 20, 1).size(), 10U);
    for (int i = 0; i < 10; ++i)
        replay.add_mark({5.0 - i % 2, 6.0 - i % 2, 0, static_cast<float>(i) / 10,
                         static_cast<float>(i + 1) / 10, 0, true});
    EXPECT_EQ(plots::merge_marks(replay, 10, 20, 1).size(), 1U);
}

/// Draw lists need fonts, and fonts need an ImGui context, but no window.
class AddressPlot : public testing::Test {
  protected:
    AddressPlot() {
        ImGui::CreateContext();
        style_.fonts = panels::build_fonts(1);
        style_.palette = plots::palette_of(plots::PaletteId::dark);
        unsigned char* pixels = nullptr;
        int width = 0;
        int height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        ImGui::GetIO().DisplaySize = {1200, 700};
        ImGui::NewFrame();
    }
    ~AddressPlot() override {
        ImGui::EndFrame();
        ImGui::DestroyContext();
    }
    /// Draws the plot alone. Expects every vertex to be finite and within the rectangle.
    void draw(const std::shared_ptr<const trace::MemoryReplay>& replay, std::optional<double> playhead,
              ImVec2 size = {900, 220}, const plots::ComparedPlot& compared = {}) {
        ImDrawList& list = *ImGui::GetForegroundDrawList();
        list._ResetForNewFrame();
        list.PushClipRectFullScreen();
        list.PushTextureID(ImGui::GetIO().Fonts->TexID);
        plot_.draw(list, {20, 30}, {20 + size.x, 30 + size.y}, replay, playhead, style_, compared);
        for (const ImDrawVert& vertex : list.VtxBuffer) {
            ASSERT_TRUE(std::isfinite(vertex.pos.x) && std::isfinite(vertex.pos.y));
        }
        drawn::GlyphFinder finder;
        text_.clear();
        drawn::WindowText all{.name = "plot", .glyphs = drawn::glyphs_of(list, finder)};
        text_ = all.text();
        overlap_ = drawn::overlapping_text(all);
    }

    /// The colour that was drawn last at a point.
    static ImU32 colour_at(ImVec2 point) {
        const ImDrawList& list = *ImGui::GetForegroundDrawList();
        ImU32 colour = 0;
        for (int i = 0; i + 2 < list.IdxBuffer.Size; i += 3) {
            const auto vertex = [&](int corner) { return list.VtxBuffer[list.IdxBuffer[i + corner]]; };
            const auto side = [&](int from, int to) {
                const ImVec2 a = vertex(from).pos, b = vertex(to).pos;
                return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
            };
            const float first = side(0, 1), second = side(1, 2), third = side(2, 0);
            if ((first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0))
                colour = vertex(0).col;
        }
        return colour;
    }

    plots::AddressPlot plot_;
    plots::Style style_;
    std::string text_;
    std::string overlap_;
};

TEST_F(AddressPlot, ConvertsTimesToPixelsAndBack) {
    const auto replay = fake::three_phases();
    draw(replay, 60);
    for (double time = 0; time <= 141; time += 0.5) EXPECT_NEAR(plot_.time_at(plot_.x_of(time)), time, 0.01);
    EXPECT_EQ(plot_.time_at(-1'000), 0);
    EXPECT_EQ(plot_.time_at(10'000), 141);
}

TEST_F(AddressPlot, NamesPhasesRowsAndPlayhead) {
    draw(fake::three_phases(), 120);
    for (const char* text : {"count", "prefix", "move", "input", "countsofseq", "offsetsofs", "output",
                             "step120of141", "steps(simulatedschedule,seed7)"})
        EXPECT_NE(text_.find(text), std::string::npos) << text << " in " << text_;
    EXPECT_EQ(overlap_, "");
    draw(fake::three_phases(), std::nullopt);
    EXPECT_EQ(text_.find("step120"), std::string::npos);
}

TEST_F(AddressPlot, NamesNarrowPhasesOnceAndWithoutOverlaps) {
    auto replay = std::make_shared<fake::Replay>(false, 42.1);
    replay->add_phase({"count", compaction::PhaseRole::count, 0, 20, false, {}, {}});
    replay->add_phase({"prefix", compaction::PhaseRole::prefix, 20, 20.4, false, {}, {}});
    replay->add_phase({"move", compaction::PhaseRole::scatter, 20.4, 42.1, false, {}, {}});
    for (double playhead = 0; playhead <= 42.1; playhead += 0.7) {
        draw(replay, playhead);
        EXPECT_EQ(overlap_, "") << playhead;
    }
    draw(replay, 12.4);
    EXPECT_NE(text_.find("prefix"), std::string::npos) << text_;
    EXPECT_NE(text_.find("12.4µsof42.1µs"), std::string::npos) << text_;
}

TEST_F(AddressPlot, BlocksThatAreRunningStandOutUpToTheirEnd) {
    auto replay = std::make_shared<fake::Replay>(false, 100);
    replay->add_phase({"count", compaction::PhaseRole::count, 0, 100, false, {}, {}});
    replay->add_mark({5, 40, 0, 0, 0.25F, 0, false});
    replay->add_mark({5, 90, 0, 0.25F, 0.5F, 0, false});
    replay->add_mark({60, 90, 0, 0.5F, 1, 0, false});
    draw(replay, 50);
    const auto find_y = [&](const trace::ReplayMark& mark) {
        float y = 30;
        while (y < 250 && plot_.text_at({plot_.x_of(75), y}) != plots::text_of(*replay, mark)) ++y;
        return y + 4;
    };
    const float running = find_y(replay->marks()[1]), later = find_y(replay->marks()[2]);
    ASSERT_LT(later, 250);
    const ImU32 lit = colour_at({plot_.x_of(30), running}), rest = colour_at({plot_.x_of(75), running}),
                dim = colour_at({plot_.x_of(75), later});
    EXPECT_NE(rest, lit);
    EXPECT_NE(rest, dim);
    EXPECT_NE(rest, colour_at({plot_.x_of(95), running})) << "it ends";
}

TEST_F(AddressPlot, ComparedPlotsHaveTheSameScaleOfTime) {
    draw(fake::three_phases(), 120, {900, 220}, {"Sequence-wise", 282});
    const float left = plot_.x_of(0), end = plot_.x_of(141);
    EXPECT_NE(text_.find("Sequence-wise"), std::string::npos) << text_;
    EXPECT_EQ(overlap_, "");
    EXPECT_EQ(plot_.text_at({end + 5, 120}), "") << "it has ended";
    EXPECT_NE(text_.find("step120of282"), std::string::npos) << "of the axis of all plots: " << text_;
    draw(fake::three_phases(), 120, {900, 220}, {"Sequence-wise", 282, false});
    EXPECT_EQ(text_.find("step120of"), std::string::npos) << "the axis is below the last plot";
    draw(std::make_shared<fake::Replay>(true, 282), 120, {900, 220}, {"Single pass", 282});
    EXPECT_EQ(plot_.x_of(0), left);
    EXPECT_EQ(plot_.x_of(141), end);
}

TEST_F(AddressPlot, DrawsInAnySize) {
    for (const float width : {0.0F, 1.0F, 50.0F, 300.0F}) {
        for (const float height : {0.0F, 1.0F, 20.0F, 60.0F, 120.0F}) {
            draw(fake::three_phases(), 50, {width, height});
            draw(nullptr, 50, {width, height});
            EXPECT_EQ(plot_.text_at({width / 2, height / 2}), "");
        }
    }
    draw(std::make_shared<fake::Replay>(true, 0), 0);
}

TEST_F(AddressPlot, SaysWhatIsUnderThePointer) {
    const auto replay = fake::three_phases();
    const auto& marks = replay->marks();
    EXPECT_EQ(plots::text_of(*replay, marks[0]),
              "phase count, launch count_sequences: loads slots 0 to 31 at step 5");
    EXPECT_EQ(plots::text_of(*replay, marks[1]),
              "phase prefix, launch scan_in_one_block: stores offsets of sequences 3 to 6 at step 60");
    EXPECT_EQ(plots::text_of(*replay, marks[2]),
              "phase move, launch move_sequences: stores output item 0 at steps 100 to 102");
    draw(replay, 0);
    // Every mark is found somewhere in its column.
    for (const auto& mark : marks) {
        const float x = plot_.x_of((mark.begin + mark.end) / 2);
        bool found = false;
        for (float y = 30; y < 250; ++y)
            found = found || plot_.text_at({x, y}) == plots::text_of(*replay, mark);
        EXPECT_TRUE(found) << plots::text_of(*replay, mark);
    }
    std::string gap;
    for (float y = 30; y < 250; ++y) {
        const std::string text = plot_.text_at({plot_.x_of(41), y});
        if (text.find("no phase") != std::string::npos) gap = text;
    }
    EXPECT_NE(gap, "");
    EXPECT_EQ(plot_.text_at({25, 100}), "");
}

TEST_F(AddressPlot, TellsTheLaunchesOfAPhaseApart) {
    auto replay = fake::three_phases();
    replay->add_launch({"scan_in_one_block", 1, 69, 72, 0});
    EXPECT_EQ(plots::text_of(*replay, replay->marks()[1]),
              "phase prefix, launch scan_in_one_block (1 of 2): stores offsets of sequences 3 to 6 at step "
              "60");
}

TEST_F(AddressPlot, SpansSayWhatIsMeasured) {
    auto replay = std::make_shared<fake::Replay>(false, 42.1);
    replay->add_phase({"move", compaction::PhaseRole::scatter, 0, 42.1, false, {}, {}});
    replay->add_mark({1, 12.4, 0, 0, 0.5F, 0, false});
    EXPECT_EQ(plots::text_of(*replay, replay->marks()[0]),
              "phase move: loads slots 0 to 2,047, from 1.00 µs to 12.4 µs; begin and end are measured, the "
              "accesses between them are spread evenly");
}

TEST_F(AddressPlot, DrawsTheAccessesOfTheSimulatedGpu) {
    const auto replay = fake::simulated_replay("simulated_naive_scan", 1U << 12);
    if (!replay) GTEST_SKIP() << "this build has no simulated GPU";
    draw(replay, replay->duration() / 2);
    EXPECT_EQ(overlap_, "");
    const auto merged = plots::merge_marks(*replay, 800, 30, 2);
    EXPECT_LE(merged.size(), plots::max_merged_marks);
    for (std::size_t i = 0; i < replay->marks().size(); i += 997)
        EXPECT_TRUE(is_covered(merged, *replay, replay->marks()[i], 800, 30));
}

TEST(SlowMotionDial, GoesFromRealTimeToAMillionTimesSlower) {
    EXPECT_DOUBLE_EQ(trace::slowdown_at(0), 1);
    EXPECT_NEAR(trace::slowdown_at(trace::last_dial_position), 1e6, 1e-3);
    EXPECT_EQ(trace::playhead_speed(0, false), 0);
    EXPECT_EQ(trace::playhead_speed(0, true), 0);
    EXPECT_NEAR(trace::playhead_speed(trace::last_dial_position, false), 1, 1e-9);
    EXPECT_NEAR(trace::playhead_speed(75, true), 22.5, 0.1);
    for (int position = 0; position <= trace::last_dial_position; ++position) {
        EXPECT_EQ(trace::dial_position_of_slowdown(trace::slowdown_at(position)), position);
        EXPECT_EQ(trace::dial_position_of_steps_per_second(trace::steps_per_second_at(position)), position);
    }
    EXPECT_EQ(trace::dial_position_of_slowdown(1e9), trace::last_dial_position);
    EXPECT_EQ(trace::dial_position_of_slowdown(0), 0);
    EXPECT_EQ(trace::dial_position_of_slowdown(std::nan("")), 0);
    EXPECT_EQ(trace::dial_position_of_steps_per_second(0), trace::last_dial_position);
}

TEST(Playhead, RestsAtTheEndAndStartsAgain) {
    trace::Playhead playhead;
    playhead.pass(1, 50, 120);
    EXPECT_EQ(playhead.time, 50);
    playhead.pass(2, 50, 120);
    EXPECT_EQ(playhead.time, 120);
    playhead.pass(0.5, 50, 120);
    EXPECT_EQ(playhead.time, 120);
    playhead.pass(0.6, 50, 120);
    EXPECT_EQ(playhead.time, 0);
    playhead.scrub(70);
    playhead.pass(1, 50, 120);
    EXPECT_EQ(playhead.time, 70);
    playhead.play_or_pause(120);
    playhead.pass(0.1, 50, 120);
    EXPECT_EQ(playhead.time, 75);
    playhead.pass(1, 0, 120);
    EXPECT_EQ(playhead.time, 75);
    playhead.scrub(120);
    playhead.play_or_pause(120);
    EXPECT_EQ(playhead.time, 0);
    playhead.time = 500;
    playhead.pass(0, 50, 120);
    EXPECT_EQ(playhead.time, 120);
}

}  // namespace
