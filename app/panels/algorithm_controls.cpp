#include <imgui_internal.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;
using compaction::EngineStatus;

constexpr const char* menu_id = "algorithms";
/// Pixels at 100 %: wide enough for most lists of authors.
constexpr float menu_width = 440;

void draw_engine(ControlsFrame& frame) {
    std::vector<Segment> choices;
    std::size_t selected = frame.catalogue.engines.size();
    for (std::size_t i = 0; i < frame.catalogue.engines.size(); ++i) {
        const EngineStatus& status = frame.catalogue.engines[i];
        choices.push_back({.label = status.name, .off_because = status.reason, .in_force = false});
        if (status.id == frame.settings.run.engine) selected = i;
    }
    const auto clicked =
        segments(frame,
                 {.label = "engine",
                  .tooltip = "Selects where the compaction runs. CUDA uses an NVIDIA GPU and shares its "
                             "result with OpenGL without a copy; CPU uses SIMD and all hardware threads. "
                             "Simulated runs the CUDA kernels on the CPU: the same results, without times.",
                  .key = "E",
                  .off_because = {}},
                 choices, selected);
    if (clicked) choose_engine(frame.catalogue, frame.settings, frame.catalogue.engines[*clicked].id);
    if (!frame.engine_reason.empty()) note(frame, frame.engine_reason);
}

std::string credit(const Algorithm& algorithm) {
    if (algorithm.authors.empty()) return {};
    return algorithm.authors + (algorithm.year > 0 ? ", " + std::to_string(algorithm.year) : std::string());
}

std::string explained(const Algorithm& algorithm) {
    std::string text = algorithm.summary;
    if (!algorithm.source.empty()) text += (text.empty() ? "" : "\n\n") + ("Source: " + algorithm.source);
    return text;
}

/// A line of the menu: an algorithm, or the heading of algorithms that cannot run here, with the reason.
struct MenuLine {
    const Algorithm* algorithm = nullptr;  ///< null: a heading
    std::string title = {};
    std::string reason = {};
    bool open = false;  ///< the heading's algorithms follow
};

/// Which headings are open; they are closed at first.
class Folds {
  public:
    explicit Folds(ImGuiStorage& storage) : storage_(storage) {}

    bool open(const std::string& title) const { return storage_.GetBool(id_of(title)); }
    void toggle(const std::string& title) { storage_.SetBool(id_of(title), !open(title)); }

  private:
    static ImGuiID id_of(const std::string& title) { return ImGui::GetID(title.c_str()); }

    ImGuiStorage& storage_;
};

/// The algorithms that run on this engine, then those that cannot run here, folded by reason.
std::vector<MenuLine> menu_lines(const ControlsFrame& frame, const Folds& folds) {
    std::vector<MenuLine> lines;
    const auto fold = [&](const std::string& title, const std::string& reason, auto belongs) {
        std::vector<MenuLine> below;
        for (const Algorithm& algorithm : frame.catalogue.algorithms) {
            if (belongs(algorithm)) below.push_back({&algorithm});
        }
        if (below.empty()) return;
        const std::string count =
            std::to_string(below.size()) + (below.size() == 1 ? " algorithm" : " algorithms");
        lines.push_back({nullptr, title + ", " + count, reason, folds.open(title)});
        if (folds.open(title)) std::ranges::move(below, std::back_inserter(lines));
    };
    for (const Algorithm& algorithm : frame.catalogue.algorithms) {
        if (algorithm.engine == frame.settings.run.engine && algorithm.is_available())
            lines.push_back({&algorithm});
    }
    fold("Not in this build", "The build leaves them out; point at one for its reason.",
         [&](const Algorithm& each) {
             return each.engine == frame.settings.run.engine && !each.is_available();
         });
    for (const EngineStatus& engine : frame.catalogue.engines) {
        if (engine.available) continue;
        fold(std::string(engine.name), engine.reason,
             [&](const Algorithm& each) { return each.engine == engine.id; });
    }
    return lines;
}

/// The heading's title without the number of its algorithms.
std::string fold_of(const MenuLine& line) {
    return line.title.substr(0, line.title.find(", "));
}

bool can_run(const ControlsFrame& frame, const Algorithm& algorithm) {
    return algorithm.engine == frame.settings.run.engine && algorithm.is_available();
}

float height_of(const ControlsFrame& frame, const MenuLine& line) {
    const float text = frame.fonts().text->FontSize;
    if (!line.algorithm) return text + frame.px(8);
    return (credit(*line.algorithm).empty() ? text : 2 * text) + frame.px(4);
}

