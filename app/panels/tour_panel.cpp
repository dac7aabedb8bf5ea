#include "app/panels/tour_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/check_icon.hpp"
#include "app/panels/docked_panel.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/trace/access_counts.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float dot_width = 12;
constexpr float dot_gap = 4;
constexpr float tour_part_gap = 8;  ///< between the steps that explain and those that compare

struct TourButton {
    const char* label;
    const char* key;
    const char* tooltip;
};
constexpr std::array tour_buttons{
    TourButton{"back", "PgUp", "The previous step."},
    TourButton{"next", "PgDn", "The next step."},
    TourButton{"leave", "Esc", "Ends the tour and restores your settings."},
};

float width_of_button(const plots::Style& style, const TourButton& button, bool with_key) {
    return with_key ? button_width(style, button.label, button.key) : button_width(button.label);
}

float width_of_buttons(const plots::Style& style, bool with_keys) {
    float width = style.px(6) * static_cast<float>(tour_buttons.size() - 1);
    for (const TourButton& button : tour_buttons) width += width_of_button(style, button, with_keys);
    return width;
}

float width_of_dots(const plots::Style& style) {
    return style.px(dot_width + dot_gap) * static_cast<float>(tour::num_steps) + style.px(tour_part_gap);
}

std::string tour_text(const tour::Step& step, const Snapshot& snapshot) {
    const std::string_view text_of_engine = step.on(snapshot.machine.engine).text;
    std::string text(step.text);
    if (!text_of_engine.empty()) text += " " + std::string(text_of_engine);
    if (step.figure == tour::Figure::ratio && snapshot.machine.engine == compaction::EngineId::cpu) {
        text += snapshot.machine.gpu_unavailable_reason.empty() ? " The CPU engine runs"
                                                                : " There is no usable GPU here";
        text += ", so these are CPU algorithms that differ in the same factor.";
    }
    return text;
}

/// "On this machine, B is 1.34 times as fast as A (95 % confidence interval: 1.32 to 1.36)."
std::string ratio_text(const experiments::PairedRatio& ratio) {
    using experiments::Comparison;
    const auto interval_text = [&] {
        return " (95 % confidence interval of their ratio: " + format::significant(ratio.interval.low) +
               " to " + format::significant(ratio.interval.high) + ").";
    };
    const auto speedup_text = [](const char* fast, const char* slow, double median, double low, double high) {
        return "On this machine, " + std::string(fast) + " is " + format::significant(median, 2) +
               " times as fast as " + slow + " (95 % confidence interval: " + format::significant(low, 2) +
               " to " + format::significant(high, 2) + ").";
    };
    switch (ratio.comparison) {
        case Comparison::warming_up:
            return "Measuring: " + std::to_string(ratio.pairs) + " of " +
                   std::to_string(experiments::min_pairs) + " pairs of frames.";
        case Comparison::a_faster:
            // The ratio is A's time over B's, so its inverse says how many times as fast A is.
            return speedup_text("A", "B", 1 / ratio.median, 1 / ratio.interval.high, 1 / ratio.interval.low);
        case Comparison::b_faster:
            return speedup_text("B", "A", ratio.median, ratio.interval.low, ratio.interval.high);
        case Comparison::same:
            return "On this machine, both take the same time, within 1 %" + interval_text();
        case Comparison::ambiguous:
            return "On this machine, there is no significant difference" + interval_text();
    }
    return {};
}

/// The bytes that A and B load and store on a simulated GPU, which has no times.
std::string bytes_text(const RunInfos& runs) {
    const auto kilobytes = [](const trace::AccessCounts& counts) {
        const trace::PhaseAccesses total = trace::total_of(counts);
        return format::grouped((total.bytes_loaded + total.bytes_stored) / 1000) + " kB";
    };
    if (!runs.a.accesses || !runs.b || !runs.b->accesses)
        return "Compactions on a simulated GPU are not timed. The accesses are being counted.";
    return "Compactions on a simulated GPU are not timed. A loads and stores " + kilobytes(*runs.a.accesses) +
           ", B " + kilobytes(*runs.b->accesses) + ".";
}

