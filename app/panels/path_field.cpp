#include "app/panels/path_field.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/format/figures.hpp"
#include "platform/files.hpp"

namespace warpsieve::panels {

std::string elided_path(const ImFont* font, std::string_view path, float width) {
    if (path.empty() || plots::text_width(font, path) <= width) return std::string(path);
    constexpr float max_tail_share = 0.7F;
    // Extends the tail by one UTF-8 character at a time.
    std::size_t tail = path.size();
    float tail_width = 0;
    while (tail > 0) {
        std::size_t before = tail - 1;
        while (before > 0 && (static_cast<unsigned char>(path[before]) & 0xC0U) == 0x80U) --before;
        const float wider = tail_width + plots::text_width(font, path.substr(before, tail - before));
        if (wider > width * max_tail_share) break;
        tail_width = wider;
        tail = before;
    }
    return plots::elided(font, path.substr(0, tail), width - tail_width) + std::string(path.substr(tail));
}

void path_field(Ui& ui, const char* label, const char* hint, std::string& path) {
    const std::string hidden_label = std::string("##") + label;
    const char* const id = hidden_label.c_str();
    const bool focused = ui.focus->has(label);
    if (focused && ui.focus->pressed()) ImGui::SetKeyboardFocusHere();
    const ImFont* font = ui.fonts().text;
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float room = ImGui::CalcItemWidth() - 2 * padding.x;
    const bool typing = ImGui::GetActiveID() == ImGui::GetID(id);
    const bool cut = !typing && plots::text_width(font, path) > room;
    // ImGui would show the beginning of the path. So its text is invisible, and the elided path is drawn over
    // the field.
    if (cut) ImGui::PushStyleColor(ImGuiCol_Text, 0);
    ImGui::InputTextWithHint(id, hint, &path);
    ui.controls.record_item(label);
    if (focused) ui.focus->show(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (!cut) return;
    ImGui::PopStyleColor();
    const ImVec2 low = ImGui::GetItemRectMin();
    if (!ImGui::IsItemActive()) {
        plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x + padding.x, low.y + padding.y},
                         ui.palette().text, elided_path(font, path, room));
    }
}

void store_path(Ui& ui, const std::string& typed, std::filesystem::path& path) {
    if (platform::fits_path_limits(typed)) {
        path = typed;
        return;
    }
    ui.requests.notice = "The path is too long: it can have up to " +
                         format::grouped(platform::max_path_bytes) + " bytes, and each name in it up to " +
                         format::grouped(platform::max_name_bytes) + ".";
}

}  // namespace warpsieve::panels
