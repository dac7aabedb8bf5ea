#include "app/panels/control_map.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warpsieve::panels {

void ControlMap::record(std::string_view label, ImVec2 low, ImVec2 high) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 clip_low = list.GetClipRectMin();
    const ImVec2 clip_high = list.GetClipRectMax();
    const ImVec2 visible_low{std::max(low.x, clip_low.x), std::max(low.y, clip_low.y)};
    const ImVec2 visible_high{std::min(high.x, clip_high.x), std::min(high.y, clip_high.y)};
    if (visible_high.x <= visible_low.x || visible_high.y <= visible_low.y) return;
    controls_.push_back({std::string(label), visible_low, visible_high});
}

const ControlMap::Control* ControlMap::at(ImVec2 point) const {
    const auto found = std::find_if(controls_.rbegin(), controls_.rend(), [point](const Control& control) {
        return point.x >= control.low.x && point.x < control.high.x && point.y >= control.low.y &&
               point.y < control.high.y;
    });
    return found == controls_.rend() ? nullptr : &*found;
}

std::string ControlMap::json() const {
    nlohmann::ordered_json map = nlohmann::ordered_json::object();
    const auto pixel = [](float position) { return static_cast<int>(std::lround(position)); };
    for (const Control& control : controls_) {
        map[control.label] = {pixel(control.low.x), pixel(control.low.y),
                              pixel(control.high.x - control.low.x), pixel(control.high.y - control.low.y)};
    }
    return map.dump();
}

}  // namespace warpsieve::panels
