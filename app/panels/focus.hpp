#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct Ui;

/// Keyboard focus: Tab moves it through the controls in the order in which they are drawn. Left and Right
/// change the focused control, Enter and Space press it, Esc gives the focus up. While a menu is open, the
/// focus stays among its entries, and Up and Down move it too.
class Focus {
  public:
    /// Takes the keys that move or use the focus. Returns the other keys, valid until the next call.
    std::span<const gl::KeyEvent> begin_frame(std::span<const gl::KeyEvent> keys);

    /// The controls between these calls stay out of the order, because something above them takes the mouse.
    void begin_left_out() { left_out_ = true; }
    void end_left_out() { left_out_ = false; }

    /// Puts a control into the order. Returns whether it has the focus.
    bool add_control(std::string_view label);
    /// Puts ImGui's last item into the order, unless it is disabled. Returns whether a key presses it.
    bool presses_item(const Ui& ui, std::string_view label);
    /// The controls between these calls are the entries of the open menu `name`, which gets the focus when it
    /// closes. `chosen`: the entry that gets the focus; empty: the first one.
    void begin_menu(std::string_view name, std::string_view chosen = {});
    void end_menu() { in_menu_ = false; }
    /// The next control of this frame is the first in the order; those drawn before it come last.
    void start_here() { start_ = drawn_.size(); }
    /// Steps of the arrow keys on the focused control in this frame; Left counts -1, Right 1.
    int steps() const { return steps_; }
    /// Whether Enter or Space was pressed in this frame while a control had the focus.
    bool pressed() const { return pressed_; }
    /// The focused control; empty if there is none.
    const std::string& label() const { return label_; }

    /// Draws a frame around the focused control, and scrolls it into view.
    void show(const Ui& ui, ImVec2 low, ImVec2 high);

  private:
    /// Moves the focus by `distance` controls, around the ends of the order.
    void move(int distance);
    /// Sets the order to the controls of the last frame.
    void update_order();
    /// Finds the focused control in the new order.
    void find_focused();

    std::string label_;                 ///< the focused control; empty if there is none
    std::vector<std::string> order_;    ///< controls of the last frame, in order
    std::size_t index_ = 0;             ///< index of the focused control in the order
    std::size_t previous_count_ = 0;    ///< number of controls in the previous order
    std::vector<std::string> drawn_;    ///< controls drawn in this frame
    std::vector<std::string> entries_;  ///< entries of the menu that is open in this frame
    std::string menu_;                  ///< the menu that was open in the last frame; empty for none
    std::string open_menu_;             ///< the menu that is open in this frame; empty for none
    std::string chosen_;                ///< the entry of `open_menu_` that gets the focus when it opens
    bool in_menu_ = false;
    bool left_out_ = false;
    std::vector<gl::KeyEvent> unused_keys_;
    std::size_t start_ = 0;  ///< index in `drawn_` of the first control of the next order
    int steps_ = 0;
    bool pressed_ = false;
    bool moved_ = false;  ///< in this frame: show() scrolls to the focused control
};

}  // namespace warpsieve::panels
