// Every view at every size and scale that is promised: no text leaves its parent, and none covers another.
#include <regex>
#include <string>

#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace warpsieve {
namespace {

struct Shown {
    const char* name;
    void (*arrange)(made_up::Machine& machine);
    int key = 0;  ///< pressed first, with Ctrl for P
};

void PrintTo(const Shown& view, std::ostream* out) {
    *out << view.name;
}

class TextPlaces : public InterfaceTest, public testing::WithParamInterface<Shown> {
  protected:
    TextPlaces() {
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        GetParam().arrange(machine_);
        if (states::needs_samples(machine_)) stream_.emplace(machine_);
    }

    void show(gl::PixelSize size, float scale) {
        SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << " at " << scale);
        window_ = size;
        machine_.settings.window.scale = machine_.view.display.scale = scale;
        interface_->set_style(scale, Theme::dark);
        ImGui::GetIO().MousePos = {-1, -1};
        for (int i = 0; i < 4; ++i) {
            const Requests requests = frame();
            if (stream_ && requests.slot_map) stream_->take(machine_, *requests.slot_map);
        }
        drawn::GlyphFinder finder;
        std::size_t glyphs = 0;
        for (const drawn::WindowText& window : drawn::texts(finder)) {
            glyphs += window.glyphs.size();
            EXPECT_EQ(drawn::cut_text(window, ImGui::GetIO().DisplaySize), "") << window.name;
            EXPECT_EQ(drawn::overlapping_text(window), "") << window.name;
        }
        EXPECT_GT(glyphs, 30U) << "the text is not found";
        const std::string text = drawn::all_text();
        static const std::regex typed_power("2\\^[0-9]+");
        std::smatch power;
        EXPECT_FALSE(std::regex_search(text, power, typed_power)) << power.str() << " is not as in print";
    }

    std::optional<made_up::SampledStream> stream_;
};

TEST_P(TextPlaces, NoneLeavesItsParentOrCoversAnother) {
    frame();
    if (GetParam().key != 0) press(GetParam().key, GetParam().key == GLFW_KEY_P);
    for (const gl::PixelSize size : {gl::PixelSize{1024, 640}, gl::PixelSize{1280, 720},
                                     gl::PixelSize{1600, 1000}, gl::PixelSize{2560, 1440}}) {
        for (const float scale : {1.0F, 1.5F, 2.0F}) {
            if (static_cast<float>(size.width) >= 1024 * scale &&
                static_cast<float>(size.height) >= 640 * scale)
                show(size, scale);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Views, TextPlaces,
    testing::Values(Shown{"two_stage", states::gpu}, Shown{"two_stage_cpu", states::cpu},
                    Shown{"particles", states::particles}, Shown{"troubled", states::troubled},
                    Shown{"changed", states::changed}, Shown{"starting", states::starting},
                    Shown{"timeline", states::history}, Shown{"timeline_full", states::history_full},
                    Shown{"timeline_hot", states::history_hot}, Shown{"inside", states::inside},
                    Shown{"inside_roles", states::inside_roles}, Shown{"lens", states::lens},
                    Shown{"lens_troubled", states::lens_troubled}, Shown{"lens_inside", states::inside_lens},
                    Shown{"difference", states::difference}, Shown{"slot_map", states::map},
                    Shown{"slot_map_long", states::map_long}, Shown{"slow_motion", states::slow_motion},
                    Shown{"race", states::race}, Shown{"labs_empty", states::labs_empty},
                    Shown{"compare", states::labs_compare}, Shown{"tune", states::labs_tune},
                    Shown{"sweep", states::sweep}, Shown{"steps", made_up::steps_report},
                    Shown{"roofline", made_up::roofline_report},
                    Shown{"reproduce", made_up::reproduce_report}, Shown{"palette", states::gpu, GLFW_KEY_P},
                    Shown{"presentation", states::gpu, GLFW_KEY_F11},
                    Shown{"help", states::gpu, GLFW_KEY_F1}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace warpsieve