std::string tour_figure_text(const tour::Step& step, const Snapshot& snapshot) {
    if (step.figure == tour::Figure::checks) return "Comparisons so far: " + check_words(snapshot.checks.a);
    if (step.figure == tour::Figure::ratio && !has_times(snapshot.machine.engine))
        return bytes_text(snapshot.runs);
    if (step.figure == tour::Figure::ratio)
        return ratio_text(snapshot.runs.b ? snapshot.figures->ratio : experiments::PairedRatio{});
    return {};
}

/// Layout of the panel, in pixels. Title and buttons have the same positions in all steps.
struct PanelLayout {
    bool has_dots;        ///< a dot for each step is beside the title
    bool buttons_beside;  ///< the buttons are beside the title, with keys; else below it, without keys
    float text_width;
    float text_height;
    float figure_height;  ///< 0 without a figure
    float height;
};

float longest_title_width(const plots::Style& style) {
    float longest = 0;
    for (const tour::Step& step : tour::steps())
        longest = std::max(longest, plots::text_width(style.fonts.heading, step.title));
    return longest;
}

PanelLayout lay_out_panel(const plots::Style& style, const tour::Step& step, const std::string& text,
                          float width) {
    const float inner_width = std::max(width - 2 * style.px(docked_margin), 1.0F);
    const float title_width = plots::text_width(style.fonts.figures, "10 / 10") + style.px(10) +
                              longest_title_width(style) + style.px(16);
    const float buttons_width = width_of_buttons(style, /*with_keys=*/true);
    PanelLayout layout{};
    layout.buttons_beside = title_width + buttons_width <= inner_width;
    const float title_row_width =
        layout.buttons_beside ? inner_width - buttons_width - style.px(16) : inner_width;
    layout.has_dots = title_width + width_of_dots(style) <= title_row_width;
    layout.text_width = std::min(inner_width, style.px(max_docked_text_width));
    layout.text_height = plots::paragraph_height(style.fonts.text, text, layout.text_width);
    // The longest sentence sets the height, so that nothing moves while figures change.
    constexpr const char* longest_figure =
        "On this machine, B is 10.34 times as fast as A (95 % confidence interval: 10.32 to 10.36).";
    if (step.figure != tour::Figure::none)
        layout.figure_height =
            plots::paragraph_height(style.fonts.heading, longest_figure, layout.text_width);
    const float row_height = docked_row_height(style);
    layout.height = style.px(docked_padding) + row_height + layout.text_height + style.px(docked_padding);
    if (layout.figure_height > 0) layout.height += style.px(docked_row_gap) + layout.figure_height;
    if (!layout.buttons_beside) layout.height += row_height;
    return layout;
}

/// Draws a dot for each step. A click on a dot shows its step.
void draw_dots(Ui& ui, ImVec2 at) {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::size_t current = ui.memory.tour.tour.index();
    const float height = ImGui::GetFrameHeight();
    for (std::size_t i = 0; i < tour::num_steps; ++i) {
        if (i == tour::num_explaining) at.x += ui.px(tour_part_gap);
        const float width = ui.px(dot_width);
        ImGui::SetCursorScreenPos(at);
        ImGui::PushID(static_cast<int>(i));
        if (invisible_button("##dot", {width + ui.px(dot_gap), height})) ui.requests.tour_step = i;
        ImGui::PopID();
        const bool hovered = ImGui::IsItemHovered();
        const std::string label = "tour: step " + std::to_string(i + 1);
        ui.controls.record_item(label);
        if (ui.focus->presses_item(ui, label)) ui.requests.tour_step = i;
        ui.tooltips.offer_item(ui.style, tour::steps()[i].title);
        const float middle = std::round(at.y + height / 2);
        const float half_height = i == current || hovered ? ui.px(4) : ui.px(2);
        list.AddRectFilled({at.x, middle - half_height}, {at.x + width, middle + half_height},
                           i <= current ? palette.accent : palette.muted, half_height);
        at.x += width + ui.px(dot_gap);
    }
}

