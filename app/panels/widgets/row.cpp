// A row: its label, tooltip and remarks.
#include <imgui.h>

#include <cmath>
#include <string>

#include "app/panels/widgets.hpp"
#include "app/panels/widgets/parts.hpp"

namespace warpsieve::panels {
namespace {

constexpr float label_column = 122;
/// Controls narrower than this go below their label.
constexpr float min_control_width = 130;

/// Whether labels stand above their controls because there is no room beside them. Call at the left end of a
/// line.
bool labels_above(const Ui& ui) {
    return ImGui::GetContentRegionAvail().x < ui.px(label_column + min_control_width);
}

}  // namespace

void heading(const Ui& ui, std::string_view text) {
    if (ImGui::GetCursorPosY() > ui.px(20)) ImGui::Dummy({0, ui.px(5)});
    ImGui::PushFont(ui.fonts().heading);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopFont();
}

std::string of_edited_side(const Ui& ui, std::string_view text) {
    std::string whole(text);
    if (ui.settings.compares()) whole += std::string(": ") + name_of(ui.edited());
    return whole;
}

void say_too_small(const Ui& ui, ImVec2 low, ImVec2 high, std::string_view what) {
    plots::draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts().text, low, high, ui.palette().muted,
                        (ui.settings.window.show_timings    ? "Press T to hide the timings and see "
                         : ui.settings.window.show_controls ? "Press Shift+T to hide the controls and see "
                                                            : "Enlarge the window to see ") +
                            std::string(what) + ".");
}

void note(const Ui& ui, std::string_view text) {
    ImGui::PushFont(ui.fonts().small);
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void note_under_control(const Ui& ui, std::string_view text) {
    if (!labels_above(ui)) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(label_column));
    note(ui, text);
}

float width_under_control(const Ui& ui) {
    return ImGui::GetContentRegionAvail().x - (labels_above(ui) ? 0 : ui.px(label_column));
}

void begin_row(Ui& ui, const Row& row) {
    ImGui::PushID(row.label.data(), row.label.data() + row.label.size());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImU32 colour = dimmed(ui, ui.palette().label, !row.disabled_reason.empty());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (labels_above(ui)) {
        const ImFont* font = ui.fonts().small;
        plots::draw_text(list, font, at, colour, row.label);
        ImGui::SetCursorScreenPos({at.x, at.y + std::round(font->FontSize * 1.2F)});
        return;
    }
    plots::draw_on_baseline(list, ui.fonts().text, {at.x, baseline_of(ui, at.y)}, colour, row.label);
    ImGui::SetCursorScreenPos({at.x + ui.px(label_column), at.y});
}

void end_row(Ui& ui, const Row& row) {
    ImGui::PopID();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float left = ImGui::GetCursorScreenPos().x;
    std::string text{row.tooltip};
    if (!row.disabled_reason.empty()) text += "\n\n" + row.disabled_reason;
    ui.tooltips.offer(ui.style, {left, low.y}, high, text, row.key);
}

}  // namespace warpsieve::panels
