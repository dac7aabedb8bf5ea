// The controls on the left set the requested values, and only legal ones.
#include <set>

#include "app/panels/widgets.hpp"
#include "app/scene/sources.hpp"
#include "compaction/simulated_schedule.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Option;

TEST_F(InterfaceTest, ChangesNothingByItself) {
    const Settings before = machine_.settings;
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_TRUE(machine_.settings == before);
}

TEST_F(InterfaceTest, AnotherEngineGetsItsDefaultAndNoIllegalOption) {
    machine_.settings.run.a.options[Option::vector_width] = 2;
    machine_.settings.run.a.options[Option::threads_per_block] = 512;
    machine_.settings.run.a.options[Option::blocks] = 1056;
    machine_.settings.run.slots = max_slots(EngineId::cuda);
    frame();
    click(point_of("engine: CPU"));
    EXPECT_EQ(machine_.settings.run.engine, EngineId::cpu);
    EXPECT_EQ(machine_.settings.run.a.algorithm, "cpu_sequence_wise");
    EXPECT_EQ(machine_.settings.run.a.options[Option::vector_width], 2U);
    EXPECT_EQ(machine_.settings.run.a.options[Option::threads_per_block], compaction::automatic);
    EXPECT_EQ(machine_.settings.run.a.options[Option::blocks], compaction::automatic);
    EXPECT_EQ(machine_.settings.run.slots, max_slots(EngineId::cpu));
    press(GLFW_KEY_E);
    EXPECT_EQ(machine_.settings.run.a.algorithm, "sequence_wise");
}

TEST_F(InterfaceTest, AnEngineThatCannotRunCannotBeChosen) {
    fake::make_cpu_machine(machine_);
    frame();
    click(point_of("engine: CUDA"));
    EXPECT_EQ(machine_.settings.run.engine, EngineId::cpu);
    press(GLFW_KEY_E);
    EXPECT_EQ(machine_.settings.run.engine, EngineId::cpu);
    // Nor may a settings file ask for it.
    machine_.settings.run.engine = EngineId::cuda;
    machine_.settings.run.a.algorithm = "sequence_wise";
    frame();
    EXPECT_EQ(machine_.settings.run.engine, EngineId::cpu);
}

TEST_F(InterfaceTest, ASimulatedGpuHasAScheduleOfItsOwn) {
    frame();
    EXPECT_FALSE(has_control("schedule seed"));
    machine_.catalogue.push_back(machine_.catalogue.front());
    machine_.catalogue.back().id = "simulated_sequence_wise";
    machine_.catalogue.back().engine = EngineId::simulated;
    fake::make_gpu_machine(machine_);
    machine_.engines.push_back({EngineId::simulated, "Simulated", true, ""});
    machine_.snapshot.catalogue.engines = machine_.engines;
    frame();
    click(point_of("engine: Simulated"));
    ASSERT_EQ(machine_.settings.run.engine, EngineId::simulated);
    const auto schedule = [&] {
        return compaction::simulated::schedule_of(machine_.settings.run.schedule_seed);
    };
    EXPECT_EQ(schedule().order, compaction::simulated::Order::forward);
    click(point_of("thread order"));
    frame();
    click(point_of("thread order: adversarial"));
    EXPECT_EQ(schedule().order, compaction::simulated::Order::adversarial);
    click(point_of("multiprocessors", 0.99F));
    EXPECT_EQ(schedule().multiprocessors, 8U);
    EXPECT_EQ(schedule().order, compaction::simulated::Order::adversarial);
    const std::uint32_t before = machine_.settings.run.schedule_seed;
    click(point_of("schedule seed", 0.99F));
    EXPECT_EQ(machine_.settings.run.schedule_seed, before + 1);
}

