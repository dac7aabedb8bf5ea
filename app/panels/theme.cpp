#include "app/panels/theme.hpp"

#include <algorithm>

namespace warpsieve::panels {
namespace {

ImVec4 colour(ImU32 packed) {
    return ImGui::ColorConvertU32ToFloat4(packed);
}

void apply_colours(ImGuiStyle& style, const plots::Palette& palette) {
    const ImVec4 transparent{0, 0, 0, 0};
    ImVec4* const colours = style.Colors;
    for (int i = 0; i < ImGuiCol_COUNT; ++i) colours[i] = colour(palette.raised);
    colours[ImGuiCol_Text] = colour(palette.text);
    colours[ImGuiCol_TextDisabled] = colour(palette.muted);
    colours[ImGuiCol_WindowBg] = colour(palette.panel);
    colours[ImGuiCol_ChildBg] = transparent;
    colours[ImGuiCol_PopupBg] = colour(palette.raised);
    colours[ImGuiCol_Border] = colour(palette.control_edge);
    colours[ImGuiCol_BorderShadow] = transparent;
    colours[ImGuiCol_FrameBgHovered] = colour(palette.raised_more);
    colours[ImGuiCol_FrameBgActive] = colour(palette.raised_more);
    colours[ImGuiCol_ScrollbarBg] = transparent;
    colours[ImGuiCol_ScrollbarGrab] = colour(palette.raised_more);
    colours[ImGuiCol_ScrollbarGrabHovered] = colour(palette.muted);
    colours[ImGuiCol_ScrollbarGrabActive] = colour(palette.accent);
    colours[ImGuiCol_CheckMark] = colour(palette.accent);
    colours[ImGuiCol_ButtonHovered] = colour(palette.raised_more);
    colours[ImGuiCol_ButtonActive] = colour(palette.accent_fill);
    colours[ImGuiCol_Header] = colour(palette.accent_fill);
    colours[ImGuiCol_HeaderHovered] = colour(palette.raised_more);
    colours[ImGuiCol_HeaderActive] = colour(palette.accent_fill);
    colours[ImGuiCol_Separator] = colour(palette.outline);
    colours[ImGuiCol_TextSelectedBg] = colour(palette.accent_fill);
    colours[ImGuiCol_NavHighlight] = colour(palette.accent);
    colours[ImGuiCol_ModalWindowDimBg] = transparent;
}

}  // namespace

void apply_style(const plots::Style& chosen) {
    ImGuiStyle style;
    apply_colours(style, chosen.palette);
    style.WindowPadding = {chosen.px(12), chosen.px(8)};
    style.FramePadding = {chosen.px(8), chosen.px(2)};
    style.ItemSpacing = {chosen.px(8), chosen.px(4)};
    style.ItemInnerSpacing = {chosen.px(6), chosen.px(4)};
    style.ScrollbarSize = chosen.px(9);
    style.WindowBorderSize = 0;
    style.FrameBorderSize = std::max(1.0F, chosen.px(1));
    style.PopupBorderSize = std::max(1.0F, chosen.px(1));
    style.ChildBorderSize = 0;
    style.WindowMinSize = {1, 1};
    style.DisabledAlpha = 0.42F;
    style.WindowMenuButtonPosition = ImGuiDir_None;
    ImGui::GetStyle() = style;
    apply_detail(chosen);
}

void apply_detail(const plots::Style& chosen) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = !chosen.plain;
    style.AntiAliasedLinesUseTex = !chosen.plain;
    style.AntiAliasedFill = !chosen.plain;
    style.FrameRounding = chosen.plain ? 0 : chosen.px(4);
    style.GrabRounding = style.FrameRounding;
    style.PopupRounding = style.FrameRounding;
    style.ScrollbarRounding = chosen.plain ? 0 : chosen.px(4);
}

}  // namespace warpsieve::panels
