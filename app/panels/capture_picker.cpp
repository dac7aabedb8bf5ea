#include "app/panels/capture_picker.hpp"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <set>
#include <system_error>

#include "app/panels/memory.hpp"
#include "app/panels/path_field.hpp"
#include "app/panels/widgets.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 500;
constexpr float card_width = 168;
constexpr float picture_height = 90;

bool is_hidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

/// The folders in `folder`, then its captures, newest first.
std::vector<PickerEntry> entries_in(const fs::path& folder, std::string& problem) {
    struct Dated {
        fs::file_time_type time;
        PickerEntry entry;
    };
    std::vector<PickerEntry> entries;
    std::vector<Dated> files;
    std::set<std::string> pictures;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        const fs::path& path = at->path();
        if (is_hidden(path)) continue;
        const std::string name = path.filename().string();
        if (at->is_directory(ignored)) {
            entries.push_back({PickerEntry::Kind::folder, name, path});
        } else if (path.extension() == ".png" || path.extension() == ".json") {
            files.push_back({at->last_write_time(ignored), {PickerEntry::Kind::file, name, path}});
            if (path.extension() == ".png") pictures.insert(path.stem().string());
        }
    }
    if (error) problem = error.message();
    std::erase_if(files, [&](const Dated& file) {
        return file.entry.path.extension() == ".json" && pictures.contains(file.entry.path.stem().string());
    });
    std::ranges::sort(entries, {}, &PickerEntry::name);
    std::ranges::sort(files, [](const Dated& a, const Dated& b) { return a.time > b.time; });
    if (files.size() > max_files) files.resize(max_files);
    for (Dated& file : files) entries.push_back(std::move(file.entry));
    return entries;
}

void show_folder(Ui& ui, const fs::path& folder) {
    PickerMemory& memory = ui.memory.picker;
    std::error_code ignored;
    memory.folder = fs::absolute(folder, ignored).lexically_normal();
    // "captures/" would be its own parent.
    if (!memory.folder.has_filename() && memory.folder.has_relative_path())
        memory.folder = memory.folder.parent_path();
    memory.typed = memory.folder.string();
    memory.entries = picker_entries(ui.settings.window.recent, memory.folder, memory.problem);
    // Selects the capture that was opened last, else the newest file.
    const auto first = std::ranges::find_if(
        memory.entries, [](const PickerEntry& entry) { return entry.kind != PickerEntry::Kind::folder; });
    memory.selected =
        first == memory.entries.end() ? 0 : static_cast<std::size_t>(first - memory.entries.begin());
    memory.scroll_to_selected = true;
}

void pick(Ui& ui, const PickerEntry& entry) {
    // A copy, because show_folder() replaces the entries.
    const fs::path path = entry.path;
    if (entry.kind == PickerEntry::Kind::folder) return show_folder(ui, path);
    ui.requests.open = path.string();
    ui.memory.picker.open = false;
}

void draw_thumbnail(Ui& ui, const PickerEntry& entry, ImVec2 low, ImVec2 high) {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, palette.background);
    const Thumbnails& thumbnails = ui.snapshot.thumbnails;
    const auto found = thumbnails.pictures.find(entry.path.string());
    if (found == thumbnails.pictures.end()) {
        const bool is_picture = entry.path.extension() == ".png";
        if (is_picture) ui.requests.thumbnails.push_back(entry.path.string());
        const std::string_view text = entry.name == ".."                        ? "parent folder"
                                      : entry.kind == PickerEntry::Kind::folder ? "folder"
                                      : is_picture                              ? ""
                                                                                : "JSON";
        const ImFont* font = ui.fonts().small;
        plots::draw_text(list, font,
                         {(low.x + high.x - plots::text_width(font, text)) / 2,
                          std::round((low.y + high.y - font->FontSize) / 2)},
                         palette.muted, text);
        return;
    }
    const Thumbnail& picture = found->second;
    if (picture.width <= 0) return;
    // Keeps the aspect ratio.
    const float scale = std::min((high.x - low.x) / picture.width, (high.y - low.y) / picture.height);
    const ImVec2 size{std::round(picture.width * scale), std::round(picture.height * scale)};
    const ImVec2 at{std::round((low.x + high.x - size.x) / 2), std::round((low.y + high.y - size.y) / 2)};
    list.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(thumbnails.texture)), at,
                  {at.x + size.x, at.y + size.y}, {picture.u0, picture.v0}, {picture.u1, picture.v1});
}

/// Draws an entry: its picture with its name below. Returns whether it was clicked.
bool draw_card(Ui& ui, const PickerEntry& entry, std::size_t index, ImVec2 size) {
    PickerMemory& memory = ui.memory.picker;
    const plots::Palette& palette = ui.palette();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high{low.x + size.x, low.y + size.y};
    ImGui::PushID(static_cast<int>(index));
    const bool clicked = invisible_button("##entry", size);
    ImGui::PopID();
    if (index == memory.selected && memory.scroll_to_selected) {
        ImGui::SetScrollHereY();
        memory.scroll_to_selected = false;
    }
    if (!ImGui::IsItemVisible()) return false;
    ui.controls.record_item((entry.kind == PickerEntry::Kind::recent ? "recent: " : "file: ") + entry.name);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool selected = index == memory.selected;
    if (selected || ImGui::IsItemHovered())
        list.AddRectFilled(low, high, selected ? palette.accent_fill : palette.raised_more,
                           ImGui::GetStyle().FrameRounding);
    const float inset = ui.px(4);
    const float picture_end = low.y + inset + ui.px(picture_height);
    draw_thumbnail(ui, entry, {low.x + inset, low.y + inset}, {high.x - inset, picture_end});
    const ImFont* font = ui.fonts().small;
    plots::draw_text(list, font, {low.x + inset, picture_end + ui.px(3)}, palette.text,
                     elided_path(font, entry.name, size.x - 2 * inset));
    ui.tooltips.offer_item(ui.style, entry.path.string());
    return clicked;
}

