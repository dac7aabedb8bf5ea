// Renders the interface headless with fake machines, in many states and sizes, as PNG files for
// inspection: interface_gallery <folder>. It prints the times of building and drawing.
#include <glad/gl.h>
#include <imgui.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/gl/context.hpp"
#include "app/gl/picture.hpp"
#include "app/panels/interface.hpp"
#include "tests/app/panels/gallery.hpp"
#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/shown_views.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace {

using namespace warpsieve;
using namespace warpsieve::states;
using fake::Machine;

struct Picture {
    std::string name;
    gl::PixelSize size;
    float scale;
    Theme theme;
    void (*arrange)(Machine& machine);
    std::optional<ImVec2> mouse;  ///< where the mouse rests
    int key = 0;                  ///< pressed early on, P with Ctrl; 0: none
    bool click = false;           ///< where the mouse rests, early on
    int zoom = 0;                 ///< notches of the wheel there; below 0 towards oneself, which scrolls down
    std::size_t tour = 0;         ///< step of the guided tour, from 1; 0: none
    int frames = 60;
    const char* until = nullptr;  ///< a control that the picture waits for
};

const std::array chosen{
    Picture{"gpu_1280x720_100", {1280, 720}, 1.0F, Theme::dark, gpu, {}},
    Picture{"gpu_1024x640_100", {1024, 640}, 1.0F, Theme::dark, gpu, {}},
    Picture{"gpu_1920x1080_150", {1920, 1080}, 1.5F, Theme::dark, gpu, {}},
    Picture{"gpu_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, gpu, {}},
    Picture{"gpu_2560x1440_100", {2560, 1440}, 1.0F, Theme::dark, gpu, {}},
    Picture{"gpu_1024x640_150", {1024, 640}, 1.5F, Theme::dark, gpu, {}},
    Picture{"gpu_light_1280x720", {1280, 720}, 1.0F, Theme::light, gpu, {}},
    Picture{"cpu_1280x720_100", {1280, 720}, 1.0F, Theme::dark, cpu, {}},
    Picture{"cpu_1024x640_100", {1024, 640}, 1.0F, Theme::dark, cpu, {}},
    Picture{"cpu_light_1280x720", {1280, 720}, 1.0F, Theme::light, cpu, {}},
    Picture{"fused_1280x720_100", {1280, 720}, 1.0F, Theme::dark, fused, {}},
    Picture{"fused_plain_1280x720", {1280, 720}, 1.0F, Theme::dark, fused_plain, {}},
    Picture{"troubled_1280x720_100", {1280, 720}, 1.0F, Theme::dark, troubled, {}},
    Picture{"troubled_light_1024x640", {1024, 640}, 1.0F, Theme::light, troubled, {}},
    Picture{"first_start_1024x640_100", {1024, 640}, 1.0F, Theme::dark, first_start, {}},
    Picture{"first_start_1600x1000_200", {1600, 1000}, 2.0F, Theme::light, first_start, {}},
    Picture{.name = "tour_2_1024x640_100",
            .size = {1024, 640},
            .scale = 1.0F,
            .theme = Theme::light,
            .arrange = gpu,
            .mouse = {},
            .tour = 2},
    Picture{.name = "tour_6_1600x1000_150",
            .size = {1600, 1000},
            .scale = 1.5F,
            .theme = Theme::dark,
            .arrange = gpu,
            .mouse = {},
            .tour = 6},
    Picture{.name = "tour_8_1280x720_100",
            .size = {1280, 720},
            .scale = 1.0F,
            .theme = Theme::dark,
            .arrange = lens,
            .mouse = {},
            .tour = 8},
    Picture{"slow_motion_1280x720_100", {1280, 720}, 1.0F, Theme::dark, slow_motion, {}},
    Picture{"slow_motion_1024x640_100", {1024, 640}, 1.0F, Theme::light, slow_motion, {}},
    Picture{"slow_motion_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, slow_motion, {}},
    Picture{"race_1280x720_100", {1280, 720}, 1.0F, Theme::dark, race, {}},
    Picture{"race_1024x640_100", {1024, 640}, 1.0F, Theme::light, race, {}},
    Picture{"race_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, race, {}},
    Picture{.name = "race_memory_1280x720",
            .size = {1280, 720},
            .scale = 1.0F,
            .theme = Theme::dark,
            .arrange = race_memory,
            .mouse = {},
            .frames = 300},
    Picture{.name = "race_memory_light_1280x720",
            .size = {1280, 720},
            .scale = 1.0F,
            .theme = Theme::light,
            .arrange = race_memory,
            .mouse = {},
            .frames = 300},
    Picture{.name = "race_memory_2560x1440_200",
            .size = {2560, 1440},
            .scale = 2.0F,
            .theme = Theme::dark,
            .arrange = race_memory,
            .mouse = {},
            .frames = 300},
    Picture{.name = "race_in_steps_1280x720",
            .size = {1280, 720},
            .scale = 1.0F,
            .theme = Theme::dark,
            .arrange = race_in_steps,
            .mouse = {},
            .frames = 200},
    Picture{"lens_1280x720_100", {1280, 720}, 1.0F, Theme::dark, lens, {}},
    Picture{"lens_1024x640_100", {1024, 640}, 1.0F, Theme::dark, lens, {}},
    Picture{"lens_1024x640_150", {1024, 640}, 1.5F, Theme::dark, lens_plain, {}},
    Picture{"lens_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, lens, {}},
    Picture{"lens_2560x1440_100", {2560, 1440}, 1.0F, Theme::light, lens_plain, {}},
    Picture{"lens_light_1280x720", {1280, 720}, 1.0F, Theme::light, lens_plain, {}},
    Picture{"difference_1280x720_100", {1280, 720}, 1.0F, Theme::dark, difference, {}},
    Picture{"difference_light_1024x640", {1024, 640}, 1.0F, Theme::light, difference, {}},
    Picture{"difference_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, difference, {}},
    Picture{"palette_1280x720_100", {1280, 720}, 1.0F, Theme::dark, gpu, {}, palette_key},
    Picture{"palette_light_1024x640", {1024, 640}, 1.0F, Theme::light, gpu, {}, palette_key},
    Picture{"palette_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, gpu, {}, palette_key},
    Picture{"presentation_1280x720_100", {1280, 720}, 1.0F, Theme::dark, gpu, {}, presentation_key},
    Picture{"presentation_light_1024x640", {1024, 640}, 1.0F, Theme::light, gpu, {}, presentation_key},
    Picture{"presentation_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, gpu, {}, presentation_key},
    Picture{"lens_troubled_1280x720", {1280, 720}, 1.0F, Theme::dark, lens_troubled, {}},
    Picture{"lens_troubled_1024x640_200", {1024, 640}, 2.0F, Theme::light, lens_troubled, {}},
    Picture{"changed_1280x720", {1280, 720}, 1.0F, Theme::dark, changed, ImVec2{1200, 15}},
    Picture{"changed_light_1600x900", {1600, 900}, 1.0F, Theme::light, changed, {}},
    Picture{"changed_1024x640_150", {1024, 640}, 1.5F, Theme::dark, changed, {}},
    Picture{"changed_2560x1440_200", {2560, 1440}, 2.0F, Theme::light, changed, ImVec2{2400, 30}},
    Picture{"starting_1280x720_100", {1280, 720}, 1.0F, Theme::dark, starting, {}},
    Picture{"help_1280x720_100", {1280, 720}, 1.0F, Theme::dark, gpu, {}, help_key},
    Picture{"help_1024x640_100", {1024, 640}, 1.0F, Theme::light, gpu, {}, help_key},
    Picture{"hover_plot_1280x720", {1280, 720}, 1.0F, Theme::dark, gpu, ImVec2{560, 600}},
    Picture{"menu_1280x720", {1280, 720}, 1.0F, Theme::dark, cpu, ImVec2{160, 298}, 0, true},
    Picture{"menu_light_1280x720", {1280, 720}, 1.0F, Theme::light, gpu, ImVec2{160, 265}, 0, true},
    Picture{"history_1280x720", {1280, 720}, 1.0F, Theme::dark, history, ImVec2{700, 250}},
    Picture{"history_light_1280x720", {1280, 720}, 1.0F, Theme::light, history, {}},
    Picture{
        "history_pinned_1024x640", {1024, 640}, 1.0F, Theme::dark, history_pinned, ImVec2{600, 200}, 0, true},
    Picture{
        "history_full_2560x1440", {2560, 1440}, 1.0F, Theme::dark, history_full, ImVec2{1200, 300}, 0, true},
    Picture{"history_2560x1440_200", {2560, 1440}, 2.0F, Theme::light, history_full, {}},
    Picture{"history_1024x640_150", {1024, 640}, 1.5F, Theme::dark, history, {}},
    Picture{"history_1024x640_200", {1024, 640}, 2.0F, Theme::light, history, {}},
    Picture{"history_cpu_1280x720", {1280, 720}, 1.0F, Theme::dark, history_cpu, ImVec2{700, 250}},
    Picture{"history_cpu_1024x640", {1024, 640}, 1.0F, Theme::light, history_cpu, {}},
    Picture{"history_hot_1280x720", {1280, 720}, 1.0F, Theme::dark, history_hot, ImVec2{560, 451}},
    Picture{"history_hot_light_1024x640", {1024, 640}, 1.0F, Theme::light, history_hot, {}},
    Picture{"history_hot_1024x640_200", {1024, 640}, 2.0F, Theme::dark, history_hot, {}},
    Picture{"history_hot_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, history_hot, {}},
    Picture{"history_hot_light_2560x1440", {2560, 1440}, 1.0F, Theme::light, history_hot, {}},
    Picture{"history_no_nvml_1280x720", {1280, 720}, 1.0F, Theme::dark, history_no_nvml, ImVec2{560, 445}},
    Picture{"inside_1280x720", {1280, 720}, 1.0F, Theme::dark, inside, {}},
    Picture{"inside_light_1024x640", {1024, 640}, 1.0F, Theme::light, inside, ImVec2{600, 160}},
    Picture{"inside_zoomed_1280x720", {1280, 720}, 1.0F, Theme::dark, inside, ImVec2{600, 200}, 0, false, 12},
    Picture{"inside_roles_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_roles, ImVec2{700, 365}},
    Picture{"inside_waits_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_waits, ImVec2{700, 200}},
    Picture{"inside_waits_light_1024x640", {1024, 640}, 1.0F, Theme::light, inside_waits, {}},
    Picture{"inside_waits_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, inside_waits, {}},
    Picture{"inside_appends_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_appends, ImVec2{700, 200}},
    Picture{"inside_appends_light_1024x640", {1024, 640}, 1.0F, Theme::light, inside_appends, {}},
    Picture{"inside_most_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_most, {}},
    Picture{"inside_most_2560x1440", {2560, 1440}, 1.0F, Theme::dark, inside_most, {}},
    Picture{"inside_merged_light_1280x720", {1280, 720}, 1.0F, Theme::light, inside_merged, ImVec2{700, 200}},
    Picture{"inside_cpu_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_cpu, ImVec2{700, 150}},
    Picture{"inside_cpu_light_1024x640", {1024, 640}, 1.0F, Theme::light, inside_cpu, {}},
    Picture{"inside_lens_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_lens, {}},
    Picture{"inside_lens_light_1024x640", {1024, 640}, 1.0F, Theme::light, inside_lens, {}},
    Picture{"inside_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, inside_roles, {}},
    Picture{"inside_1024x640_200", {1024, 640}, 2.0F, Theme::light, inside_roles, {}},
    Picture{"inside_empty_1280x720", {1280, 720}, 1.0F, Theme::dark, inside_empty, {}},
    Picture{"inside_tail_1280x720", {1280, 720}, 1.0F, Theme::dark, inside, ImVec2{690, 450}},
    Picture{"tooltip_1280x720", {1280, 720}, 1.0F, Theme::dark, cpu, ImVec2{220, 401}},
    Picture{"labs_empty_1280x720", {1280, 720}, 1.0F, Theme::dark, labs_empty, {}},
    Picture{"labs_compare_1280x720", {1280, 720}, 1.0F, Theme::dark, labs_compare, {}},
    Picture{"labs_compare_light_1024x640", {1024, 640}, 1.0F, Theme::light, labs_compare, {}},
    Picture{"labs_compare_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, labs_compare, {}},
    Picture{"labs_compare_1024x640_150", {1024, 640}, 1.5F, Theme::dark, labs_compare, {}},
    Picture{"labs_compare_hover_1280x720", {1280, 720}, 1.0F, Theme::dark, labs_compare, ImVec2{480, 300}},
    Picture{"labs_comparing_1280x720", {1280, 720}, 1.0F, Theme::dark, labs_comparing, {}},
    Picture{"labs_tune_1280x720", {1280, 720}, 1.0F, Theme::dark, labs_tune, {}},
    Picture{"labs_tune_light_1024x640", {1024, 640}, 1.0F, Theme::light, labs_tune, {}},
    Picture{"labs_tune_2560x1440_100", {2560, 1440}, 1.0F, Theme::dark, labs_tune, {}},
    Picture{"labs_tune_2560x1440_200", {2560, 1440}, 2.0F, Theme::light, labs_tune, {}},
    Picture{"labs_tune_1024x640_150", {1024, 640}, 1.5F, Theme::dark, labs_tune, {}},
    Picture{"labs_tune_1024x640_200",
            {1024, 640},
            2.0F,
            Theme::light,
            labs_tune,
            ImVec2{520, 250},
            0,
            false,
            -12},
    Picture{"labs_tuning_1280x720", {1280, 720}, 1.0F, Theme::dark, labs_tuning, {}},
    Picture{"map_1280x720", {1280, 720}, 1.0F, Theme::dark, map, {}},
    Picture{"map_light_1280x720", {1280, 720}, 1.0F, Theme::light, map, {}},
    Picture{"map_1024x640", {1024, 640}, 1.0F, Theme::dark, map, {}},
    Picture{"map_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, map, {}},
    Picture{"map_2560x1440_100", {2560, 1440}, 1.0F, Theme::dark, map_long, {}},
    Picture{"map_1280x720_200", {1280, 720}, 2.0F, Theme::light, map, {}},
    Picture{"map_short_1280x720", {1280, 720}, 1.0F, Theme::dark, map_short, {}},
    Picture{"map_long_1280x720", {1280, 720}, 1.0F, Theme::dark, map_long, {}},
    Picture{"map_empty_1280x720", {1280, 720}, 1.0F, Theme::dark, map_empty, {}},
    Picture{"map_full_light_1280x720", {1280, 720}, 1.0F, Theme::light, map_full, {}},
    Picture{"map_unordered_1280x720", {1280, 720}, 1.0F, Theme::dark, map_unordered, ImVec2{500, 200}},
    Picture{"map_unknown_1280x720", {1280, 720}, 1.0F, Theme::dark, map_unknown, {}},
    Picture{"map_hover_1280x720", {1280, 720}, 1.0F, Theme::dark, map, ImVec2{450, 180}},
    Picture{"map_hover_short_light_1280x720", {1280, 720}, 1.0F, Theme::light, map_short, ImVec2{450, 180}},
    Picture{"map_zoomed_1280x720", {1280, 720}, 1.0F, Theme::dark, map, ImVec2{450, 180}, 0, false, 6},
    Picture{"map_zoomed_places_1024x640", {1024, 640}, 1.0F, Theme::dark, map, ImVec2{900, 180}, 0, false, 4},
    Picture{"sweep_1280x720", {1280, 720}, 1.0F, Theme::dark, sweep, {}},
    Picture{"sweep_light_1024x640", {1024, 640}, 1.0F, Theme::light, sweep, {}},
    Picture{"sweep_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, sweep, {}},
    Picture{"sweep_1024x640_200", {1024, 640}, 2.0F, Theme::light, sweep, {}},
    Picture{"sweeping_1280x720", {1280, 720}, 1.0F, Theme::dark, sweeping, ImVec2{700, 300}},
    Picture{"steps_1280x720", {1280, 720}, 1.0F, Theme::dark, fake::steps_report, {}},
    Picture{"steps_light_2560x1440", {2560, 1440}, 1.0F, Theme::light, fake::steps_report, {}},
    Picture{"roofline_1280x720", {1280, 720}, 1.0F, Theme::dark, fake::roofline_report, {}},
    Picture{"roofline_light_2560x1440_200", {2560, 1440}, 2.0F, Theme::light, fake::roofline_report, {}},
    Picture{"reproduce_1280x720", {1280, 720}, 1.0F, Theme::dark, fake::reproduce_report, {}},
    Picture{"reproduce_light_1024x640", {1024, 640}, 1.0F, Theme::light, fake::reproduce_report, {}},
    Picture{"reproduce_2560x1440_200", {2560, 1440}, 2.0F, Theme::dark, fake::reproduce_report, {}},
};

/// Every view at every promised size and scale as well, in both themes by turns.
std::vector<Picture> all_pictures() {
    std::vector<Picture> pictures(chosen.begin(), chosen.end());
    for (const Shown& view : shown_views) {
        at_promised_sizes([&](gl::PixelSize size, float scale) {
            pictures.push_back({.name = std::string(view.name) + "_at_" + std::to_string(size.width) + "x" +
                                        std::to_string(size.height) + "_" +
                                        std::to_string(std::lround(scale * 100)),
                                .size = size,
                                .scale = scale,
                                .theme = pictures.size() % 2 == 0 ? Theme::dark : Theme::light,
                                .arrange = view.arrange,
                                .mouse = {},
                                .key = view.key,
                                .frames = 16,
                                .until = view.arrange == kernel         ? "kernel: item"
                                         : view.arrange == kernel_fault ? "kernel: finding"
                                                                        : nullptr});
        });
    }
    return pictures;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// What mouse and keys do in that frame.
void act(const Picture& picture, int frame) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = picture.mouse.value_or(ImVec2{-1, -1});
    io.MouseDown[0] = picture.click && frame == 6;
    const bool turns = frame >= 10 && frame < 10 + std::abs(picture.zoom);
    io.MouseWheel = !turns ? 0.0F : picture.zoom > 0 ? 1.0F : -1.0F;
}

/// The textures of the slot map.
struct MapPictures {
    gl::Picture slots{map_picture_side};
    gl::Picture output{map_picture_side};

    void upload(const SlotMapRequest& request) {
        if (request.picture.width == 0) return;
        slots.upload(request.picture, request.slots_pixels);
        output.upload(request.picture, request.output_pixels);
    }
};

void clear_frame(const gl::Context& context, Theme theme) {
    glBindFramebuffer(GL_FRAMEBUFFER, context.framebuffer());
    const float ground = theme == Theme::dark ? 0.045F : 1.0F;
    glClearColor(ground, ground * 1.1F, ground * 1.2F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
}

void render(const Picture& picture, const std::filesystem::path& folder) {
    ImGui::CreateContext();
    {
        const std::unique_ptr<gl::Context> context = gl::open_headless(picture.size);
        panels::Interface interface(picture.scale, picture.theme);
        Machine machine;
        picture.arrange(machine);
        machine.settings.window.theme = picture.theme;
        machine.snapshot.display.plain_plots = context->info().software;
        const Settings defaults = machine.settings;
        if (picture.tour > 0) interface.show_tour_step(picture.tour - 1, machine.settings, defaults);
        MapPictures map_pictures;
        machine.snapshot.slot_map.slots_texture = map_pictures.slots.name();
        machine.snapshot.slot_map.output_texture = map_pictures.output.name();
        std::optional<fake::SampledStream> stream;
        if (needs_samples(machine)) stream.emplace(machine);
        std::vector<double> build_ms;
        std::vector<double> draw_ms;
        std::vector<double> cpu_ms;
        std::size_t vertices = 0;
        const auto waits = [&] {
            return picture.until && !nlohmann::json::parse(interface.control_map()).contains(picture.until);
        };
        int frames = picture.frames;
        for (int i = 0; i < frames; ++i) {
            // Two more frames after the control is there, so that the view has scrolled to what it shows.
            if (i < picture.frames + 2'000 && waits()) frames = std::max(frames, i + 3);
            if (i >= picture.frames) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            machine.snapshot.display.now_s += 1.0 / 60;
            ++machine.snapshot.display.figures_serial;
            act(picture, i);
            const gl::KeyEvent press{.key = picture.key, .ctrl = picture.key == palette_key};
            machine.snapshot.keys =
                picture.key != 0 && i == 5 ? std::span(&press, 1) : std::span<const gl::KeyEvent>{};
            context->begin_interface_frame();
            const auto start = std::chrono::steady_clock::now();
            const Requests requests = interface.build(machine.snapshot, machine.settings, picture.size);
            context->end_interface_frame();
            const auto built = std::chrono::steady_clock::now();
            if (stream && requests.slot_map) {
                map_pictures.upload(*requests.slot_map);
                // Ten times a second, as in the window.
                if (i % 6 == 0 || *requests.slot_map->sample != stream->sample()->request) {
                    stream->take(machine, *requests.slot_map);
                }
            }
            clear_frame(*context, picture.theme);
            const auto cleared = std::chrono::steady_clock::now();
            const std::clock_t cpu_start = std::clock();
            context->draw_interface();
            glFinish();
            const auto drawn = std::chrono::steady_clock::now();
            cpu_ms.push_back(static_cast<double>(std::clock() - cpu_start) * 1e3 / CLOCKS_PER_SEC);
            build_ms.push_back(std::chrono::duration<double, std::milli>(built - start).count());
            draw_ms.push_back(std::chrono::duration<double, std::milli>(drawn - cleared).count());
            vertices = static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount);
        }
        gallery::write_png(folder / (picture.name + ".png"), picture.size);
        std::printf("%-26s build %5.2f ms, draw %6.2f ms (%6.2f ms of all threads), %6zu vertices\n",
                    picture.name.c_str(), median(build_ms), median(draw_ms), median(cpu_ms), vertices);
    }
    ImGui::DestroyContext();
}

}  // namespace

int main(int argc, char** argv) {
    return gallery::draw(argc, argv, all_pictures(), render);
}
