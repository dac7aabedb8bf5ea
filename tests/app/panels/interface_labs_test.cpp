// The labs: starting, cancelling, choosing what is measured, and loading what was found into the live view.
#include "app/panels/labs/lab_panel.hpp"
#include "tests/app/labs/fake_labs.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

using compaction::Option;

class LabsTest : public InterfaceTest {
  protected:
    LabsTest() { machine_.settings.window.tab = "labs"; }

    bool has(const std::string& label) {
        frame();
        return has_control(label);
    }
    /// Clicks a control and returns the requests of the frame in which the mouse is released.
    Requests released(const std::string& label) {
        ImGuiIO& io = ImGui::GetIO();
        frame();
        io.MousePos = point_of(label);
        frame();
        io.MouseDown[0] = true;
        frame();
        io.MouseDown[0] = false;
        return frame();
    }
};

TEST_F(LabsTest, StartAsksForTheLabsJob) {
    for (const panels::LabType& lab : panels::all_labs()) {
        SCOPED_TRACE(lab.name);
        // These two look up algorithms in the library, which a fake GPU does not have; LabPlotsTest starts
        // them.
        if (lab.id == "steps" || lab.id == "reproduce") continue;
        machine_.settings.labs.lab = lab.id;
        const Requests requests = released("start");
        ASSERT_TRUE(requests.start_lab);
        EXPECT_EQ(requests.start_lab->lab, lab.id);
        EXPECT_FALSE(requests.start_lab->settings.empty());
        EXPECT_NE(requests.start_lab->title, "");
        EXPECT_TRUE(press(GLFW_KEY_ENTER).start_lab);
    }
}

TEST_F(LabsTest, ASimulatedGpuHasNothingToMeasure) {
    machine_.catalogue.push_back(machine_.catalogue.front());
    machine_.catalogue.back().id = "simulated_sequence_wise";
    machine_.catalogue.back().engine = compaction::EngineId::simulated;
    fake::make_gpu_machine(machine_);
    machine_.engines.push_back({compaction::EngineId::simulated, "Simulated", true, ""});
    machine_.snapshot.catalogue.engines = machine_.engines;
    machine_.settings.run.engine = compaction::EngineId::simulated;
    for (const panels::LabType& lab : panels::all_labs()) {
        SCOPED_TRACE(lab.name);
        machine_.settings.labs.lab = lab.id;
        EXPECT_FALSE(released("start").start_lab);
        EXPECT_FALSE(press(GLFW_KEY_ENTER).start_lab);
    }
}

TEST_F(LabsTest, KeysOfTheLabsWorkOnTheirTabAlone) {
    machine_.settings.window.tab = "particles";
    EXPECT_FALSE(press(GLFW_KEY_ENTER).start_lab);
    fake::compare_report(machine_, labs::State::running);
    machine_.settings.window.tab = "particles";
    machine_.settings.labs.hold_scene = false;
    EXPECT_FALSE(press(GLFW_KEY_ESCAPE).cancel_lab);
    machine_.settings.window.tab = "labs";
    EXPECT_TRUE(press(GLFW_KEY_ESCAPE).cancel_lab);
    EXPECT_FALSE(press(GLFW_KEY_ENTER).start_lab) << "one at a time";
}

TEST_F(LabsTest, AHeldSceneSaysSoAndIsLetGoInEveryView) {
    fake::compare_report(machine_, labs::State::running);
    for (const char* tab : {"particles", "slot_map", "lens", "timeline"}) {
        SCOPED_TRACE(tab);
        machine_.settings.window.tab = tab;
        frame();
        frame();
        EXPECT_TRUE(has("scene held"));
        EXPECT_TRUE(press(GLFW_KEY_ESCAPE).cancel_lab);
        EXPECT_TRUE(released("cancel").cancel_lab);
    }
    machine_.settings.labs.hold_scene = false;
    frame();
    frame();
    EXPECT_FALSE(has("scene held"));
}

TEST_F(LabsTest, EscapeClosesTheListOfKeysFirst) {
    fake::compare_report(machine_, labs::State::running);
    press(GLFW_KEY_F1);
    EXPECT_FALSE(press(GLFW_KEY_ESCAPE).cancel_lab);
    EXPECT_TRUE(press(GLFW_KEY_ESCAPE).cancel_lab);
}

TEST_F(LabsTest, EscapeClosesAnOpenMenuFirstAndNoOtherKeyActsBehindIt) {
    fake::compare_report(machine_, labs::State::running);
    for (const char* menu : {"source", "algorithm"}) {
        SCOPED_TRACE(menu);
        frame();
        click(point_of(menu));
        frame();
        ASSERT_FALSE(has(menu)) << "open, it shows its entries instead";
        const Settings before = machine_.settings;
        press(GLFW_KEY_V);
        type("]");
        EXPECT_TRUE(machine_.settings == before);
        EXPECT_FALSE(press(GLFW_KEY_ESCAPE).cancel_lab);
        EXPECT_TRUE(has(menu)) << "closed again";
    }
    EXPECT_TRUE(press(GLFW_KEY_ESCAPE).cancel_lab);
}

