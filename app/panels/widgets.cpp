#include "app/panels/widgets.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/figures.hpp"

// For the key codes alone.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

constexpr float label_column = 122;
/// Controls narrower than this go below their label.
constexpr float least_control_width = 130;

/// Where the grab of a slider can be, from its left end to its right end.
struct Track {
    float low;
    float high;

    float place(float share) const { return low + (high - low) * std::clamp(share, 0.0F, 1.0F); }
    float share(float x) const { return std::clamp((x - low) / std::max(high - low, 1.0F), 0.0F, 1.0F); }
};

Track track_of(const PanelFrame& frame, ImVec2 low, ImVec2 high) {
    const float inset = frame.px(7);
    return {low.x + inset, high.x - inset};
}

float baseline_of(const PanelFrame& frame, float top) {
    return std::round(top + ImGui::GetStyle().FramePadding.y + frame.fonts().text->Ascent);
}

ImU32 dimmed(const PanelFrame& frame, ImU32 colour, bool off) {
    return off ? plots::mix(frame.palette().panel, colour, 0.45F) : colour;
}

/// Whether labels stand above their controls because there is no room beside them. Call at the left end of a
/// line.
bool labels_above(const PanelFrame& frame) {
    return ImGui::GetContentRegionAvail().x < frame.px(label_column + least_control_width);
}

/// The text field that replaces a slider while a value is typed into it.
std::optional<std::string> type_value(PanelFrame& frame, const Slider& slider) {
    TypedValue& typed = frame.typed;
    if (typed.begins) ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(frame.fonts().figures);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputText(
        "##typed", &typed.text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopFont();
    const bool left = !typed.begins && ImGui::IsItemDeactivated();
    typed.begins = false;
    frame.controls.record_item(slider.row.label);
    if (!entered && !left) return {};
    typed.slider.clear();
    // Escape restores the old text and changes nothing.
    if (typed.text == slider.figure) return {};
    return typed.text;
}

/// Reports text that is not a number, cut to fit below the control.
std::string no_number(const std::string& typed) {
    constexpr std::size_t most = 16;
    return "'" + (typed.size() > most ? typed.substr(0, most) + "…" : typed) + "' is not a number.";
}

/// Clamps the typed value and notes a change; notes text that is not a number.
template <typename T, typename TextOf>
std::optional<T> clamped(PanelFrame& frame, std::string_view label, const std::string& typed,
                         std::optional<T> wanted, T least, T most, TextOf text_of) {
    if (!wanted) {
        note_below(frame, label, no_number(typed));
        return {};
    }
    if (*wanted > most) note_below(frame, label, text_of(most) + " is the maximum here.");
    if (*wanted < least) note_below(frame, label, text_of(least) + " is the minimum here.");
    return std::clamp(*wanted, least, most);
}

void draw_slider(const PanelFrame& frame, const Slider& slider, ImVec2 low, ImVec2 high, bool hot) {
    const plots::Palette& palette = frame.palette();
    const bool off = !slider.row.off_because.empty();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, dimmed(frame, hot ? palette.raised_more : palette.raised, off),
                       ImGui::GetStyle().FrameRounding);

    if (!off) {
        // The track lies below the value, so that the grab never covers a digit.
        const Track track = track_of(frame, low, high);
        const float share =
            static_cast<float>(slider.step) / static_cast<float>(std::max(slider.last_step, 1));
        const float grab = std::round(track.place(share));
        const float thickness = std::max(2.0F, frame.px(2));
        const float half_grab = frame.px(3);
        list.AddRectFilled({track.low, high.y - thickness}, {track.high, high.y}, palette.track);
        list.AddRectFilled({track.low, high.y - thickness}, {grab, high.y}, palette.accent);
        list.AddRectFilled({grab - half_grab, high.y - frame.px(5)}, {grab + half_grab, high.y},
                           palette.accent, std::min(ImGui::GetStyle().FrameRounding, half_grab));
    }

    const float baseline = baseline_of(frame, low.y) - (off ? 0 : frame.px(2));
    const ImFont* small = frame.fonts().small;
    const ImFont* figures = frame.fonts().figures;
    float x = high.x - ImGui::GetStyle().FramePadding.x;
    const auto write_left_of = [&](const ImFont* font, ImU32 colour, const std::string& text, float gap) {
        if (text.empty()) return;
        x -= plots::text_width(font, text);
        plots::draw_on_baseline(list, font, {x, baseline}, dimmed(frame, colour, off), text);
        x -= gap;
    };
    write_left_of(small, palette.label, slider.unit, frame.px(5));
    write_left_of(figures, palette.text, slider.figure, frame.px(8));
    write_left_of(small, palette.label, slider.before, 0);
}

}  // namespace