/// One line: an arrow, the title, and as much of the reason as fits. Returns true when clicked.
bool draw_heading_line(ControlsFrame& frame, const MenuLine& line, ImVec2 size) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::PushID(line.title.c_str());
    bool clicked = ImGui::Selectable("##fold", false, ImGuiSelectableFlags_DontClosePopups, size);
    ImGui::PopID();
    if (key_presses_entry(frame, "unavailable: " + fold_of(line), true)) clicked = true;
    frame.tooltips.offer_item(frame.style, line.reason);
    const plots::Palette& palette = frame.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + size.x, low.y + std::max(1.0F, frame.px(1))}, palette.track);
    const float y = low.y + frame.px(4);
    ImGui::RenderArrow(&list, {low.x + frame.px(2), y}, palette.label,
                       line.open ? ImGuiDir_Down : ImGuiDir_Right, 0.8F);
    const ImFont* font = frame.fonts().text;
    const float title = low.x + frame.px(22);
    plots::draw_text(list, font, {title, y}, palette.label, line.title);
    const float reason = title + plots::text_width(font, line.title) + frame.px(10);
    const ImFont* small = frame.fonts().small;
    plots::draw_text(list, small, {reason, y + (font->FontSize - small->FontSize) / 2}, palette.muted,
                     plots::elided(small, line.reason, low.x + size.x - frame.px(4) - reason));
    return clicked;
}

/// A cell for each pass over the data, in the colour of its phase; returns the left end of the row.
float draw_passes(const ControlsFrame& frame, const Algorithm& algorithm, ImVec2 right_middle) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float step = frame.px(13);
    float x = right_middle.x - step * static_cast<float>(algorithm.phases.size());
    const float left = x;
    for (const compaction::Phase& phase : algorithm.phases) {
        plots::draw_swatch(list, {x + step / 2, right_middle.y}, frame.px(10), plots::style_of(phase.role),
                           frame.palette().panel);
        x += step;
    }
    return left;
}

/// "Passes: count, prefix, move."
std::string passes_of(const Algorithm& algorithm) {
    std::string text;
    for (const compaction::Phase& phase : algorithm.phases) text += (text.empty() ? "" : ", ") + phase.name;
    return text.empty() ? text : "\n\nPasses: " + text + ".";
}

/// Returns true when clicked.
bool menu_entry(ControlsFrame& frame, const Algorithm& algorithm, bool selected, ImVec2 size) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool available = can_run(frame, algorithm);
    ImGui::PushID(algorithm.id.c_str());
    ImGui::BeginDisabled(!available);
    bool clicked = ImGui::Selectable("##algorithm", selected, ImGuiSelectableFlags_None, size);
    if (key_presses_entry(frame, "algorithm: " + algorithm.id)) clicked = true;
    ImGui::EndDisabled();
    ImGui::PopID();
    frame.tooltips.offer_item(frame.style, algorithm.is_available()
                                               ? explained(algorithm) + passes_of(algorithm)
                                               : algorithm.unavailable_reason);

    // Unavailable algorithms must stay readable, so they are muted and never dimmed.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = frame.palette();
    const float inset = frame.px(4);
    const float name_height = frame.fonts().text->FontSize;
    const float passes_left =
        draw_passes(frame, algorithm, {low.x + size.x - inset, low.y + frame.px(2) + name_height / 2});
    const auto write = [&](const ImFont* font, float y, ImU32 colour, const std::string& text, float right) {
        plots::draw_text(list, font, {low.x + inset, y}, colour,
                         plots::elided(font, text, right - low.x - inset));
    };
    write(frame.fonts().text, low.y + frame.px(2), available ? palette.text : palette.muted, algorithm.name,
          passes_left - frame.px(8));
    write(frame.fonts().small, low.y + frame.px(2) + name_height, palette.muted, credit(algorithm),
          low.x + size.x - inset);
    return clicked;
}

