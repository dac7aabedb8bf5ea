#pragma once

#include <imgui.h>

#include <string_view>

#include "app/panels/ui.hpp"

/// Toolbars of the views: buttons from left to right.
namespace warpsieve::panels {

/// Places controls from left to right and wraps them into further rows.
class ToolbarFlow {
  public:
    /// No row but the first extends below `lowest`.
    ToolbarFlow(const Ui& ui, ImVec2 low, float right, float lowest)
        : low_(low), right_(right), lowest_(lowest), gap_(ui.px(6)), at_(low) {}

    /// Moves the cursor to a control of that width; returns whether it fits. After one does not
    /// fit, later ones do not either: the most important come first.
    bool place(float width, float gap_before = 0) {
        if (at_.x > low_.x) at_.x += gap_before;
        if (at_.x > low_.x && at_.x + width > right_) {
            const ImVec2 next{low_.x, at_.y + ImGui::GetFrameHeight() + gap_};
            full_ = full_ || next.y + ImGui::GetFrameHeight() > lowest_;
            if (!full_) at_ = next;
        }
        if (full_) return false;
        ImGui::SetCursorScreenPos(at_);
        at_.x += width + gap_;
        return true;
    }
    float room() const { return right_ - at_.x; }
    float bottom() const { return at_.y + ImGui::GetFrameHeight(); }

  private:
    ImVec2 low_;
    float right_;
    float lowest_;
    float gap_;
    ImVec2 at_;
    bool full_ = false;
};

float button_width(const char* label);
/// With room for the key behind the label.
float button_width(const plots::Style& style, const char* label, const char* key);
/// A button of that width, which shows its key.
bool key_button(Ui& ui, const char* label, std::string_view tooltip, const char* key);

/// A button that stays down, marked by a line as well as by colour.
bool toggle(Ui& ui, ToolbarFlow& flow, const char* label, bool on, std::string_view tooltip,
            std::string_view key, float gap_before = 0);

/// Whether the choice of modes fits into the first row together with the first button. If not, draw it last.
bool modes_come_first(const ToolbarFlow& flow);
/// The choice between the sparse and dense scene and its output alone.
void draw_particles_modes(Ui& ui, ToolbarFlow& flow);
/// The choice between frames and the inside of one compaction, and that between particles and the inside.
void draw_timeline_modes(Ui& ui, ToolbarFlow& flow);
void draw_lens_modes(Ui& ui, ToolbarFlow& flow);

}  // namespace warpsieve::panels
