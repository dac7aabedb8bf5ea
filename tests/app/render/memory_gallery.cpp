// Draws the memory of compactions on the simulated GPU, with labels, as PNG files for inspection:
// memory_gallery <folder> [part of a name]. It prints the times of describing and drawing.
#include <glad/gl.h>
#include <imgui.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/gl/context.hpp"
#include "app/render/memory_pass.hpp"
#include "app/render/particle_renderer.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/trace/memory_replay.hpp"
#include "compaction/access_trace.hpp"
#include "compaction/engine.hpp"
#include "tests/app/panels/gallery.hpp"

namespace {

using namespace warpsieve;

struct Picture {
    std::string name;
    const char* algorithm;
    double time;  ///< share of the whole
    Theme theme = Theme::dark;
    gl::PixelSize size{932, 436};
    std::uint64_t num_items = 4096;
    compaction::Options options{};
    float zoom = 1;
};

compaction::Options wide(std::uint32_t width, std::uint32_t sequences = 0) {
    compaction::Options options;
    options[compaction::Option::vector_width] = width;
    options[compaction::Option::sequences] = sequences;
    return options;
}

/// Runs of kept items of different lengths, which teach more than noise.
std::vector<compaction::Item> clusters(std::uint64_t num_items) {
    std::vector<compaction::Item> items(num_items);
    for (std::uint64_t slot = 0; slot < num_items; ++slot) {
        const auto hashed = [](std::uint64_t x) {
            return scene::unit(scene::hash(static_cast<std::uint32_t>(x)));
        };
        const float often = hashed(slot * 20 / num_items + 77) < 0.55F ? 0.93F : 0.1F;
        items[slot] = hashed(slot) < often ? static_cast<compaction::Item>(slot + 1) : 0;
    }
    return items;
}

std::unique_ptr<trace::MemoryReplay> replay_of(const Picture& picture) {
    const compaction::Algorithm& algorithm =
        compaction::find_algorithm(std::string("simulated_") + picture.algorithm);
    const std::vector<compaction::Item> items = clusters(picture.num_items);
    auto traced = compaction::simulated::trace_compaction(
        algorithm, picture.options, compaction::ItemSize::bytes_4, std::as_bytes(std::span(items)),
        compaction::keep_non_zero(), 0);
    const auto engine = compaction::open_engine(compaction::EngineId::simulated);
    const auto compactor = engine->make_compactor(algorithm, picture.options);
    return trace::replay_of(algorithm, std::make_shared<compaction::AccessTrace>(std::move(traced.trace)),
                            compactor->partition(picture.num_items));
}

ImFont* small_font = nullptr;
ImFont* large_font = nullptr;

void draw_labels(const scene::MemoryScene& memory, const scene::Camera& camera, gl::PixelSize size,
                 Theme theme) {
    const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const scene::MemoryColours& colours = render::memory_colours(theme);
    const ImU32 ink = theme == Theme::dark ? IM_COL32(230, 234, 240, 255) : IM_COL32(20, 23, 28, 255);
    const ImU32 muted = theme == Theme::dark ? IM_COL32(163, 173, 186, 255) : IM_COL32(86, 96, 112, 255);
    const auto measured = [&](const scene::Label& label) {
        const ImVec2 a = large_font->CalcTextSizeA(15, 1e9F, 0, label.text.c_str());
        const ImVec2 b = small_font->CalcTextSizeA(13, 1e9F, 0, label.detail.c_str());
        if (label.kind == scene::LabelKind::row)
            return std::array{std::max(a.x, b.x), label.detail.empty() ? 15.0F : 29.0F};
        return std::array{a.x + (label.detail.empty() ? 0 : 6 + b.x), 15.0F};
    };
    for (const scene::PlacedLabel& placed :
         scene::place(memory.labels, camera.view_projection(width / height), width, height, measured)) {
        const scene::Label& label = *placed.label;
        ImU32 colour = label.kind == scene::LabelKind::hint ? muted : ink;
        if (label.hue) {
            const scene::Tint hue = colours.phases[static_cast<std::size_t>(*label.hue)];
            colour = ImGui::ColorConvertFloat4ToU32({hue.red, hue.green, hue.blue, 1});
        }
        list.AddText(large_font, 15, {placed.left, placed.top}, colour, label.text.c_str());
        const ImVec2 a = large_font->CalcTextSizeA(15, 1e9F, 0, label.text.c_str());
        if (!label.detail.empty()) {
            const bool below = label.kind == scene::LabelKind::row;
            list.AddText(small_font, 13,
                         below ? ImVec2(placed.left, placed.top + 15)
                               : ImVec2(placed.left + a.x + 6, placed.top + 1.5F),
                         muted, label.detail.c_str());
        }
    }
}

void render_picture(const Picture& picture, const std::filesystem::path& folder) {
    const auto context = gl::open_headless(picture.size);
    ImGuiIO& io = ImGui::GetIO();
    io.Fonts->Clear();
    large_font = io.Fonts->AddFontFromFileTTF("/usr/share/fonts/opentype/inter/Inter-Medium.otf", 15);
    small_font = io.Fonts->AddFontFromFileTTF("/usr/share/fonts/opentype/inter/Inter-Regular.otf", 13);
    const auto replay = replay_of(picture);
    const bool at_rest = picture.time > 1;
    replay->seek(picture.time * replay->duration());
    if (picture.time < 0) {
        // The middle of a phase or, for small fractions, of a launch.
        const auto phase = static_cast<std::size_t>(-picture.time) - 1;
        const double part = -picture.time - std::floor(-picture.time);
        const trace::ReplayPhase& described = replay->phases()[phase];
        replay->seek(described.begin + part * (described.end - described.begin));
    }
    render::ParticleRenderer renderer(context->info());
    scene::Camera camera(scene::memory_viewpoint());
    if (picture.zoom != 1) camera.zoom(picture.zoom);
    scene::MemoryScene memory;
    const auto us = [](auto from) {
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
    };
    double seeking = 0, describing = 0, drawing = 0;
    constexpr int runs = 12;
    for (int run = 0; run < runs; ++run) {
        auto start = std::chrono::steady_clock::now();
        replay->seek(replay->state().time);
        if (run > 1) seeking += us(start);
        start = std::chrono::steady_clock::now();
        scene::describe(*replay, replay->state(), render::memory_colours(picture.theme), at_rest, memory);
        if (run > 1) describing += us(start);
        start = std::chrono::steady_clock::now();
        renderer.draw_memory(memory, camera, picture.theme, context->framebuffer(), picture.size,
                             {0, 0, picture.size.width, picture.size.height}, {0, picture.size.width});
        glFinish();
        if (run > 1) drawing += us(start);
    }
    std::printf("%-34s seek %6.1f ms, describe %5.1f ms, draw %5.1f ms; %zu boxes, %zu arcs, %zu labels\n",
                picture.name.c_str(), seeking / (runs - 2) / 1000, describing / (runs - 2) / 1000,
                drawing / (runs - 2) / 1000, memory.boxes.size() + memory.ghosts.size(), memory.arcs.size(),
                memory.labels.size());
    context->begin_interface_frame();
    draw_labels(memory, camera, picture.size, picture.theme);
    context->end_interface_frame();
    renderer.draw_memory(memory, camera, picture.theme, context->framebuffer(), picture.size,
                         {0, 0, picture.size.width, picture.size.height}, {0, picture.size.width});
    context->draw_interface();
    glBindFramebuffer(GL_FRAMEBUFFER, context->framebuffer());
    gallery::write_png(folder / (picture.name + ".png"), picture.size);
}

const std::vector<Picture> pictures{
    {"sequence_wise_1_count", "sequence_wise", -1.5, Theme::dark, {932, 436}, 4096, wide(1, 16)},
    {"sequence_wise_2_prefix", "sequence_wise", -2.9, Theme::dark, {932, 436}, 4096, wide(1, 16)},
    {"sequence_wise_3_move", "sequence_wise", -3.6, Theme::dark, {932, 436}, 4096, wide(1, 16)},
    {"sequence_wise_3_move_light", "sequence_wise", -3.6, Theme::light, {932, 436}, 4096, wide(1, 16)},
    {"sequence_wise_4_end", "sequence_wise", 1.0, Theme::dark, {932, 436}, 4096, wide(1, 16)},
    {"quad_1_count", "sequence_wise", -1.5, Theme::dark, {932, 436}, 4096, wide(4, 8)},
    {"single_pass_a", "single_pass", 0.55, Theme::dark},
    {"single_pass_b", "single_pass", 0.8, Theme::light},
    {"single_pass_16k", "single_pass", 0.6, Theme::dark, {932, 436}, 65536},
    {"atomic_append", "atomic_append", 0.7, Theme::dark},
    {"block_wise", "block_wise", -3.5, Theme::dark},
    {"block_wise_2_prefix", "block_wise", -2.5, Theme::dark},
    {"billeter_scaled", "billeter_scaled", -3.5, Theme::dark},
    {"naive_scan_a", "naive_scan", -2.3, Theme::dark},
    {"naive_scan_b", "naive_scan", -2.8, Theme::light},
    {"work_efficient_a", "work_efficient_scan", -2.3, Theme::dark},
    {"work_efficient_b", "work_efficient_scan", -2.85, Theme::dark},
    {"work_efficient_c", "work_efficient_scan", -3.6, Theme::dark},
    {"sequence_wise_4k", "sequence_wise", -3.6, Theme::dark, {3840, 2160}, 4096, wide(1, 16)},
};

}  // namespace

int main(int argc, char** argv) {
    ImGui::CreateContext();
    return gallery::draw(argc, argv, pictures, render_picture);
}
