#include "app/panels/widgets/parts.hpp"

#include <cmath>

#include "app/plots/style.hpp"

namespace warpsieve::panels {

float baseline_of(const Ui& ui, float top) {
    return std::round(top + ImGui::GetStyle().FramePadding.y + ui.fonts().text->Ascent);
}

ImU32 dimmed(const Ui& ui, ImU32 colour, bool disabled) {
    return disabled ? plots::mix(ui.palette().panel, colour, 0.45F) : colour;
}

void draw_edge(const Ui& ui, ImVec2 low, ImVec2 high, bool disabled) {
    const ImGuiStyle& style = ImGui::GetStyle();
    ImGui::GetWindowDrawList()->AddRect(low, high, dimmed(ui, ui.palette().control_edge, disabled),
                                        style.FrameRounding, 0, style.FrameBorderSize);
}

std::optional<std::size_t> stepped_choice(const std::vector<bool>& usable, std::size_t selected, int steps) {
    if (steps == 0) return std::nullopt;
    const int direction = steps > 0 ? 1 : -1;
    const std::ptrdiff_t count = std::ssize(usable);
    // Without a selection, a step takes the first or the last choice.
    std::ptrdiff_t at = direction > 0 ? -1 : count;
    if (selected < usable.size()) at = static_cast<std::ptrdiff_t>(selected);
    for (auto next = at + direction; next >= 0 && next < count && steps != 0; next += direction) {
        if (!usable[static_cast<std::size_t>(next)]) continue;
        at = next;
        steps -= direction;
    }
    if (at < 0 || at >= count) return std::nullopt;
    return static_cast<std::size_t>(at);
}

void draw_key(const Ui& ui, std::string_view key, ImVec2 low, ImVec2 high, float text_right) {
    if (key.empty()) return;
    const ImFont* font = ui.fonts().small;
    const float left = high.x - plots::text_width(font, key);
    if (left < text_right + ui.px(6)) return;
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font, {left, baseline_of(ui, low.y)},
                            ui.palette().muted, key);
}

}  // namespace warpsieve::panels
