#pragma once

#include <imgui.h>

#include <array>
#include <functional>
#include <span>
#include <string>

#include "app/panels/window_frame.hpp"

namespace warpsieve::panels {

/// What has to be pressed. Letters and function keys go by key, signs by the character that was typed: on
/// many keyboards
/// '[' is no key of its own.
struct Trigger {
    std::array<int, 2> keys{};  ///< GLFW key codes; either will do; 0: none
    ImWchar character = 0;      ///< 0: none
    bool ctrl = false;
    bool shift = false;
    bool repeats = false;  ///< fires again while it is held
};

/// A key, what it does in words, and what it does.
struct Shortcut {
    std::string keys;
    std::string action;
    Trigger trigger;
    std::function<void(WindowFrame& frame)> act;
};

/// Every shortcut there is: both the handling of keys and the list on F1 are made from it.
std::span<const Shortcut> shortcuts();

/// Does what the keys pressed in this frame ask for; nothing while a text field has the keyboard. While a
/// menu is open, Esc closes it and no other key acts.
void handle_shortcuts(WindowFrame& frame);

}  // namespace warpsieve::panels
