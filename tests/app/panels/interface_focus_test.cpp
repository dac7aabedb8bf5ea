// The keyboard focus: Tab reaches every control, and menus open, choose and close by keys.
#include <imgui_internal.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/labs/lab_panel.hpp"
#include "app/panels/view_panel.hpp"
#include "tests/app/labs/fake_labs.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

class FocusTest : public InterfaceTest {
  protected:
    void tab(int times, bool back = false) {
        for (int i = 0; i < times; ++i) press(GLFW_KEY_TAB, false, back);
    }
    const std::string& focused() const { return interface_->focused_control(); }
    /// The controls that Tab visits until it is back at the first.
    std::vector<std::string> walk() {
        std::vector<std::string> visited;
        for (int i = 0; i < 300; ++i) {
            press(GLFW_KEY_TAB);
            if (!visited.empty() && focused() == visited.front()) return visited;
            visited.push_back(focused());
        }
        ADD_FAILURE() << "Tab never returns to " << visited.front();
        return visited;
    }
    /// Presses Tab until that control has the focus.
    void go_to(const std::string& label) {
        for (int i = 0; i < 300 && focused() != label; ++i) press(GLFW_KEY_TAB);
        ASSERT_EQ(focused(), label);
    }
    /// Whether it does something that no control in the order does.
    static bool needs_focus(const std::string& label, const std::set<std::string>& visited) {
        // Controls that only show something, and pictures for the mouse.
        static const std::array passive{"view",        "plot: ",        "table: ",      "badge: ",
                                        "lane: ",      "ratio",         "race: scale",  "race: photo finish",
                                        "caption ",    "difference A",  "difference B", "difference: ",
                                        "divider",     "lens race",     "overview",     "inside",
                                        "history",     "histogram",     "gpu now",      "slot map: ",
                                        "frame strip", "followed in",   "timings plot", "sweep plot",
                                        "steps plot",  "roofline plot", "published",    "lab example",
                                        "lab card",    "lab: hint",     "tune: ",       "controls spl",
                                        "timings spl", "median: ",      "kernel: "};
        for (const char* start : passive)
            if (label.starts_with(start)) return false;
        // "theme: dark" is a part of the control "theme", which the arrow keys change.
        const std::size_t colon = label.find(": ");
        return colon == std::string::npos || !visited.contains(label.substr(0, colon));
    }
    /// Walks through all controls of the frame. `off`: controls that are disabled.
    void expect_all_reached(const std::set<std::string>& off = {}) {
        press(GLFW_KEY_ESCAPE);
        frame();
        const std::vector<std::string> order = walk();
        const std::set<std::string> visited(order.begin(), order.end());
        EXPECT_EQ(visited.size(), order.size()) << "a name stands for two controls";
        const auto map = nlohmann::json::parse(interface_->control_map());
        for (const auto& [label, at] : map.items()) {
            // Without a change there is nothing to undo, without a time no base, and the algorithm has one
            // variant.
            const bool greyed = label == "variant" || label == "undo" || label == "redo" ||
                                label == "compare base: hungry" || label == "compare base: racy";
            const bool covered = has_control("lab example") &&
                                 (label == "base" || label == "tune map" || label.starts_with("compare"));
            if (needs_focus(label, visited) && !off.contains(label) && !greyed && !covered) {
                EXPECT_TRUE(visited.contains(label)) << label;
            }
        }
    }
};

TEST_F(FocusTest, TabWalksTheControlsAndArrowsChangeThem) {
    frame();
    tab(1);
    EXPECT_EQ(focused(), "group: Stream") << "the first control";
    tab(2);  // preset, source
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(machine_.settings.run.source, "galaxy");
    tab(1);
    const auto slots = machine_.settings.run.slots;
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(machine_.settings.run.slots, slots / 2);
    tab(1, true);
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(machine_.settings.run.source, "fountain");
    tab(3);  // slots, live fraction, seed
    const auto seed = machine_.settings.run.seed;
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(machine_.settings.run.seed, seed + 1);
    machine_.settings.run.seed = 0xFFFFFFFF;
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(machine_.settings.run.seed, 0xFFFFFFFF) << "a seed does not wrap around";
    EXPECT_TRUE(has_control("note below seed"));
    tab(2);  // speed, pause
    press(GLFW_KEY_ENTER);
    EXPECT_TRUE(machine_.settings.run.paused);
    press(GLFW_KEY_ESCAPE);
    const Settings before = machine_.settings;
    press(GLFW_KEY_RIGHT);
    EXPECT_TRUE(machine_.settings == before) << "Esc gives the focus up";
}

TEST_F(FocusTest, ArrowsChooseWhereNothingIsSelected) {
    machine_.settings.run.live_fraction = 0.3F;  // no preset
    frame();
    tab(2);
    EXPECT_EQ(focused(), "preset");
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(machine_.settings.run.live_fraction, 0.5F) << "the first preset";
    machine_.settings.run.live_fraction = 0.3F;
    frame();
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(machine_.settings.run.pattern, workloads::Pattern::structured) << "the last preset";
}

TEST_F(FocusTest, TabPassesOverWhatLiesBelowAnExample) {
    machine_.settings.window.tab = "labs";
    for (const char* lab : {"compare", "tune", "sweep", "steps", "roofline", "reproduce"}) {
        SCOPED_TRACE(lab);
        machine_.settings.labs.lab = lab;
        frame();
        frame();
        if (!has_control("lab example")) continue;
        const auto [low, high] = corners("lab card");
        bool start_reached = false;
        press(GLFW_KEY_ESCAPE);
        frame();
        for (const std::string& label : walk()) {
            start_reached = start_reached || label == "start";
            if (!has_control(label)) continue;
            const auto [first, last] = corners(label);
            EXPECT_FALSE(first.x < high.x && last.x > low.x && first.y < high.y && last.y > low.y)
                << label << " is below the card";
            EXPECT_FALSE(label.starts_with("compare base") || label.starts_with("base")) << label;
        }
        EXPECT_TRUE(start_reached);
    }
}

