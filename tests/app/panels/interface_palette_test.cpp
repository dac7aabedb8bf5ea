// The command palette and presets.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/kernel_view/plants.hpp"
#include "app/panels/command_palette.hpp"
#include "app/panels/query.hpp"
#include "app/settings/presets.hpp"
#include "app/settings/schema.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/engine.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

using panels::Command;

std::vector<std::string> names(const std::vector<const Command*>& commands) {
    std::vector<std::string> found;
    for (const Command* command : commands) found.push_back(command->name);
    return found;
}

TEST(Commands, AreFoundByEveryWordBestFirst) {
    const std::vector<Command> commands{{"more slots", "", {}},
                                        {"theme: light", "Colours of the window", {}},
                                        {"slots", "now 4096", {}, "slots"},
                                        {"Slot map", "key 2", {}}};
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(panels::matching_commands(commands, "slot")), (Names{"slots", "Slot map", "more slots"}));
    EXPECT_EQ(names(panels::matching_commands(commands, "LIGHT theme")), Names{"theme: light"});
    EXPECT_EQ(names(panels::matching_commands(commands, "colours")), Names{"theme: light"});
    EXPECT_EQ(names(panels::matching_commands(commands, "slots 2^13")), Names{"slots"});
    EXPECT_EQ(names(panels::matching_commands(commands, "nothing like it")), Names{});
    EXPECT_EQ(panels::matching_commands(commands, "").size(), commands.size());
}

TEST(Query, HoldsCharactersOfEveryLengthAndDropsThemWhole) {
    const std::vector<std::pair<unsigned, std::string>> characters{
        {'a', "a"}, {0xE9, "\u00E9"}, {0x20AC, "\u20AC"}, {0x1F600, "\U0001F600"}};
    std::string query, typed;
    for (const auto& [character, utf8] : characters) {
        EXPECT_TRUE(
            panels::edit_query(query, {.kind = gl::KeyEvent::Kind::character, .character = character}));
        typed += utf8;
        EXPECT_EQ(query, typed);
    }
    for (auto left = characters.rbegin(); left != characters.rend(); ++left) {
        typed.resize(typed.size() - left->second.size());
        EXPECT_TRUE(panels::edit_query(query, {.key = GLFW_KEY_BACKSPACE}));
        EXPECT_EQ(query, typed);
    }
}

class PaletteTest : public InterfaceTest {
  protected:
    void find(const char* query) {
        press(GLFW_KEY_P, true);
        EXPECT_TRUE(has_control("palette"));
        type(query);
    }
    void run(const char* query) {
        SCOPED_TRACE(query);
        find(query);
        press(GLFW_KEY_ENTER);
        EXPECT_FALSE(has_control("palette"));
    }
};

TEST_F(PaletteTest, PlantsAFaultIntoTheKernels) {
    if (!kernel_view::can_plant()) GTEST_SKIP() << "this build has no simulated GPU";
    run("fault sequence_wise second barrier");
    EXPECT_EQ(machine_.settings.window.kernel_plant, "scan-barrier");
    EXPECT_EQ(machine_.settings.window.tab, kernel_tab);
    run("kernel fault none");
    EXPECT_EQ(machine_.settings.window.kernel_plant, "none");
    for (const kernel_view::Plant& plant : kernel_view::plants()) {
        run(std::string(plant.id).c_str());
        EXPECT_EQ(machine_.settings.window.kernel_plant, plant.id);
    }
    run("lesson look-back");
    EXPECT_EQ(machine_.settings.window.kernel_lesson, "decoupled_look_back");
    EXPECT_EQ(machine_.settings.window.kernel_seed, 144U);
}

TEST_F(PaletteTest, RunsWhatItFinds) {
    run("theme light");
    EXPECT_EQ(machine_.settings.window.theme, Theme::light);
    run("cub_select");
    EXPECT_EQ(machine_.settings.run.a.algorithm, "cub_select");
    run("slot map");
    EXPECT_EQ(machine_.settings.window.tab, "slot_map");
    run("lab tune");
    EXPECT_EQ(machine_.settings.labs.lab, "tune");
    EXPECT_EQ(machine_.settings.window.tab, "labs");
    run("slots 2^13");
    EXPECT_EQ(machine_.settings.run.slots, 8192U);
    run("preset 1 % live");
    EXPECT_FLOAT_EQ(machine_.settings.run.live_fraction, 0.01F);
    run("check off");
    EXPECT_FALSE(machine_.settings.run.check);
    run("sweep axis keep fraction");
    EXPECT_EQ(machine_.settings.labs.sweep.axis, labs::SweepAxis::keep_fraction);
    run("steps axis keep fraction");
    EXPECT_EQ(machine_.settings.labs.steps.axis, labs::SweepAxis::keep_fraction);
}

TEST_F(PaletteTest, ValuesAreCalledAsInTheWindow) {
    window_ = {1280, 1000};  // all controls without scrolling
    frame();
    ASSERT_TRUE(has_control("plots on: white"));
    ASSERT_TRUE(has_control("sparse and dense") && has_control("output alone"));
    run("plots on: white");
    EXPECT_EQ(machine_.settings.window.plot_theme, Theme::light);
    run("particles mode output alone");
    EXPECT_EQ(machine_.settings.window.particles_mode, ParticlesMode::output_alone);
    run("particles mode sparse and dense");
    EXPECT_EQ(machine_.settings.window.particles_mode, ParticlesMode::sparse_dense);
}

TEST(Settings, EveryWordHasANameOrNoneHas) {
    const Settings settings;
    for (const SettingDescriptor& field : schema()) {
        const AllowedValues allowed = field.allowed(settings);
        EXPECT_TRUE(allowed.names.empty() || allowed.names.size() == allowed.words.size()) << field.key;
    }
}

