#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace warpsieve::gl {

/// An event of a key in the window, with the modifiers of that moment.
struct KeyEvent {
    enum class Kind : std::uint8_t { press, repeat, release, character };

    Kind kind = Kind::press;
    int key = 0;             ///< GLFW key code; 0 for a character
    unsigned character = 0;  ///< Unicode; 0 for a key
    bool ctrl = false;
    bool shift = false;
    bool alt = false;

    /// Pressed, or repeated because it is held.
    bool is_down() const { return kind == Kind::press || kind == Kind::repeat; }
};

/// Queues key events from their arrival to the frame that uses them. No press is lost, however short: Dear
/// ImGui 1.86 samples keys once per frame, so a release waits for the frame after its press.
class KeyQueue {
  public:
    void push(const KeyEvent& event) { waiting_.push_back({.event = event, .is_click = false}); }
    /// Queues a mouse click. A click may move the focus, so later keys belong to the next frame.
    void push_click() { waiting_.push_back({.event = {}, .is_click = true}); }

    /// Takes the events of the next frame from the queue, oldest first. They are valid until the next call.
    /// `typing`: a text field has the keyboard. Such a frame gets either characters or one editing key, such
    /// as Backspace, because Dear ImGui does not keep the order of the two.
    std::span<const KeyEvent> next_frame(bool typing);
    bool empty() const { return waiting_.empty(); }

  private:
    struct Entry {
        KeyEvent event;
        bool is_click = false;
    };
    std::deque<Entry> waiting_;
    std::vector<KeyEvent> frame_;
};

}  // namespace warpsieve::gl
