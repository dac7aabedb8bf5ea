// A field for a number.
#include <imgui.h>

#include <cfloat>
#include <cstdint>

#include "app/panels/widgets.hpp"

namespace warpsieve::panels {

void number_field(PanelFrame& frame, const Row& row, std::uint32_t& number) {
    begin_row(frame, row);
    const std::uint32_t one = 1;
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushFont(frame.fonts().figures);
    const bool focused = frame.focus->has(row.label);
    if (focused && frame.focus->pressed()) ImGui::SetKeyboardFocusHere();
    ImGui::InputScalar("##number", ImGuiDataType_U32, &number, &one);
    ImGui::PopFont();
    frame.controls.record_item(row.label);
    if (focused) {
        number += static_cast<std::uint32_t>(frame.focus->steps());
        frame.focus->show(frame, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    end_row(frame, row);
}

}  // namespace warpsieve::panels
