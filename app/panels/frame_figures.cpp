#include "app/panels/frame_figures.hpp"

#include <algorithm>
#include <string>

#include "app/format/figures.hpp"

namespace warpsieve::panels {
namespace {

using experiments::FrameSample;
using experiments::Timeline;

void line_of(Ui& ui, std::string_view name, const format::Figure& figure, float width) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float baseline = at.y + std::round(fonts.figures->Ascent);
    plots::draw_on_baseline(list, fonts.text, {at.x, baseline}, ui.palette().label, name);
    const float right = at.x + width;
    plots::draw_on_baseline(list, fonts.figures,
                            {right - plots::text_width(fonts.figures, figure.number), baseline},
                            ui.palette().text, figure.number);
    plots::draw_on_baseline(list, fonts.small, {right + ui.px(5), baseline}, ui.palette().muted, figure.unit);
    ImGui::Dummy({width + ui.px(24), fonts.figures->FontSize});
}

void remark(Ui& ui, const std::string& text) {
    ImGui::PushFont(ui.fonts().small);
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void draw_remarks(Ui& ui, const Timeline& timeline, std::uint64_t ordinal) {
    const FrameSample& sample = timeline.at(ordinal);
    if (sample.num_phases == 0) remark(ui, "phases not timed in this frame");
    const std::uint32_t changes = timeline.at(timeline.end() - 1).config_epoch - sample.config_epoch;
    if (changes > 0)
        remark(ui, "settings changed " + (changes == 1 ? "once" : format::grouped(changes) + " times") +
                       " since");
}

}  // namespace

std::string frame_name(const FrameSample& sample) {
    return "Frame " + format::grouped(sample.frame);
}

void draw_frame_figures(Ui& ui, const Timeline& timeline, std::uint64_t ordinal, float width) {
    const FrameSample& sample = timeline.at(ordinal);
    const auto time_of = [&](std::string_view name, float us) {
        if (us > 0) line_of(ui, name, format::duration(static_cast<double>(us)), width);
    };
    time_of("total", sample.total_us);
    const std::size_t phases =
        sample.algorithm ? std::min(sample.num_phases, sample.algorithm->phases.size()) : 0;
    for (std::size_t i = 0; i < phases; ++i) time_of(sample.algorithm->phases[i].name, sample.phase_us[i]);
    time_of(between_row_name, sample.between_us);
    time_of(interop_row_name, sample.interop_us);
    time_of("simulate", sample.simulate_us);
    time_of("whole frame", sample.frame_us);
    line_of(ui, "kept", {format::grouped(sample.num_kept), ""}, width);
    if (sample.clock_hz > 0)
        line_of(ui, "clock", {format::significant(sample.clock_hz * 1e-9), "GHz"}, width);
    if (sample.algorithm) remark(ui, sample.algorithm->id);
    draw_remarks(ui, timeline, ordinal);
}

}  // namespace warpsieve::panels
