#pragma once

#include <imgui.h>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct Ui;

/// The trigger of a shortcut. Letters and function keys match by key; signs match by the typed character,
/// since many keyboards have no key for '['.
struct Trigger {
    std::array<int, 2> keys{};  ///< GLFW key codes; either will do; 0: none
    ImWchar character = 0;      ///< 0: none
    bool ctrl = false;
    bool shift = false;
    bool repeats = false;    ///< fires again while one of `keys` is held
    bool any_shift = false;  ///< fires with Shift too, which '+' needs on most keyboards
    bool always = false;     ///< fires even in an open menu or the command palette, and while text is typed
};

struct Shortcut {
    std::string keys;    ///< "Shift+A"
    std::string action;  ///< what it does, in words
    Trigger trigger;
    std::function<void(Ui& ui)> act;
    std::string_view group = {};  ///< "Views": heading in the list on F1
};

/// All shortcuts. Key handling and the list on F1 both use this table.
std::span<const Shortcut> shortcuts();

/// Runs the actions of the keys of this frame, in their order. While a menu is open, only Esc acts: it closes
/// the menu.
void handle_shortcuts(Ui& ui);

}  // namespace warpsieve::panels