TEST_F(PaletteTest, ANumberAsksForItsValue) {
    find("live fraction");
    press(GLFW_KEY_ENTER);
    EXPECT_TRUE(has_control("palette")) << "no value yet";
    type("0.25");
    press(GLFW_KEY_ENTER);
    EXPECT_FLOAT_EQ(machine_.settings.run.live_fraction, 0.25F);
}

TEST_F(PaletteTest, TakesTheKeysWhileItIsOpen) {
    const Settings before = machine_.settings;
    find("vlc");
    press(GLFW_KEY_SPACE);
    EXPECT_TRUE(machine_.settings == before);
    EXPECT_TRUE(press(GLFW_KEY_Q, true).quit) << "no name has this key";
    press(GLFW_KEY_BACKSPACE);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has_control("palette"));
    find("theme");
    press(GLFW_KEY_DOWN);
    press(GLFW_KEY_UP);
    click({20, 700});
    EXPECT_FALSE(has_control("palette")) << "a click elsewhere closes it";
}

TEST_F(PaletteTest, IsReadByTheMouse) {
    find("theme: light");
    frame();
    click(point_of("palette: theme: light"));
    EXPECT_EQ(machine_.settings.window.theme, Theme::light);
    frame();
    EXPECT_FALSE(has_control("palette"));
}

TEST_F(PaletteTest, KnowsTheWordsOfOtherPrograms) {
    const auto requests_of = [this](const char* query) {
        find(query);
        return press(GLFW_KEY_ENTER);
    };
    EXPECT_TRUE(requests_of("screenshot").capture);
    EXPECT_TRUE(requests_of("gif").toggle_recording);
    EXPECT_TRUE(requests_of("svg").capture_plot);
    EXPECT_TRUE(requests_of("exit").quit);
    EXPECT_EQ(requests_of("tutorial").tour_step, 0U);
    machine_.settings.window.tab = "particles";
    frame();
    run("density 0.25");
    EXPECT_FLOAT_EQ(machine_.settings.run.live_fraction, 0.25F);
    const float scale = machine_.settings.window.scale;
    run("zoom");
    EXPECT_GT(machine_.settings.window.scale, scale);
    run("stop");
    EXPECT_TRUE(machine_.settings.run.paused);
    run("fullscreen");
    EXPECT_TRUE(interface_->presents());
    press(GLFW_KEY_ESCAPE);
    run("help");
    EXPECT_NE(drawn::all_text().find("Keyboardshortcuts"), std::string::npos);
    press(GLFW_KEY_F1);
    run("open");
    EXPECT_TRUE(has_control("picker"));
}

TEST_F(PaletteTest, OpensARecentCapture) {
    machine_.settings.window.recent = {"/pictures/first.png", "/pictures/second.png"};
    frame();
    find("open first");
    EXPECT_EQ(press(GLFW_KEY_ENTER).open, "/pictures/first.png");
}

TEST_F(PaletteTest, CoversWholeButtonsOfTheToolbar) {
    frame();
    const ImVec2 button = point_of("sparse and dense");
    press(GLFW_KEY_P, true);
    const auto map = nlohmann::json::parse(interface_->control_map());
    const std::array<float, 4> palette = map["palette"];
    EXPECT_LT(palette[1], button.y - ImGui::GetFrameHeight() / 2);
}

class PresetMenuTest : public InterfaceTest {};

TEST_F(PresetMenuTest, SetsTheStreamAndNamesTheOneInForce) {
    machine_.settings.window.show_timings = false;
    frame();
    click(point_of("preset"));
    frame();
    click(point_of("preset: 1 % live"));
    EXPECT_FLOAT_EQ(machine_.settings.run.live_fraction, 0.01F);
    frame();
    EXPECT_NE(drawn::all_text().find("preset1%live"), std::string::npos) << drawn::all_text();
    machine_.settings.run.live_fraction = 0.02F;
    frame();
    EXPECT_NE(drawn::all_text().find("presetnone"), std::string::npos) << drawn::all_text();
}

TEST(Presets, AreLegalAndDiffer) {
    Settings defaults;
    defaults.run.engine = compaction::EngineId::cpu;
    defaults.run.slots = 1U << 17;
    defaults.run.iterations = 1;
    std::set<std::string> states;
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.name);
        Settings settings = defaults;
        settings.run.seed = 99;
        apply_preset(settings, preset, defaults);
        EXPECT_EQ(settings.run.seed, defaults.run.seed);
        std::string state;
        for (const PresetValue& value : preset.values) {
            EXPECT_TRUE(parse(field(value.key), settings, std::string(value.text))) << value.key;
            state += std::string(value.key) + "=" + text_of(field(value.key), settings) + " ";
        }
        EXPECT_TRUE(states.insert(state).second);
    }
}

TEST(Presets, CutTheStreamAsPublished) {
    for (const compaction::EngineId engine :
         {compaction::EngineId::cuda, compaction::EngineId::cpu, compaction::EngineId::simulated}) {
        Settings defaults;
        defaults.run.engine = engine;
        Settings settings = defaults;
        const auto preset = std::ranges::find(presets(), std::string_view("published cut"), &Preset::name);
        apply_preset(settings, *preset, defaults);
        EXPECT_EQ(current_preset(settings, defaults), &*preset);
        if (!compaction::status_of(engine).available) continue;
        const auto opened = compaction::open_engine(engine);
        const auto& algorithm = compaction::find_algorithm(settings.run.a.algorithm);
        const auto compactor = opened->make_compactor(algorithm, settings.run.a.options);
        EXPECT_EQ(compactor->partition(1U << 20).num_parts, 512U) << settings.run.a.algorithm;
    }
}

}  // namespace
}  // namespace warpsieve