TEST_F(InterfaceTest, LeavingTheSimulatedGpuRestoresTheLength) {
    machine_.catalogue.push_back(machine_.catalogue.front());
    machine_.catalogue.back().id = "simulated_sequence_wise";
    machine_.catalogue.back().engine = EngineId::simulated;
    fake::make_gpu_machine(machine_);
    machine_.engines.push_back({EngineId::simulated, "Simulated", true, ""});
    machine_.snapshot.catalogue.engines = machine_.engines;
    std::uint64_t& slots = machine_.settings.run.slots;
    slots = 1U << 22;
    frame();
    while (machine_.settings.run.engine != EngineId::cpu) press(GLFW_KEY_E);
    EXPECT_EQ(press(GLFW_KEY_E).notice,
              "The simulated GPU starts with 2^14 slots: 2^22 come back with another engine.");
    EXPECT_EQ(slots, 1U << 14);
    EXPECT_EQ(press(GLFW_KEY_E).notice, "");
    EXPECT_EQ(slots, 1U << 22);
    click(point_of("engine: Simulated"));
    slots = 1U << 13;
    click(point_of("engine: CPU"));
    EXPECT_EQ(slots, 1U << 13) << "chosen meanwhile";
}

TEST_F(InterfaceTest, VCyclesThroughTheLegalWidths) {
    for (const std::uint32_t expected : {1U, 2U, 4U, compaction::automatic, 1U}) {
        press(GLFW_KEY_V);
        EXPECT_EQ(machine_.settings.run.a.options[Option::vector_width], expected);
    }
    machine_.settings.run.a.algorithm = "cub_select";
    frame();
    EXPECT_EQ(machine_.settings.run.a.options[Option::vector_width], compaction::automatic);
    press(GLFW_KEY_V);
    EXPECT_EQ(machine_.settings.run.a.options[Option::vector_width], compaction::automatic);
}

TEST_F(InterfaceTest, AStepsThroughTheAlgorithmsOfTheEngine) {
    press(GLFW_KEY_A);
    EXPECT_EQ(machine_.settings.run.a.algorithm, "cub_select");
    press(GLFW_KEY_A);
    EXPECT_EQ(machine_.settings.run.a.algorithm, "sequence_wise");
    press(GLFW_KEY_A, false, true);
    EXPECT_EQ(machine_.settings.run.a.algorithm, "cub_select");
}

TEST_F(InterfaceTest, TheMenuChoosesAnAlgorithm) {
    frame();
    click(point_of("algorithm"));
    frame();
    click(point_of("algorithm: cub_select"));
    frame();
    EXPECT_EQ(machine_.settings.run.a.algorithm, "cub_select");
}

TEST_F(InterfaceTest, TheMenuOfAlgorithmsLeavesThePanelInSight) {
    fake::make_cpu_machine(machine_);
    frame();
    click(point_of("algorithm"));
    frame();
    click(point_of("unavailable: CUDA"));
    frame();
    for (const char* id : {"cpu_sequence_wise", "cpu_loop", "sequence_wise", "cub_select"}) {
        EXPECT_GE(point_of(std::string("algorithm: ") + id, 0).x, machine_.settings.window.controls_width)
            << id;
    }
    click(point_of("algorithm: cub_select"));
    EXPECT_EQ(machine_.settings.run.engine, EngineId::cpu) << "its engine cannot run: it is there to be read";
}

TEST_F(InterfaceTest, TheMenuChoosesASource) {
    frame();
    click(point_of("source"));
    frame();
    click(point_of("source: Fireworks"));
    frame();
    EXPECT_EQ(machine_.settings.run.source, "fireworks");
    EXPECT_FALSE(has_control("pattern")) << "only synthetic streams have patterns";
}

TEST_F(InterfaceTest, AChosenPatternDecidesWhetherTheLiveFractionCounts) {
    machine_.settings.run.source = "synthetic";
    const auto drag_live_fraction = [&] {
        machine_.settings.run.live_fraction = 0.5F;
        frame();
        drag(point_of("live fraction"), point_of("live fraction", 0.999F));
        return machine_.settings.run.live_fraction;
    };
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        SCOPED_TRACE(info.name);
        frame();
        click(point_of("pattern"));
        frame();
        click(point_of("pattern: " + std::string(info.name)));
        frame();
        EXPECT_EQ(machine_.settings.run.pattern, info.pattern);
        EXPECT_NEAR(drag_live_fraction(), info.uses_keep_fraction ? 1 : 0.5, 0.05);
    }
    machine_.settings.run.source = "galaxy";
    EXPECT_NEAR(drag_live_fraction(), 1, 0.05);
}

