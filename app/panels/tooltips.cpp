#include "app/panels/tooltips.hpp"

namespace warpsieve::panels {
namespace {

constexpr double delay_s = 0.45;

}  // namespace

void Tooltips::begin_frame(double seconds, bool visible) {
    visible_ = visible;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool resting = moved.x == 0 && moved.y == 0;
    // Once shown it stays while the mouse wanders over the same control.
    if (!offered_) {
        candidate_low_ = candidate_high_ = {-1, -1};
        rested_s_ = 0;
    } else if (resting || rested_s_ >= delay_s) {
        rested_s_ += seconds;
    }
    offered_ = false;
}

void Tooltips::offer(const plots::Look& look, ImVec2 low, ImVec2 high, std::string_view text,
                     std::string_view key, std::string_view strong) {
    if (text.empty() || offered_ || ImGui::IsAnyItemActive() || !ImGui::IsWindowHovered() ||
        !ImGui::IsMouseHoveringRect(low, high)) {
        return;
    }
    offered_ = true;
    if (candidate_low_.x != low.x || candidate_low_.y != low.y || candidate_high_.x != high.x) {
        candidate_low_ = low;
        candidate_high_ = high;
        rested_s_ = 0;
    }
    if (rested_s_ < delay_s || !visible_) return;

    const auto print = [](std::string_view line) {
        ImGui::TextUnformatted(line.data(), line.data() + line.size());
    };
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(12), look.px(9)});
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(look.px(330));
    if (!strong.empty()) {
        ImGui::PushFont(look.fonts.heading);
        print(strong);
        ImGui::PopFont();
    }
    print(text);
    if (!key.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, look.palette.muted);
        ImGui::Text("Key: %.*s", static_cast<int>(key.size()), key.data());
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void Tooltips::offer_item(const plots::Look& look, std::string_view text, std::string_view key) {
    offer(look, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text, key);
}

}  // namespace warpsieve::panels
