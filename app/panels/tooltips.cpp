#include "app/panels/tooltips.hpp"

#include <algorithm>

namespace warpsieve::panels {
namespace {

constexpr double delay_s = 0.45;
constexpr float text_width = 330;

/// The content of a tooltip.
struct TooltipContent {
    const TooltipPicture* picture = nullptr;
    std::string_view strong;
    std::string_view text;
    std::string key;
};

/// The size that ImGui will give the tooltip. Computed before drawing, so that the tooltip never jumps.
ImVec2 size_of(const plots::Style& style, const TooltipContent& content, ImVec2 padding) {
    ImVec2 size{0, -ImGui::GetStyle().ItemSpacing.y};
    const auto add = [&](const ImFont* font, std::string_view line) {
        if (line.empty()) return;
        const ImVec2 lines = font->CalcTextSizeA(font->FontSize, FLT_MAX, style.px(text_width), line.data(),
                                                 line.data() + line.size());
        size.x = std::max(size.x, std::ceil(lines.x));
        size.y += lines.y + ImGui::GetStyle().ItemSpacing.y;
    };
    add(style.fonts.heading, content.strong);
    add(style.fonts.text, content.text);
    add(style.fonts.text, content.key);
    if (content.picture) {
        size.x = std::max(size.x, style.px(content.picture->size.x));
        size.y += style.px(content.picture->size.y) + ImGui::GetStyle().ItemSpacing.y;
    }
    return {size.x + 2 * padding.x, size.y + 2 * padding.y};
}

void print(std::string_view line) {
    ImGui::TextUnformatted(line.data(), line.data() + line.size());
}

void draw(const plots::Style& style, const TooltipContent& content, ImVec2 padding) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(padding.x + style.px(text_width));
    if (content.picture) {
        const ImVec2 low = ImGui::GetCursorScreenPos();
        const ImVec2 size{style.px(content.picture->size.x), style.px(content.picture->size.y)};
        content.picture->draw(*ImGui::GetWindowDrawList(), style, low, {low.x + size.x, low.y + size.y});
        ImGui::Dummy(size);
    }
    if (!content.strong.empty()) {
        ImGui::PushFont(style.fonts.heading);
        print(content.strong);
        ImGui::PopFont();
    }
    print(content.text);
    if (!content.key.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, style.palette.muted);
        print(content.key);
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

}  // namespace

ImVec2 place_tooltip(const TooltipAnchor& anchor, ImVec2 size) {
    const auto within = [](float at, float length, float room) {
        return std::clamp(at, 0.0F, std::max(room - length, 0.0F));
    };
    const ImVec2 display = anchor.display;
    const float gap = anchor.gap;
    const float y_beside = within(anchor.item_low.y, size.y, display.y);
    const float right_of_window = std::max(anchor.window_right, anchor.item_high.x) + gap;
    if (right_of_window + size.x <= display.x) return {right_of_window, y_beside};
    const float x_along = within(std::clamp(anchor.mouse.x, anchor.item_low.x,
                                            std::max(anchor.item_low.x, anchor.item_high.x - size.x)),
                                 size.x, display.x);
    if (anchor.item_high.y + gap + size.y <= display.y) return {x_along, anchor.item_high.y + gap};
    if (anchor.item_low.y - gap - size.y >= 0) return {x_along, anchor.item_low.y - gap - size.y};
    if (anchor.item_high.x + gap + size.x <= display.x) return {anchor.item_high.x + gap, y_beside};
    if (anchor.item_low.x - gap - size.x >= 0) return {anchor.item_low.x - gap - size.x, y_beside};
    // The item fills the display: below the mouse, or above it.
    const float below = anchor.mouse.y + 3 * gap;
    const float y = below + size.y <= display.y ? below : anchor.mouse.y - gap - size.y;
    return {within(anchor.mouse.x, size.x, display.x), within(y, size.y, display.y)};
}

void Tooltips::begin_frame(double seconds, bool visible) {
    visible_ = visible;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    // A clicked item shows no tooltip until the mouse has left it.
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        clicked_ = ImGui::GetIO().MousePos;
    } else if (!offered_ && held_back_frames_ == 0) {
        clicked_.reset();
    }
    const bool held_back = ImGui::IsAnyMouseDown() || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    // A menu keeps the mouse for a frame after it closes.
    held_back_frames_ = held_back ? 2 : std::max(held_back_frames_ - 1, 0);
    const bool resting = moved.x == 0 && moved.y == 0;
    // A visible tooltip stays while the mouse moves over the same control.
    if (!offered_) {
        item_low_ = item_high_ = {-1, -1};
        rested_s_ = 0;
    } else if (resting || rested_s_ >= delay_s) {
        rested_s_ += seconds;
    }
    offered_ = false;
}

bool Tooltips::wants(ImVec2 low, ImVec2 high) const {
    return !offered_ && !ImGui::IsAnyItemActive() && ImGui::IsWindowHovered() &&
           ImGui::IsMouseHoveringRect(low, high);
}

void Tooltips::offer(const plots::Style& style, ImVec2 low, ImVec2 high, std::string_view text,
                     std::string_view key, std::string_view strong, const TooltipPicture* picture) {
    if (text.empty() || !wants(low, high)) return;
    offered_ = true;
    if (clicked_ && clicked_->x >= low.x && clicked_->x < high.x && clicked_->y >= low.y &&
        clicked_->y < high.y)
        return;
    clicked_.reset();
    if (item_low_.x != low.x || item_low_.y != low.y || item_high_.x != high.x) {
        item_low_ = low;
        item_high_ = high;
        rested_s_ = 0;
    }
    if (rested_s_ < delay_s) rest_position_ = ImGui::GetIO().MousePos;
    if (rested_s_ < delay_s || !visible_) return;

    const TooltipContent content{.picture = picture,
                                 .strong = strong,
                                 .text = text,
                                 .key = key.empty() ? std::string() : "Key: " + std::string(key)};
    const ImVec2 padding{style.px(12), style.px(9)};
    ImGui::SetNextWindowPos(place_tooltip({.item_low = low,
                                           .item_high = high,
                                           .window_right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth(),
                                           .mouse = rest_position_,
                                           .display = ImGui::GetIO().DisplaySize,
                                           .gap = style.px(6)},
                                          size_of(style, content, padding)));
    draw(style, content, padding);
}

void Tooltips::offer_item(const plots::Style& style, std::string_view text, std::string_view key) {
    offer(style, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text, key);
}

}  // namespace warpsieve::panels