TEST_F(FocusTest, EnterTypesIntoTheFolder) {
    window_ = {1280, 1600};
    frame();
    for (int i = 0; i < 60 && machine_.settings.window.capture_folder.empty(); ++i) {
        press(GLFW_KEY_TAB);
        const Settings before = machine_.settings;
        press(GLFW_KEY_ENTER);
        machine_.settings = before;
        frame();
        if (!ImGui::GetIO().WantTextInput) continue;
        type("shots");
        press(GLFW_KEY_ENTER);
    }
    EXPECT_EQ(machine_.settings.window.capture_folder, "shots");
}

TEST_F(FocusTest, ReachesTheMenusOfALab) {
    machine_.settings.window.tab = "labs";
    machine_.settings.labs.lab = "sweep";
    frame();
    const auto axis = machine_.settings.labs.sweep.axis;
    for (int i = 0; i < 60 && machine_.settings.labs.sweep.axis == axis; ++i) {
        const Settings before = machine_.settings;
        press(GLFW_KEY_TAB, false, true);
        press(GLFW_KEY_RIGHT);
        if (machine_.settings.labs.sweep.axis == axis) machine_.settings = before;
    }
    EXPECT_NE(machine_.settings.labs.sweep.axis, axis);
}

TEST_F(FocusTest, ReachesEveryControlOfEveryView) {
    window_ = {1600, 1400};  // all controls without scrolling
    machine_.snapshot.messages.push_back({Severity::error, "Nothing could be written.", 0});
    fake::compare(machine_);
    fake::race(machine_);
    for (const panels::ViewType& tab : panels::tabs()) {
        SCOPED_TRACE(tab.id);
        machine_.settings.window.tab = tab.id;
        expect_all_reached();
    }
    machine_.settings.window.tab = lens_tab;
    machine_.settings.window.lens_mode = LensMode::inside;
    expect_all_reached();
    machine_.settings.window.tab = "timeline";
    machine_.settings.window.timeline_mode = TimelineMode::inside;
    expect_all_reached();
}

TEST_F(FocusTest, ReachesEveryControlOfEveryLab) {
    window_ = {1600, 1400};
    machine_.settings.window.tab = "labs";
    for (const bool measured : {false, true}) {
        if (measured) {
            fake::compare_report(machine_);
            fake::tune_report(machine_);
        }
        for (const panels::LabType& lab : panels::all_labs()) {
            SCOPED_TRACE(lab.id);
            machine_.settings.labs.lab = lab.id;
            frame();
            // The fake GPU has no steps and no published algorithms.
            const std::string_view id = lab.id;
            const bool off = id == "steps" || id == "reproduce";
            expect_all_reached(off ? std::set<std::string>{"start", "export page"} : std::set<std::string>{});
        }
    }
}

TEST_F(FocusTest, ReachesTheStepsOfTheTour) {
    window_ = {1600, 1400};
    interface_->show_tour_step(0, machine_.settings, Settings{});
    frame();
    expect_all_reached();
}

TEST_F(FocusTest, OpensAMenuAndStaysInIt) {
    frame();
    go_to("source");
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_EQ(focused(), "source: Fountain") << "the current entry";
    press(GLFW_KEY_DOWN);
    EXPECT_EQ(focused(), "source: Galaxy");
    tab(1);
    EXPECT_EQ(focused(), "source: Fireworks");
    press(GLFW_KEY_UP);
    for (const std::string& entry : walk()) EXPECT_TRUE(entry.starts_with("source: ")) << entry;
    go_to("source: Galaxy");
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_EQ(machine_.settings.run.source, "galaxy");
    EXPECT_EQ(focused(), "source") << "the menu is closed";
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_TRUE(press(GLFW_KEY_Q, true).quit) << "also with an open menu";
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_EQ(focused(), "source");
    EXPECT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    EXPECT_EQ(machine_.settings.run.source, "galaxy");
}

TEST_F(FocusTest, ChoosesInTheAlgorithmMenu) {
    frame();
    go_to("algorithm");
    const std::string before = machine_.settings.run.a.algorithm;
    press(GLFW_KEY_ENTER);
    frame();
    ASSERT_TRUE(focused().starts_with("algorithm: ")) << focused();
    press(GLFW_KEY_DOWN);
    const std::string chosen = focused().substr(std::string("algorithm: ").size());
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_NE(chosen, before);
    EXPECT_EQ(machine_.settings.run.a.algorithm, chosen);
    EXPECT_EQ(focused(), "algorithm");
}

TEST_F(FocusTest, TicksInMenusThatStayOpen) {
    fake::race(machine_);
    machine_.settings.window.tab = race_tab;
    frame();
    go_to("race");
    press(GLFW_KEY_ENTER);
    frame();
    ASSERT_TRUE(focused().starts_with("race: ")) << focused();
    const auto racing = machine_.settings.window.race;
    press(GLFW_KEY_SPACE);
    EXPECT_NE(machine_.settings.window.race, racing);
    EXPECT_TRUE(focused().starts_with("race: "));
    press(GLFW_KEY_ESCAPE);
    frame();
    machine_.settings.window.tab = "labs";
    machine_.settings.labs.lab = "sweep";
    frame();
    go_to("algorithms");
    press(GLFW_KEY_ENTER);
    frame();
    const auto swept = machine_.settings.labs.sweep.algorithms;
    press(GLFW_KEY_SPACE);
    EXPECT_NE(machine_.settings.labs.sweep.algorithms, swept);
}

}  // namespace
}  // namespace warpsieve
