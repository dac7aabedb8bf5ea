#include "app/panels/check_icon.hpp"

#include <algorithm>
#include <array>

#include "app/format/figures.hpp"

namespace warpsieve::panels {

std::string check_words(const CheckResult& check) {
    if (check.wrong > 0)
        return format::grouped(check.wrong) + " of " + format::grouped(check.checked) + " wrong";
    if (check.state == CheckState::off) return "off";
    if (check.checked == 0) return "waiting";
    return format::grouped(check.checked) + " correct";
}

ImU32 check_colour(const plots::Palette& palette, const CheckResult& check) {
    if (check.wrong > 0) return palette.error;
    return check.state == CheckState::off || check.checked == 0 ? palette.muted : palette.text;
}

void draw_check_icon(const Ui& ui, const CheckResult& check, ImVec2 centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float r = ui.px(4);
    const float thickness = std::max(1.5F, 1.75F * ui.style.scale);
    if (check.wrong > 0) {
        list.AddLine({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, palette.error, thickness);
        list.AddLine({centre.x - r, centre.y + r}, {centre.x + r, centre.y - r}, palette.error, thickness);
    } else if (check.state == CheckState::off) {
        list.AddLine({centre.x - r, centre.y}, {centre.x + r, centre.y}, palette.muted, thickness);
    } else if (check.checked == 0) {
        list.AddCircle(centre, r, palette.muted, 12, thickness);
    } else {
        const std::array tick{ImVec2{centre.x - r, centre.y}, ImVec2{centre.x - r / 4, centre.y + r * 0.8F},
                              ImVec2{centre.x + r, centre.y - r * 0.8F}};
        list.AddPolyline(tick.data(), static_cast<int>(tick.size()), palette.good, ImDrawFlags_None,
                         thickness);
    }
}

}  // namespace warpsieve::panels
