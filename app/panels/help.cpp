#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/chrome.hpp"
#include "app/panels/shortcuts.hpp"

namespace warpsieve::panels {
namespace {

struct MouseHint {
    const char* gesture;
    const char* action;
};
constexpr std::array mouse_hints{
    MouseHint{"drag", "turn the view"},
    MouseHint{"wheel", "nearer or farther"},
    MouseHint{"double click", "reset a control, the view, a splitter"},
    MouseHint{"drop a file", "settings (PNG, JSON), ghost (CSV)"},
    MouseHint{"Ctrl+click", "type a value into a slider"},
    MouseHint{"← →", "move slider under mouse, or divider"},
    MouseHint{"Tab", "focus the next control"},
    MouseHint{"Shift+Tab", "focus the previous control"},
    MouseHint{"right click", "menu of a table: copy it"},
    MouseHint{"Ctrl+C", "copy table under mouse as Markdown"},
    MouseHint{"Ctrl+Shift+C", "copy table under mouse as CSV"},
};

constexpr float key_column = 106;
constexpr float column_width = 390;

void draw_line(const Ui& ui, ImVec2 at, std::string_view keys, std::string_view action) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float baseline = at.y + std::round(fonts.figures->Ascent);
    plots::draw_on_baseline(list, fonts.figures, {at.x, baseline}, ui.palette().text, keys);
    plots::draw_on_baseline(list, fonts.text, {at.x + ui.px(key_column), baseline}, ui.palette().label,
                            action);
}

}  // namespace

void draw_help(Ui& ui, bool& open) {
    if (!open) return;
    const std::size_t lines = shortcuts().size() + mouse_hints.size();
    const auto window_width = static_cast<float>(ui.window.width);
    const auto window_height = static_cast<float>(ui.window.height);
    const float padding = ui.px(22);
    const float header = ui.px(38);
    const float font_height = ui.fonts().figures->FontSize;
    const float roomy = font_height + ui.px(6);
    const float room = window_height - header - 2 * padding;
    const auto per = [lines](std::size_t columns) { return (lines + columns - 1) / columns; };
    // Two columns, or three where two would be too high.
    std::size_t columns = 1;
    while (columns < 3 &&
           window_width >= ui.px(static_cast<float>(columns + 1) * column_width) + 2 * padding &&
           (columns == 1 || static_cast<float>(per(columns)) * roomy > room))
        ++columns;
    const std::size_t per_column = per(columns);
    const float line_height =
        std::clamp(std::floor(room / static_cast<float>(per_column)), font_height + ui.px(1), roomy);
    const float content_height = header + static_cast<float>(per_column) * line_height;
    const float wanted_width = ui.px(static_cast<float>(columns) * column_width) + 2 * padding;
    const ImVec2 size{std::min(wanted_width, window_width),
                      std::min(content_height + 2 * padding, window_height)};

    ImGui::SetNextWindowPos(
        {std::round((window_width - size.x) / 2), std::round((window_height - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.palette().raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, ui.px(1)));
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    plots::draw_text(*ImGui::GetWindowDrawList(), ui.fonts().heading, start, ui.palette().text,
                     "Keyboard shortcuts");
    for (std::size_t i = 0; i < lines; ++i) {
        const ImVec2 at{start.x + static_cast<float>(i / per_column) * ui.px(column_width),
                        start.y + header + static_cast<float>(i % per_column) * line_height};
        if (i < shortcuts().size()) {
            draw_line(ui, at, shortcuts()[i].keys, shortcuts()[i].action);
        } else {
            const MouseHint& hint = mouse_hints[i - shortcuts().size()];
            draw_line(ui, at, hint.gesture, hint.action);
        }
    }
    // The lines are drawn, not laid out, so ImGui needs the height of the content for scrolling.
    ImGui::Dummy({size.x - 2 * padding, content_height});
    const bool clicked_outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    if (clicked_outside) open = false;
}

}  // namespace warpsieve::panels