void draw_buttons(Ui& ui, ImVec2 at, bool with_keys) {
    const std::size_t index = ui.memory.tour.tour.index();
    constexpr std::size_t back = 0;  // indices of tour_buttons
    constexpr std::size_t next = 1;
    constexpr std::size_t leave = 2;
    ImGui::PushStyleColor(ImGuiCol_Button, ui.palette().raised_more);
    for (std::size_t i = 0; i < tour_buttons.size(); ++i) {
        const TourButton& each = tour_buttons[i];
        const bool disabled = (i == back && index == 0) || (i == next && index + 1 == tour::num_steps);
        ImGui::SetCursorScreenPos(at);
        ImGui::BeginDisabled(disabled);
        const bool pressed = with_keys ? key_button(ui, each.label, each.tooltip, each.key)
                                       : button(ui, each.label, /*width=*/0, each.tooltip, each.key);
        ImGui::EndDisabled();
        if (pressed && !disabled && i == back) ui.requests.tour_step = index - 1;
        if (pressed && !disabled && i == next) ui.requests.tour_step = index + 1;
        if (pressed && i == leave) ui.requests.leave_tour = true;
        at.x += width_of_button(ui.style, each, with_keys) + ui.px(6);
    }
    ImGui::PopStyleColor();
}

}  // namespace

void show_tour_step(TourMemory& memory, std::size_t index, Settings& settings, const Settings& defaults) {
    memory.tour.show(index, settings, defaults);
    ++memory.num_shown;
}

int tour_panel_height(const TourMemory& memory, const plots::Style& style, const Snapshot& snapshot,
                      gl::PixelSize area) {
    if (!memory.tour.runs()) return 0;
    const tour::Step& step = memory.tour.step();
    const float wanted =
        lay_out_panel(style, step, tour_text(step, snapshot), static_cast<float>(area.width)).height;
    return static_cast<int>(std::min(wanted, max_docked_share * static_cast<float>(area.height)));
}

void draw_tour(Ui& ui, const gl::Rectangle& panel) {
    if (!ui.memory.tour.tour.runs() || panel.width <= 0 || panel.height <= 0) return;
    const tour::Step& step = ui.memory.tour.tour.step();
    const plots::Style& style = ui.style;
    const std::string text = tour_text(step, ui.snapshot);
    auto width = static_cast<float>(panel.width);
    PanelLayout layout = lay_out_panel(style, step, text, width);
    if (layout.height > static_cast<float>(panel.height)) {
        // The text scrolls; the scrollbar takes part of the width.
        width -= ImGui::GetStyle().ScrollbarSize;
        layout = lay_out_panel(style, step, text, width);
    }
    begin_docked_panel(ui, "tour", panel);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const auto [low, high] = rect_of(panel);
    ui.controls.record("tour: " + std::to_string(ui.memory.tour.tour.index() + 1), low, high);

    const float left = low.x + ui.px(docked_margin);
    const float right = low.x + width - ui.px(docked_margin);
    float y = low.y + ui.px(docked_padding) - ImGui::GetScrollY();
    const float row_height = docked_row_height(style);
    const float baseline =
        y + std::round((ImGui::GetFrameHeight() + style.fonts.heading->Ascent) / 2) - ui.px(2);
    float x = plots::draw_on_baseline(
        list, style.fonts.figures, {left, baseline}, palette.label,
        std::to_string(ui.memory.tour.tour.index() + 1) + " / " + std::to_string(tour::num_steps));
    x += ui.px(10);
    plots::draw_on_baseline(list, style.fonts.heading, {x, baseline}, palette.text,
                            plots::elided(style.fonts.heading, step.title, left + layout.text_width - x));
    if (layout.has_dots) draw_dots(ui, {x + longest_title_width(style) + ui.px(16), y});
    if (layout.buttons_beside)
        draw_buttons(ui, {right - width_of_buttons(style, /*with_keys=*/true), y}, /*with_keys=*/true);
    y += row_height;
    if (!layout.buttons_beside) {
        draw_buttons(ui, {left, y}, /*with_keys=*/false);
        y += row_height;
    }
    plots::draw_paragraph(list, style.fonts.text, {left, y}, layout.text_width, palette.text, text);
    y += layout.text_height;
    if (layout.figure_height > 0) {
        y += ui.px(docked_row_gap);
        plots::draw_paragraph(list, style.fonts.heading, {left, y}, layout.text_width, palette.text,
                              tour_figure_text(step, ui.snapshot));
        y += layout.figure_height;
    }
    end_docked_panel(ui, y);
}

}  // namespace warpsieve::panels
