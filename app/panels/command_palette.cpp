#include "app/panels/command_palette.hpp"

#include <imgui.h>

#include <algorithm>

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/panels/memory.hpp"
#include "app/panels/query.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve::panels {
namespace {

constexpr std::size_t max_rows = 10;
constexpr float palette_width = 560;

/// The last word of the query as a value of the command's setting; nullopt if it is no such value.
std::optional<Value> typed_value(const Ui& ui, const Command& command) {
    const std::string& query = ui.memory.palette.query;
    const std::size_t space = query.find_last_of(' ');
    if (command.setting_key.empty() || space == std::string::npos || space + 1 == query.size())
        return std::nullopt;
    return parse(field(command.setting_key), ui.settings, query.substr(space + 1), ui.snapshot.catalogue);
}

void run(Ui& ui, const Command& command) {
    PaletteMemory& memory = ui.memory.palette;
    if (command.setting_key.empty()) {
        memory.open = false;
        // A copy, because an action that opens the palette again replaces the commands.
        const auto act = command.act;
        return act(ui);
    }
    if (const auto value = typed_value(ui, command)) {
        field(command.setting_key).access.set(ui.settings, *value);
        memory.open = false;
    } else {
        // The user types the value next.
        memory.query = command.name + " ";
        memory.selected = 0;
    }
}

/// Draws a row. Returns whether it was clicked.
bool draw_row(Ui& ui, const Command& command, ImVec2 low, ImVec2 size, bool selected) {
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(low);
    ImGui::PushID(&command);
    const bool clicked = invisible_button("##command", size);
    ImGui::PopID();
    ui.controls.record_item("palette: " + command.name);
    const ImVec2 high{low.x + size.x, low.y + size.y};
    if (selected || ImGui::IsItemHovered())
        list.AddRectFilled(low, high, selected ? palette.accent_fill : palette.raised_more,
                           ImGui::GetStyle().FrameRounding);
    const float inset = ui.px(10);
    const float baseline = low.y + std::round((size.y + fonts.text->Ascent) / 2) - ui.px(1);
    const auto value = typed_value(ui, command);
    const std::string name =
        value ? command.name + " = " + ui.memory.palette.query.substr(ui.memory.palette.query.rfind(' ') + 1)
              : command.name;
    const std::string shown = plots::elided(fonts.text, name, size.x - 2 * inset);
    const float name_end =
        plots::draw_on_baseline(list, fonts.text, {low.x + inset, baseline}, palette.text, shown) + ui.px(14);
    const std::string detail = plots::elided(fonts.small, command.detail, high.x - inset - name_end);
    if (high.x - inset - name_end > ui.px(40))
        plots::draw_on_baseline(list, fonts.small,
                                {high.x - inset - plots::text_width(fonts.small, detail), baseline},
                                palette.muted, detail);
    return clicked;
}

}  // namespace

void open_palette(Ui& ui) {
    PaletteMemory& memory = ui.memory.palette;
    memory.open = true;
    memory.query.clear();
    memory.selected = 0;
    memory.commands = all_commands(ui);
}

void handle_palette_key(Ui& ui, const gl::KeyEvent& event) {
    PaletteMemory& memory = ui.memory.palette;
    if (edit_query(memory.query, event)) memory.selected = 0;
    if (!event.is_down()) return;
    const auto found = matching_commands(memory.commands, memory.query);
    const std::size_t last = std::max<std::size_t>(found.size(), 1) - 1;
    switch (event.key) {
        case GLFW_KEY_ESCAPE:
            memory.open = false;
            break;
        case GLFW_KEY_P:
            if (event.ctrl) memory.open = false;
            break;
        case GLFW_KEY_DOWN:
            memory.selected = std::min(memory.selected + 1, last);
            break;
        case GLFW_KEY_UP:
            memory.selected -= memory.selected > 0 ? 1 : 0;
            break;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            if (memory.selected < found.size()) run(ui, *found[memory.selected]);
            break;
        default:
            break;
    }
}

void draw_palette(Ui& ui) {
    PaletteMemory& memory = ui.memory.palette;
    if (!memory.open) return;
    const auto found = matching_commands(memory.commands, memory.query);
    memory.selected = std::min(memory.selected, std::max<std::size_t>(found.size(), 1) - 1);
    const float padding = ui.px(12);
    const float row_height = std::round(ui.fonts().text->FontSize + ui.px(10));
    const float header_height = ui.fonts().text->FontSize + 2 * padding;
    const auto room = static_cast<float>(ui.window.height) - header_height - 2 * padding;
    const std::size_t rows_that_fit =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::max(room / row_height, 1.0F)), 1, max_rows);
    const std::size_t shown_rows = std::min(rows_that_fit, std::max<std::size_t>(found.size(), 1));
    // The selected row stays visible.
    const std::size_t first = memory.selected >= rows_that_fit ? memory.selected + 1 - rows_that_fit : 0;
    const ImVec2 size{std::min(ui.px(palette_width), static_cast<float>(ui.window.width)),
                      header_height + static_cast<float>(shown_rows) * row_height + padding};
    ImGui::SetNextWindowPos(
        {std::round((static_cast<float>(ui.window.width) - size.x) / 2),
         std::round(std::min(ui.px(36), (static_cast<float>(ui.window.height) - size.y) / 2))});
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.palette().raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, ui.px(1)));
    ImGui::Begin("palette", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    const ImVec2 low = ImGui::GetWindowPos();
    ui.controls.record("palette", low, {low.x + size.x, low.y + size.y});
    draw_query(ui, {low.x + padding, low.y + padding}, size.x - 2 * padding, memory.query,
               "Find a control, algorithm, view, lab or preset");
    const Command* clicked = nullptr;
    for (std::size_t i = first; i < std::min(first + shown_rows, found.size()); ++i) {
        const ImVec2 at{low.x + padding / 2,
                        low.y + header_height + static_cast<float>(i - first) * row_height};
        if (draw_row(ui, *found[i], at, {size.x - padding, row_height}, i == memory.selected))
            clicked = found[i];
    }
    if (found.empty())
        plots::draw_text(*ImGui::GetWindowDrawList(), ui.fonts().text,
                         {low.x + padding, low.y + header_height + ui.px(4)}, ui.palette().muted,
                         "Nothing matches.");
    const bool clicked_outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                                 !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    if (clicked) run(ui, *clicked);
    if (clicked_outside) memory.open = false;
}

}  // namespace warpsieve::panels