TEST_F(InterfaceTest, GStepsThroughTheSourcesAndShiftGThroughThePatterns) {
    const workloads::Pattern before = machine_.settings.run.pattern;
    press(GLFW_KEY_G, false, true);
    EXPECT_EQ(machine_.settings.run.pattern, before) << "the fountain has no patterns";
    ASSERT_EQ(machine_.settings.run.source, scene::sources()[0]->id);
    for (const scene::SourceInfo* expected : scene::sources().subspan(1)) {
        press(GLFW_KEY_G);
        EXPECT_EQ(machine_.settings.run.source, expected->id);
        if (expected->has_patterns) break;
    }
    std::set<workloads::Pattern> seen;
    for (std::size_t i = 0; i < workloads::patterns().size(); ++i) {
        press(GLFW_KEY_G, false, true);
        seen.insert(machine_.settings.run.pattern);
    }
    EXPECT_EQ(seen.size(), workloads::patterns().size());
    EXPECT_EQ(machine_.settings.run.pattern, before) << "round again";
    while (machine_.settings.run.source != scene::sources().back()->id) press(GLFW_KEY_G);
    press(GLFW_KEY_G);
    EXPECT_EQ(machine_.settings.run.source, scene::sources()[0]->id);
}

TEST_F(InterfaceTest, AnAlgorithmThatIsNotInTheBuildIsShownAndCannotBeChosen) {
    compaction::Algorithm& left_out = machine_.catalogue[1];
    ASSERT_EQ(left_out.id, "cub_select");
    left_out.unavailable_reason = "Not in this build: its library was not found.";
    const std::string chosen = machine_.settings.run.a.algorithm;
    frame();
    click(point_of("algorithm"));
    frame();
    click(point_of("unavailable: Not in this build"));
    frame();
    click(point_of("algorithm: cub_select"));
    frame();
    EXPECT_EQ(machine_.settings.run.a.algorithm, chosen);
    press(GLFW_KEY_ESCAPE);
    // Nor do the keys come by it, in either direction.
    for (const bool backwards : {false, true}) {
        for (std::size_t i = 0; i < machine_.catalogue.size(); ++i) {
            press(GLFW_KEY_A, false, backwards);
            EXPECT_NE(machine_.settings.run.a.algorithm, left_out.id);
        }
    }
    // Nor may a settings file ask for it.
    machine_.settings.run.a.algorithm = left_out.id;
    frame();
    EXPECT_EQ(machine_.settings.run.a.algorithm, "sequence_wise");
}

TEST_F(InterfaceTest, ControlsStayWhereTheyAreWhenMoreItemsAreKept) {
    const auto place_of_the_seed = [&](std::uint64_t num_kept) {
        Figures figures = *machine_.snapshot.figures;
        figures.a.num_kept = num_kept;
        machine_.snapshot.figures = std::make_shared<const Figures>(figures);
        frame();
        return point_of("seed").y;
    };
    machine_.snapshot.stream.slots = std::uint64_t{1} << 30;
    machine_.snapshot.stream.memory_bytes = std::uint64_t{1} << 35;
    for (const float scale : {1.0F, 1.25F, 1.5F, 2.0F}) {
        interface_.emplace(scale, Theme::dark);
        const float few = place_of_the_seed(0);
        EXPECT_EQ(place_of_the_seed(machine_.snapshot.stream.slots), few) << "at " << scale;
    }
}

TEST_F(InterfaceTest, AGroupOfControlsFolds) {
    frame();
    EXPECT_TRUE(has_control("live fraction"));
    click(point_of("group: Stream"));
    frame();
    EXPECT_FALSE(has_control("live fraction"));
    EXPECT_TRUE(has_control("group: Algorithm"));
    click(point_of("group: Stream"));
    frame();
    EXPECT_TRUE(has_control("live fraction"));
}

