// The labs with plots: what they start, what their menus change, and what a click on a point loads.
#include <array>

#include "app/panels/labs/lab_panel.hpp"
#include "experiments/published/plan.hpp"
#include "tests/app/labs/fake_sweeps.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

class LabPlotsTest : public InterfaceTest {
  protected:
    LabPlotsTest() {
        fake::use_real_catalogue(machine_);
        machine_.settings.window.tab = "labs";
        machine_.settings.window.show_timings = false;
    }

    void show(const char* lab) {
        machine_.settings.labs.lab = lab;
        frame();
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
    void choose(const std::string& menu, const std::string& entry) {
        released(menu);
        frame();
        released(menu + ": " + entry);
        frame();
    }
    std::array<float, 4> rectangle(const std::string& label) {
        frame();
        const auto map = nlohmann::json::parse(interface_->control_map());
        EXPECT_TRUE(map.contains(label)) << map.dump();
        return map.contains(label) ? map[label].get<std::array<float, 4>>() : std::array<float, 4>{};
    }
    /// Clicks all over the plot until the settings change.
    bool click_a_point(const std::string& plot) {
        const auto [x, y, width, height] = rectangle(plot);
        const Settings before = machine_.settings;
        for (float down = 10; down < height; down += 20) {
            for (float across = 10; across < width; across += 20) {
                click({x + across, y + down});
                if (!(machine_.settings == before)) return true;
            }
        }
        return false;
    }
};

TEST_F(LabPlotsTest, StartAsksForTheLabsJob) {
    for (const char* lab : {"sweep", "steps", "roofline", "reproduce"}) {
        show(lab);
        const Requests requests = released("start");
        ASSERT_TRUE(requests.start_lab) << lab;
        EXPECT_EQ(requests.start_lab->lab, lab);
        EXPECT_FALSE(requests.start_lab->settings.empty());
        EXPECT_FALSE(requests.start_lab->title.empty());
    }
}

TEST_F(LabPlotsTest, MenusChooseAxisQuantityAndAlgorithms) {
    show("sweep");
    choose("over", "keep fraction");
    EXPECT_EQ(machine_.settings.labs.sweep.axis, labs::SweepAxis::keep_fraction);
    choose("show", "items per second");
    EXPECT_EQ(machine_.settings.labs.sweep.metric, labs::SweepMetric::items_per_second);
    released("algorithms");
    frame();
    released("algorithms: cpu_loop");
    EXPECT_EQ(std::ranges::count(machine_.settings.labs.sweep.algorithms, "cpu_loop"), 0);
    released("algorithms: cpu_loop");
    EXPECT_EQ(std::ranges::count(machine_.settings.labs.sweep.algorithms, "cpu_loop"), 1);
    press(GLFW_KEY_ESCAPE);
    show("steps");
    choose("kind of step", "scan");
    EXPECT_EQ(machine_.settings.labs.steps.operation, compaction::Operation::scan);
}

TEST_F(LabPlotsTest, WithoutAnAlgorithmThereIsNothingToStart) {
    show("sweep");
    machine_.settings.labs.sweep.algorithms.clear();
    EXPECT_FALSE(released("start").start_lab);
    machine_.settings.labs.sweep.algorithms = {"cpu_loop"};
    machine_.settings.labs.sweep.axis = labs::SweepAxis::sequences;
    EXPECT_FALSE(released("start").start_lab);
}

TEST_F(LabPlotsTest, AClickOnAPointLoadsItsSetting) {
    fake::sweep_report(machine_);
    machine_.settings.run.a.algorithm = "cpu_loop";
    machine_.settings.run.slots = 12'345;
    ASSERT_TRUE(click_a_point("sweep plot"));
    EXPECT_NE(machine_.settings.run.slots, 12'345U);
    EXPECT_GE(machine_.settings.run.slots, min_slots);
}

TEST_F(LabPlotsTest, AStepCannotBeLoadedAndThatIsSaid) {
    fake::steps_report(machine_);
    EXPECT_FALSE(click_a_point("steps plot"));
    rectangle("lab: hint");
}

TEST_F(LabPlotsTest, WrongResultsAreWords) {
    fake::sweep_report(machine_);
    auto report = std::make_shared<labs::Report>(*machine_.snapshot.labs.reports.front());
    auto measurement = std::make_shared<experiments::Measurement>(*report->measurement);
    measurement->results[3].first_error = "kept 7, the reference keeps 8";
    measurement->skipped.push_back({report->job->settings[0], "n = 2^24 needs 9 GiB, and 4 GiB is free."});
    report->measurement = measurement;
    machine_.snapshot.labs.reports = {report};
    rectangle("lab: wrong");
    rectangle("lab: left out");
}

TEST_F(LabPlotsTest, EveryLabDrawsWhatThereIsSoFar) {
    for (const double share : {0.0, 0.02, 0.5}) {
        fake::sweep_report(machine_, labs::SweepAxis::num_items, share);
        rectangle("sweep plot");
    }
    fake::roofline_report(machine_);
    rectangle("roofline plot");
    EXPECT_TRUE(click_a_point("roofline plot"));
}

TEST_F(LabPlotsTest, TheReproductionExportsAPage) {
    show("reproduce");
    EXPECT_FALSE(released("export page").save_file) << "nothing was measured yet";
    fake::reproduce_report(machine_);
    const Requests requests = released("export page");
    ASSERT_TRUE(requests.save_file);
    EXPECT_EQ(requests.save_file->extension, ".html");
    EXPECT_TRUE(requests.save_file->text.starts_with("<!DOCTYPE html>"));
    choose("run", "everything");
    EXPECT_EQ(machine_.settings.labs.reproduce.scope, labs::ReproduceScope::everything);
}

TEST_F(LabPlotsTest, TheReproductionShowsAnswersPlotsFiguresAndNotes) {
    machine_.settings.labs.reproduce.table = "qian_scratch";
    window_ = {1280, 6000};
    show("reproduce");
    float bottom = 0;
    for (const char* part : {"published answers", "published plots", "published table", "published notes"}) {
        const auto [x, y, width, height] = rectangle(part);
        EXPECT_GE(y, bottom - 1) << part;
        EXPECT_GT(height, 20) << part;
        bottom = y + height;
    }
}

TEST_F(LabPlotsTest, AClickOnAPublishedRowLoadsIt) {
    machine_.settings.labs.reproduce.table = "p1_implementations";
    machine_.settings.run.slots = 12'345;
    window_ = {1280, 6000};
    show("reproduce");
    const auto documents = published::built_in_documents();
    const auto tables = published::choose_tables(documents, std::array{std::string("p1_implementations")});
    const std::string& row = tables.front().table->rows.front().name;
    released("row: " + row);
    EXPECT_EQ(machine_.settings.run.slots, std::uint64_t{1} << 24);
}

TEST_F(LabPlotsTest, FitsEverySize) {
    for (const gl::PixelSize window : {gl::PixelSize{1024, 640}, gl::PixelSize{2560, 1440}}) {
        window_ = window;
        fake::sweep_report(machine_);
        const auto [x, y, width, height] = rectangle("sweep plot");
        EXPECT_GT(width, 300);
        EXPECT_GT(height, 100);
        EXPECT_LE(x + width, static_cast<float>(window.width));
        EXPECT_LE(y + height, static_cast<float>(window.height));
    }
}

}  // namespace
}  // namespace warpsieve
