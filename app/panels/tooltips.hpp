#pragma once

#include <imgui.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "app/plots/style.hpp"

namespace warpsieve::panels {

/// The surroundings of a tooltip, in pixels.
struct TooltipAnchor {
    ImVec2 item_low;
    ImVec2 item_high;
    float window_right = 0;  ///< right end of the item's window
    ImVec2 mouse;            ///< where along a wide item the tooltip stands
    ImVec2 display;          ///< size of the program's window
    float gap = 0;
};
/// The position of a tooltip of that size: right of the item's window, so that it covers nothing near the
/// item; else below, above or beside the item; else at the mouse. Always within the display.
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
    /// `strong`: an emphasised first line. Both may be empty, and `picture` null.
    void offer(const plots::Style& style, ImVec2 low, ImVec2 high, std::string_view text,
               std::string_view key = {}, std::string_view strong = {},
               const TooltipPicture* picture = nullptr);
    /// Offers the text that `make` returns. Calls it only while the mouse is over the rectangle.
    template <std::invocable Make>
    void offer(const plots::Style& style, ImVec2 low, ImVec2 high, const Make& make) {
        if (wants(low, high)) offer(style, low, high, std::string(make()));
    }

    /// Offers a tooltip for the item that ImGui drew last.
    void offer_item(const plots::Style& style, std::string_view text, std::string_view key = {});

  private:
    /// Whether the mouse is over the rectangle and no other tooltip was offered in this frame.
    bool wants(ImVec2 low, ImVec2 high) const;

    /// The item on which the mouse rests.
    ImVec2 item_low_{-1, -1};
    ImVec2 item_high_{-1, -1};
    bool offered_ = false;  ///< in this frame, for an item under the mouse
    bool visible_ = true;
    double rested_s_ = 0;            ///< for how long the mouse has rested on the item
    std::optional<ImVec2> clicked_;  ///< position of a click on the item under the mouse
    int held_back_frames_ = 0;       ///< frames without tooltips after a click or an open menu
    ImVec2 rest_position_{0, 0};     ///< position of the mouse when it came to rest
};

}  // namespace warpsieve::panels
