// Every view at every size and scale that is promised: no text leaves its parent, and none covers another.
#include <regex>
#include <string>

#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/panels/shown_views.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace warpsieve {
namespace {

using states::Shown;

class TextPositions : public InterfaceTest, public testing::WithParamInterface<Shown> {
  protected:
    TextPositions() {
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        GetParam().arrange(machine_);
        if (states::needs_samples(machine_)) stream_.emplace(machine_);
    }

    void show(gl::PixelSize size, float scale) {
        SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << " at " << scale);
        window_ = size;
        machine_.settings.window.scale = machine_.snapshot.display.scale = scale;
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
        static const std::regex typed_power("2\\^[0-9a-z]+");
        std::smatch power;
        EXPECT_FALSE(std::regex_search(text, power, typed_power)) << power.str() << " is not as in print";
    }

    std::optional<fake::SampledStream> stream_;
};

TEST_P(TextPositions, NoneLeavesItsParentOrCoversAnother) {
    frame();
    if (GetParam().key != 0) press(GetParam().key, GetParam().key == GLFW_KEY_P);
    states::at_promised_sizes([&](gl::PixelSize size, float scale) { show(size, scale); });
}

/// Whether the text is within the plot of timings, names of the bands included, in a large window.
bool names_bands(const std::string& text) {
    std::size_t found = 0;
    // The table has each name, too.
    for (std::size_t at = text.find("between"); at != std::string::npos; at = text.find("between", at + 1))
        ++found;
    return found >= 2;
}

TEST_P(TextPositions, BandsOfTheTimingsHaveTheirNames) {
    window_ = {2560, 1440};
    for (int i = 0; i < 3; ++i) frame();
    const bool has_phases = machine_.timeline.size() > 0 && has_control("timings plot");
    if (!has_phases || machine_.snapshot.runs.a.algorithm->phases.size() < 2) return;
    EXPECT_TRUE(names_bands(drawn::all_text())) << drawn::all_text();
}

INSTANTIATE_TEST_SUITE_P(Views, TextPositions, testing::ValuesIn(states::shown_views),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace warpsieve
