// The race in the window: lanes, the choice of algorithms, and the start.
#include "app/panels/layout.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/plots/fake_replay.hpp"

namespace warpsieve {
namespace {

class RaceViewTest : public InterfaceTest {
  protected:
    RaceViewTest() {
        fake::race(machine_);
        frame();
    }
    std::vector<std::string>& chosen() { return machine_.settings.window.race; }
};

TEST_F(RaceViewTest, HasALaneForEachAlgorithmAndTheScale) {
    for (const RaceLane& lane : machine_.figures->race.lanes)
        EXPECT_TRUE(has_control("lane: " + lane.algorithm->id)) << lane.algorithm->id;
    for (const char* label : {"race", "start again", "race: scale"}) EXPECT_TRUE(has_control(label)) << label;
    type("1");
    frame();
    EXPECT_FALSE(has_control("race: scale"));
    type("6");
    frame();
    EXPECT_EQ(machine_.settings.window.tab, race_tab);
    EXPECT_TRUE(has_control("race: scale"));
}

TEST_F(RaceViewTest, LanesFillALargeWindow) {
    fake::make_gpu_machine(machine_);
    fake::race(machine_);
    const RaceLane lane = machine_.figures->race.lanes.front();
    while (machine_.figures->race.lanes.size() < max_racing) machine_.figures->race.lanes.push_back(lane);
    window_ = {2560, 1440};
    frame();
    frame();
    const panels::Panes panes = panels::lay_out(window_, machine_.settings, 1, 0);
    // Controls of the same name: the last lane is found.
    const auto [low, high] = corners("lane: " + lane.algorithm->id);
    EXPECT_GT(high.y, static_cast<float>(panes.view.y) + 0.95F * static_cast<float>(panes.view.height));
}

TEST_F(RaceViewTest, LeavesTheIntervalOutBeforeItCutsAName) {
    machine_.settings.window.show_timings = false;
    window_ = {1024, 640};
    const auto shown = [&](const char* words) {
        for (int i = 0; i < 540; ++i) frame();
        return drawn::all_text().find(words) != std::string::npos;
    };
    EXPECT_TRUE(shown("[9.34,9.54]")) << drawn::all_text();
    machine_.catalogue.front().name =
        "An algorithm whose name leaves no room for an interval, but for the time";
    EXPECT_FALSE(shown("[9.34,9.54]"));
    EXPECT_TRUE(shown("butforthetime9.43µs")) << drawn::all_text();
}

TEST_F(RaceViewTest, WritesTheLengthAsAPower) {
    machine_.snapshot.stream.slots = 1U << 17;
    frame();
    EXPECT_NE(drawn::all_text().find("2¹⁷"), std::string::npos) << drawn::all_text();
    EXPECT_EQ(drawn::all_text().find("2^17"), std::string::npos);
}

TEST_F(RaceViewTest, ALaneHasItsIntervalOnceItIsThrough) {
    const auto intervals = [] { return std::ranges::count(drawn::all_text(), '['); };
    machine_.settings.window.show_timings = false;
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_EQ(intervals(), 0) << "the clocks of all lanes still run: " << drawn::all_text();
    machine_.snapshot.display.now_s += 9;
    frame();
    const auto running = std::ranges::count_if(machine_.figures->race.lanes,
                                               [](const RaceLane& lane) { return lane.problem.empty(); });
    EXPECT_EQ(intervals(), running + 1) << "and that of the photo finish: " << drawn::all_text();
}

TEST_F(RaceViewTest, ThePhotoFinishShowsItsWholeIntervalAtEveryScale) {
    for (const float scale : {1.0F, 1.5F, 2.0F}) {
        window_ = scale > 1.5F ? gl::PixelSize{1920, 1080} : gl::PixelSize{1280, 720};
        interface_.reset();
        interface_.emplace(scale, Theme::dark);
        for (int i = 0; i < 3; ++i) frame();
        machine_.snapshot.display.now_s += 9;
        for (int i = 0; i < 3; ++i) frame();
        const auto [low, high] = corners("race: photo finish");
        const std::string text = drawn::text_within(low, high);
        EXPECT_TRUE(text.ends_with("].") || text.ends_with("pairs.")) << "at " << scale << ": " << text;
        EXPECT_LE(high.y, corners("lane: sequence_wise").first.y);
    }
}

TEST_F(RaceViewTest, StandsStillAtThePhotoFinishUntilItGoesOn) {
    machine_.settings.window.show_timings = false;
    frame();
    EXPECT_FALSE(has_control("race: photo finish"));
    // The first takes 9.43 µs, the second 16.0 µs or five seconds on the screen.
    machine_.snapshot.display.now_s += 3.5;
    frame();
    frame();
    EXPECT_TRUE(has_control("race: photo finish"));
    EXPECT_NE(drawn::all_text().find("timesaslong["), std::string::npos) << drawn::all_text();
    EXPECT_NE(drawn::all_text().find("togo"), std::string::npos) << drawn::all_text();
    click(point_of("go on"));
    frame();
    EXPECT_FALSE(has_control("go on"));
    EXPECT_TRUE(has_control("race: photo finish"));
}

TEST_F(RaceViewTest, ShowsTheMemoryOfTheFirstTwoUpToTheMomentOfTheRace) {
    std::vector<RaceLane>& lanes = machine_.figures->race.lanes;
    const std::string first = "memory: " + lanes[0].algorithm->id;
    const std::string second = "memory: " + lanes[1].algorithm->id;
    const Requests requests = frame();
    ASSERT_TRUE(requests.race_replays);
    EXPECT_EQ(*requests.race_replays, (RacePair{lanes[0].algorithm, lanes[1].algorithm}));
    EXPECT_FALSE(has_control(first)) << "no replay has come";
    // The second takes longer in its trace, too.
    lanes[0].replay = std::make_shared<fake::Replay>(false, 10);
    lanes[1].replay = std::make_shared<fake::Replay>(false, 20);
    frame();
    frame();
    ASSERT_TRUE(has_control(first));
    EXPECT_LE(corners(first).second.y, corners(second).first.y);
    EXPECT_EQ(corners(first).first.x, corners(second).first.x);
    EXPECT_EQ(drawn::all_text().find("10.0µsof20.0µs"), std::string::npos) << drawn::all_text();
    machine_.snapshot.display.now_s += 3.5;
    for (int i = 0; i < 3; ++i) {
        frame();
        const std::string text = drawn::all_text();
        EXPECT_TRUE(has_control("go on"));
        EXPECT_NE(text.find("10.0µsof20.0µs"), std::string::npos) << "the second is not finished: " << text;
    }
    machine_.settings.window.show_timings = false;
    frame();
    frame();
    EXPECT_TRUE(has_control(first)) << "below the lanes";
    EXPECT_TRUE(has_control("lane: " + lanes[0].algorithm->id));
}

TEST_F(RaceViewTest, ALoopFilmsTheMemoryToo) {
    const auto filmed = [this] { return interface_->view_rectangle(window_, machine_.settings); };
    const panels::Panes panes = panels::lay_out(window_, machine_.settings, 1, 0);
    EXPECT_EQ(filmed().y, panes.view.y);
    EXPECT_EQ(filmed().y + filmed().height, panes.timings.y + panes.timings.height);
    machine_.figures->race.lanes.resize(1);
    frame();
    EXPECT_EQ(filmed().height, panes.view.height);
}

TEST_F(RaceViewTest, ASimulatedGpuShowsTheMemoryInSteps) {
    machine_.settings.window.show_timings = false;
    fake::simulate(machine_);
    std::vector<RaceLane>& lanes = machine_.figures->race.lanes;
    lanes.resize(2);
    for (RaceLane& lane : lanes) lane = {lane.algorithm, {}, 0, 0, {}};
    const Requests requests = frame();
    ASSERT_TRUE(requests.race_replays);
    EXPECT_EQ(*requests.race_replays, (RacePair{lanes[0].algorithm, lanes[1].algorithm}));
    lanes[1].replay_problem = "It has no trace.";
    frame();
    EXPECT_NE(drawn::all_text().find("Ithasnotrace."), std::string::npos) << drawn::all_text();
    lanes[0].replay = std::make_shared<fake::Replay>(true, 64);
    lanes[1].replay = fake::three_phases();
    frame();
    machine_.snapshot.display.now_s += 3;
    frame();
    frame();
    const std::string text = drawn::all_text();
    EXPECT_TRUE(has_control("memory: " + lanes[0].algorithm->id));
    EXPECT_NE(text.find("step64of141"), std::string::npos) << text;
    EXPECT_NE(text.find("hasdone64of141."), std::string::npos) << "photo finish: " << text;
    EXPECT_NE(text.find("noratio"), std::string::npos) << text;
    for (const char* ratio : {"timesaslong", "µs"})
        EXPECT_EQ(text.find(ratio), std::string::npos) << ratio << " in " << text;
}

TEST_F(RaceViewTest, AlgorithmsAreAddedAndRemoved) {
    const std::string id = machine_.figures->race.lanes[0].algorithm->id;
    click(point_of("race"));
    frame();
    click(point_of("race: " + id, 0.05F));
    EXPECT_EQ(std::ranges::count(chosen(), id), 0);
    std::erase_if(machine_.figures->race.lanes,
                  [&](const RaceLane& lane) { return lane.algorithm->id == id; });
    frame();
    click(point_of("race: " + id, 0.05F));
    EXPECT_EQ(chosen().back(), id);
    click(point_of("default set"));
    EXPECT_EQ(chosen(), WindowPreferences{}.race);
}

TEST_F(RaceViewTest, SaysWhatToDoWithoutLanes) {
    machine_.figures->race.lanes.clear();
    frame();
    EXPECT_TRUE(has_control("race"));
    EXPECT_TRUE(has_control("race: scale"));
}

TEST_F(RaceViewTest, ASimulatedGpuHasNoTimesToRace) {
    machine_.settings.window.show_timings = false;  // they say it too
    frame();
    EXPECT_EQ(drawn::all_text().find("simulatedGPUarenottimed"), std::string::npos);
    fake::simulate(machine_);
    machine_.figures->race.lanes.clear();
    frame();
    EXPECT_NE(drawn::all_text().find("simulatedGPUarenottimed"), std::string::npos) << drawn::all_text();
}

TEST_F(RaceViewTest, LanesStayWithinTheViewAtTheLeastSize) {
    window_ = {1024, 640};
    const RaceLane lane = machine_.figures->race.lanes[0];
    while (machine_.figures->race.lanes.size() < max_racing) machine_.figures->race.lanes.push_back(lane);
    frame();
    frame();
    const auto map = nlohmann::json::parse(interface_->control_map());
    const std::array<float, 4> at = map["lane: " + lane.algorithm->id];
    const gl::Rectangle view = panels::lay_out(window_, machine_.settings, 1).view;
    EXPECT_LE(at[1] + at[3], static_cast<float>(view.y + view.height));
}

}  // namespace
}  // namespace warpsieve