void heading(const PanelFrame& frame, std::string_view text) {
    if (ImGui::GetCursorPosY() > frame.px(20)) ImGui::Dummy({0, frame.px(5)});
    ImGui::PushFont(frame.fonts().heading);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopFont();
}

std::string of_edited_side(const PanelFrame& frame, std::string_view text) {
    std::string whole(text);
    if (frame.settings.compares()) whole += std::string(": ") + name_of(frame.edited());
    return whole;
}

void note(const PanelFrame& frame, std::string_view text, bool below_control) {
    if (below_control && !labels_above(frame))
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + frame.px(label_column));
    ImGui::PushFont(frame.fonts().small);
    ImGui::PushStyleColor(ImGuiCol_Text, frame.palette().muted);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void begin_row(PanelFrame& frame, const Row& row) {
    ImGui::PushID(row.label.data(), row.label.data() + row.label.size());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImU32 colour = dimmed(frame, frame.palette().label, !row.off_because.empty());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (labels_above(frame)) {
        const ImFont* font = frame.fonts().small;
        plots::draw_text(list, font, at, colour, row.label);
        ImGui::SetCursorScreenPos({at.x, at.y + std::round(font->FontSize * 1.2F)});
        return;
    }
    plots::draw_on_baseline(list, frame.fonts().text, {at.x, baseline_of(frame, at.y)}, colour, row.label);
    ImGui::SetCursorScreenPos({at.x + frame.px(label_column), at.y});
}

void end_row(PanelFrame& frame, const Row& row) {
    ImGui::PopID();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float left = ImGui::GetCursorScreenPos().x;
    std::string text{row.tooltip};
    if (!row.off_because.empty()) text += "\n\n" + row.off_because;
    frame.tooltips.offer(frame.style, {left, low.y}, high, text, row.key);
}

std::optional<std::uint64_t> typed_count(PanelFrame& frame, std::string_view label, const std::string& typed,
                                         const Legal& legal) {
    return clamped(frame, label, typed, format::parse_count(typed), static_cast<std::uint64_t>(legal.least),
                   static_cast<std::uint64_t>(legal.most), format::grouped);
}

std::optional<float> typed_number(PanelFrame& frame, std::string_view label, const std::string& typed,
                                  const Legal& legal, const std::string& unit, double units) {
    const auto text_of = [&](double bound) { return std::to_string(static_cast<int>(bound)) + " " + unit; };
    const auto number = clamped<double>(frame, label, typed, format::parse_number(typed), legal.least * units,
                                        legal.most * units, text_of);
    return number ? std::optional(static_cast<float>(*number / units)) : std::nullopt;
}

void note_below(PanelFrame& frame, std::string_view label, std::string text) {
    frame.typed.note_below = label;
    frame.typed.note = std::move(text);
    frame.typed.note_is_new = true;
}

