#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/panels/ui.hpp"

/// Toolbars of the views.
namespace warpsieve::panels {

/// Places controls from left to right and wraps them into further rows.
class ToolbarFlow {
  public:
    /// Rows after the first end above `max_bottom`.
    ToolbarFlow(const Ui& ui, ImVec2 low, float right, float max_bottom)
        : low_(low), right_(right), max_bottom_(max_bottom), gap_(ui.px(6)), at_(low) {}

    /// Moves the cursor to a control of that width. Returns whether it fits. Once a control does
    /// not fit, later ones do not fit either, so place the most important ones first.
    bool place(float width, float gap_before = 0) {
        if (at_.x > low_.x) at_.x += gap_before;
        if (at_.x > low_.x && at_.x + width > right_) {
            const ImVec2 next{low_.x, at_.y + ImGui::GetFrameHeight() + gap_};
            full_ = full_ || next.y + ImGui::GetFrameHeight() > max_bottom_;
            if (!full_) at_ = next;
        }
        if (full_) return false;
        ImGui::SetCursorScreenPos(at_);
        at_.x += width + gap_;
        return true;
    }
    float width() const { return right_ - low_.x; }
    float room() const { return right_ - at_.x; }
    float bottom() const { return at_.y + ImGui::GetFrameHeight(); }

  private:
    ImVec2 low_;
    float right_;
    float max_bottom_;
    float gap_;
    ImVec2 at_;
    bool full_ = false;
};

float button_width(const char* label);
/// The width of a button that shows its key after the label.
float button_width(const plots::Style& style, const char* label, const char* key);
/// Draws a button that shows its key, as wide as button_width() with a key.
bool key_button(Ui& ui, const char* label, std::string_view tooltip, const char* key);

/// Draws a button that stays down while `on`, marked by a line as well as by colour. Returns whether it is
/// pressed.
bool toggle(Ui& ui, ToolbarFlow& flow, const char* label, bool on, std::string_view tooltip,
            std::string_view key, float gap_before = 0);

/// Draws a field for a whole number after its label. Records itself as button() does. Returns the number when
/// Enter ends the input.
std::optional<std::uint64_t> number_box(Ui& ui, ToolbarFlow& flow, std::string_view label,
                                        std::uint64_t number, std::string_view tooltip);

/// Whether the choice of modes and the "hold" button fit into the row. If not, draw the choice after that
/// button.
bool modes_fit_before_hold(const ToolbarFlow& flow);
/// Draws the modes of the particles view: sparse and dense, or the output alone.
void draw_particles_modes(Ui& ui, ToolbarFlow& flow);
/// Draws the modes of the timeline: frames, or the inside of one compaction.
void draw_timeline_modes(Ui& ui, ToolbarFlow& flow);
/// Draws the modes of the A/B lens: particles, the inside of one compaction, or the difference of the
/// outputs.
void draw_lens_modes(Ui& ui, ToolbarFlow& flow);

}  // namespace warpsieve::panels
