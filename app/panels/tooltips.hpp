#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/plots/style.hpp"

namespace warpsieve::panels {

/// Where a tooltip of that size goes: to the right of the window that its item is in, so that what stands
/// near the item is free too; where that has no room, below the item, above it, or beside it. `mouse` says
/// where along a wide item, and where all of that fails. Never outside `display`, the size of the whole
/// picture.
struct TooltipPlace {
    ImVec2 low;  ///< of the item
    ImVec2 high;
    float window_right = 0;  ///< of the item's window
    ImVec2 mouse;
    ImVec2 display;
    float gap = 0;
};
ImVec2 place_tooltip(const TooltipPlace& place, ImVec2 size);

/// Explanations that appear when the mouse rests on something, disabled or not, and never while it is held or
/// moving through.
class Tooltips {
  public:
    /// Forgets what was under the mouse unless something offered a tooltip in the frame before. Where not
    /// `visible`, none is drawn in this frame, though it rests as before.
    void begin_frame(double seconds, bool visible = true);

    /// Says that the rectangle from `low` to `high` of the current window has an explanation. `key` names its
    /// shortcut; `strong` is a first line, set off from the rest. Both may be empty.
    void offer(const plots::Style& style, ImVec2 low, ImVec2 high, std::string_view text,
               std::string_view key = {}, std::string_view strong = {});

    /// The same for the item that ImGui drew last.
    void offer_item(const plots::Style& style, std::string_view text, std::string_view key = {});

  private:
    ImVec2 candidate_low_{-1, -1};
    ImVec2 candidate_high_{-1, -1};
    bool offered_ = false;
    bool visible_ = true;
    double rested_s_ = 0;
    ImVec2 mouse_{0, 0};  ///< where it came to rest
};

}  // namespace warpsieve::panels
