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

/// Whether the key edits text, such as Backspace, instead of adding a character.
bool edits(const KeyEvent& event) {
    return event.is_down() && !is_modifier(event.key) && (event.key >= GLFW_KEY_ESCAPE || event.ctrl);
}

}  // namespace

std::span<const KeyEvent> KeyQueue::next_frame(bool typing) {
    frame_.clear();
    bool edited = false;
    bool typed = false;
    const auto pressed_now = [&](int key) {
        return std::ranges::any_of(frame_, [key](const KeyEvent& event) {
            return event.key == key && event.kind == KeyEvent::Kind::press;
        });
    };
    std::deque<Entry> later;
    while (!waiting_.empty()) {
        const Entry entry = waiting_.front();
        const bool text = entry.event.kind == KeyEvent::Kind::character;
        if (typing && ((text && edited) || (edits(entry.event) && (edited || typed)))) break;
        waiting_.pop_front();
        if (entry.click) break;
        if (entry.event.kind == KeyEvent::Kind::release && pressed_now(entry.event.key)) {
            later.push_back(entry);
            continue;
        }
        typed = typed || text;
        edited = edited || edits(entry.event);
        frame_.push_back(entry.event);
    }
    waiting_.insert(waiting_.begin(), later.begin(), later.end());
    return frame_;
}

}  // namespace warpsieve::gl
