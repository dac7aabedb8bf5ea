// Every window size from one pixel to 8,192 squared, in every state and at every scale, with menus open and
// with random input. An assertion of Dear ImGui or of the standard library ends the test.
#include <algorithm>
#include <random>
#include <vector>

#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace warpsieve {
namespace {

constexpr auto sizes = std::to_array<gl::PixelSize>({{1, 1},
                                                     {1, 8192},
                                                     {8192, 1},
                                                     {7, 5},
                                                     {25, 25},
                                                     {640, 20},
                                                     {640, 33},
                                                     {20, 400},
                                                     {60, 60},
                                                     {120, 90},
                                                     {320, 200},
                                                     {400, 8192},
                                                     {8192, 120},
                                                     {8192, 8192}});

struct State {
    const char* name;
    void (*arrange)(fake::Machine& machine);
};

void PrintTo(const State& state, std::ostream* out) {
    *out << state.name;
}

/// A state of the gallery, in a window that changes its size.
class WindowSizes : public InterfaceTest, public testing::WithParamInterface<State> {
  protected:
    WindowSizes() {
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as OpenGL 3.2 and later
        GetParam().arrange(machine_);
        if (states::needs_samples(machine_)) stream_.emplace(machine_);
    }

    void set_scale(float scale) {
        machine_.settings.window.scale = machine_.snapshot.display.scale = scale;
        interface_->set_style(scale, Theme::dark);
    }

    /// A frame whose requests are carried out as in the application.
    void answered_frame() {
        const Requests requests = frame();
        if (stream_ && requests.slot_map) stream_->take(machine_, *requests.slot_map);
        const float scale = machine_.settings.window.scale;
        if (scale > 0 && scale != machine_.snapshot.display.scale) set_scale(scale);
    }

    void show(gl::PixelSize size) {
        SCOPED_TRACE(testing::Message() << size.width << "x" << size.height);
        window_ = size;
        const auto width = static_cast<float>(size.width);
        const auto height = static_cast<float>(size.height);
        for (const ImVec2 mouse :
             {ImVec2{width / 2, height / 2}, ImVec2{width - 1, 0}, ImVec2{1, height - 1}}) {
            ImGui::GetIO().MousePos = mouse;
            answered_frame();
        }
    }

    std::optional<fake::SampledStream> stream_;
};

TEST_P(WindowSizes, AreAllDrawnAtEveryScale) {
    for (const float scale : {0.75F, 1.0F, 3.0F}) {
        set_scale(scale);
        for (const gl::PixelSize size : sizes) show(size);
    }
}

TEST_P(WindowSizes, MayChangeWhileAControlIsInUse) {
    constexpr gl::PixelSize roomy{1280, 1600};
    window_ = roomy;
    answered_frame();
    const auto map = nlohmann::json::parse(interface_->control_map());
    const Settings settings = machine_.settings;
    for (const auto& [label, rectangle] : map.items()) {
        SCOPED_TRACE(label);
        window_ = roomy;
        const std::array<float, 4> at = rectangle;
        click({at[0] + at[2] / 2, at[1] + at[3] / 2}, label.size() % 2 == 0);
        for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{300, 30}, gl::PixelSize{40, 500}})
            show(size);
        machine_.settings = settings;
        press(GLFW_KEY_ESCAPE);
    }
}

TEST_P(WindowSizes, SurviveRandomInput) {
    std::mt19937 random(17);
    const auto below = [&random](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    ImGuiIO& io = ImGui::GetIO();
    for (int i = 0; i < 1'000; ++i) {
        const auto any_size = [&] { return 1 + below(1 << (1 + below(12))); };
        switch (below(8)) {
            case 0:
                window_ = {any_size(), any_size()};
                break;
            case 1:
                io.MouseWheel = static_cast<float>(below(7) - 3);
                break;
            case 2:
                press(below(GLFW_KEY_LAST), below(3) == 0, below(3) == 0);
                break;
            case 3:
                type(std::string(1, static_cast<char>(' ' + below(95))).c_str());
                break;
            case 4:
                io.MouseDown[below(3)] = true;
                break;
            default:
                std::ranges::fill(io.MouseDown, false);
                io.MousePos = {static_cast<float>(below(window_.width + 20) - 10),
                               static_cast<float>(below(window_.height + 20) - 10)};
        }
        answered_frame();
        io.MouseWheel = 0;
    }
}

INSTANTIATE_TEST_SUITE_P(
    States, WindowSizes,
    testing::Values(State{"running", states::gpu}, State{"fused", states::fused},
                    State{"troubled", states::troubled}, State{"changed", states::changed},
                    State{"starting", states::starting}, State{"race", states::race},
                    State{"slow_motion", states::slow_motion}, State{"lens", states::lens_plain},
                    State{"lens_troubled", states::lens_troubled}, State{"difference", states::difference},
                    State{"timeline", states::history_full}, State{"timeline_hot", states::history_hot},
                    State{"slot_map", states::map_short}, State{"labs_empty", states::labs_empty},
                    State{"compare", states::labs_compare}, State{"comparing", states::labs_comparing},
                    State{"tune", states::labs_tune}, State{"tuning", states::labs_tuning},
                    State{"sweep", states::sweep}, State{"sweeping", states::sweeping},
                    State{"steps", fake::steps_report}, State{"roofline", fake::roofline_report},
                    State{"reproduce", fake::reproduce_report}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace warpsieve