SliderAnswer slider(PanelFrame& frame, const Slider& slider) {
    SliderAnswer answer;
    begin_row(frame, slider.row);
    TypedValue& typed = frame.typed;
    if (typed.slider == slider.row.label) {
        answer.typed = type_value(frame, slider);
        end_row(frame, slider.row);
        return answer;
    }
    const bool off = !slider.row.off_because.empty();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), ImGui::GetFrameHeight()};
    ImGui::BeginDisabled(off);
    invisible_button("##slider", size);
    ImGui::EndDisabled();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActivated() && io.KeyCtrl) {
        typed.slider = slider.row.label;
        typed.text = slider.figure;
        typed.begins = true;
        typed.note_below.clear();
    } else if (ImGui::IsItemActive()) {
        const float share = track_of(frame, low, high).share(io.MousePos.x);
        const int step = static_cast<int>(std::lround(share * static_cast<float>(slider.last_step)));
        if (step != slider.step) answer.step = step;
    } else if (ImGui::IsItemHovered()) {
        const int moved = frame.presses(GLFW_KEY_RIGHT) - frame.presses(GLFW_KEY_LEFT);
        if (moved != 0) answer.step = std::clamp(slider.step + moved, 0, slider.last_step);
    }
    const bool focused = !off && frame.focus->has(slider.row.label);
    if (focused && frame.focus->steps() != 0)
        answer.step = std::clamp(slider.step + frame.focus->steps(), 0, slider.last_step);
    if (focused) frame.focus->show(frame, low, high);
    draw_slider(frame, slider, low, high, !off && (ImGui::IsItemHovered() || ImGui::IsItemActive()));
    frame.controls.record(slider.row.label, low, high);
    end_row(frame, slider.row);
    if (typed.note_below == slider.row.label) {
        note(frame, typed.note, true);
        frame.controls.record_item("note below " + typed.note_below);
    }
    return answer;
}

namespace {

float width_of_labels(const ImFont* font, std::span<const Segment> choices) {
    float width = 0;
    for (const Segment& choice : choices) width += plots::text_width(font, choice.label);
    return width;
}

/// Whether what is drawn now is greyed out.
bool is_disabled() {
    return ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled;
}

/// The choice that many steps on that can be chosen; nothing without a step.
std::optional<std::size_t> stepped_choice(const std::vector<bool>& usable, std::size_t selected, int steps) {
    if (steps == 0) return std::nullopt;
    const int direction = steps > 0 ? 1 : -1;
    auto at = static_cast<std::ptrdiff_t>(selected);
    for (auto next = at + direction; next >= 0 && next < std::ssize(usable) && steps != 0;
         next += direction) {
        if (!usable[static_cast<std::size_t>(next)]) continue;
        at = next;
        steps -= direction;
    }
    return static_cast<std::size_t>(at);
}

/// The key of an item, muted at its right end, if there is room beside text that ends at `text_right`.
void draw_key(const PanelFrame& frame, std::string_view key, ImVec2 low, ImVec2 high, float text_right) {
    if (key.empty()) return;
    const ImFont* font = frame.fonts().small;
    const float left = high.x - plots::text_width(font, key);
    if (left < text_right + frame.px(6)) return;
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font, {left, baseline_of(frame, low.y)},
                            frame.palette().muted, key);
}

}  // namespace

