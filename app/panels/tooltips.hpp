#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

#include "app/plots/style.hpp"

namespace warpsieve::panels {

/// The position of a tooltip of that size: right of the item's window, so that it covers nothing near the
/// item; else below, above or beside the item. `mouse`: the position along a wide item, and the last resort.
/// Always within `display`, the size of the window.
struct TooltipAnchor {
    ImVec2 low;  ///< of the item
    ImVec2 high;
    float window_right = 0;  ///< of the item's window
    ImVec2 mouse;
    ImVec2 display;
    float gap = 0;
};
ImVec2 place_tooltip(const TooltipAnchor& anchor, ImVec2 size);

/// A small picture above the text of a tooltip.
struct TooltipPicture {
    ImVec2 size;  ///< in pixels at 100 %
    void (*draw)(ImDrawList& list, const plots::Style& style, ImVec2 low, ImVec2 high);
};

/// Tooltips that appear when the mouse rests on an item, enabled or not, and no button is held.
class Tooltips {
  public:
    /// Starts a frame. Resets the rest time if no item under the mouse offered a tooltip in the last frame.
    /// `visible`: false draws none in this frame but keeps the rest time.
    void begin_frame(double seconds, bool visible = true);

    /// Offers a tooltip for the rectangle from `low` to `high` of the current window. `key`: its shortcut;
    /// `strong`: an emphasised first line. Both may be empty, and
    /// `picture` null.
    void offer(const plots::Style& style, ImVec2 low, ImVec2 high, std::string_view text,
               std::string_view key = {}, std::string_view strong = {},
               const TooltipPicture* picture = nullptr);

    /// The same for the item that ImGui drew last.
    void offer_item(const plots::Style& style, std::string_view text, std::string_view key = {});

  private:
    ImVec2 candidate_low_{-1, -1};
    ImVec2 candidate_high_{-1, -1};
    bool offered_ = false;
    bool visible_ = true;
    double rested_s_ = 0;
    std::optional<ImVec2> clicked_;  ///< where, on the item that the mouse has not left since
    int held_back_frames_ = 0;       ///< more, by a button that was down or an open menu
    ImVec2 mouse_{0, 0};             ///< where it came to rest
};

}  // namespace warpsieve::panels
