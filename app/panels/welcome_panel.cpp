#include "app/panels/welcome_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/docked_panel.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

constexpr const char* welcome_title = "Remove the gaps, keep the order";
constexpr std::string_view welcome_text =
    "Stream compaction copies the items that are still needed from the sparse input in front to the dense "
    "output behind it, in every frame. Slow motion shows the way of the marked item, step by step.";

constexpr const char* welcome_slow_motion = "slow motion";
constexpr const char* welcome_tour = "start the tour";
constexpr const char* welcome_tour_key = "F2";
constexpr const char* welcome_close = "close";

std::array<float, 3> button_widths(const plots::Style& style) {
    return {button_width(welcome_slow_motion), button_width(style, welcome_tour, welcome_tour_key),
            button_width(welcome_close)};
}

/// Layout of the card, in pixels. In a small view it leaves out the text, then the title.
struct CardLayout {
    bool has_title = true;
    bool has_text = true;
    bool buttons_beside = true;  ///< beside the title; else in rows of their own
    int button_rows = 1;
    float buttons_width = 0;
    float text_width = 0;
    float text_height = 0;
    float height = 0;
};

/// The rows that buttons need in lines of at most `width` pixels.
int rows_of_buttons(const std::array<float, 3>& widths, float gap, float width) {
    int rows = 1;
    float x = 0;
    for (const float each : widths) {
        if (x > 0 && x + each > width) {
            ++rows;
            x = 0;
        }
        x += each + gap;
    }
    return rows;
}

/// `room`: the height that the card has, in pixels.
CardLayout lay_out_card(const plots::Style& style, int width, float room) {
    const float inner = std::max(static_cast<float>(width) - 2 * style.px(docked_margin), 1.0F);
    const float gap = style.px(6);
    const std::array widths = button_widths(style);
    CardLayout layout;
    layout.buttons_width = widths[0] + widths[1] + widths[2] + 2 * gap;
    layout.buttons_beside =
        plots::text_width(style.fonts.heading, welcome_title) + style.px(16) + layout.buttons_width <= inner;
    layout.button_rows = rows_of_buttons(widths, gap, inner);
    layout.text_width = std::min(inner, style.px(max_docked_text_width));
    layout.text_height = plots::paragraph_height(style.fonts.text, welcome_text, layout.text_width);
    const auto height = [&] {
        const int rows = layout.buttons_beside ? 1 : (layout.has_title ? 1 : 0) + layout.button_rows;
        // The height of a row includes the gap to the next one; the last row of a card without text has none.
        const float gap_after_rows = layout.has_text ? 0 : style.px(docked_row_gap);
        return 2 * style.px(docked_padding) + static_cast<float>(rows) * docked_row_height(style) -
               gap_after_rows + (layout.has_text ? layout.text_height : 0);
    };
    layout.has_text = std::ceil(height()) <= room;
    layout.has_title = layout.buttons_beside || std::ceil(height()) <= room;
    layout.height = std::ceil(height());
    return layout;
}

void draw_welcome_buttons(Ui& ui, ImVec2 at, float right) {
    const std::array widths = button_widths(ui.style);
    ToolbarFlow flow(ui, at, right, static_cast<float>(ui.window.height));
    ImGui::PushStyleColor(ImGuiCol_Button, ui.palette().accent_fill);
    const bool slow_motion =
        flow.place(widths[0]) &&
        button(ui, welcome_slow_motion, widths[0],
               "Plays one compaction. The dial below sets the speed; its left end returns to real time.", {});
    ImGui::PopStyleColor();
    if (slow_motion) {
        ui.settings.window.slow_motion = watchable_slow_motion;
        ui.memory.welcome_closed = true;
    }
    ImGui::PushStyleColor(ImGuiCol_Button, ui.palette().raised_more);
    if (flow.place(widths[1]) &&
        key_button(ui, welcome_tour, "Ten short steps, which can be left at any time.", welcome_tour_key))
        ui.requests.tour_step = 0;
    if (flow.place(widths[2]) &&
        button(ui, welcome_close, widths[2],
               "The dial below the scene starts slow motion later, and F2 the tour.", {}))
        ui.memory.welcome_closed = true;
    ImGui::PopStyleColor();
}

}  // namespace

bool is_welcome_open(const Memory& memory, const Snapshot& snapshot) {
    return snapshot.display.first_start && !memory.welcome_closed;
}

int welcome_height(const plots::Style& style, gl::PixelSize area) {
    const float room = std::floor(max_docked_share * static_cast<float>(area.height));
    return static_cast<int>(std::min(lay_out_card(style, area.width, room).height, room));
}

std::size_t words_of_welcome() {
    std::size_t words = 0;
    for (const std::string_view shown :
         {std::string_view(welcome_title), welcome_text, std::string_view(welcome_slow_motion),
          std::string_view(welcome_tour), std::string_view(welcome_close)})
        words += 1 + static_cast<std::size_t>(std::ranges::count(shown, ' '));
    return words;
}

void draw_welcome(Ui& ui, const gl::Rectangle& panel) {
    if (panel.width <= 0 || panel.height <= 0) return;
    const plots::Style& style = ui.style;
    const CardLayout layout = lay_out_card(style, panel.width, static_cast<float>(panel.height));
    begin_docked_panel(ui, "welcome", panel);
    const auto [low, high] = rect_of(panel);
    ui.controls.record("welcome", low, high);
    const float left = low.x + ui.px(docked_margin);
    const float right = high.x - ui.px(docked_margin);
    float y = low.y + ui.px(docked_padding) - ImGui::GetScrollY();
    if (layout.has_title) {
        const float baseline = y + std::round((ImGui::GetFrameHeight() + style.fonts.heading->Ascent) / 2);
        plots::draw_on_baseline(*ImGui::GetWindowDrawList(), style.fonts.heading, {left, baseline - ui.px(2)},
                                ui.palette().text,
                                plots::elided(style.fonts.heading, welcome_title, right - left));
        if (!layout.buttons_beside) y += docked_row_height(style);
    }
    draw_welcome_buttons(ui, {layout.buttons_beside ? right - layout.buttons_width : left, y}, right + 1);
    y += docked_row_height(style) * static_cast<float>(layout.buttons_beside ? 1 : layout.button_rows);
    if (layout.has_text) {
        plots::draw_paragraph(*ImGui::GetWindowDrawList(), style.fonts.text, {left, y}, layout.text_width,
                              ui.palette().text, welcome_text);
        y += layout.text_height;
    } else {
        y -= ui.px(docked_row_gap);
    }
    end_docked_panel(ui, y);
}

}  // namespace warpsieve::panels
