#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/setting_control.hpp"
#include "app/panels/widgets/parts.hpp"
#include "compaction/simulated_schedule.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;
using compaction::EngineStatus;
using compaction::simulated::CopyTime;
using compaction::simulated::Order;
using compaction::simulated::Schedule;

constexpr const char* menu_id = "algorithms";
constexpr const char* next_algorithm_key = "A";
/// Pixels at 100 %: wide enough for most lists of authors.
constexpr float menu_width = 440;

void draw_engine(Ui& ui) {
    std::vector<Segment> choices;
    std::size_t selected = ui.snapshot.catalogue.engines.size();
    for (std::size_t i = 0; i < ui.snapshot.catalogue.engines.size(); ++i) {
        const EngineStatus& status = ui.snapshot.catalogue.engines[i];
        choices.push_back({.label = status.name, .disabled_reason = status.reason});
        if (status.id == ui.settings.run.engine) selected = i;
    }
    const auto clicked = segments(ui, row_of(ui, "engine"), choices, selected);
    if (clicked)
        choose_engine(ui.snapshot.catalogue, ui.settings, ui.snapshot.catalogue.engines[*clicked].id);
    if (!ui.snapshot.machine.gpu_unavailable_reason.empty())
        note(ui, ui.snapshot.machine.gpu_unavailable_reason);
}

std::string credit(const Algorithm& algorithm) {
    if (algorithm.authors.empty()) return {};
    return algorithm.authors + (algorithm.year > 0 ? ", " + std::to_string(algorithm.year) : std::string());
}

std::string algorithm_tooltip(const Algorithm& algorithm) {
    std::string text = algorithm.summary;
    if (!algorithm.source.empty()) text += (text.empty() ? "" : "\n\n") + ("Source: " + algorithm.source);
    return text;
}

/// A line of the menu: an algorithm, or the heading of algorithms that cannot run here, with the reason.
struct MenuLine {
    const Algorithm* algorithm = nullptr;  ///< null: a heading
    std::string title = {};                ///< of a heading: "CUDA"
    std::string count = {};                ///< "3 algorithms"
    std::string reason = {};
    bool open = false;  ///< the heading's algorithms follow
};

/// Remembers which headings are open. At first all are closed.
class Folds {
  public:
    explicit Folds(ImGuiStorage& storage) : storage_(storage) {}

    bool is_open(const std::string& title) const { return storage_.GetBool(id_of(title)); }
    void toggle(const std::string& title) { storage_.SetBool(id_of(title), !is_open(title)); }

  private:
    static ImGuiID id_of(const std::string& title) { return ImGui::GetID(title.c_str()); }

    ImGuiStorage& storage_;
};

/// Whether an algorithm can run on the engine of the settings.
bool can_be_chosen(const Ui& ui, const Algorithm& algorithm) {
    return algorithm.engine == ui.settings.run.engine && algorithm.is_available();
}

/// The algorithms that run on the engine of the settings, then those that cannot run here, folded by reason.
std::vector<MenuLine> menu_lines(const Ui& ui, const Folds& folds) {
    std::vector<MenuLine> lines;
    const auto add_fold = [&](const std::string& title, const std::string& reason, auto belongs) {
        std::vector<MenuLine> folded;
        for (const Algorithm& algorithm : ui.snapshot.catalogue.algorithms) {
            if (belongs(algorithm)) folded.push_back({&algorithm});
        }
        if (folded.empty()) return;
        const std::string count =
            std::to_string(folded.size()) + (folded.size() == 1 ? " algorithm" : " algorithms");
        lines.push_back({.title = title, .count = count, .reason = reason, .open = folds.is_open(title)});
        if (folds.is_open(title)) std::ranges::move(folded, std::back_inserter(lines));
    };
    for (const Algorithm& algorithm : ui.snapshot.catalogue.algorithms) {
        if (can_be_chosen(ui, algorithm)) lines.push_back({&algorithm});
    }
    add_fold(
        "Not in this build", "This build leaves these algorithms out; point at one to see why.",
        [&](const Algorithm& each) { return each.engine == ui.settings.run.engine && !each.is_available(); });
    for (const EngineStatus& engine : ui.snapshot.catalogue.engines) {
        if (engine.available) continue;
        add_fold(std::string(engine.name), engine.reason,
                 [&](const Algorithm& each) { return each.engine == engine.id; });
    }
    return lines;
}

