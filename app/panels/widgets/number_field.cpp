// A field for a number.
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "app/format/figures.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {

void number_field(Ui& ui, const Row& row, const AllowedValues& allowed, std::uint32_t& number) {
    begin_row(ui, row);
    const std::int64_t one = 1;
    // Wider than the number, so that a larger one does not wrap around.
    std::int64_t wanted = number;
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushFont(ui.fonts().figures);
    const bool focused = ui.focus->has(row.label);
    if (focused && ui.focus->pressed()) ImGui::SetKeyboardFocusHere();
    ImGui::InputScalar("##number", ImGuiDataType_S64, &wanted, &one);
    ImGui::PopFont();
    ui.controls.record_item(row.label);
    if (focused) {
        wanted += ui.focus->steps();
        ui.focus->show(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    end_row(ui, row);
    const auto least = static_cast<std::int64_t>(allowed.min);
    const auto most = static_cast<std::int64_t>(allowed.max);
    const auto grouped = [](std::int64_t bound) {
        return format::grouped(static_cast<std::uint64_t>(bound));
    };
    if (wanted > most) note_below(ui, row.label, grouped(most) + " is the maximum here.");
    if (wanted < least) note_below(ui, row.label, grouped(least) + " is the minimum here.");
    number = static_cast<std::uint32_t>(std::clamp(wanted, least, most));
    draw_note_below(ui, row.label);
}

}  // namespace warpsieve::panels