std::optional<std::size_t> segments(PanelFrame& frame, const Row& row, std::span<const Segment> choices,
                                    std::size_t selected) {
    begin_row(frame, row);
    const plots::Palette& palette = frame.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), ImGui::GetFrameHeight()};
    const ImFont* font = frame.fonts().text;
    // If labels would touch, all of them use the small font.
    if (size.x - width_of_labels(font, choices) < frame.px(9) * static_cast<float>(choices.size()))
        font = frame.fonts().small;
    const float rounding = ImGui::GetStyle().FrameRounding;
    const bool all_off = !row.off_because.empty();
    list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, dimmed(frame, palette.raised, all_off),
                       rounding);

    // Segments are as wide as their labels plus equal parts of the rest.
    const float air = (size.x - width_of_labels(font, choices)) / static_cast<float>(choices.size());
    std::optional<std::size_t> clicked;
    std::string segment_reason;
    float left = low.x;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Segment& choice = choices[i];
        const float text_width = plots::text_width(font, choice.label);
        const float right = i + 1 == choices.size() ? low.x + size.x : std::round(left + text_width + air);
        const bool off = all_off || !choice.off_because.empty();
        ImGui::SetCursorScreenPos({left, low.y});
        ImGui::BeginDisabled(off);
        ImGui::PushID(static_cast<int>(i));
        if (invisible_button("##segment", {right - left, size.y})) clicked = i;
        ImGui::PopID();
        ImGui::EndDisabled();
        const bool hot = !off && ImGui::IsItemHovered();
        const bool on = i == selected && !all_off;
        if (on || hot) {
            list.AddRectFilled({left, low.y}, {right, low.y + size.y},
                               on ? palette.accent_fill : palette.raised_more, rounding);
        }
        const float underline = std::max(2.0F, frame.px(2));
        if (on || choice.in_force) {
            list.AddRectFilled({left + frame.px(5), low.y + size.y - underline},
                               {right - frame.px(5), low.y + size.y},
                               on ? palette.accent : dimmed(frame, palette.muted, all_off));
        }
        plots::draw_on_baseline(list, font, {(left + right - text_width) / 2, baseline_of(frame, low.y)},
                                dimmed(frame, on ? palette.text : palette.label, off), choice.label);
        frame.controls.record(std::string(row.label) + ": " + std::string(choice.label), {left, low.y},
                              {right, low.y + size.y});
        if (!choice.off_because.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
            segment_reason = choice.off_because;
        }
        left = right;
    }
    if (!all_off && frame.focus->has(row.label)) {
        std::vector<bool> usable;
        for (const Segment& choice : choices) usable.push_back(choice.off_because.empty());
        if (const auto stepped = stepped_choice(usable, selected, frame.focus->steps())) clicked = stepped;
        frame.focus->show(frame, low, {low.x + size.x, low.y + size.y});
    }
    Row explained = row;
    if (!segment_reason.empty()) explained.off_because = segment_reason;
    end_row(frame, explained);
    return clicked;
}

MenuState bare_menu(PanelFrame& frame, std::string_view name, const std::string& shown,
                    std::span<const MenuEntry> entries, std::size_t selected) {
    MenuState state;
    const auto name_of = [&](const MenuEntry& entry) { return std::string(name) + ": " + entry.label; };
    const std::string chosen = selected < entries.size() ? name_of(entries[selected]) : std::string();
    state.open = begin_menu(frame, "##menu", name, shown, chosen);
    if (!state.open) {
        if (!is_disabled() && frame.focus->label() == name) {
            std::vector<bool> usable;
            for (const MenuEntry& entry : entries) usable.push_back(entry.off_because.empty());
            state.clicked = stepped_choice(usable, selected, frame.focus->steps());
        }
        return state;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const MenuEntry& entry = entries[i];
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginDisabled(!entry.off_because.empty());
        if (ImGui::Selectable(entry.label.c_str(), i == selected)) state.clicked = i;
        if (key_presses_entry(frame, name_of(entry))) state.clicked = i;
        ImGui::EndDisabled();
        ImGui::PopID();
        frame.tooltips.offer_item(frame.style, entry.off_because.empty() ? entry.tooltip : entry.off_because);
    }
    end_menu(frame);
    return state;
}

bool begin_menu(PanelFrame& frame, const char* id, std::string_view name, const std::string& shown,
                std::string_view chosen) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(8), frame.px(8)});
    const bool open = ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_HeightLargest);
    ImGui::PopStyleVar();
    if (open) {
        frame.focus->begin_menu(name, chosen);
        return true;
    }
    frame.controls.record_item(name);
    // The popup of BeginCombo.
    if (frame.focus->presses_item(frame, name))
        ImGui::OpenPopupEx(ImHashStr("##ComboPopup", 0, ImGui::GetItemID()));
    return false;
}