/// Draws the open menu beside the panel, so that the controls stay visible. Its top aligns with its field
/// where the window has room. Returns false while it is closed.
bool draw_menu(ControlsFrame& frame, const Algorithm* chosen, float top) {
    if (!ImGui::IsPopupOpen(menu_id)) return false;
    Folds folds(*ImGui::GetStateStorage());
    const std::vector<MenuLine> lines = menu_lines(frame, folds);
    const float padding = frame.px(8);
    const ImGuiStyle& style = ImGui::GetStyle();
    const auto window_width = static_cast<float>(frame.window.width);
    const auto window_height = static_cast<float>(frame.window.height);
    const float width = std::min(frame.px(menu_width), window_width);
    const float line_width = width - 2 * padding - style.ScrollbarSize;
    float wanted = 2 * padding - style.ItemSpacing.y;
    for (const MenuLine& line : lines) wanted += height_of(frame, line) + style.ItemSpacing.y;
    const float height = std::min(wanted, window_height);
    const auto right = static_cast<float>(frame.zones.controls.x + frame.zones.controls.width);
    ImGui::SetNextWindowPos({std::min(right, window_width - width), std::min(top, window_height - height)});
    ImGui::SetNextWindowSize({width, height});
    std::string toggled;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
    const bool open = ImGui::BeginPopup(menu_id);
    ImGui::PopStyleVar();
    if (!open) return false;
    frame.focus->begin_menu("algorithm", chosen ? "algorithm: " + chosen->id : std::string());
    for (const MenuLine& line : lines) {
        const ImVec2 size{line_width, height_of(frame, line)};
        if (!line.algorithm) {
            if (draw_heading_line(frame, line, size)) toggled = fold_of(line);
        } else if (menu_entry(frame, *line.algorithm, line.algorithm == chosen, size)) {
            choose_algorithm(frame.catalogue, frame.settings, *line.algorithm, frame.edited());
        }
    }
    frame.focus->end_menu();
    ImGui::EndPopup();
    // Outside of the menu: its IDs are those of the panel.
    if (!toggled.empty()) folds.toggle(toggled);
    return true;
}

/// Draws the closed menu; returns true when clicked.
bool menu_field(const ControlsFrame& frame, std::string_view shown) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), ImGui::GetFrameHeight()};
    const bool clicked = invisible_button("##algorithm", size);
    const plots::Palette& palette = frame.palette();
    const ImGuiStyle& style = ImGui::GetStyle();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + size.x, low.y + size.y},
                       ImGui::IsItemHovered() ? palette.raised_more : palette.raised, style.FrameRounding);
    const float arrow = low.x + size.x - size.y;
    plots::draw_text(list, frame.fonts().text, {low.x + style.FramePadding.x, low.y + style.FramePadding.y},
                     palette.text,
                     plots::elided(frame.fonts().text, shown, arrow - low.x - style.FramePadding.x));
    const plots::Fonts& fonts = frame.fonts();
    const float text_right =
        low.x + style.FramePadding.x + plots::text_width(fonts.text, shown) + frame.px(6);
    const float key_left = arrow - frame.px(4) - plots::text_width(fonts.small, "A");
    if (key_left > text_right)
        plots::draw_on_baseline(list, fonts.small,
                                {key_left, std::round(low.y + style.FramePadding.y + fonts.text->Ascent)},
                                palette.muted, "A");
    ImGui::RenderArrow(&list, {arrow + style.FramePadding.y, low.y + style.FramePadding.y}, palette.text,
                       ImGuiDir_Down);
    return clicked;
}

void draw_algorithm(ControlsFrame& frame) {
    const Algorithm* chosen = chosen_algorithm(frame.catalogue, frame.settings, frame.edited());
    const float top = ImGui::GetCursorScreenPos().y;
    // The heading above serves as the label: algorithm names need the whole width.
    if (menu_field(frame, chosen ? chosen->name : "none")) ImGui::OpenPopup(menu_id);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    if (!draw_menu(frame, chosen, top)) {
        frame.controls.record("algorithm", low, high);
        if (frame.focus->has("algorithm")) {
            const int steps = frame.focus->steps();
            for (int i = 0; i < std::abs(steps); ++i)
                step_algorithm(frame.catalogue, frame.settings, steps > 0 ? 1 : -1, frame.edited());
            if (frame.focus->pressed()) ImGui::OpenPopup(menu_id);
            frame.focus->show(frame, low, high);
        }
        if (chosen) frame.tooltips.offer(frame.style, low, high, explained(*chosen), "A and Shift+A");
    }
    if (chosen && !credit(*chosen).empty()) note(frame, credit(*chosen));
}

}  // namespace

void draw_algorithm_controls(ControlsFrame& frame) {
    if (!control_group(frame, GroupIcon::algorithm, "Algorithm", of_edited_side(frame, "Algorithm"))) return;
    draw_engine(frame);
    draw_algorithm(frame);
    if (frame.settings.run.engine == compaction::EngineId::simulated) draw_schedule_controls(frame);
}

}  // namespace warpsieve::panels