float height_of(const Ui& ui, const MenuLine& line) {
    const float text_height = ui.fonts().text->FontSize;
    if (!line.algorithm) return text_height + ui.px(8);
    return (credit(*line.algorithm).empty() ? text_height : 2 * text_height) + ui.px(4);
}

/// Draws a heading: an arrow, the title with the count, and the part of the reason that fits. Returns whether
/// it is clicked.
bool draw_heading_line(Ui& ui, const MenuLine& line, ImVec2 size) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::PushID(line.title.c_str());
    bool clicked =
        ImGui::Selectable("##fold", /*selected=*/false, ImGuiSelectableFlags_DontClosePopups, size);
    ImGui::PopID();
    if (key_presses_entry(ui, "unavailable: " + line.title, AfterPress::keep_menu_open)) clicked = true;
    ui.tooltips.offer_item(ui.style, line.reason);
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + size.x, low.y + std::max(1.0F, ui.px(1))}, palette.track);
    const float y = low.y + ui.px(4);
    ImGui::RenderArrow(&list, {low.x + ui.px(2), y}, palette.label,
                       line.open ? ImGuiDir_Down : ImGuiDir_Right, 0.8F);
    const ImFont* font = ui.fonts().text;
    const std::string title_and_count = line.title + ", " + line.count;
    const float title_left = low.x + ui.px(22);
    plots::draw_text(list, font, {title_left, y}, palette.label, title_and_count);
    const float reason_left = title_left + plots::text_width(font, title_and_count) + ui.px(10);
    const ImFont* small = ui.fonts().small;
    plots::draw_text(list, small, {reason_left, y + (font->FontSize - small->FontSize) / 2}, palette.muted,
                     plots::elided(small, line.reason, low.x + size.x - ui.px(4) - reason_left));
    return clicked;
}

/// Draws a row of cells that ends at `right_middle`: one for each pass over the data, in the colour of its
/// phase. Returns the left end of the row.
float draw_passes(const Ui& ui, const Algorithm& algorithm, ImVec2 right_middle) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float swatch_pitch = ui.px(13);
    float x = right_middle.x - swatch_pitch * static_cast<float>(algorithm.phases.size());
    const float left = x;
    for (const compaction::Phase& phase : algorithm.phases) {
        plots::draw_swatch(list, {x + swatch_pitch / 2, right_middle.y}, ui.px(10),
                           plots::style_of(phase.role), ui.palette().panel);
        x += swatch_pitch;
    }
    return left;
}

/// "Passes: count, prefix, move."
std::string passes_text(const Algorithm& algorithm) {
    std::string text;
    for (const compaction::Phase& phase : algorithm.phases) text += (text.empty() ? "" : ", ") + phase.name;
    return text.empty() ? text : "\n\nPasses: " + text + ".";
}

/// Draws an entry of the menu. Returns whether it is clicked.
bool draw_menu_entry(Ui& ui, const Algorithm& algorithm, bool selected, ImVec2 size) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool can_choose = can_be_chosen(ui, algorithm);
    ImGui::PushID(algorithm.id.c_str());
    ImGui::BeginDisabled(!can_choose);
    bool clicked = ImGui::Selectable("##algorithm", selected, ImGuiSelectableFlags_None, size);
    if (key_presses_entry(ui, "algorithm: " + algorithm.id)) clicked = true;
    ImGui::EndDisabled();
    ImGui::PopID();
    ui.tooltips.offer_item(ui.style, algorithm.is_available()
                                         ? algorithm_tooltip(algorithm) + passes_text(algorithm)
                                         : algorithm.unavailable_reason);

    // Algorithms that cannot be chosen must stay readable, so they are muted, not dimmed.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float inset = ui.px(4);
    const float name_height = ui.fonts().text->FontSize;
    const float passes_left =
        draw_passes(ui, algorithm, {low.x + size.x - inset, low.y + ui.px(2) + name_height / 2});
    const auto write = [&](const ImFont* font, float y, ImU32 colour, const std::string& text, float right) {
        plots::draw_text(list, font, {low.x + inset, y}, colour,
                         plots::elided(font, text, right - low.x - inset));
    };
    write(ui.fonts().text, low.y + ui.px(2), can_choose ? palette.text : palette.muted, algorithm.name,
          passes_left - ui.px(8));
    write(ui.fonts().small, low.y + ui.px(2) + name_height, palette.muted, credit(algorithm),
          low.x + size.x - inset);
    return clicked;
}

