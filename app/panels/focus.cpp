#include "app/panels/focus.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/panels/ui.hpp"

namespace warpsieve::panels {

std::span<const gl::KeyEvent> Focus::begin_frame(std::span<const gl::KeyEvent> keys) {
    unused_keys_.clear();
    steps_ = 0;
    pressed_ = moved_ = false;
    update_order();
    find_focused();
    const bool in_menu = !menu_.empty();
    for (const gl::KeyEvent& event : keys) {
        const bool plain = event.is_down() && !event.ctrl && !event.alt;
        const bool focused = plain && !label_.empty();
        if (plain && event.key == GLFW_KEY_TAB) {
            move(event.shift ? -1 : 1);
        } else if (plain && in_menu && (event.key == GLFW_KEY_UP || event.key == GLFW_KEY_DOWN)) {
            move(event.key == GLFW_KEY_DOWN ? 1 : -1);
        } else if (focused && (event.key == GLFW_KEY_LEFT || event.key == GLFW_KEY_RIGHT)) {
            steps_ += event.key == GLFW_KEY_RIGHT ? 1 : -1;
        } else if (focused && (event.key == GLFW_KEY_ENTER || event.key == GLFW_KEY_SPACE)) {
            pressed_ = true;
        } else if (focused && !in_menu && event.key == GLFW_KEY_ESCAPE) {
            label_.clear();
        } else {
            unused_keys_.push_back(event);
        }
    }
    // A click ends the focus: the user works with the mouse.
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) label_.clear();
    return unused_keys_;
}

void Focus::update_order() {
    if (open_menu_.empty()) {
        order_.swap(drawn_);
        // Clang 14 does not compile std::ranges::rotate of libstdc++ 12.
        std::rotate(order_.begin(),
                    order_.begin() + static_cast<std::ptrdiff_t>(std::min(start_, order_.size())),
                    order_.end());
        if (!label_.empty() && !menu_.empty()) label_ = menu_;
    } else {
        order_.swap(entries_);
        const bool opened = menu_ != open_menu_;
        if (!label_.empty() && opened && !order_.empty()) {
            label_ = std::ranges::count(order_, chosen_) > 0 ? chosen_ : order_.front();
            moved_ = true;
        }
    }
    menu_ = std::exchange(open_menu_, {});
    start_ = 0;
    drawn_.clear();
    entries_.clear();
}

void Focus::find_focused() {
    const auto found = std::ranges::find(order_, label_);
    if (found == order_.end()) {
        // A button may change its label, such as "pause" to "resume".
        const bool renamed = !label_.empty() && order_.size() == previous_count_ && index_ < previous_count_;
        label_ = renamed ? order_[index_] : std::string();
    } else {
        index_ = static_cast<std::size_t>(found - order_.begin());
    }
    previous_count_ = order_.size();
}

void Focus::move(int distance) {
    if (order_.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(order_.size());
    const auto found = std::ranges::find(order_, label_);
    // Without a focus, Tab goes to the first control and Shift+Tab to the last.
    const std::ptrdiff_t index = found == order_.end() ? (distance > 0 ? -1 : 0) : found - order_.begin();
    index_ = static_cast<std::size_t>((index + distance + count) % count);
    label_ = order_[index_];
    moved_ = true;
}

bool Focus::add_control(std::string_view label) {
    if (left_out_) return false;
    (in_menu_ ? entries_ : drawn_).emplace_back(label);
    return label_ == label;
}

bool Focus::presses_item(const Ui& ui, std::string_view label) {
    if ((ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) != 0 || !add_control(label)) return false;
    show(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    return pressed_;
}

void Focus::begin_menu(std::string_view name, std::string_view chosen) {
    open_menu_ = name;
    chosen_ = chosen;
    in_menu_ = true;
}

void Focus::show(const Ui& ui, ImVec2 low, ImVec2 high) {
    if (moved_) ImGui::SetScrollHereY();
    const float margin = ui.px(2);
    ImGui::GetWindowDrawList()->AddRect({low.x - margin, low.y - margin}, {high.x + margin, high.y + margin},
                                        ui.palette().accent, ImGui::GetStyle().FrameRounding + margin, 0,
                                        std::max(1.5F, ui.px(1.5F)));
}

}  // namespace warpsieve::panels
