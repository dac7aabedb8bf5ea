#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/chrome.hpp"
#include "app/panels/query.hpp"
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
    MouseHint{"← →", "move hovered slider, or lens divider"},
    MouseHint{"Tab", "next control; with Shift the one before"},
    MouseHint{"right click", "menu of a table: copy it"},
    MouseHint{"Ctrl+C", "copy table under mouse as Markdown"},
    MouseHint{"Ctrl+Shift+C", "copy table under mouse as CSV"},
};

// Pixels at 100 %.
constexpr float key_column_width = 106;
constexpr float column_width = 390;

void draw_line(const Ui& ui, ImVec2 at, std::string_view keys, std::string_view action) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float baseline = at.y + std::round(fonts.figures->Ascent);
    plots::draw_on_baseline(list, fonts.figures, {at.x, baseline}, ui.palette().text, keys);
    plots::draw_on_baseline(list, fonts.text, {at.x + ui.px(key_column_width), baseline}, ui.palette().label,
                            action);
}

/// A line of the list.
struct Line {
    std::string_view keys;    ///< or the text of a heading
    std::string_view action;  ///< empty for a heading

    bool is_heading() const { return action.empty(); }
};

/// The lines that match `query`, each group under its heading.
std::vector<Line> lines_of(std::string_view query) {
    std::vector<Line> lines;
    std::string_view group;
    const auto add_if_matching = [&](std::string_view group_of_line, const Line& line) {
        const std::string text =
            std::string(group_of_line) + " " + std::string(line.keys) + " " + std::string(line.action);
        if (!has_every_word(text, query)) return;
        if (group != group_of_line) lines.push_back({group_of_line, {}});
        group = group_of_line;
        lines.push_back(line);
    };
    for (const Shortcut& shortcut : shortcuts())
        add_if_matching(shortcut.group, {shortcut.keys, shortcut.action});
    for (const MouseHint& hint : mouse_hints)
        add_if_matching("Mouse, focus and tables", {hint.gesture, hint.action});
    return lines;
}

/// Draws the lines in columns of `lines_per_column`, which never end with a heading. Returns the height of
/// the tallest column, in lines.
std::size_t draw_lines(const Ui& ui, const std::vector<Line>& lines, ImVec2 start, float line_height,
                       std::size_t lines_per_column) {
    std::size_t column = 0;
    std::size_t row = 0;
    std::size_t max_rows = 0;
    for (const Line& line : lines) {
        if (row + (line.is_heading() ? 1 : 0) >= lines_per_column) {
            ++column;
            row = 0;
        }
        const ImVec2 at{start.x + static_cast<float>(column) * ui.px(column_width),
                        start.y + static_cast<float>(row) * line_height};
        if (line.is_heading()) {
            plots::draw_on_baseline(*ImGui::GetWindowDrawList(), ui.fonts().text,
                                    {at.x, at.y + std::round(ui.fonts().figures->Ascent)},
                                    ui.palette().accent, line.keys);
        } else {
            draw_line(ui, at, line.keys, line.action);
        }
        max_rows = std::max(max_rows, ++row);
    }
    return max_rows;
}

}  // namespace

void draw_help(Ui& ui, bool& open, std::string_view query) {
    if (!open) return;
    const std::vector<Line> all = lines_of({});
    const std::vector<Line> lines = query.empty() ? all : lines_of(query);
    const auto window_width = static_cast<float>(ui.window.width);
    const auto window_height = static_cast<float>(ui.window.height);
    const float padding = ui.px(22);
    const float header_height = ui.px(44);
    const float font_height = ui.fonts().figures->FontSize;
    const float max_line_height = font_height + ui.px(6);
    const float room = window_height - header_height - 2 * padding;
    // A column that would end with a heading has one line less, so each gets a spare line.
    const auto lines_per_column = [&all](std::size_t columns) {
        return (all.size() + columns - 1) / columns + 1;
    };
    // Two columns, three if two would be too high, fewer if the window is narrow.
    constexpr std::size_t max_columns = 3;
    std::size_t columns = 1;
    while (columns < max_columns &&
           window_width >= ui.px(static_cast<float>(columns + 1) * column_width) + 2 * padding &&
           (columns == 1 || static_cast<float>(lines_per_column(columns)) * max_line_height > room))
        ++columns;
    const float line_height = std::clamp(std::floor(room / static_cast<float>(lines_per_column(columns))),
                                         font_height + ui.px(1), max_line_height);
    const float wanted_width = ui.px(static_cast<float>(columns) * column_width) + 2 * padding;
    const float wanted_height =
        header_height + static_cast<float>(lines_per_column(columns)) * line_height + 2 * padding;
    const ImVec2 size{std::min(wanted_width, window_width), std::min(wanted_height, window_height)};

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
    constexpr std::string_view title = "Keyboard shortcuts";
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_text(list, ui.fonts().heading, start, ui.palette().text, title);
    const float title_width = plots::text_width(ui.fonts().heading, title) + ui.px(24);
    draw_query(ui, {start.x + title_width, start.y + ui.px(2)}, size.x - 2 * padding - title_width, query,
               "Type to filter, such as 'lens'");
    const std::size_t max_rows =
        draw_lines(ui, lines, {start.x, start.y + header_height}, line_height, lines_per_column(columns));
    if (lines.empty())
        plots::draw_text(list, ui.fonts().text, {start.x, start.y + header_height}, ui.palette().muted,
                         "Nothing matches.");
    // The lines are drawn, not laid out, so ImGui needs the height of the content for scrolling.
    ImGui::Dummy({size.x - 2 * padding, header_height + static_cast<float>(max_rows) * line_height});
    const bool clicked_outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    if (clicked_outside) open = false;
}

}  // namespace warpsieve::panels