TEST_F(InterfaceTest, RowsOfTheLaunchConfigurationStayWhenTheAlgorithmChanges) {
    window_ = {1280, 1000};
    machine_.settings.run.a.algorithm = "sequence_wise";
    frame();
    const ImVec2 blocks = point_of("blocks");
    const ImVec2 check = point_of("check: on");
    machine_.settings.run.a.algorithm = "cub_select";
    frame();
    EXPECT_EQ(point_of("blocks").y, blocks.y) << "disabled, at the same place";
    EXPECT_EQ(point_of("check: on").y, check.y);
}

TEST_F(InterfaceTest, AlgorithmsThatCannotRunAreFoldedUnderOneLine) {
    fake::make_cpu_machine(machine_);
    frame();
    click(point_of("algorithm"));
    frame();
    EXPECT_TRUE(has_control("algorithm: cpu_loop"));
    EXPECT_FALSE(has_control("algorithm: cub_select"));
    click(point_of("unavailable: CUDA"));
    frame();
    EXPECT_TRUE(has_control("algorithm: cub_select")) << "to read about it";
    const std::string before = machine_.settings.run.a.algorithm;
    click(point_of("algorithm: cub_select"));
    frame();
    EXPECT_EQ(machine_.settings.run.a.algorithm, before);
    EXPECT_EQ(machine_.settings.run.engine, EngineId::cpu);
}

TEST_F(InterfaceTest, SlidersOfferNothingIllegal) {
    for (const char* label : {"slots", "live fraction", "speed", "threads per block", "blocks", "sequences",
                              "iterations", "check every"}) {
        SCOPED_TRACE(label);
        frame();
        // Every frame checks that what was set is legal.
        for (float share = -0.2F; share < 1.25F; share += 0.05F) {
            const ImVec2 from = point_of(label);
            drag(from, {point_of(label, share).x, from.y});
        }
    }
    for (const char* label :
         {"vector width: scalar", "vector width: pair", "vector width: quad", "vector width: automatic"}) {
        click(point_of(label));
    }
    EXPECT_EQ(machine_.settings.run.a.options[Option::vector_width], compaction::automatic);
}

TEST_F(InterfaceTest, ASliderGoesWhereItIsDragged) {
    frame();
    drag(point_of("slots"), point_of("slots", 0.999F));
    EXPECT_EQ(machine_.settings.run.slots, max_slots(EngineId::cuda));
    drag(point_of("slots"), point_of("slots", 0.001F));
    EXPECT_EQ(machine_.settings.run.slots, min_slots);
    drag(point_of("threads per block"), point_of("threads per block", 0.999F));
    EXPECT_EQ(machine_.settings.run.a.options[Option::threads_per_block], 1024U);
    drag(point_of("threads per block"), point_of("threads per block", 0.001F));
    EXPECT_EQ(machine_.settings.run.a.options[Option::threads_per_block], compaction::automatic);
}

TEST_F(InterfaceTest, ControlClickTypesAValue) {
    const auto type_into = [&](const char* label, const char* text) {
        frame();
        click(point_of(label), true);
        for (int i = 0; i < 4; ++i) frame();
        EXPECT_TRUE(ImGui::GetIO().WantTextInput) << label;
        type(text);
        press(GLFW_KEY_ENTER);
        frame();
    };
    type_into("slots", "1000003");
    EXPECT_EQ(machine_.settings.run.slots, 1'000'003U);
    type_into("slots", "2^14");
    EXPECT_EQ(machine_.settings.run.slots, 1U << 14);
    type_into("slots", "7");
    EXPECT_EQ(machine_.settings.run.slots, min_slots);
    type_into("slots", "nonsense");
    EXPECT_EQ(machine_.settings.run.slots, min_slots);
    type_into("live fraction", "12.5");
    EXPECT_FLOAT_EQ(machine_.settings.run.live_fraction, 0.125F);
    type_into("threads per block", "200");
    EXPECT_EQ(machine_.settings.run.a.options[Option::threads_per_block], 192U);
    type_into("threads per block", "auto");
    EXPECT_EQ(machine_.settings.run.a.options[Option::threads_per_block], compaction::automatic);
}

