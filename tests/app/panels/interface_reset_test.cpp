// Undo, and the double-click that resets a control.
#include <string>

#include "app/settings/history.hpp"
#include "app/settings/schema.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/settings/other_settings.hpp"

namespace warpsieve {
namespace {

class ResetTest : public InterfaceTest {
  protected:
    ResetTest() {
        window_ = {1600, 1400};  // all controls without scrolling
        defaults_ = machine_.settings;
        machine_.snapshot.defaults = &defaults_;
        ImGui::GetIO().MouseDoubleClickTime = 0.5F;
    }
    void double_click(ImVec2 at) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = at;
        for (int i = 0; i < 60; ++i) frame();  // the last double-click is long past
        for (const bool down : {true, false, true, false}) {
            io.MouseDown[0] = down;
            frame();
        }
        frame();
        frame();
    }
    std::string value(const std::string& key) const { return text_of(field(key), machine_.settings); }
    /// Changes the setting and checks that a double-click on the control resets it.
    void check(const std::string& label, const std::string& key, const char* other) {
        SCOPED_TRACE(label);
        const std::string normal = value(key);
        const auto parsed = parse(field(key), machine_.settings, other);
        ASSERT_TRUE(parsed);
        field(key).access.set(machine_.settings, *parsed);
        frame();
        ASSERT_EQ(value(key), other);
        double_click(point_of(label, 0.2F));
        EXPECT_EQ(value(key), normal);
    }
    /// Without the rows of the schema, whose legal values are those of the algorithms that were built.
    void check_option(const std::string& label, compaction::Option option, std::uint32_t other) {
        SCOPED_TRACE(label);
        std::uint32_t& value = machine_.settings.run.a.options[option];
        value = other;
        frame();
        ASSERT_EQ(value, other);
        double_click(point_of(label, 0.2F));
        EXPECT_EQ(value, compaction::automatic);
    }
    Settings defaults_;
};

TEST_F(ResetTest, ADoubleClickResetsEveryControl) {
    machine_.settings.run.source = defaults_.run.source = "synthetic";  // has patterns
    frame();
    check("source", "source", "galaxy");
    check("pattern", "pattern", "runs");
    check("slots", "slots", "4096");
    check("live fraction", "density", "0.25");
    check("seed", "seed", "77");
    check("speed", "speed", "3");
    check("iterations", "iterations", "7");
    check("check: off", "check", "off");
    check("check every", "check_every", "5");
    check("theme: dark", "theme", "light");
    check("plots on: dark", "plot_theme", "dark");
    check("UI scale: 150", "scale", "1.5");
    check("algorithm", "algorithm", "cub_select");
    check_option("vector width: automatic", compaction::Option::vector_width, 2);
    check_option("threads per block", compaction::Option::threads_per_block, 512);
    check_option("sequences", compaction::Option::sequences, 64);
    // The button beside a number is only a shortcut.
    frame();
    double_click(point_of("seed", 0.99F));
    EXPECT_EQ(value("seed"), std::to_string(defaults_.run.seed + 2));
    machine_.settings.window.tab = "labs";
    frame();
    frame();
    check("quality", "labs.quality", "careful");
    check("lab pattern", "labs.pattern", "runs");
    check("item size", "labs.item_bytes", "16");
    check("cache", "labs.cache", "hot");
}

TEST_F(ResetTest, ADoubleClickOnBResetsB) {
    machine_.settings.window.tab = lens_tab;
    frame();
    click(point_of("controls set: B"));
    machine_.settings.run.b.algorithm = "sequence_wise";
    machine_.settings.run.a.options[compaction::Option::threads_per_block] = 256;
    machine_.settings.run.b.options[compaction::Option::threads_per_block] = 512;
    frame();
    double_click(point_of("threads per block", 0.2F));
    EXPECT_EQ(machine_.settings.run.b.options[compaction::Option::threads_per_block], compaction::automatic);
    EXPECT_EQ(machine_.settings.run.a.options[compaction::Option::threads_per_block], 256U);
}

TEST_F(ResetTest, KeysAndButtonsUndo) {
    frame();
    const auto slots = machine_.settings.run.slots;
    type("[");
    click(point_of("theme: light"));
    drag(point_of("live fraction", 0.5F), point_of("live fraction", 0.9F));
    ASSERT_NE(machine_.settings.run.live_fraction, defaults_.run.live_fraction);
    press(GLFW_KEY_Z, true);
    EXPECT_EQ(machine_.settings.run.live_fraction, defaults_.run.live_fraction) << "a drag is one step";
    click(point_of("undo"));
    EXPECT_EQ(machine_.settings.window.theme, Theme::dark);
    press(GLFW_KEY_Z, true);
    EXPECT_EQ(machine_.settings.run.slots, slots);
    EXPECT_FALSE(press(GLFW_KEY_Z, true).notice.empty());
    press(GLFW_KEY_Z, true, true);
    EXPECT_EQ(machine_.settings.run.slots, slots / 2);
    click(point_of("redo"));
    EXPECT_EQ(machine_.settings.window.theme, Theme::light);
}

TEST_F(ResetTest, NothingToUndoIsGreyedOut) {
    frame();
    frame();
    const auto undo = [this] {
        const Settings before = machine_.settings;
        click(point_of("undo"));
        return !(machine_.settings == before);
    };
    EXPECT_FALSE(undo());
    click(point_of("theme: light"));
    EXPECT_TRUE(undo());
    // The steps of the tour are not those of the user.
    click(point_of("theme: light"));
    interface_->show_tour_step(1, machine_.settings, defaults_);
    frame();
    EXPECT_FALSE(undo());
    interface_->end_overrides(machine_.settings);
    frame();
    EXPECT_TRUE(undo());
}

TEST_F(ResetTest, ResetAllIsOneStep) {
    Settings other = fake::other_settings();
    other.run.engine = machine_.settings.run.engine;
    other.run.a = machine_.settings.run.a;
    other.run.b = machine_.settings.run.b;
    copy_undoable(machine_.settings, other);
    frame();
    const Settings before = machine_.settings;
    click(point_of("reset all"));
    EXPECT_TRUE(same_undoable(machine_.settings, defaults_));
    press(GLFW_KEY_Z, true);
    EXPECT_TRUE(same_undoable(machine_.settings, before));
}

TEST_F(InterfaceTest, ASeedThatIsTooLargeBecomesTheLargest) {
    frame();
    click(point_of("seed", 0.2F));
    type("99999999999999");
    frame();
    EXPECT_EQ(machine_.settings.run.seed, 4'294'967'295U);
    EXPECT_TRUE(has_control("note below seed"));
}

}  // namespace
}  // namespace warpsieve
