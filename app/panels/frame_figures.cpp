#include "app/panels/frame_figures.hpp"

#include <algorithm>
#include <string>

#include "app/format/figures.hpp"

namespace warpsieve::panels {
namespace {

using experiments::FrameSample;
using experiments::Timeline;

void draw_row(Ui& ui, std::string_view name, const format::Figure& figure, float width) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float baseline = at.y + std::round(fonts.figures->Ascent);
    plots::draw_on_baseline(list, fonts.text, {at.x, baseline}, ui.palette().label, name);
    const float numbers_right = at.x + width;
    const float unit_width = ui.px(24);
    plots::draw_on_baseline(list, fonts.figures,
                            {numbers_right - plots::text_width(fonts.figures, figure.number), baseline},
                            ui.palette().text, figure.number);
    plots::draw_on_baseline(list, fonts.small, {numbers_right + ui.px(5), baseline}, ui.palette().muted,
                            figure.unit);
    ImGui::Dummy({width + unit_width, fonts.figures->FontSize});
}

void draw_remark(Ui& ui, const std::string& text) {
    ImGui::PushFont(ui.fonts().small);
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void draw_remarks(Ui& ui, const Timeline& timeline, std::uint64_t ordinal) {
    const FrameSample& sample = timeline.at(ordinal);
    if (sample.num_phases == 0) draw_remark(ui, "phases not timed in this frame");
    const std::uint32_t changes = timeline.at(timeline.end() - 1).config_epoch - sample.config_epoch;
    if (changes > 0)
        draw_remark(ui, "settings changed " + (changes == 1 ? "once" : format::grouped(changes) + " times") +
                            " since");
}

}  // namespace

std::string frame_name(const FrameSample& sample) {
    return "Frame " + format::grouped(sample.frame);
}

void draw_frame_figures(Ui& ui, const Timeline& timeline, std::uint64_t ordinal, float width) {
    const FrameSample& sample = timeline.at(ordinal);
    const auto draw_time = [&](std::string_view name, float us) {
        if (us > 0) draw_row(ui, name, format::duration(static_cast<double>(us)), width);
    };
    draw_time("total", sample.total_us);
    // Only phases that have a name, even if a sample is wrong and has more.
    const std::size_t phases =
        sample.algorithm ? std::min(sample.num_phases, sample.algorithm->phases.size()) : 0;
    for (std::size_t i = 0; i < phases; ++i) draw_time(sample.algorithm->phases[i].name, sample.phase_us[i]);
    draw_time(plots::between_compactions, sample.between_us);
    draw_time(interop_row_name, sample.interop_us);
    draw_time("simulate", sample.simulate_us);
    draw_time("whole frame", sample.frame_us);
    draw_row(ui, "kept", {format::grouped(sample.num_kept), ""}, width);
    if (sample.clock_hz > 0)
        draw_row(ui, "clock", {format::significant(sample.clock_hz * 1e-9), "GHz"}, width);
    if (sample.algorithm) draw_remark(ui, sample.algorithm->id);
    draw_remarks(ui, timeline, ordinal);
}

}  // namespace warpsieve::panels