TEST_F(LabsTest, WhileOneRunsItCanBeCancelledAndShowsHowFarItIs) {
    fake::compare_report(machine_, labs::State::running);
    EXPECT_TRUE(has("cancel"));
    EXPECT_TRUE(has("lab progress"));
    EXPECT_FALSE(has("start"));
    EXPECT_TRUE(released("cancel").cancel_lab);
    fake::compare_report(machine_, labs::State::done);
    EXPECT_TRUE(has("start"));
    EXPECT_FALSE(has("lab progress"));
}

TEST_F(LabsTest, WithoutResultsItShowsALabelledExample) {
    for (const char* lab : {"compare", "tune", "sweep", "roofline"}) {
        SCOPED_TRACE(lab);
        machine_.settings.labs.lab = lab;
        frame();
        frame();
        const auto [badge_low, badge_high] = corners("lab example");
        const auto [card_low, card_high] = corners("lab card");
        EXPECT_TRUE(badge_low.x >= card_low.x && badge_low.y >= card_low.y && badge_high.x <= card_high.x &&
                    badge_high.y <= card_high.y)
            << "the badge covers the example";
        EXPECT_TRUE(has("start"));
        EXPECT_EQ(drawn::all_text().find("×thebest"), std::string::npos) << "figures of the example in words";
        const std::string algorithm = machine_.settings.run.a.algorithm;
        // The example takes no clicks.
        for (const float aside : {-150.0F, 0.0F, 150.0F}) click({card_low.x + 150 + aside, card_high.y + 30});
        EXPECT_EQ(machine_.settings.run.a.algorithm, algorithm);
        EXPECT_TRUE(released("start").start_lab);
    }
    fake::compare_report(machine_, labs::State::done);
    machine_.settings.labs.lab = "compare";
    frame();
    EXPECT_FALSE(has("lab example"));
}

TEST_F(LabsTest, StartIsInViewWithoutScrollingInASmallWindow) {
    window_ = {1366, 768};
    for (const float scale : {1.5F, 2.0F}) {
        machine_.settings.window.scale = machine_.snapshot.display.scale = scale;
        interface_->set_style(scale, Theme::dark);
        for (const panels::LabType& lab : panels::all_labs()) {
            SCOPED_TRACE(lab.name);
            machine_.settings.labs.lab = lab.id;
            ASSERT_TRUE(has("start"));
            const gl::Rectangle view = panels::lay_out(window_, machine_.settings, scale).view;
            EXPECT_LT(corners("start").second.y, static_cast<float>(view.y + view.height));
        }
    }
}

TEST_F(LabsTest, WhatIsMeasuredIsChosenInTheHeader) {
    const auto choose = [&](const std::string& menu, const std::string& entry) {
        released(menu);
        frame();
        released(menu + ": " + entry);
        frame();
    };
    choose("quality", "careful");
    EXPECT_EQ(machine_.settings.labs.quality, labs::MeasurementQuality::careful);
    choose("lab pattern", "runs");
    EXPECT_EQ(machine_.settings.labs.pattern, workloads::Pattern::runs);
    choose("item size", "16 bytes");
    EXPECT_EQ(machine_.settings.labs.item_size, compaction::ItemSize::bytes_16);
    choose("cache", "hot");
    EXPECT_EQ(machine_.settings.labs.cache, experiments::Cache::hot);
    EXPECT_TRUE(machine_.settings.labs.hold_scene);
    released("hold the scene");
    EXPECT_FALSE(machine_.settings.labs.hold_scene);
    const Requests requests = press(GLFW_KEY_ENTER);
    ASSERT_TRUE(requests.start_lab);
    EXPECT_EQ(requests.start_lab->settings.front().stream.pattern, workloads::Pattern::runs);
}

TEST_F(LabsTest, ARowOfTheComparisonRunsInTheWindow) {
    fake::compare_report(machine_);
    released("compare: cub_select");
    EXPECT_EQ(machine_.settings.run.a.algorithm, "cub_select");
}

