// The inside of one compaction without a window: what it requests, holds, zooms and saves.
#include <utility>

#include "app/panels/views/inside_chart.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/trace/fake_traces.hpp"

namespace warpsieve {
namespace {

class InsideViewTest : public InterfaceTest {
  protected:
    InsideViewTest() {
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        machine_.settings.window.tab = timeline_tab;
        machine_.settings.window.timeline_mode = TimelineMode::inside;
        trace(1'056);
        frame();
        frame();
    }
    /// A new trace of A arrives.
    void trace(std::uint32_t blocks) {
        const compaction::Algorithm& algorithm = *machine_.snapshot.runs.a.algorithm;
        machine_.snapshot.runs.a.traced =
            fake::traced(algorithm, fake::trace_of(algorithm, 132, blocks, 2, 1.1F));
    }
    /// How many of the next frames request a trace.
    int requests_in(int frames) {
        int requests = 0;
        for (int i = 0; i < frames; ++i) requests += frame().trace ? 1 : 0;
        return requests;
    }
    std::size_t spans_saved() {
        const Requests requests = click_for_save();
        if (!requests.save_file) return 0;
        EXPECT_EQ(requests.save_file->extension, ".json");
        std::size_t spans = 0;
        const nlohmann::json document = nlohmann::json::parse(requests.save_file->text);
        for (const nlohmann::json& event : document.at("traceEvents"))
            spans += event.contains("args") && event.at("ph") == "X" ? 1 : 0;
        return spans;
    }
    Requests click_for_save() {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = point_of("save trace");
        frame();
        io.MouseDown[0] = true;
        Requests pressed = frame();
        io.MouseDown[0] = false;
        Requests released = frame();
        return released.save_file ? released : pressed;
    }
    void turn_wheel_inside(float notches, bool ctrl = false) {
        turn_wheel(point_of("inside", 0.3F), notches, ctrl);
    }
};

/// Also where the sentence takes several lines.
TEST_F(InsideViewTest, SaysWhyThereIsNoChart) {
    const auto sentences = [&] {
        frame();
        std::string text = drawn::text_within({0, 0}, {static_cast<float>(window_.width), 1e6F});
        std::erase(text, '\n');
        return text;
    };
    trace(264);
    auto empty = *machine_.snapshot.runs.a.traced;
    empty.spans.clear();
    for (const int width : {window_.width, 800}) {
        window_.width = width;
        machine_.snapshot.runs.a.traced.reset();
        EXPECT_NE(sentences().find("afewframesafterthestart."), std::string::npos) << width;
        empty.spans_left_out = 0;
        machine_.snapshot.runs.a.traced = std::make_shared<warpsieve::trace::TracedRun>(empty);
        EXPECT_NE(sentences().find("belongtoalibraryandnotenotimes."), std::string::npos) << width;
        empty.spans_left_out = 1'048'577;
        machine_.snapshot.runs.a.traced = std::make_shared<warpsieve::trace::TracedRun>(empty);
        const std::string told = sentences();
        EXPECT_NE(told.find("1,048,577blocks,morethancanberecorded."), std::string::npos) << width;
        EXPECT_NE(told.find("morethreadsperblock."), std::string::npos) << width;
    }
}

TEST_F(InsideViewTest, RequestsTracesWhileItIsShownAtAReadableRate) {
    EXPECT_NEAR(requests_in(60), 5, 1) << "five in a second";
    machine_.settings.window.timeline_mode = TimelineMode::frames;
    EXPECT_EQ(requests_in(60), 0);
    machine_.settings.window.timeline_mode = TimelineMode::inside;
    machine_.settings.window.tab = "particles";
    EXPECT_EQ(requests_in(60), 0);
}

TEST_F(InsideViewTest, HoldKeepsTheTraceAndNextTakesOneMore) {
    press(GLFW_KEY_H);
    EXPECT_EQ(requests_in(60), 0);
    trace(100);
    frame();
    EXPECT_EQ(spans_saved(), 2 * 1'056U + 1) << "the held one";
    click(point_of("next"));
    EXPECT_GT(requests_in(3), 0);
    trace(200);
    frame();
    frame();
    EXPECT_EQ(spans_saved(), 401U);
    EXPECT_EQ(requests_in(60), 0) << "held again";
    press(GLFW_KEY_H);
    trace(300);
    frame();
    EXPECT_EQ(spans_saved(), 601U) << "it follows again";
}

TEST_F(InsideViewTest, MSwitchesTheModeOfTimelineAndLens) {
    press(GLFW_KEY_M);
    EXPECT_EQ(machine_.settings.window.timeline_mode, TimelineMode::frames);
    frame();
    EXPECT_TRUE(has_control("history"));
    click(point_of("inside one compaction"));
    EXPECT_EQ(machine_.settings.window.timeline_mode, TimelineMode::inside);
    frame();
    EXPECT_TRUE(has_control("inside"));
    fake::compare(machine_);
    frame();
    EXPECT_EQ(machine_.settings.window.lens_mode, LensMode::inside) << "how the lens opens";
    EXPECT_TRUE(has_control("ratio"));
    EXPECT_FALSE(has_control("particles")) << "both outputs are equal";
    press(GLFW_KEY_M);
    EXPECT_EQ(machine_.settings.window.lens_mode, LensMode::difference);
    press(GLFW_KEY_M);
    EXPECT_EQ(machine_.settings.window.lens_mode, LensMode::inside);
    for (compaction::Algorithm& algorithm : machine_.catalogue) algorithm.stable = false;
    frame();
    machine_.snapshot.runs.b->traced =
        fake::traced(*machine_.snapshot.runs.b->algorithm,
                     fake::trace_of(*machine_.snapshot.runs.b->algorithm, 132, 264, 2, 5));
    frame();
    EXPECT_EQ(spans_saved(), 2 * 1'056U + 1 + 264) << "A and B";
    EXPECT_EQ(interface_->scene_rectangle(window_, machine_.settings).width, 0) << "no particles beneath";
    click(point_of("particles"));
    EXPECT_EQ(machine_.settings.window.lens_mode, LensMode::particles);
}

TEST_F(InsideViewTest, ZoomsAtTheCursorAndChoosesABlockByAClick) {
    EXPECT_EQ(frame().trace.value_or(TraceRequest{}).roles_block, 0U);
    turn_wheel_inside(60);
    turn_wheel_inside(20, true);
    click(point_of("inside", 0.3F));
    std::uint32_t block = 0;
    for (int i = 0; i < 60; ++i)
        if (const Requests requests = frame(); requests.trace) block = requests.trace->roles_block;
    EXPECT_GT(block, 0U);
    drag(point_of("inside", 0.3F), point_of("inside", 0.8F));
    turn_wheel_inside(-80);
    click(point_of("fit"));
    frame();
}

TEST_F(InsideViewTest, ExplanationsOfTheFiguresStandBesideThem) {
    window_ = {1600, 1400};
    const compaction::Algorithm& algorithm = *machine_.snapshot.runs.a.algorithm;
    machine_.snapshot.runs.a.traced = fake::traced(algorithm, fake::trace_of(algorithm, 2, 20, 1, 3));
    for (int i = 0; i < 3; ++i) frame();
    const auto [low, high] = corners("inside: tail");
    EXPECT_LT(high.y - low.y, 60) << "a few workers leave room below";
}

TEST_F(InsideViewTest, SaysWhyASmallWindowShowsNothing) {
    const auto says_so = [&](int height) {
        window_ = {1024, height};
        for (int i = 0; i < 3; ++i) frame();
        return drawn::all_text().find("PressTtohidethetimings") != std::string::npos;
    };
    const auto heights_that_say_so = [&] {
        EXPECT_FALSE(says_so(720));
        int found = 0;
        for (int height = 240; height < 640; height += 10) found += says_so(height) ? 1 : 0;
        return found;
    };
    EXPECT_GT(heights_that_say_so(), 0);
    fake::compare(machine_);
    machine_.settings.window.lens_mode = LensMode::difference;
    EXPECT_GT(heights_that_say_so(), 0);
}

TEST_F(InsideViewTest, ASimulatedGpuHasTicksAndNoTimes) {
    const auto text_of_chart = [this] {
        const ImVec2 low = corners("inside").first, high = corners("inside: tail").second;
        return drawn::text_within({low.x, low.y - 60}, {1e6F, high.y});
    };
    EXPECT_EQ(drawn::all_text().find("simulated"), std::string::npos);
    EXPECT_NE(text_of_chart().find("µs"), std::string::npos);
    EXPECT_NE(drawn::all_text().find("interactive"), std::string::npos);
    fake::simulate(machine_);
    trace::TracedRun simulated = *machine_.snapshot.runs.a.traced;
    simulated.schedule_seed = 7;
    machine_.snapshot.runs.a.traced = std::make_shared<const trace::TracedRun>(simulated);
    frame();
    frame();
    EXPECT_NE(text_of_chart().find("ticksofasimulatedschedule,seed7"), std::string::npos) << text_of_chart();
    EXPECT_EQ(text_of_chart().find("µs"), std::string::npos) << text_of_chart();
    // A block may be resident before the first phase, which begins at 0.
    EXPECT_EQ(panels::inside_duration(*machine_.snapshot.runs.a.traced, -1.5), "-1,500 ticks");
    EXPECT_EQ(drawn::all_text().find("interactive"), std::string::npos);
    machine_.settings.window.timeline_mode = TimelineMode::frames;
    frame();
    frame();
    EXPECT_EQ(drawn::all_text().find("Nototalhasbeentimed"), std::string::npos);
}

/// Where the name of a row does not fit beside it, its number does.
TEST_F(InsideViewTest, LabelsOfRowsAreNotCut) {
    const compaction::Algorithm& algorithm = *machine_.snapshot.runs.a.algorithm;
    for (const std::uint32_t processors : {1U, 4U, 8U, 9U}) {
        machine_.snapshot.runs.a.traced =
            fake::traced(algorithm, fake::trace_of(algorithm, processors, 64, 2, 9.0F));
        for (int i = 0; i < 2; ++i) frame();
        const std::string text = drawn::all_text();
        const std::size_t at = text.find("processor0");
        EXPECT_TRUE(at == std::string::npos || text.substr(at - 5, 5) == "multi") << processors;
    }
}

/// A card lists what each warp of a block appended, or says that the trace has no room for it.
TEST_F(InsideViewTest, TheCardOfABlockTellsWhatItsWarpsAppend) {
    states::inside_appends(machine_);
    ImGui::GetIO().MousePos = {700, 200};
    const auto card_of = [&](const trace::TracedRun& run) {
        machine_.snapshot.runs.a.traced = std::make_shared<const trace::TracedRun>(run);
        for (int i = 0; i < 3; ++i) frame();
        return drawn::all_text();
    };
    trace::TracedRun run = *machine_.snapshot.runs.a.traced;
    EXPECT_NE(card_of(run).find("warp7output"), std::string::npos);
    run.launches.back().appends_left_out = run.launches.back().parts->partition.num_parts;
    EXPECT_NE(card_of(run).find("outputunknown:thetracehasnoroomforit"), std::string::npos);
    EXPECT_EQ(card_of(run).find("warp7output"), std::string::npos);
}

TEST_F(InsideViewTest, ExplainsMarksOnlyWhereTheyAreDrawn) {
    const auto shows = [&](void (*arrange)(fake::Machine&), const char* words) {
        arrange(machine_);
        for (int i = 0; i < 3; ++i) frame();
        return drawn::all_text().find(words) != std::string::npos;
    };
    EXPECT_FALSE(shows(states::inside, "owncountposted"));
    EXPECT_TRUE(shows(states::inside_waits, "owncountposted"));
    EXPECT_FALSE(shows(states::inside_appends, "owncountposted"));
    window_ = {1024, 560};
    EXPECT_FALSE(shows(states::inside_waits, "owncountposted")) << "the bars are too low";
}

/// The marks are those of the trace, so an altered trace alters them.
TEST(InsideContent, FollowsWaits) {
    compaction::Algorithm algorithm;
    algorithm.engine = compaction::EngineId::cuda;
    algorithm.phases = {{compaction::PhaseRole::fused, "select", ""}};
    compaction::RunTrace trace = fake::trace_of(algorithm, 2, 4, 1, 3);
    fake::add_parts(trace, algorithm, 4096);
    fake::add_waits(trace);
    panels::InsideContent content;
    const auto refresh = [&] {
        const auto run = fake::traced(algorithm, trace);
        panels::refresh(content, run, trace::whole_window(*run), 100);
    };
    refresh();
    ASSERT_EQ(content.waits.size(), 4U);
    for (std::uint32_t block = 0; block < 4; ++block) {
        EXPECT_EQ(content.waits[block].block, block);
        EXPECT_EQ(content.waits[block].wait.posted_us, trace.launches[0].waits[block].posted_us);
        EXPECT_EQ(content.waits[block].wait.summed_us, trace.launches[0].waits[block].summed_us);
    }
    trace.launches[0].waits[2].posted_us.reset();
    refresh();
    EXPECT_EQ(content.waits.size(), 3U) << "an unknown posting has no mark";
}

TEST_F(InsideViewTest, IsDrawnInEverySizeWithWhateverTrace) {
    const compaction::Algorithm& a = *machine_.snapshot.runs.a.algorithm;
    compaction::RunTrace odd;
    odd.processors = 3;
    odd.spans = {{.begin_us = 1, .end_us = 1, .processor = 2}, {.begin_us = -2, .end_us = 0.5F, .phase = 5}};
    compaction::RunTrace roles = fake::trace_of(a, 2, 20, 1, 3);
    fake::add_roles(roles, 3, 40);
    compaction::RunTrace marks = fake::trace_of(a, 3, 40, 2, 3);
    fake::add_parts(marks, a, 10'000);
    fake::add_waits(marks);
    fake::add_appends(marks);
    const std::array traces{fake::traced(a, marks),
                            fake::traced(a, {}),
                            fake::traced(a, odd),
                            fake::traced(a, roles),
                            fake::traced(a, fake::trace_of(a, 132, 11'000, 4, 1)),
                            fake::traced(a, fake::trace_of(a, 300, 600, 1, 0.001F)),
                            std::shared_ptr<const trace::TracedRun>()};
    for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{400, 300}, gl::PixelSize{1024, 640},
                                     gl::PixelSize{2560, 1440}}) {
        window_ = size;
        for (const auto& each : traces) {
            machine_.snapshot.runs.a.traced = each;
            machine_.settings.window.tab = timeline_tab;
            frame();
            fake::compare(machine_);
            machine_.settings.window.lens_mode = LensMode::inside;
            machine_.snapshot.runs.b->traced = traces[3];
            ImGui::GetIO().MousePos = {static_cast<float>(size.width) * 0.6F,
                                       static_cast<float>(size.height) * 0.3F};
            frame();
        }
    }
}

}  // namespace
}  // namespace warpsieve