/// Draws the menu, if it is open, beside the panel, so that the controls stay visible. Its top aligns with
/// the field at `field_top` if the window has room. Returns whether it is open.
bool draw_menu(Ui& ui, const Algorithm* chosen, float field_top) {
    if (!ImGui::IsPopupOpen(menu_id)) return false;
    Folds folds(*ImGui::GetStateStorage());
    const std::vector<MenuLine> lines = menu_lines(ui, folds);
    const float padding = ui.px(8);
    const ImGuiStyle& style = ImGui::GetStyle();
    const auto window_width = static_cast<float>(ui.window.width);
    const auto window_height = static_cast<float>(ui.window.height);
    const float width = std::min(ui.px(menu_width), window_width);
    const float line_width = width - 2 * padding - style.ScrollbarSize;
    float wanted_height = 2 * padding - style.ItemSpacing.y;
    for (const MenuLine& line : lines) wanted_height += height_of(ui, line) + style.ItemSpacing.y;
    const float height = std::min(wanted_height, window_height);
    const auto right = static_cast<float>(ui.panes.controls.x + ui.panes.controls.width);
    ImGui::SetNextWindowPos(
        {std::min(right, window_width - width), std::min(field_top, window_height - height)});
    ImGui::SetNextWindowSize({width, height});
    std::string toggled_title;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
    const bool open = ImGui::BeginPopup(menu_id);
    ImGui::PopStyleVar();
    if (!open) return false;
    ui.focus->begin_menu("algorithm", chosen ? "algorithm: " + chosen->id : std::string());
    for (const MenuLine& line : lines) {
        const ImVec2 size{line_width, height_of(ui, line)};
        if (!line.algorithm) {
            if (draw_heading_line(ui, line, size)) toggled_title = line.title;
        } else if (draw_menu_entry(ui, *line.algorithm, line.algorithm == chosen, size)) {
            choose_algorithm(ui.snapshot.catalogue, ui.settings, *line.algorithm, ui.edited());
        }
    }
    ui.focus->end_menu();
    ImGui::EndPopup();
    // After the popup has ended, because the id of a fold depends on the current window: the panel.
    if (!toggled_title.empty()) folds.toggle(toggled_title);
    return true;
}

/// Draws the field of the closed menu. Returns whether it is clicked.
bool draw_menu_field(const Ui& ui, std::string_view shown) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), ImGui::GetFrameHeight()};
    const bool clicked = invisible_button("##algorithm", size);
    const plots::Palette& palette = ui.palette();
    const ImGuiStyle& style = ImGui::GetStyle();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + size.x, low.y + size.y},
                       ImGui::IsItemHovered() ? palette.raised_more : palette.raised, style.FrameRounding);
    draw_edge(ui, low, {low.x + size.x, low.y + size.y}, /*disabled=*/false);
    const float arrow_left = low.x + size.x - size.y;
    plots::draw_text(list, ui.fonts().text, {low.x + style.FramePadding.x, low.y + style.FramePadding.y},
                     palette.text,
                     plots::elided(ui.fonts().text, shown, arrow_left - low.x - style.FramePadding.x));
    const plots::Fonts& fonts = ui.fonts();
    const float text_right = low.x + style.FramePadding.x + plots::text_width(fonts.text, shown) + ui.px(6);
    const float key_left = arrow_left - ui.px(4) - plots::text_width(fonts.small, next_algorithm_key);
    if (key_left > text_right)
        plots::draw_on_baseline(list, fonts.small,
                                {key_left, std::round(low.y + style.FramePadding.y + fonts.text->Ascent)},
                                palette.muted, next_algorithm_key);
    ImGui::RenderArrow(&list, {arrow_left + style.FramePadding.y, low.y + style.FramePadding.y}, palette.text,
                       ImGuiDir_Down);
    return clicked;
}

void draw_algorithm(Ui& ui) {
    const Algorithm* chosen = chosen_algorithm(ui.snapshot.catalogue, ui.settings, ui.edited());
    const float field_top = ImGui::GetCursorScreenPos().y;
    // The heading above serves as the label: algorithm names need the whole width.
    if (draw_menu_field(ui, chosen ? chosen->name : "none")) ImGui::OpenPopup(menu_id);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    if (!draw_menu(ui, chosen, field_top)) {
        ui.controls.record("algorithm", low, high);
        if (ui.focus->add_control("algorithm")) {
            const int steps = ui.focus->steps();  // of the arrow keys; negative: back
            for (int i = 0; i < std::abs(steps); ++i)
                step_algorithm(ui.snapshot.catalogue, ui.settings, steps > 0 ? 1 : -1, ui.edited());
            if (ui.focus->pressed()) ImGui::OpenPopup(menu_id);
            ui.focus->show(ui, low, high);
        }
        if (chosen) ui.tooltips.offer(ui.style, low, high, algorithm_tooltip(*chosen), "A and Shift+A");
    }
    if (chosen && !credit(*chosen).empty()) note(ui, credit(*chosen));
}

