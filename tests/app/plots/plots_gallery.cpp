// Renders the plots of the labs from fake figures, and the plot of time by address, and writes PNG files:
// plots_gallery <folder> [part of a name]. Prints the times of building and drawing.
#include <glad/gl.h>
#include <imgui.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/gl/context.hpp"
#include "app/panels/fonts.hpp"
#include "app/plots/address_plot.hpp"
#include "app/plots/xy_plot.hpp"
#include "tests/app/panels/gallery.hpp"
#include "tests/app/plots/fake_replay.hpp"
#include "tests/app/trace/fake_traces.hpp"

namespace {

using namespace warpsieve;
using plots::AxisQuantity;
using plots::XyPlot;

/// Times over the length of the stream: each algorithm has an overhead and a speed.
XyPlot sweep(std::size_t num_series) {
    constexpr std::array names{"single_pass", "cub_select",      "sequence_wise", "thrust_copy_if",
                               "block_wise",  "masked_two_pass", "billeter",      "atomic_append"};
    XyPlot plot{.x = {"items", AxisQuantity::items, true},
                .y = {"time of a call", AxisQuantity::time_us, true}};
    plots::XyLimit copy{.name = "copy"};
    for (std::size_t s = 0; s < num_series; ++s) {
        plots::XySeries series{names[s % names.size()], s, {}};
        for (int i = 10; i <= 28; i += 2) {
            const double n = std::exp2(i);
            const auto slow = static_cast<double>(s);
            const double y = 3 + 2.2 * slow + n * (1.6e-6 + 6e-7 * slow);
            const double spread = i < 14 ? 0.2 : 0.03;
            series.points.push_back(
                {.x = n, .y = y, .q1 = y * (1 - spread), .q3 = y * (1 + spread), .n = 42});
            if (s == 0) copy.points.push_back({.x = n, .y = 2.5 + n * 1.4e-6});
        }
        plot.series.push_back(series);
    }
    if (num_series > 0) plot.limits.push_back(copy);
    plot.empty_text = "Nothing was measured yet. Choose algorithms and press Run.";
    return plot;
}

XyPlot share_of_density() {
    XyPlot plot{.x = {"keep fraction", AxisQuantity::number},
                .y = {"% of copy bandwidth", AxisQuantity::share, false, true}};
    for (std::size_t s = 0; s < 3; ++s) {
        plots::XySeries series{std::array{"single_pass", "cub_select", "sequence_wise"}[s], s, {}};
        for (int i = 0; i <= 10; ++i) {
            const double x = i / 10.0;
            const double y = 0.9 - 0.17 * static_cast<double>(s) + 0.08 * std::sin(4 * x);
            series.points.push_back({.x = x, .y = y, .q1 = y - 0.02, .q3 = y + 0.02, .n = 30});
        }
        plot.series.push_back(series);
    }
    plot.series[1].points[4].y = std::nan("");
    plot.limits.push_back({.name = "copy", .level = 1});
    return plot;
}

XyPlot roofline() {
    XyPlot plot{.x = {"useful bytes of each byte moved", AxisQuantity::share, true},
                .y = {"useful GB/s", AxisQuantity::gb_s, true},
                .lines = false};
    const auto dot = [&](const char* name, double x, double y, double x_low = std::nan("")) {
        plots::XySeries series{name, plot.series.size(), {}};
        series.points.push_back({.x = x, .y = y, .n = 30, .x_low = x_low});
        plot.series.push_back(series);
    };
    dot("single_pass", 1, 3790);
    dot("cub_select", 1, 2520, 0.61);
    dot("sequence_wise", 0.6, 2280);
    dot("block_wise", 0.6, 1740);
    dot("billeter", 0.6, 260);
    dot("naive_scan", 0.011, 63);
    dot("masked_two_pass", 0.59, 2080);
    plot.limits.push_back({.name = "copy speed", .level = 4120, .diagonal = true});
    plot.limits.push_back({.name = "read speed", .level = 4550, .diagonal = true});
    return plot;
}

struct Picture {
    const char* name;
    gl::PixelSize size;
    float scale;
    plots::PaletteId theme;
    bool plain;
    XyPlot (*make)();
    std::optional<ImVec2> mouse = {};
};

const std::array pictures{
    Picture{"sweep_dark", {940, 420}, 1, plots::PaletteId::dark, false, [] { return sweep(5); }},
    Picture{"sweep_plain", {940, 420}, 1, plots::PaletteId::dark, true, [] { return sweep(5); }},
    Picture{"sweep_light_200", {1880, 840}, 2, plots::PaletteId::light, false, [] { return sweep(8); }},
    Picture{"sweep_hover",
            {940, 420},
            1,
            plots::PaletteId::dark,
            false,
            [] { return sweep(5); },
            ImVec2{632, 190}},
    Picture{"sweep_hover_light",
            {640, 300},
            1,
            plots::PaletteId::light,
            false,
            [] { return sweep(3); },
            ImVec2{475, 70}},
    Picture{"sweep_crowded", {420, 200}, 1, plots::PaletteId::dark, false, [] { return sweep(20); }},
    Picture{"sweep_narrow_200", {700, 420}, 2, plots::PaletteId::dark, true, [] { return sweep(4); }},
    Picture{"empty", {600, 260}, 1, plots::PaletteId::dark, false, [] { return sweep(0); }},
    Picture{"share_dark", {700, 340}, 1, plots::PaletteId::dark, false, share_of_density},
    Picture{"share_light", {700, 340}, 1, plots::PaletteId::light, true, share_of_density},
    Picture{"roofline_dark", {800, 420}, 1, plots::PaletteId::dark, false, roofline},
    Picture{
        "roofline_light_200", {1600, 840}, 2, plots::PaletteId::light, false, roofline, ImVec2{1338, 192}},
};

using ReplayPointer = std::shared_ptr<trace::MemoryReplay>;

/// Blocks on a GPU, with small launch gaps.
ReplayPointer blocks() {
    const compaction::Algorithm& algorithm = compaction::find_algorithm("sequence_wise");
    constexpr std::uint64_t num_items = 1U << 20;
    compaction::RunTrace run = fake::trace_of(algorithm, 132, 256, 1, 2.4F);
    fake::add_parts(run, algorithm, num_items);
    std::vector<bool> kept(num_items);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i % 2 == 0;
    return trace::replay_of(fake::traced(algorithm, run), kept);
}

/// The prefix by a library, and a phase too narrow for its name.
ReplayPointer library() {
    auto replay = std::make_shared<fake::Replay>(false, 42.1);
    replay->add_phase({"count", compaction::PhaseRole::count, 0.8, 16, false, {}, {}});
    replay->add_phase({"prefix", compaction::PhaseRole::prefix, 17, 29, true, {}, {}});
    replay->add_phase({"look-back", compaction::PhaseRole::fused, 30, 30.7, false, {}, {}});
    replay->add_phase({"move", compaction::PhaseRole::scatter, 30.8, 41, false, {}, {}});
    replay->add_buffer({compaction::BufferRole::counts, "counts of sequences", 64, true, false});
    for (int i = 0; i < 64; ++i) {
        const double begin = 0.8 + i % 8 * 1.7;
        const float low = static_cast<float>(i) / 64;
        replay->add_mark({begin, begin + 3, 0, low, low + 1.0F / 64, 0, false});
        replay->add_mark({begin + 3, begin + 3.2, 2, low, low + 1.0F / 64, 0, true});
        replay->add_mark({31 + begin / 2, 32 + begin / 2, 1, low / 2, low / 2 + 1.0F / 128, 3, true});
    }
    return replay;
}

struct AddressPicture {
    const char* name;
    gl::PixelSize size;
    float scale;
    plots::PaletteId theme;
    bool plain;
    ReplayPointer (*make)();
    std::optional<double> playhead;  ///< share of the time
};

const std::array address_pictures{
    AddressPicture{"address_sequence_wise",
                   {940, 220},
                   1,
                   plots::PaletteId::dark,
                   false,
                   [] { return fake::simulated_replay("simulated_sequence_wise", 1U << 12); },
                   0.3},
    AddressPicture{"address_naive_scan",
                   {940, 220},
                   1,
                   plots::PaletteId::dark,
                   false,
                   [] { return fake::simulated_replay("simulated_naive_scan", 1U << 12); },
                   0.7},
    AddressPicture{"address_naive_scan_65536",
                   {940, 220},
                   1,
                   plots::PaletteId::dark,
                   true,
                   [] { return fake::simulated_replay("simulated_naive_scan", 1U << 16); },
                   0.7},
    AddressPicture{"address_single_pass_light_200",
                   {1880, 440},
                   2,
                   plots::PaletteId::light,
                   false,
                   [] { return fake::simulated_replay("simulated_single_pass", 1U << 12); },
                   0.5},
    AddressPicture{"address_billeter_narrow",
                   {420, 200},
                   1,
                   plots::PaletteId::light,
                   false,
                   [] { return fake::simulated_replay("simulated_billeter_scaled", 1U << 12); },
                   std::nullopt},
    AddressPicture{"address_blocks", {940, 200}, 1, plots::PaletteId::dark, false, blocks, 0.8},
    AddressPicture{"address_library", {940, 200}, 1, plots::PaletteId::dark, false, library, 0.5},
    AddressPicture{"address_low",
                   {640, 96},
                   1,
                   plots::PaletteId::dark,
                   true,
                   [] { return fake::simulated_replay("simulated_sequence_wise", 1U << 12); },
                   0.99},
};

/// Returns a function that draws the plot of a picture.
auto drawer(const Picture& picture) {
    return [plot = picture.make(), mouse = picture.mouse](ImDrawList& list, ImVec2 low, ImVec2 high,
                                                          const plots::Style& style) {
        plots::draw(list, low, high, plot, style, mouse);
    };
}
auto drawer(const AddressPicture& picture) {
    return
        [plot = std::make_shared<plots::AddressPlot>(), replay = picture.make(), playhead = picture.playhead](
            ImDrawList& list, ImVec2 low, ImVec2 high, const plots::Style& style) {
            if (!replay) return;
            plot->draw(list, low, high, replay,
                       playhead ? std::optional(*playhead * replay->duration()) : std::nullopt, style);
        };
}

template <typename AnyPicture>
void render(const AnyPicture& picture, const std::filesystem::path& folder) {
    using Clock = std::chrono::steady_clock;
    const auto ms = [](Clock::duration time) {
        return std::chrono::duration<double, std::milli>(time).count();
    };
    ImGui::CreateContext();
    {
        const std::unique_ptr<gl::Context> context = gl::open_headless(picture.size);
        const plots::Style style{plots::palette_of(picture.theme), panels::build_fonts(picture.scale),
                                 picture.scale, picture.plain};
        const auto draw_plot = drawer(picture);
        const ImVec2 size{static_cast<float>(picture.size.width), static_cast<float>(picture.size.height)};
        double build_ms = 0;
        double draw_ms = 0;
        for (int frame = 0; frame < 8; ++frame) {
            context->begin_interface_frame();
            ImDrawList& list = *ImGui::GetBackgroundDrawList();
            list.AddRectFilled({0, 0}, size, style.palette.background);
            const auto start = Clock::now();
            draw_plot(list, {16, 12}, {size.x - 16, size.y - 12}, style);
            build_ms = ms(Clock::now() - start);
            context->end_interface_frame();
            glBindFramebuffer(GL_FRAMEBUFFER, context->framebuffer());
            glFinish();
            const auto drawing = Clock::now();
            context->draw_interface();
            glFinish();
            draw_ms = ms(Clock::now() - drawing);
        }
        gallery::write_png(folder / (std::string(picture.name) + ".png"), picture.size);
        std::printf("%-22s build %5.3f ms, draw %6.2f ms, %6d vertices\n", picture.name, build_ms, draw_ms,
                    ImGui::GetDrawData()->TotalVtxCount);
    }
    ImGui::DestroyContext();
}

}  // namespace

int main(int argc, char** argv) {
    const int failed = gallery::draw(argc, argv, pictures, render<Picture>);
    return failed != 0 ? failed : gallery::draw(argc, argv, address_pictures, render<AddressPicture>);
}
