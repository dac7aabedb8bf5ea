// The A/B lens: its divider, whose controls are whose, and what swapping and copying do.
#include "app/panels/view_panel.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Option;

class LensTest : public InterfaceTest {
  protected:
    LensTest() {
        ImGui::GetIO().KeyMap[ImGuiKey_LeftArrow] = GLFW_KEY_LEFT;
        fake::compare(machine_);
        machine_.settings.window.lens_mode = LensMode::particles;
        frame();
    }

    Settings& settings() { return machine_.settings; }
    AlgorithmConfig a() { return settings().run.algorithm_config(Side::a); }
    AlgorithmConfig b() { return settings().run.b; }
    bool shows(const std::string& label) const {
        return nlohmann::json::parse(interface_->control_map()).contains(label);
    }
    void point_at(const std::string& label) {
        ImGui::GetIO().MousePos = point_of(label);
        frame();
    }
};

TEST_F(LensTest, ShowsBothAndTheirRatio) {
    for (const char* label :
         {"divider", "ratio", "lens race", "caption A", "caption B", "swap", "A to B", "B to A"})
        EXPECT_TRUE(shows(label)) << label;
    type("1");
    frame();
    for (const char* label : {"divider", "ratio", "caption A", "swap"}) EXPECT_FALSE(shows(label)) << label;
    type("3");
    frame();
    EXPECT_TRUE(shows("divider"));
}

TEST_F(LensTest, ThePlotHasTheTotalOfB) {
    const auto shows_b = [this] {
        for (int i = 0; i < 3; ++i) frame();
        const auto [low, high] = corners("plot: timings");
        return drawn::text_within(low, high).find("totalofB") != std::string::npos;
    };
    EXPECT_FALSE(shows_b()) << "no frame of B has been timed";
    machine_.snapshot.timings.timeline_b = fake::unowned(machine_.timeline);
    EXPECT_TRUE(shows_b());
    // As outside of the lens.
    machine_.snapshot.runs.b.reset();
    machine_.figures->b.reset();
    type("1");
    EXPECT_FALSE(shows_b());
}

TEST_F(LensTest, NamesAreShownInFullWhereThereIsRoom) {
    for (const float scale : {1.0F, 1.5F}) {
        machine_.settings.window.scale = machine_.snapshot.display.scale = scale;
        interface_->set_style(scale, Theme::dark);
        window_ = {1600, 1000};
        frame();
        frame();
        const auto [low, high] = corners("caption A");
        const std::string text = drawn::text_within(low, high);
        EXPECT_NE(text.find("Sequence-wise,vectorised"), std::string::npos) << text;
        EXPECT_NE(text.find("%ofcopybandwidth"), std::string::npos) << text;
    }
}

TEST_F(LensTest, SaysWhereThereAreNoTimes) {
    EXPECT_EQ(drawn::all_text().find("nottimed:"), std::string::npos);
    fake::simulate(machine_);
    frame();
    EXPECT_NE(drawn::all_text().find("nottimed:"), std::string::npos) << drawn::all_text();
}

TEST_F(LensTest, TheModesDoNotCoverTheRatioInASmallWindow) {
    machine_.settings.window.scale = machine_.snapshot.display.scale = 2;
    interface_->set_style(2, Theme::dark);
    for (const int height : {720, 880, 960}) {
        window_.height = height;
        for (int i = 0; i < 3; ++i) frame();
        EXPECT_TRUE(shows("inside one compaction"));
        for (const char* label : {"particles", "inside one compaction", "difference"}) {
            if (!shows(label)) continue;
            EXPECT_LE(corners(label).second.y, corners("ratio").first.y) << label << height;
        }
    }
}

TEST_F(LensTest, TheDividerIsDraggedWithinTheView) {
    const ImVec2 at = point_of("divider");
    drag(at, {at.x + 100, at.y});
    const float width = 1280 - 346;
    EXPECT_NEAR(settings().window.divider, 0.5F + 100 / width, 2 / width);
    frame();
    drag(point_of("divider"), {1279, at.y});
    EXPECT_FLOAT_EQ(settings().window.divider, 0.95F);
    frame();
    drag(point_of("divider"), {0, at.y});
    EXPECT_FLOAT_EQ(settings().window.divider, 0.05F);
    frame();
    click(point_of("divider"));
    click(point_of("divider"));
    EXPECT_EQ(settings().window.divider, 0.5F);
}

TEST_F(LensTest, DraggingTheDividerLeavesTheCameraAlone) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = point_of("divider");
    frame();
    io.MouseDown[0] = true;
    frame();
    io.MousePos.x += 40;
    const Requests dragged = frame();
    EXPECT_EQ(dragged.camera.azimuth, 0);
    io.MouseDown[0] = false;
    frame();
    // Beside it the mouse turns the view.
    io.MousePos = {point_of("view").x + 200, point_of("view").y};
    frame();
    io.MouseDown[0] = true;
    frame();
    io.MousePos.x += 40;
    EXPECT_NE(frame().camera.azimuth, 0);
    io.MouseDown[0] = false;
    frame();
}

