#include "app/panels/badges.hpp"

#include <algorithm>
#include <array>

namespace warpsieve::panels {
namespace {

constexpr float badge_padding = 6;
constexpr float icon_width = 13;

float icon_only_width(const Ui& ui) {
    return 2 * ui.px(badge_padding) + ui.px(8);
}

float badge_width(const Ui& ui, const QualityFlag& badge) {
    return 2 * ui.px(badge_padding) + ui.px(icon_width) + plots::text_width(ui.fonts().small, badge.name);
}

/// Draws a badge: the icon of its quality, then its name if `named`, in a box. Returns the right end.
float draw_badge(Ui& ui, float left, float baseline, const QualityFlag& badge, bool named) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const ImVec2 low{left, baseline - std::round(font->Ascent) - ui.px(1)};
    const ImVec2 high{left + (named ? badge_width(ui, badge) : icon_only_width(ui)),
                      low.y + font->FontSize + ui.px(2)};
    list.AddRectFilled(low, high, ui.palette().raised, ImGui::GetStyle().FrameRounding);
    draw_quality_icon(ui, {low.x + ui.px(badge_padding) + ui.px(4), (low.y + high.y) / 2}, badge.quality);
    if (named)
        plots::draw_on_baseline(list, font, {low.x + ui.px(badge_padding) + ui.px(icon_width), baseline},
                                ui.palette().label, badge.name);
    ui.controls.record("badge: " + badge.name, low, high);
    ui.tooltips.offer(ui.style, low, high, [&] {
        return (named ? "" : badge.name + ": ") + badge.reason +
               (badge.remedy.empty() ? "" : "\n\n" + badge.remedy);
    });
    return high.x;
}

}  // namespace

// The shape carries the meaning as well as the colour.
void draw_quality_icon(const Ui& ui, ImVec2 centre, Quality quality) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float r = ui.px(4);
    const float thickness = std::max(1.5F, 1.5F * ui.style.scale);
    switch (quality) {
        case Quality::good: {
            const std::array tick{ImVec2{centre.x - r, centre.y},
                                  ImVec2{centre.x - r / 4, centre.y + r * 0.8F},
                                  ImVec2{centre.x + r, centre.y - r * 0.8F}};
            list.AddPolyline(tick.data(), static_cast<int>(tick.size()), palette.good, ImDrawFlags_None,
                             thickness);
            break;
        }
        case Quality::caution:
            list.AddTriangleFilled({centre.x, centre.y - r}, {centre.x - r, centre.y + r * 0.8F},
                                   {centre.x + r, centre.y + r * 0.8F}, palette.warning);
            break;
        case Quality::bad:
            list.AddLine({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, palette.error,
                         thickness);
            list.AddLine({centre.x - r, centre.y + r}, {centre.x + r, centre.y - r}, palette.error,
                         thickness);
            break;
    }
}

float draw_badges(Ui& ui, std::span<const QualityFlag> badges, float x, float baseline, float right) {
    const float gap = ui.px(6);
    float width_of_later_icons = static_cast<float>(badges.size()) * (icon_only_width(ui) + gap);
    for (const QualityFlag& badge : badges) {
        width_of_later_icons -= icon_only_width(ui) + gap;
        const bool named = x + badge_width(ui, badge) + gap + width_of_later_icons <= right + gap;
        if (!named && x + icon_only_width(ui) > right) break;
        x = draw_badge(ui, x, baseline, badge, named) + gap;
    }
    return x;
}

}  // namespace warpsieve::panels
