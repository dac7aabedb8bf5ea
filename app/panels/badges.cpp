#include "app/panels/badges.hpp"

#include <algorithm>
#include <array>

namespace warpsieve::panels {
namespace {

constexpr float air = 6;
constexpr float sign_width = 13;

}  // namespace

// The shape carries the meaning as well as the colour.
void draw_sign(const PanelFrame& frame, ImVec2 centre, Quality quality) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = frame.palette();
    const float r = frame.px(4);
    const float thickness = std::max(1.5F, 1.5F * frame.style.scale);
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

float sign_only_width(const PanelFrame& frame) {
    return 2 * frame.px(air) + frame.px(8);
}

float badge_width(const PanelFrame& frame, const Badge& badge) {
    return 2 * frame.px(air) + frame.px(sign_width) + plots::text_width(frame.fonts().small, badge.name);
}

float draw_badge(PanelFrame& frame, ImVec2 at, float baseline, const Badge& badge, bool named) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = frame.fonts().small;
    const ImVec2 low{at.x, baseline - std::round(font->Ascent) - frame.px(1)};
    const ImVec2 high{at.x + (named ? badge_width(frame, badge) : sign_only_width(frame)),
                      low.y + font->FontSize + frame.px(2)};
    list.AddRectFilled(low, high, frame.palette().raised, ImGui::GetStyle().FrameRounding);
    draw_sign(frame, {low.x + frame.px(air) + frame.px(4), (low.y + high.y) / 2}, badge.quality);
    if (named)
        plots::draw_on_baseline(list, font, {low.x + frame.px(air) + frame.px(sign_width), baseline},
                                frame.palette().label, badge.name);
    frame.controls.record("badge: " + badge.name, low, high);
    frame.tooltips.offer(frame.style, low, high,
                         (named ? "" : badge.name + ": ") + badge.reason +
                             (badge.remedy.empty() ? "" : "\n\n" + badge.remedy));
    return high.x;
}

float draw_badges(PanelFrame& frame, std::span<const Badge> badges, float x, float top, float baseline,
                  float right) {
    // Where they do not all fit, the last ones show their sign alone.
    const float gap = frame.px(6);
    float signs = static_cast<float>(badges.size()) * (sign_only_width(frame) + gap);
    for (const Badge& badge : badges) {
        signs -= sign_only_width(frame) + gap;
        const bool named = x + badge_width(frame, badge) + gap + signs <= right + gap;
        if (!named && x + sign_only_width(frame) > right) break;
        x = draw_badge(frame, {x, top}, baseline, badge, named) + gap;
    }
    return x;
}

}  // namespace warpsieve::panels
