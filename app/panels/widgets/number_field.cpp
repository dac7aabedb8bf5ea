// A field for a number.
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "app/format/figures.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {

void number_field(PanelFrame& frame, const Row& row, const Legal& legal, std::uint32_t& number) {
    begin_row(frame, row);
    const std::int64_t one = 1;
    // Wider than the number, so that a larger one does not wrap around.
    std::int64_t wanted = number;
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushFont(frame.fonts().figures);
    const bool focused = frame.focus->has(row.label);
    if (focused && frame.focus->pressed()) ImGui::SetKeyboardFocusHere();
    ImGui::InputScalar("##number", ImGuiDataType_S64, &wanted, &one);
    ImGui::PopFont();
    frame.controls.record_item(row.label);
    if (focused) {
        wanted += frame.focus->steps();
        frame.focus->show(frame, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    end_row(frame, row);
    const auto least = static_cast<std::int64_t>(legal.least);
    const auto most = static_cast<std::int64_t>(legal.most);
    const auto grouped = [](std::int64_t bound) {
        return format::grouped(static_cast<std::uint64_t>(bound));
    };
    if (wanted > most) note_below(frame, row.label, grouped(most) + " is the maximum here.");
    if (wanted < least) note_below(frame, row.label, grouped(least) + " is the minimum here.");
    number = static_cast<std::uint32_t>(std::clamp(wanted, least, most));
    draw_note_below(frame, row.label);
}

}  // namespace warpsieve::panels
