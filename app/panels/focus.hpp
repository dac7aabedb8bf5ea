#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct PanelFrame;

/// Keyboard focus: Tab moves it through the controls in the order in which they are drawn. Left and Right
/// change the focused control, Enter and Space press it, Esc gives the focus up.
class Focus {
  public:
    /// Takes the keys that move or use the focus; returns the others, valid until the next call.
    std::span<const gl::KeyEvent> begin_frame(std::span<const gl::KeyEvent> keys);

    /// A control of this frame; returns whether it has the focus.
    bool has(std::string_view label);
    /// The next control of this frame is the first in the order; those drawn before it come last.
    void start_here() { start_ = drawn_.size(); }
    /// Of the focused control in this frame.
    int steps() const { return steps_; }
    bool pressed() const { return pressed_; }

    /// Rings the focused control and scrolls it into view.
    void show(const PanelFrame& frame, ImVec2 low, ImVec2 high);

  private:
    void move(int by);
    /// Finds the focused control in the order.
    void follow_label();

    std::string label_;               ///< empty: nothing has the focus
    std::vector<std::string> order_;  ///< of the last frame
    std::size_t at_ = 0;              ///< of the focused control in the order
    std::size_t count_ = 0;           ///< of controls in the order before
    std::vector<std::string> drawn_;  ///< in this frame
    std::vector<gl::KeyEvent> others_;
    std::size_t start_ = 0;
    int steps_ = 0;
    bool pressed_ = false;
    bool moved_ = false;
};

}  // namespace warpsieve::panels
