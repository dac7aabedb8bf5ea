// A field for a number.
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "app/format/figures.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {

double number_field(Ui& ui, const Row& row, const AllowedValues& allowed, double number) {
    begin_row(ui, row);
    const std::int64_t one = 1;
    // Wider than every setting, so that a number beyond the range is clamped and does not wrap around.
    auto wanted = static_cast<std::int64_t>(number);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushFont(ui.fonts().figures);
    const bool focused = ui.focus->add_control(row.label);
    if (focused && ui.focus->pressed()) ImGui::SetKeyboardFocusHere();
    ImGui::InputScalar("##number", ImGuiDataType_S64, &wanted, &one);
    ImGui::PopFont();
    ui.controls.record_item(row.label);
    if (focused) {
        wanted += ui.focus->steps();
        ui.focus->show(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    end_row(ui, row);
    const auto min = static_cast<std::int64_t>(allowed.min);
    const auto max = static_cast<std::int64_t>(allowed.max);
    const auto grouped = [](std::int64_t bound) {
        return format::grouped(static_cast<std::uint64_t>(bound));
    };
    if (wanted > max) note_below(ui, row.label, grouped(max) + " is the maximum here.");
    if (wanted < min) note_below(ui, row.label, grouped(min) + " is the minimum here.");
    draw_note_below(ui, row.label);
    return static_cast<double>(std::clamp(wanted, min, max));
}

}  // namespace warpsieve::panels
