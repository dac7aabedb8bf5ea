#include "app/panels/presentation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/view_panel.hpp"
#include "app/scene/sources.hpp"

namespace warpsieve::panels {
namespace {

constexpr double hint_duration_s = 5;
// Pixels at 100 %.
constexpr float margin = 28;
constexpr float caption_padding = 16;
constexpr float line_height = 22;

/// "Sequence-wise, SIMD · M. Billeter, O. Olsson, U. Assarsson, 2009".
std::string algorithm_line(const compaction::Algorithm& algorithm) {
    std::string line = algorithm.name;
    if (!algorithm.authors.empty()) line += " · " + algorithm.authors;
    if (algorithm.year > 0) line += ", " + std::to_string(algorithm.year);
    return line;
}

std::string figures_line(const Snapshot& snapshot) {
    std::string line = format::grouped(snapshot.stream.slots) + " slots, " +
                       format::grouped(snapshot.figures->a.num_kept) + " kept";
    if (const auto* total = timed_figures_of(snapshot.figures->a.rows, total_row_name)) {
        const format::Figure time = format::duration(total->median);
        line += " · " + time.number + " " + std::string(time.unit) + " per compaction";
    }
    return line;
}

void draw_caption(const Ui& ui, const Snapshot& snapshot) {
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const scene::SourceInfo& source = scene::effective_source(ui.settings.run.source);
    const compaction::Algorithm* algorithm = snapshot.runs.a.algorithm;
    const std::array lines{std::string(source.name), algorithm ? algorithm_line(*algorithm) : std::string(),
                           figures_line(snapshot)};
    const std::array line_fonts{fonts.heading, fonts.text, fonts.figures};
    const float max_width = static_cast<float>(ui.window.width) - 2 * ui.px(margin + caption_padding);
    float width = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
        width = std::max(width, std::min(plots::text_width(line_fonts[i], lines[i]), max_width));
    const float height = static_cast<float>(lines.size()) * ui.px(line_height) + ui.px(caption_padding);
    const ImVec2 low{ui.px(margin), static_cast<float>(ui.window.height) - ui.px(margin) - height};
    const ImVec2 high{std::round(low.x + width + 2 * ui.px(caption_padding)), low.y + height};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, palette.panel, ImGui::GetStyle().FrameRounding);
    list.AddRectFilled(low, {low.x + ui.px(3), high.y}, palette.accent);
    float baseline = low.y + ui.px(caption_padding / 2) + std::round(fonts.text->Ascent);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        plots::draw_on_baseline(list, line_fonts[i], {low.x + ui.px(caption_padding), baseline},
                                i == 0 ? palette.text : palette.label,
                                plots::elided(line_fonts[i], lines[i], max_width));
        baseline += ui.px(line_height);
    }
}

void draw_hint(const Ui& ui) {
    const plots::Fonts& fonts = ui.fonts();
    constexpr std::string_view hint = "Esc or F11 ends the presentation; Ctrl+F12 records it.";
    const float width = plots::text_width(fonts.small, hint);
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), fonts.small,
                            {std::round((static_cast<float>(ui.window.width) - width) / 2), ui.px(margin)},
                            ui.palette().muted, hint);
}

}  // namespace

void start_presentation(Presentation& presentation, Settings& settings, double now_s) {
    RunConfig& run = settings.run;
    presentation.before =
        Presentation::Before{settings.window.tab, run.source, run.pattern, run.engine, run.a};
    presentation.began_s = now_s;
    presentation.next_change_s = now_s + change_interval_s;
    settings.window.tab = particles_tab;
}

void end_presentation(Presentation& presentation, Settings& settings) {
    if (!presentation.before) return;
    const Presentation::Before& before = *presentation.before;
    settings.window.tab = before.tab;
    settings.run.source = before.source;
    settings.run.pattern = before.pattern;
    // An algorithm runs only on its own engine.
    if (settings.run.engine == before.engine) settings.run.a = before.a;
    presentation.before.reset();
}

void draw_presentation(Ui& ui, Presentation& presentation, const Snapshot& snapshot) {
    ui.settings.window.tab = particles_tab;
    if (snapshot.display.now_s >= presentation.next_change_s) {
        presentation.next_change_s = snapshot.display.now_s + change_interval_s;
        step_source(ui.settings);
        step_algorithm(snapshot.catalogue, ui.settings, 1);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane(
        "presentation", {0, 0, ui.window.width, ui.window.height},
        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 size{static_cast<float>(ui.window.width), static_cast<float>(ui.window.height)};
    invisible_button("##presentation", size);
    ui.controls.record_item("presentation");
    move_camera(ui, size);
    draw_caption(ui, snapshot);
    if (snapshot.display.now_s - presentation.began_s < hint_duration_s && !snapshot.display.recording)
        draw_hint(ui);
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace warpsieve::panels