TEST_F(LabsTest, ATooltipOfTheComparisonSaysWhyThereIsNoVerdict) {
    const auto tooltip_of = [this](const std::string& algorithm) {
        for (int i = 0; i < 60; ++i) {
            frame();
            ImGui::GetIO().MousePos = point_of("compare: " + algorithm);
        }
        return drawn::all_text();
    };
    fake::compare_report(machine_);
    EXPECT_NE(tooltip_of("single_pass").find("timesasfastasthebase."), std::string::npos);
    EXPECT_NE(tooltip_of("thrust").find("1isintheinterval"), std::string::npos);
    // Of few samples, no interval has the coverage that a verdict needs.
    labs::Report report = *machine_.snapshot.labs.reports[0];
    experiments::Measurement measurement = *report.measurement;
    for (experiments::Result& result : measurement.results) result.median_interval_us.coverage = 0.9;
    report.measurement = std::make_shared<const experiments::Measurement>(measurement);
    machine_.snapshot.labs.reports = {std::make_shared<const labs::Report>(report)};
    EXPECT_NE(tooltip_of("single_pass").find("toofewsamples"), std::string::npos);
}

TEST_F(LabsTest, RowsOfTheComparisonUseALargeWindow) {
    fake::compare_report(machine_);
    const auto height = [this] {
        frame();
        frame();
        const auto [low, high] = corners("compare: sequence_wise");
        return high.y - low.y;
    };
    window_ = {1024, 640};
    const float small = height();
    EXPECT_GE(small, 24);
    window_ = {2560, 1440};
    EXPECT_GT(height(), 1.5F * small);
}

TEST_F(LabsTest, TheBaseIsChosenByItsRatioOrItsMenu) {
    fake::compare_report(machine_);
    released("compare base: billeter");
    EXPECT_EQ(machine_.settings.labs.base, "billeter");
    released("base");
    frame();
    released("base: Single pass");
    EXPECT_EQ(machine_.settings.labs.base, "single_pass");
    released("compare base: racy");
    EXPECT_EQ(machine_.settings.labs.base, "single_pass") << "a wrong one is no base";
}

TEST_F(LabsTest, APlaceOfTheMapRunsInTheWindow) {
    fake::tune_report(machine_);
    released("tune: 256 × 1,024");
    EXPECT_EQ(machine_.settings.run.a.options[Option::threads_per_block], 256U);
    EXPECT_EQ(machine_.settings.run.a.options[Option::blocks], 1024U);
}

TEST_F(LabsTest, WithoutOptionsThereIsNothingToTune) {
    machine_.settings.run.a.algorithm = "cub_select";
    machine_.settings.labs.lab = "tune";
    EXPECT_FALSE(released("start").start_lab);
    EXPECT_FALSE(press(GLFW_KEY_ENTER).start_lab);
}

TEST_F(LabsTest, DrawsEveryStateOfEveryLab) {
    for (const gl::PixelSize size :
         {gl::PixelSize{1280, 720}, gl::PixelSize{640, 400}, gl::PixelSize{2560, 1440}}) {
        window_ = size;
        for (const labs::State state : {labs::State::running, labs::State::done, labs::State::cancelled}) {
            fake::make_gpu_machine(machine_);
            fake::compare_report(machine_, state, true);
            for (int i = 0; i < 3; ++i) frame();
            EXPECT_EQ(has_control("cancel"), state == labs::State::running);
            fake::tune_report(machine_, state);
            for (int i = 0; i < 3; ++i) frame();
            EXPECT_EQ(has_control("cancel"), state == labs::State::running);
            EXPECT_TRUE(has_control("tune map") || size.height < 700);
        }
        machine_.snapshot.labs.reports.clear();
        machine_.snapshot.labs.running = false;
        frame();
    }
}

TEST_F(LabsTest, TheStateOfTheResultsIsToldInSentences) {
    window_ = {2560, 1440};
    fake::compare_report(machine_, labs::State::cancelled, true);
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_NE(drawn::all_text().find("ago,sosomesettingslacksamples.Thescenerananddisturbedthefigures."),
              std::string::npos)
        << drawn::all_text();
}

TEST_F(LabsTest, AnUnknownLabShowsTheFirst) {
    machine_.settings.labs.lab = "one of a later version";
    EXPECT_TRUE(has("start"));
    EXPECT_EQ(panels::current_lab(machine_.settings), 0U);
    released("lab: tune");
    EXPECT_EQ(machine_.settings.labs.lab, "tune");
}

TEST_F(LabsTest, InASmallWindowTheLegendGivesWayAndTheMapStays) {
    fake::tune_report(machine_);
    interface_.emplace(2.0F, Theme::dark);
    window_ = {1024, 640};
    frame();
    ImGui::GetIO().MousePos = {700, 200};
    ImGui::GetIO().MouseWheel = -100;  // scrolls down to it
    frame();
    ImGui::GetIO().MouseWheel = 0;
    ASSERT_TRUE(has("tune map"));
    const std::array<float, 4> map = nlohmann::json::parse(interface_->control_map())["tune map"];
    EXPECT_GE(map[3], 180) << "rows of cells, with labels, titles and a scale";
}

}  // namespace
}  // namespace warpsieve
