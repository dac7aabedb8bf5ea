#include "app/gl/keys.hpp"

#include <algorithm>

// Only for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::gl {
namespace {

bool is_modifier(int key) {
    return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
}

/// GLFW's first key that types no character; the codes of all others that type none are higher.
constexpr int first_key_without_character = GLFW_KEY_ESCAPE;

/// Whether the key edits text, such as Backspace or Ctrl+V, instead of adding a character.
bool is_editing_key(const KeyEvent& event) {
    return event.is_down() && !is_modifier(event.key) &&
           (event.key >= first_key_without_character || event.ctrl);
}

}  // namespace

std::span<const KeyEvent> KeyQueue::next_frame(bool typing) {
    frame_.clear();
    bool has_editing_key = false;
    bool has_character = false;
    const auto is_pressed_in_frame = [&](int key) {
        return std::ranges::any_of(frame_, [key](const KeyEvent& event) {
            return event.key == key && event.kind == KeyEvent::Kind::press;
        });
    };
    std::deque<Entry> delayed_releases;
    while (!waiting_.empty()) {
        const Entry entry = waiting_.front();
        const bool is_character = entry.event.kind == KeyEvent::Kind::character;
        const bool edits = is_editing_key(entry.event);
        if (typing && ((is_character && has_editing_key) || (edits && (has_editing_key || has_character))))
            break;
        waiting_.pop_front();
        if (entry.is_click) break;
        if (entry.event.kind == KeyEvent::Kind::release && is_pressed_in_frame(entry.event.key)) {
            delayed_releases.push_back(entry);
            continue;
        }
        has_character = has_character || is_character;
        has_editing_key = has_editing_key || edits;
        frame_.push_back(entry.event);
    }
    waiting_.insert(waiting_.begin(), delayed_releases.begin(), delayed_releases.end());
    return frame_;
}

}  // namespace warpsieve::gl
