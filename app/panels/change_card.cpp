#include <algorithm>
#include <array>

#include "app/panels/panel_frame.hpp"

namespace warpsieve::panels {
namespace {

constexpr float padding = 12;
constexpr float gap = 16;

/// The widest text of each column, in pixels.
std::array<float, 4> column_widths(const PanelFrame& frame, const ChangeCard& card) {
    const plots::Fonts& fonts = frame.fonts();
    std::array<float, 4> widths{0, plots::text_width(fonts.small, "before"),
                                plots::text_width(fonts.small, "now"), 0};
    for (const ChangeCard::Line& line : card.lines) {
        const std::array texts{&line.name, &line.before, &line.after, &line.verdict};
        for (std::size_t i = 0; i < texts.size(); ++i)
            widths[i] =
                std::max(widths[i], plots::text_width(i == 0 ? fonts.text : fonts.figures, *texts[i]));
    }
    return widths;
}

void draw_lines(PanelFrame& frame, const ChangeCard& card, ImVec2 at, const std::array<float, 4>& widths,
                float line_height) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = frame.fonts();
    const plots::Palette& palette = frame.palette();
    std::array<float, 4> lefts{at.x};
    for (std::size_t i = 1; i < lefts.size(); ++i) lefts[i] = lefts[i - 1] + widths[i - 1] + frame.px(gap);
    const auto right_aligned = [&](const ImFont* font, std::size_t column, float baseline, ImU32 colour,
                                   std::string_view text) {
        const float x = lefts[column] + widths[column] - plots::text_width(font, text);
        plots::draw_on_baseline(list, font, {x, baseline}, colour, text);
    };
    float baseline = at.y + std::round(fonts.text->Ascent);
    right_aligned(fonts.small, 1, baseline, palette.muted, "before");
    right_aligned(fonts.small, 2, baseline, palette.muted, "now");
    for (const ChangeCard::Line& line : card.lines) {
        baseline += line_height;
        plots::draw_on_baseline(list, fonts.text, {lefts[0], baseline}, palette.label, line.name);
        right_aligned(fonts.figures, 1, baseline, palette.label, line.before);
        right_aligned(fonts.figures, 2, baseline, palette.text, line.after);
        plots::draw_on_baseline(list, fonts.figures, {lefts[3], baseline}, palette.text, line.verdict);
    }
}

}  // namespace

void draw_change_card(PanelFrame& frame) {
    if (!frame.view.change) return;
    const ChangeCard& card = *frame.view.change;
    const Rectangle& zone = frame.zones.view;
    const plots::Fonts& fonts = frame.fonts();
    const std::array<float, 4> widths = column_widths(frame, card);
    const float line_height = std::round(fonts.text->FontSize * 1.25F);
    float width = 3 * frame.px(gap);
    for (const float each : widths) width += each;
    for (const std::string& change : card.changes)
        width = std::max(width, plots::text_width(fonts.heading, change) + frame.px(24));
    const auto lines = static_cast<float>(card.changes.size() + card.lines.size() + 1);
    const ImVec2 size{width + 2 * frame.px(padding), lines * line_height + 2 * frame.px(padding)};
    // A view that has no room for it keeps its room.
    if (size.x > static_cast<float>(zone.width) || size.y > 0.8F * static_cast<float>(zone.height)) return;

    ImGui::SetNextWindowPos({static_cast<float>(zone.x) + frame.px(12),
                             static_cast<float>(zone.y + zone.height) - size.y - frame.px(12)});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.palette().panel);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(padding), frame.px(padding)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, frame.px(1)));
    ImGui::Begin("change", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 low = ImGui::GetWindowPos();
    for (const std::string& change : card.changes) {
        plots::draw_on_baseline(list, fonts.heading, {at.x, at.y + std::round(fonts.heading->Ascent)},
                                frame.palette().text, change);
        at.y += line_height;
    }
    draw_lines(frame, card, at, widths, line_height);
    frame.memory.tooltips.offer(frame.look, low, {low.x + size.x, low.y + size.y},
                                "What the last change of a control did: medians of the running frames, "
                                "before and now. A difference is claimed "
                                "only where the quartiles are apart. Click to put it away.");
    ImGui::SetCursorScreenPos(low);
    if (ImGui::InvisibleButton("##put away", size)) frame.requests.dismiss_change = true;
    frame.memory.controls.record_item("change card");
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

}  // namespace warpsieve::panels
