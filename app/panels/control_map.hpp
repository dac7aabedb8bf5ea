#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::panels {

/// Records where each control of the frame was drawn, for tools that drive the window. Only visible parts
/// count: a control that is scrolled out of view cannot be clicked and is left out.
class ControlMap {
  public:
    struct Control {
        std::string label;
        ImVec2 low;
        ImVec2 high;
    };

    void clear() { controls_.clear(); }
    /// Records a rectangle of the current ImGui window.
    void record(std::string_view label, ImVec2 low, ImVec2 high);
    /// Records the item that ImGui drew last.
    void record_item(std::string_view label) {
        record(label, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    /// JSON: {"label": [x, y, width, height], ...}.
    std::string json() const;

    /// The control at a point; of several, the one drawn last. Null if there is none.
    const Control* at(ImVec2 point) const;

  private:
    std::vector<Control> controls_;
};

}  // namespace warpsieve::panels
