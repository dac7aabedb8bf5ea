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
    std::size_t tail_begin = path.size();
    float tail_width = 0;
    while (tail_begin > 0) {
        std::size_t character_begin = tail_begin - 1;
        while (character_begin > 0 && (static_cast<unsigned char>(path[character_begin]) & 0xC0U) == 0x80U)
            --character_begin;
        const float wider =
            tail_width + plots::text_width(font, path.substr(character_begin, tail_begin - character_begin));
        if (wider > width * max_tail_share) break;
        tail_width = wider;
        tail_begin = character_begin;
    }
    return plots::elided(font, path.substr(0, tail_begin), width - tail_width) +
           std::string(path.substr(tail_begin));
}

void path_field(Ui& ui, const char* label, const char* hint, std::string& path) {
    const std::string hidden_label = std::string("##") + label;
    const char* const id = hidden_label.c_str();
    const bool focused = ui.focus->add_control(label);
    if (focused && ui.focus->pressed()) ImGui::SetKeyboardFocusHere();
    const ImFont* font = ui.fonts().text;
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float room = ImGui::CalcItemWidth() - 2 * padding.x;
    const bool typing = ImGui::GetActiveID() == ImGui::GetID(id);
    const bool is_elided = !typing && plots::text_width(font, path) > room;
    // ImGui would show the beginning of the path. So its text is invisible, and the elided path is drawn over
    // the field.
    if (is_elided) ImGui::PushStyleColor(ImGuiCol_Text, 0);
    ImGui::InputTextWithHint(id, hint, &path);
    ui.controls.record_item(label);
    if (focused) ui.focus->show(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (!is_elided) return;
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