void end_menu(PanelFrame& frame) {
    frame.focus->end_menu();
    ImGui::EndCombo();
}

bool key_presses_entry(PanelFrame& frame, std::string_view name, bool stays) {
    frame.controls.record_item(name);
    const bool pressed = frame.focus->presses_item(frame, name);
    if (pressed && !stays) ImGui::CloseCurrentPopup();
    return pressed;
}

std::optional<std::size_t> menu(PanelFrame& frame, const Row& row, std::span<const MenuEntry> entries,
                                std::size_t selected) {
    begin_row(frame, row);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const MenuState state = bare_menu(frame, row.label, entries[selected].label, entries, selected);
    if (state.open) {
        ImGui::PopID();
        return state.clicked;
    }
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float padding = ImGui::GetStyle().FramePadding.x;
    draw_key(frame, row.key, low, {high.x - ImGui::GetFrameHeight() - padding, high.y},
             low.x + padding + plots::text_width(frame.fonts().text, entries[selected].label));
    end_row(frame, row);
    return state.clicked;
}

void number_field(PanelFrame& frame, const Row& row, std::uint32_t& number) {
    begin_row(frame, row);
    const std::uint32_t one = 1;
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushFont(frame.fonts().figures);
    const bool focused = frame.focus->has(row.label);
    if (focused && frame.focus->pressed()) ImGui::SetKeyboardFocusHere();
    ImGui::InputScalar("##number", ImGuiDataType_U32, &number, &one);
    ImGui::PopFont();
    frame.controls.record_item(row.label);
    if (focused) {
        number += static_cast<std::uint32_t>(frame.focus->steps());
        frame.focus->show(frame, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    end_row(frame, row);
}

std::vector<float> shared_widths(const PanelFrame& frame, std::initializer_list<std::string_view> labels) {
    const auto count = static_cast<float>(labels.size());
    float rest = ImGui::GetContentRegionAvail().x - (count - 1) * ImGui::GetStyle().ItemInnerSpacing.x;
    std::vector<float> widths;
    for (const std::string_view label : labels) {
        widths.push_back(plots::text_width(frame.fonts().text, label));
        rest -= widths.back();
    }
    for (float& width : widths) width = std::max(std::floor(width + rest / count), 1.0F);
    return widths;
}

bool button(PanelFrame& frame, const char* label, float width, std::string_view tooltip,
            std::string_view key) {
    const std::string_view whole = label;
    const std::size_t mark = whole.find("##");
    const std::string_view shown = whole.substr(0, mark);
    const std::string name(mark == std::string_view::npos ? whole : whole.substr(mark + 2));
    // In a narrow button the label may use the padding before it is cut.
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (width > 0)
        padding.x = std::clamp((width - plots::text_width(frame.fonts().text, shown)) / 2, 0.0F, padding.x);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    bool pressed = ImGui::Button(label, {width, 0});
    ImGui::PopStyleVar();
    frame.controls.record_item(name);
    frame.tooltips.offer_item(frame.style, tooltip, key);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float text = plots::text_width(frame.fonts().text, shown);
    const float text_left =
        low.x + padding.x + ImGui::GetStyle().ButtonTextAlign.x * (high.x - low.x - 2 * padding.x - text);
    draw_key(frame, key, low, {high.x - padding.x, high.y}, text_left + text);
    // The item is still the button: keys and tooltips draw none.
    return frame.focus->presses_item(frame, name) || pressed;
}

bool action(PanelFrame& frame, const char* label, float width, std::string_view tooltip, std::string_view key,
            const std::string& off_because) {
    ImGui::BeginDisabled(!off_because.empty());
    const bool pressed = button(frame, label, width, {}, key) && off_because.empty();
    ImGui::EndDisabled();
    const std::string text =
        off_because.empty() ? std::string(tooltip) : std::string(tooltip) + "\n\n" + off_because;
    frame.tooltips.offer_item(frame.style, text, key);
    return pressed;
}

}  // namespace warpsieve::panels