TEST_F(LensTest, ArrowKeysMoveTheDividerUnlessASliderHasThem) {
    point_at("view");
    press(GLFW_KEY_RIGHT);
    EXPECT_FLOAT_EQ(settings().window.divider, 0.52F);
    press(GLFW_KEY_LEFT);
    press(GLFW_KEY_LEFT);
    EXPECT_FLOAT_EQ(settings().window.divider, 0.48F);
    point_at("live fraction");
    const float density = settings().run.live_fraction;
    press(GLFW_KEY_RIGHT);
    EXPECT_FLOAT_EQ(settings().window.divider, 0.48F);
    EXPECT_GT(settings().run.live_fraction, density);
}

TEST_F(LensTest, ControlsSetTheSideThatIsChosen) {
    const AlgorithmConfig a_before = a();
    click(point_of("controls set: B"));
    frame();
    click(point_of("algorithm"));
    frame();
    click(point_of("algorithm: sequence_wise"));
    frame();
    EXPECT_EQ(b().algorithm, "sequence_wise");
    click(point_of("vector width: pair"));
    EXPECT_EQ(b().options[Option::vector_width], 2U);
    press(GLFW_KEY_V);
    EXPECT_EQ(b().options[Option::vector_width], 4U);
    drag(point_of("threads per block"), point_of("threads per block", 0.999F));
    EXPECT_EQ(b().options[Option::threads_per_block], 1024U);
    EXPECT_TRUE(a() == a_before) << "A was not asked";
    const AlgorithmConfig b_before = b();
    press(GLFW_KEY_B);
    press(GLFW_KEY_A);
    EXPECT_EQ(a().algorithm, "cub_select");
    EXPECT_TRUE(b() == b_before);
}

TEST_F(LensTest, SwappingAndCopying) {
    settings().run.a.options[Option::vector_width] = 2;
    const AlgorithmConfig first = a();
    const AlgorithmConfig second = b();
    ASSERT_FALSE(first == second);
    press(GLFW_KEY_X);
    EXPECT_TRUE(a() == second);
    EXPECT_TRUE(b() == first);
    click(point_of("swap"));
    EXPECT_TRUE(a() == first);
    EXPECT_TRUE(b() == second);
    type(">");
    EXPECT_TRUE(b() == first);
    settings().run.b = second;
    type("<");
    EXPECT_TRUE(a() == second);
    settings().run.algorithm_config(Side::a) = first;
    click(point_of("A to B"));
    EXPECT_TRUE(b() == first);
}

TEST_F(LensTest, WithoutTheLensItsKeysDoNothing) {
    press(GLFW_KEY_B);
    type("1");
    const Settings before = settings();
    press(GLFW_KEY_X);
    type(">");
    type("<");
    EXPECT_TRUE(settings() == before);
    press(GLFW_KEY_A);
    EXPECT_TRUE(b() == before.run.b) << "the controls are A's again";
    EXPECT_NE(a().algorithm, before.run.a.algorithm);
}

TEST_F(LensTest, BStaysWithinWhatIsLegal) {
    settings().run.b.options[Option::blocks] = 7;  // which cub_select does not have
    frame();
    EXPECT_EQ(b().options[Option::blocks], compaction::automatic);
    press(GLFW_KEY_E);
    EXPECT_EQ(settings().run.engine, EngineId::cpu);
    EXPECT_EQ(b().algorithm, "cpu_loop") << "the first of that engine that is not A's";
    settings().run.b.algorithm = "no longer there";
    frame();
    EXPECT_EQ(b().algorithm, "cpu_loop");
    settings().window.divider = std::numeric_limits<float>::quiet_NaN();
    frame();
    EXPECT_EQ(settings().window.divider, 0.5F);
}

TEST_F(LensTest, AnAlgorithmThatCannotRunHereCannotBeB) {
    fake::make_cpu_machine(machine_);
    fake::compare(machine_);
    press(GLFW_KEY_B);
    const AlgorithmConfig before = b();
    click(point_of("algorithm"));
    frame();
    click(point_of("unavailable: CUDA"));
    frame();
    click(point_of("algorithm: cub_select"));
    frame();
    EXPECT_TRUE(b() == before);
}

TEST_F(LensTest, AWrongBIsToldEvenWhereTheLensIsClosed) {
    machine_.snapshot.checks.b.wrong = 2;
    machine_.snapshot.checks.b.first_failure = "cub_select, frame 9: kept 3 items, the reference keeps 4";
    type("1");
    machine_.snapshot.runs.b.reset();
    frame();
    const int with_banner = ImGui::GetDrawData()->TotalVtxCount;
    machine_.snapshot.checks.b = {};
    frame();
    EXPECT_GT(with_banner, ImGui::GetDrawData()->TotalVtxCount + 200);
}

TEST_F(LensTest, EverySizeAndStateIsBuilt) {
    for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{320, 200}, gl::PixelSize{1024, 640},
                                     gl::PixelSize{2560, 1440}}) {
        for (const float scale : {1.0F, 2.0F}) {
            window_ = size;
            interface_->set_style(scale, Theme::light);
            for (const float divider : {0.0F, 0.5F, 1.0F}) {
                settings().window.divider = divider;
                frame();
            }
        }
    }
    window_ = {1280, 720};
    machine_.figures->b->rows.clear();
    machine_.figures->ratio = {};
    frame();
    machine_.snapshot.runs.b->algorithm = nullptr;
    frame();
    machine_.snapshot.runs.b.reset();
    frame();
    machine_.figures->a.rows.clear();
    machine_.snapshot.runs.a.algorithm = nullptr;
    frame();
}

}  // namespace
}  // namespace warpsieve