TEST_F(InterfaceTest, SlidersTakeTheRangesOfTheSchema) {
    window_ = {1280, 1000};  // all controls without scrolling
    int sliders = 0;
    for (const SettingDescriptor& setting : schema()) {
        const Control& control = setting.control;
        if (control.kind != ControlKind::slider && control.kind != ControlKind::doubling_slider) continue;
        SCOPED_TRACE(setting.key);
        ++sliders;
        const std::string label(control.label);
        const AllowedValues allowed = setting.allowed(machine_.settings);
        const auto value_after = [&](double typed) {
            frame();
            click(point_of(label), true);
            for (int i = 0; i < 4; ++i) frame();
            type(std::to_string(std::llround(typed * control.scale)).c_str());
            press(GLFW_KEY_ENTER);
            frame();
            return std::get<double>(setting.access.get(machine_.settings));
        };
        EXPECT_EQ(value_after(allowed.max), allowed.max);
        EXPECT_EQ(value_after(allowed.min), allowed.min);
        EXPECT_EQ(value_after(2 * allowed.max), allowed.max);
        if (allowed.min > 0) {
            EXPECT_EQ(value_after(allowed.min / 2), allowed.min);
        }
    }
    EXPECT_GE(sliders, 5);
}

TEST_F(InterfaceTest, ReportsWhatATypedValueBecame) {
    window_ = {1280, 1000};  // all controls without scrolling
    const auto noted_after = [&](const std::string& label, const char* text) {
        frame();
        click(point_of(label), true);
        for (int i = 0; i < 4; ++i) frame();
        type(text);
        press(GLFW_KEY_ENTER);
        frame();
        return has_control("note below " + label);
    };
    EXPECT_TRUE(noted_after("slots", "99999999999"));
    EXPECT_EQ(machine_.settings.run.slots, max_slots(EngineId::cuda));
    EXPECT_TRUE(noted_after("slots", "7"));
    EXPECT_TRUE(noted_after("slots", "abc"));
    EXPECT_FALSE(noted_after("slots", "2^14"));
    EXPECT_TRUE(noted_after("live fraction", "150"));
    EXPECT_TRUE(noted_after("speed", "-1"));
    EXPECT_TRUE(noted_after("iterations", "1000"));
    EXPECT_TRUE(noted_after("check every", "0"));
    EXPECT_TRUE(noted_after("threads per block", "200"));
    EXPECT_FALSE(noted_after("threads per block", "256"));
    EXPECT_TRUE(noted_after("threads per block", "many"));
    EXPECT_FALSE(has_control("note below verify every")) << "one at a time";
    // It goes with the next change, whatever that is.
    frame();
    EXPECT_TRUE(has_control("note below threads per block"));
    press(GLFW_KEY_C);
    EXPECT_FALSE(has_control("note below threads per block"));
}

TEST_F(InterfaceTest, KeysDoNothingWhileTextIsTyped) {
    window_ = {1280, 1000};
    frame();
    click(point_of("folder"));
    frame();
    frame();
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    const Settings before = machine_.settings;
    press(GLFW_KEY_E);
    EXPECT_EQ(machine_.settings.run.engine, before.run.engine);
    EXPECT_TRUE(press(GLFW_KEY_Q, true).quit) << "no text has this key";
    type("pictures");
    // Leaving the field takes the folder over, even by a click on a control that comes before it.
    click(point_of("live fraction"));
    EXPECT_EQ(machine_.settings.window.capture_folder, "pictures");
}

TEST(Choices, FindTheNearestLegalValue) {
    using Spacing = compaction::LegalRange::Spacing;
    const compaction::LegalRange threads{Option::threads_per_block, 32, 1024, Spacing::multiples, 32};
    EXPECT_EQ(panels::nearest_legal(threads, 0), 32U);
    EXPECT_EQ(panels::nearest_legal(threads, 100), 96U);
    EXPECT_EQ(panels::nearest_legal(threads, 5000), 1024U);
    const compaction::LegalRange blocks{Option::blocks, 1, 65535, Spacing::multiples, 1};
    EXPECT_EQ(panels::nearest_legal(blocks, 12345), 12345U);
    const compaction::LegalRange sequences{Option::sequences, 1, 4096, Spacing::powers_of_two};
    EXPECT_EQ(panels::nearest_legal(sequences, 1000), 1024U);
}

}  // namespace
}  // namespace warpsieve