void draw_entries(Ui& ui) {
    PickerMemory& memory = ui.memory.picker;
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const ImVec2 size{ui.px(card_width), ui.px(picture_height) + ui.px(14) + ui.fonts().small->FontSize};
    const float room = ImGui::GetContentRegionAvail().x;
    memory.columns =
        std::max<std::size_t>(1, static_cast<std::size_t>((room + spacing) / (size.x + spacing)));
    const PickerEntry* clicked = nullptr;
    std::size_t entries_in_row = 0;
    for (std::size_t i = 0; i < memory.entries.size(); ++i) {
        const PickerEntry& entry = memory.entries[i];
        const bool is_recent = entry.kind == PickerEntry::Kind::recent;
        const bool begins_group =
            i == 0 || is_recent != (memory.entries[i - 1].kind == PickerEntry::Kind::recent);
        if (begins_group) {
            heading(ui, is_recent ? "Recent" : "In this folder");
            entries_in_row = 0;
        } else if (entries_in_row < memory.columns) {
            ImGui::SameLine(0, spacing);
        } else {
            entries_in_row = 0;
        }
        ++entries_in_row;
        if (draw_card(ui, entry, i, size)) clicked = &entry;
    }
    if (!memory.problem.empty()) note(ui, "The folder cannot be read: " + memory.problem + ".");
    if (clicked) pick(ui, *clicked);
}

}  // namespace

std::vector<PickerEntry> picker_entries(const std::vector<std::string>& recent, const fs::path& folder,
                                        std::string& problem) {
    std::vector<PickerEntry> entries;
    std::error_code ignored;
    for (const std::string& path : recent) {
        if (fs::exists(path, ignored))
            entries.push_back({PickerEntry::Kind::recent, fs::path(path).filename().string(), path});
    }
    if (folder.has_relative_path())
        entries.push_back({PickerEntry::Kind::folder, "..", folder.parent_path()});
    problem.clear();
    for (PickerEntry& entry : entries_in(folder, problem)) entries.push_back(std::move(entry));
    return entries;
}

void open_picker(Ui& ui) {
    ui.memory.picker.open = true;
    const fs::path captures = ui.settings.window.captures();
    std::error_code ignored;
    show_folder(ui, fs::is_directory(captures, ignored) ? captures : fs::current_path(ignored));
}

void handle_picker_key(Ui& ui, const gl::KeyEvent& event) {
    PickerMemory& memory = ui.memory.picker;
    if (!event.is_down()) return;
    const std::size_t last = std::max<std::size_t>(memory.entries.size(), 1) - 1;
    const auto select = [&](std::size_t index) {
        memory.selected = std::min(index, last);
        memory.scroll_to_selected = true;
    };
    const auto select_earlier = [&](std::size_t distance) {
        select(memory.selected - std::min(memory.selected, distance));
    };
    switch (event.key) {
        case GLFW_KEY_ESCAPE:
            memory.open = false;
            break;
        case GLFW_KEY_O:
            if (event.ctrl) memory.open = false;
            break;
        case GLFW_KEY_RIGHT:
            select(memory.selected + 1);
            break;
        case GLFW_KEY_LEFT:
            select_earlier(1);
            break;
        case GLFW_KEY_DOWN:
            select(memory.selected + memory.columns);
            break;
        case GLFW_KEY_UP:
            select_earlier(memory.columns);
            break;
        case GLFW_KEY_BACKSPACE:
            show_folder(ui, memory.folder.parent_path());
            break;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            if (memory.selected < memory.entries.size()) pick(ui, memory.entries[memory.selected]);
            break;
        default:
            break;
    }
}

void draw_picker(Ui& ui) {
    PickerMemory& memory = ui.memory.picker;
    if (!memory.open) return;
    const float margin = ui.px(24);
    const auto width = static_cast<float>(ui.window.width);
    const auto height = static_cast<float>(ui.window.height);
    const ImVec2 size{std::min(ui.px(920), std::max(width - 2 * margin, 1.0F)),
                      std::min(ui.px(620), std::max(height - 2 * margin, 1.0F))};
    ImGui::SetNextWindowPos({std::round((width - size.x) / 2), std::round((height - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.palette().raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(12)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, ui.px(1)));
    ImGui::Begin("picker", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    const ImVec2 low = ImGui::GetWindowPos();
    ui.controls.record("picker", low, {low.x + size.x, low.y + size.y});
    heading(ui, "Open a capture");
    note(ui, "Loads the settings of a picture or of its JSON file. Arrow keys and Enter work too.");
    ImGui::SetNextItemWidth(-FLT_MIN);
    path_field(ui, "folder of the picker", "a folder", memory.typed);
    if (ImGui::IsItemDeactivatedAfterEdit()) show_folder(ui, memory.typed);
    // A child is a window of its own, so ImGui clips and scrolls it.
    ImGui::BeginChild("##entries", {0, 0});
    draw_entries(ui);
    ImGui::EndChild();
    const bool clicked_outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                                 !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem |
                                                         ImGuiHoveredFlags_ChildWindows);
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    if (clicked_outside) memory.open = false;
}

}  // namespace warpsieve::panels