/// A thread order of the simulated GPU.
struct OrderInfo {
    std::string_view name;
    std::string_view meaning;
};

/// One for each Order, in the order of the enumeration.
constexpr std::array orders{
    OrderInfo{"forward", "Lanes, warps and blocks run from the first to the last."},
    OrderInfo{"reverse", "Lanes, warps and blocks run from the last to the first."},
    OrderInfo{"random", "Lanes, warps and blocks run in random order."},
    OrderInfo{"adversarial",
              "Lanes, warps and blocks that others wait for run last, and the running warp is preempted "
              "at a few random moments. Most synchronisation faults show in this order."},
};

/// Sets the seed of the wanted order, copy time and multiprocessors. The `turn` of the current seed stays
/// (see seed_of): whether lanes are slow, and which of the seeds of such a schedule it is.
void choose_schedule(Ui& ui, const Schedule& wanted) {
    const std::uint64_t turn = compaction::simulated::turn_of(wanted.seed);
    ui.settings.run.schedule_seed =
        static_cast<std::uint32_t>(seed_of(wanted.order, wanted.copy_time, wanted.multiprocessors, turn));
}

void draw_order(Ui& ui, Schedule schedule) {
    std::vector<MenuEntry> entries;
    for (const OrderInfo& order : orders)
        entries.push_back({std::string(order.name), std::string(order.meaning), {}});
    const auto selected = static_cast<std::size_t>(schedule.order);
    const auto clicked =
        menu(ui, {.label = "thread order", .tooltip = orders[selected].meaning}, entries, selected);
    if (!clicked) return;
    schedule.order = static_cast<Order>(*clicked);
    choose_schedule(ui, schedule);
}

void draw_multiprocessors(Ui& ui, Schedule schedule) {
    const SliderResult result =
        slider(ui, {.row = {.label = "multiprocessors",
                            .tooltip = "The multiprocessors of the simulated GPU, 1 to 8. They hold the "
                                       "blocks that run at the same time; the others wait."},
                    .step = static_cast<int>(schedule.multiprocessors) - 1,
                    .last_step = static_cast<int>(Schedule::max_multiprocessors) - 1,
                    .number = std::to_string(schedule.multiprocessors)});
    const auto set_multiprocessors = [&](std::uint64_t count) {
        schedule.multiprocessors = static_cast<unsigned>(count);
        choose_schedule(ui, schedule);
    };
    if (result.step) set_multiprocessors(static_cast<std::uint64_t>(*result.step) + 1);
    if (result.typed) {
        const AllowedValues allowed{.min = 1, .max = Schedule::max_multiprocessors, .whole = true};
        if (const auto typed = typed_count(ui, "multiprocessors", *result.typed, allowed))
            set_multiprocessors(*typed);
    }
}

/// The choices of the seed that have no control, in words.
std::string other_choices_of(const Schedule& schedule) {
    std::string text = schedule.copy_time == CopyTime::at_once ? "bulk copies at once"
                       : schedule.copy_time == CopyTime::late  ? "bulk copies late"
                                                               : "bulk copies at random times";
    if (schedule.slow_lanes) text += ", slow lanes";
    if (schedule.preemptions > 0)
        text += ", " + std::to_string(schedule.preemptions) +
                (schedule.preemptions == 1 ? " preemption" : " preemptions");
    return text;
}

/// Draws the controls of the seed of a simulated GPU: each control chooses among the seeds.
void draw_schedule(Ui& ui) {
    const Schedule schedule = compaction::simulated::schedule_of(ui.settings.run.schedule_seed);
    draw_order(ui, schedule);
    draw_multiprocessors(ui, schedule);
    setting_control(ui, "schedule_seed");
    note_under_control(ui, other_choices_of(schedule));
}

}  // namespace

void draw_algorithm_controls(Ui& ui) {
    if (!control_group(ui, GroupIcon::algorithm, "Algorithm", of_edited_side(ui, "Algorithm"))) return;
    draw_engine(ui);
    draw_algorithm(ui);
    if (ui.settings.run.engine == compaction::EngineId::simulated) draw_schedule(ui);
}

}  // namespace warpsieve::panels
