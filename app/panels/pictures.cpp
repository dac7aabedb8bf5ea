#include "app/panels/pictures.hpp"

#include <algorithm>
#include <utility>

#include "app/panels/ui.hpp"
#include "app/panels/widgets.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

bool is_under_mouse(ImVec2 low, ImVec2 high) {
    return ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::IsMouseHoveringRect(low, high);
}

}  // namespace

void Pictures::record(PlotArea plot, bool under_mouse) {
    if (under_mouse) focused_name_ = plot.name;
    plots_.push_back(std::move(plot));
}

const PlotArea* Pictures::focused() const {
    const auto found = std::ranges::find(plots_, focused_name_, &PlotArea::name);
    if (found != plots_.end()) return &*found;
    const auto area = [](const PlotArea& plot) {
        return (plot.high.x - plot.low.x) * (plot.high.y - plot.low.y);
    };
    const auto largest = std::ranges::max_element(plots_, {}, area);
    return largest == plots_.end() ? nullptr : &*largest;
}

void record_plot(Ui& ui, std::string_view name, ImVec2 low, ImVec2 high,
                 std::optional<Provenance> provenance) {
    if (high.x <= low.x || high.y <= low.y) return;
    ui.pictures.record({std::string(name), low, high, std::move(provenance)}, is_under_mouse(low, high));
    ui.controls.record("plot: " + std::string(name), low, high);
}

std::optional<TableFormat> requested_format(Ui& ui, const char* name, ImVec2 low, ImVec2 high) {
    std::optional<TableFormat> wanted;
    ui.controls.record("table: " + std::string(name), low, high);
    if (is_under_mouse(low, high)) {
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) ImGui::OpenPopup(name);
        for (const gl::KeyEvent& event : ui.keys) {
            if (event.kind == gl::KeyEvent::Kind::press && event.key == GLFW_KEY_C && event.ctrl)
                wanted = event.shift ? TableFormat::csv : TableFormat::markdown;
        }
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
    if (ImGui::BeginPopup(name)) {
        ui.focus->begin_menu(name);
        if (ImGui::Selectable("Copy as Markdown")) wanted = TableFormat::markdown;
        if (key_presses_entry(ui, "copy as Markdown")) wanted = TableFormat::markdown;
        if (ImGui::Selectable("Copy as CSV")) wanted = TableFormat::csv;
        if (key_presses_entry(ui, "copy as CSV")) wanted = TableFormat::csv;
        ui.focus->end_menu();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    return wanted;
}

void copy_table(Ui& ui, const char* name, const experiments::Table& table, TableFormat format) {
    const bool csv = format == TableFormat::csv;
    ImGui::SetClipboardText((csv ? to_csv(table) : to_markdown(table)).c_str());
    ui.requests.notice = "Copied the table of " + std::string(name) + " as " + (csv ? "CSV." : "Markdown.");
}

}  // namespace warpsieve::panels
