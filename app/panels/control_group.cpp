#include "app/panels/control_group.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <string>

namespace warpsieve::panels {
namespace {

/// The width and height of an icon, in pixels at 100 %.
constexpr float icon_size = 12;

/// Draws an icon of 12 by 12 units from a few simple shapes, so that it is sharp at every scale.
class IconPainter {
  public:
    IconPainter(const Ui& ui, ImVec2 low, ImU32 colour)
        : ui_(ui), low_(low), colour_(colour), list_(*ImGui::GetWindowDrawList()) {}

    void fill(float left, float top, float right, float bottom) {
        list_.AddRectFilled(at(left, top), at(right, bottom), colour_);
    }
    void outline(float left, float top, float right, float bottom) {
        list_.AddRect(at(left, top), at(right, bottom), colour_, 0, ImDrawFlags_None, thickness());
    }
    void line(float from_x, float from_y, float to_x, float to_y) {
        list_.AddLine(at(from_x, from_y), at(to_x, to_y), colour_, thickness());
    }
    void ring(float x, float y, float radius) {
        list_.AddCircle(at(x, y), ui_.px(radius), colour_, 20, thickness());
    }

  private:
    ImVec2 at(float x, float y) const { return {low_.x + ui_.px(x), low_.y + ui_.px(y)}; }
    float thickness() const { return std::max(1.0F, ui_.px(1.4F)); }

    const Ui& ui_;
    ImVec2 low_;
    ImU32 colour_;
    ImDrawList& list_;
};

void draw_icon(IconPainter painter, GroupIcon icon) {
    switch (icon) {
        case GroupIcon::lens:  // two halves
            painter.outline(0, 1, 12, 11);
            painter.fill(6, 1, 12, 11);
            return;
        case GroupIcon::stream:  // slots, some of them live
            for (const float x : {0.0F, 8.0F}) painter.fill(x, 4, x + 3, 8);
            painter.outline(4, 4, 7, 8);
            return;
        case GroupIcon::algorithm:  // a dense array below a sparse one
            for (const float x : {0.0F, 5.0F, 9.0F}) painter.fill(x, 1, x + 3, 4);
            for (const float x : {0.0F, 4.0F, 8.0F}) painter.fill(x, 8, x + 3, 11);
            return;
        case GroupIcon::launch:  // blocks of a grid
            for (const float x : {0.0F, 7.0F}) {
                for (const float y : {0.0F, 7.0F}) painter.outline(x, y, x + 5, y + 5);
            }
            return;
        case GroupIcon::clock:
            painter.ring(6, 6, 5.5F);
            painter.line(6, 6, 6, 2.5F);
            painter.line(6, 6, 8.5F, 7.5F);
            return;
        case GroupIcon::display:
            painter.outline(0, 1, 12, 9);
            painter.fill(4, 10, 8, 12);
            return;
    }
}

/// Whether a click has folded the group. The state lasts until the program ends.
bool& folded_state(std::string_view id) {
    return *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id.data(), id.data() + id.size()), false);
}

void draw_arrow(const Ui& ui, ImVec2 low, float height, bool open) {
    constexpr float arrow_scale = 0.7F;
    ImGui::RenderArrow(ImGui::GetWindowDrawList(),
                       {low.x, low.y + (height - arrow_scale * ImGui::GetFontSize()) / 2}, ui.palette().muted,
                       open ? ImGuiDir_Down : ImGuiDir_Right, arrow_scale);
}

}  // namespace

bool control_group(Ui& ui, GroupIcon icon, std::string_view name, std::string_view text) {
    if (text.empty()) text = name;
    // A gap above each group but the first.
    if (ImGui::GetCursorPosY() > ui.px(20)) ImGui::Dummy({0, ui.px(5)});
    const ImFont* font = ui.fonts().heading;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), font->FontSize};
    const std::string id = "group: " + std::string(name);
    bool& folded = folded_state(id);
    ImGui::PushID(id.c_str());
    if (invisible_button("##fold", size)) folded = !folded;
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    ui.controls.record_item(id);
    if (ui.focus->presses_item(ui, id)) folded = !folded;
    ui.tooltips.offer_item(
        ui.style, folded ? "Shows the controls of this group." : "Folds the controls of this group away.");
    const plots::Palette& palette = ui.palette();
    draw_icon(IconPainter(ui, {low.x, low.y + std::round((size.y - ui.px(icon_size)) / 2)}, palette.accent),
              icon);
    plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x + ui.px(20), low.y}, palette.text, text);
    if (hovered || folded) draw_arrow(ui, {low.x + size.x - ui.px(14), low.y}, size.y, !folded);
    return !folded;
}

}  // namespace warpsieve::panels
