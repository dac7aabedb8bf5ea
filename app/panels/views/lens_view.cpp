#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/format/figures.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/check_icon.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/timings_panel.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/race_model.hpp"
#include "app/panels/views/toolbar.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float margin = 12;
constexpr float caption_padding = 10;
constexpr float caption_width = 250;
constexpr float line_height = 20;
constexpr float bar_height = 9;
constexpr float ratio_height = 2 * line_height + bar_height + 18;
constexpr float ratio_width = 220;
constexpr float grip_width = 14;

/// Step of an arrow key, as a share of the view's width.
constexpr float divider_step = 0.02F;

void move_divider(Ui& ui, float share) {
    ui.settings.window.divider =
        std::clamp(share, static_cast<float>(min_divider), static_cast<float>(1 - min_divider));
}

/// Arrow keys move the divider unless the mouse is over the controls, whose sliders use them.
void move_divider_by_keys(Ui& ui) {
    const float mouse_x = ImGui::GetIO().MousePos.x;
    const Rectangle& controls = ui.panes.controls;
    const bool is_over_controls = mouse_x >= 0 && mouse_x < static_cast<float>(controls.x + controls.width);
    if (is_over_controls) return;
    const int steps = ui.presses(GLFW_KEY_RIGHT) - ui.presses(GLFW_KEY_LEFT);
    if (steps != 0) move_divider(ui, ui.settings.window.divider + static_cast<float>(steps) * divider_step);
}

/// A box in the panel colour over the scene, so that its text is readable.
void draw_backdrop(const Ui& ui, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, ui.palette().panel, ImGui::GetStyle().FrameRounding);
    list.AddRect(low, high, ui.palette().outline, ImGui::GetStyle().FrameRounding);
}

/// Draws the letter of a side in a box. Returns its right end.
float draw_letter(const Ui& ui, Side side, float x, float baseline) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().heading;
    const float box_width = ui.px(18);
    const float top = baseline - std::round(font->Ascent) - ui.px(1);
    const bool edited = ui.edited() == side;
    list.AddRectFilled({x, top}, {x + box_width, top + font->FontSize + ui.px(1)},
                       edited ? ui.palette().accent_fill : ui.palette().raised,
                       ImGui::GetStyle().FrameRounding);
    const char* letter = name_of(side);
    plots::draw_on_baseline(list, font,
                            {x + std::round((box_width - plots::text_width(font, letter)) / 2), baseline},
                            ui.palette().text, letter);
    return x + box_width;
}

/// Draws a figure with its unit. Returns the right end.
float draw_figure(const Ui& ui, float left, float baseline, const std::string& number,
                  std::string_view unit) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    // At least four characters wide, so that nothing after the figure moves.
    const float room =
        std::max(plots::text_width(fonts.figures, "0.00"), plots::text_width(fonts.figures, number));
    const float number_left = left + room - plots::text_width(fonts.figures, number);
    const float number_right =
        plots::draw_on_baseline(list, fonts.figures, {number_left, baseline}, ui.palette().text, number);
    return plots::draw_on_baseline(list, fonts.small, {number_right + ui.px(4), baseline}, ui.palette().label,
                                   unit);
}

float caption_height(const Ui& ui, int lines) {
    return static_cast<float>(lines) * ui.px(line_height) + ui.px(12);
}

/// A part of a caption's line of text, which has a tooltip.
struct TextBox {
    float left;
    float right;
    float baseline;
};

void offer_tooltip(Ui& ui, const TextBox& box, std::string_view text, std::string_view strong = {}) {
    ui.tooltips.offer(ui.style, {box.left, box.baseline - ui.px(15)}, {box.right, box.baseline + ui.px(5)},
                      text, {}, strong);
}

enum class CheckLook : std::uint8_t { icon, icon_and_words };

/// Draws the check of a side.
void draw_check(Ui& ui, Side side, const TextBox& box, CheckLook look) {
    const CheckResult& check = ui.snapshot.checks.of(side);
    const ImFont* font = ui.fonts().text;
    draw_check_icon(ui, check, {box.left + ui.px(5), box.baseline - std::round(font->Ascent * 0.36F)});
    if (look == CheckLook::icon_and_words) {
        plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font, {box.left + ui.px(16), box.baseline},
                                check_colour(ui.palette(), check), check_words(check));
    }
    offer_tooltip(ui, box, check.wrong > 0 ? check.first_failure : check.last);
}

/// Draws the median and the fraction of copy bandwidth.
void draw_figures(Ui& ui, Side side, const TextBox& box) {
    const std::span<const TimingRow> rows = rows_of(*ui.snapshot.figures, side);
    const auto total = std::ranges::find(rows, total_row_name, &TimingRow::name);
    const bool timed = total != rows.end() && total->us.median > 0;
    const format::Figure time = timed ? format::duration(total->us.median) : format::Figure{"–", "µs"};
    const float time_right = draw_figure(ui, box.left, box.baseline, time.number, time.unit);
    offer_tooltip(ui, {box.left, time_right, box.baseline},
                  "Median time of one compaction in the running frames since the last change, over pairs of "
                  "frames: one with A first and one with B first. The slower median is the faster one "
                  "times the ratio above.");

    const Throughput throughput = throughput_of(*ui.snapshot.figures, side);
    const std::string caution = caution_of_copy(throughput);
    const float left = time_right + ui.px(14);
    const std::string percentage = percentage_of_copy(throughput);
    const ImFont* font = ui.fonts().figures;
    const std::string_view unit = "% of copy bandwidth";
    const bool fits =
        left + plots::text_width(font, "0.00") + ui.px(4) + plots::text_width(ui.fonts().small, unit) <=
        box.right;
    const float right = draw_figure(ui, left, box.baseline, percentage, fits ? unit : "% of copy");
    // A noisy percentage has fewer digits. The icon takes the room of the others, so that nothing moves.
    const float missing_digits_width =
        std::max(0.0F, plots::text_width(font, "0.00") - plots::text_width(font, percentage));
    if (!caution.empty())
        draw_quality_icon(ui,
                          {left + missing_digits_width - ui.px(7),
                           box.baseline - std::round(ui.fonts().text->Ascent * 0.36F)},
                          Quality::caution);
    offer_tooltip(
        ui, {left, right, box.baseline},
        "Effective bandwidth (the stream read once, the kept items written once) in % of the copy bandwidth "
        "in the same run. Both are hot: every frame uses the same memory." +
            (caution.empty() ? "" : "\n\n" + caution));
}

/// The width of a caption: enough for the longer name and for the figures, but at most `max_width`.
float width_of_captions(const Ui& ui, float max_width) {
    float name_width = 0;
    for (const Side side : both_sides) {
        const compaction::Algorithm* const algorithm = algorithm_of(ui.snapshot.runs, side);
        if (algorithm) name_width = std::max(name_width, plots::text_width(ui.fonts().text, algorithm->name));
    }
    // The padding at both ends, the letter with its gap, and the check icon.
    const float width_beside_name = ui.px(2 * caption_padding + 18 + 7 + 14);
    return std::min(std::max(ui.px(caption_width), std::ceil(name_width) + 1 + width_beside_name), max_width);
}

/// Draws name, median, fraction of copy bandwidth and check of a side. A caption of two lines has only the
/// icon of the check; one of three lines has its words too.
void draw_caption(Ui& ui, Side side, ImVec2 low, ImVec2 high, int lines) {
    const CheckLook check_look = lines == 3 ? CheckLook::icon_and_words : CheckLook::icon;
    draw_backdrop(ui, low, high);
    ui.controls.record(std::string("caption ") + name_of(side), low, high);
    const ImFont* font = ui.fonts().text;
    const float right = high.x - ui.px(caption_padding);
    TextBox line{low.x + ui.px(caption_padding), right, low.y + ui.px(7) + std::round(font->Ascent)};
    TextBox name{draw_letter(ui, side, line.left, line.baseline) + ui.px(7), right, line.baseline};
    const compaction::Algorithm* algorithm = algorithm_of(ui.snapshot.runs, side);
    if (!algorithm) return;
    if (check_look == CheckLook::icon) {
        name.right -= ui.px(14);
        draw_check(ui, side, {right - ui.px(10), right, line.baseline}, check_look);
    }
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font, {name.left, name.baseline}, ui.palette().text,
                            plots::elided(font, algorithm->name, name.right - name.left));
    offer_tooltip(ui, name, algorithm->summary, algorithm->name);
    line.baseline += ui.px(line_height);
    draw_figures(ui, side, line);
    line.baseline += ui.px(line_height);
    if (check_look == CheckLook::icon_and_words) draw_check(ui, side, line, check_look);
}

/// Two algorithms on the same stream, left and right of a divider.
class LensPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;

  private:
    float draw_divider(Ui& ui, ImVec2 low, ImVec2 high);
    void update_race(Ui& ui);
    void draw_bars(Ui& ui, const Rect& box);
    void draw_ratio(Ui& ui, float divider_x, float bottom);

    Race race_;       ///< race of A against B
    float grip_ = 0;  ///< distance of the mouse from the divider when the drag began, in pixels
};

/// Draws the line between A and B, which can be dragged. Returns its x.
float LensPanel::draw_divider(Ui& ui, ImVec2 low, ImVec2 high) {
    const float width = ui.px(grip_width);
    const auto line_x = [&] {
        return low.x + static_cast<float>(divider_column(ui.panes.view, ui.settings));
    };
    ImGui::SetCursorScreenPos({line_x() - width / 2, low.y});
    invisible_button("##divider", {width, high.y - low.y});
    ui.controls.record_item("divider");
    const bool held = ImGui::IsItemActive();
    const bool highlighted = held || ImGui::IsItemHovered();
    if (highlighted) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const float mouse_x = ImGui::GetIO().MousePos.x;
    if (ImGui::IsItemActivated()) grip_ = mouse_x - line_x();
    if (held && ImGui::IsMouseDragging(ImGuiMouseButton_Left))
        move_divider(ui, (mouse_x - grip_ - low.x) / (high.x - low.x));
    constexpr float centre = 0.5F;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        move_divider(ui, centre);
    ui.tooltips.offer_item(ui.style,
                           "Left of this line is A's output, right of it B's, both from the same stream. "
                           "Drag the line to compare one part of the picture; a double click centres it.",
                           "← →");

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = line_x();
    const float thickness = highlighted ? ui.px(3) : ui.px(2);
    const float left = std::round(x - thickness / 2);
    list.AddRectFilled({left, low.y}, {left + thickness, high.y},
                       highlighted ? ui.palette().accent : ui.palette().muted);
    return x;
}

/// Starts the race of A against B when it is due, with the medians of the table.
void LensPanel::update_race(Ui& ui) {
    RaceFigures figures;
    for (const Side side : both_sides) {
        RaceLane lane{.algorithm = algorithm_of(ui.snapshot.runs, side),
                      .over_fastest = ui.snapshot.figures->ratio};
        if (const experiments::Summary* total =
                timed_figures_of(rows_of(*ui.snapshot.figures, side), total_row_name))
            lane.median_us = total->median;
        // The race starts again when an algorithm changes.
        figures.serial = 31 * figures.serial + reinterpret_cast<std::uintptr_t>(lane.algorithm);
        figures.lanes.push_back(std::move(lane));
    }
    // A change of the stream or of an option begins a new measurement of the same algorithms.
    if (race_.started && awaited_lane(figures)) race_ = {};
    start_when_due(race_, figures, ui.snapshot.display.now_s);
}

/// Draws two bars that grow from the middle of a box, A's to the left and B's to the right, at the true ratio
/// of their speeds.
void LensPanel::draw_bars(Ui& ui, const Rect& box) {
    update_race(ui);
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = std::round((box.low.x + box.high.x) / 2);
    const float gap = ui.px(2);
    for (const Side side : both_sides) {
        const std::size_t index = index_of(side);
        const float start_x = side == Side::a ? middle - gap : middle + gap;
        const float end_x = side == Side::a ? box.low.x : box.high.x;
        const float share = race_.started ? share_done(race_.runners[index], race_.pace,
                                                       race_.elapsed_s(ui.snapshot.display.now_s))
                                          : 0.0F;
        const float front_x = std::round(start_x + share * (end_x - start_x));
        list.AddRectFilled({std::min(start_x, end_x), box.low.y}, {std::max(start_x, end_x), box.high.y},
                           palette.raised_more);
        list.AddRectFilled({std::min(start_x, front_x), box.low.y}, {std::max(start_x, front_x), box.high.y},
                           palette.series[index]);
    }
    list.AddRectFilled({middle - gap, box.low.y - gap}, {middle + gap, box.high.y + gap}, palette.text);
    ui.controls.record("lens race", box.low, box.high);
}

/// Draws the ratio with its interval, and the race, in a box over the divider.
void LensPanel::draw_ratio(Ui& ui, float divider_x, float bottom) {
    if (!ui.snapshot.runs.b) return;
    const experiments::PairedRatio& ratio = ui.snapshot.figures->ratio;
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const Rectangle& view = ui.panes.view;
    const float room = static_cast<float>(view.width) - 2 * ui.px(margin + caption_padding);
    const bool timed = has_times(ui.settings.run.engine);
    std::string verdict = timed ? experiments::verdict_of(ratio) : "not timed: the GPU is simulated";
    // Without room for the reason, shows the word alone; the tooltip has the reason.
    if (plots::text_width(fonts.heading, verdict) > room)
        verdict.resize(std::min(verdict.find(':'), verdict.size()));
    const std::string interval = experiments::interval_of(ratio);
    // Interactive: measured in the running frames, not by a benchmark.
    const std::string_view method = timed ? "interactive" : "";
    const float gap = interval.empty() ? 0 : ui.px(8);
    const float second_line_width =
        plots::text_width(fonts.figures, interval) + gap + plots::text_width(fonts.small, method);
    const float text_width = std::max(plots::text_width(fonts.heading, verdict), second_line_width);
    const float width =
        std::round(std::max(text_width, std::min(ui.px(ratio_width), room))) + 2 * ui.px(caption_padding);
    const float height = ui.px(ratio_height);
    const float min_left = static_cast<float>(view.x) + ui.px(margin);
    const float max_left =
        std::max(min_left, static_cast<float>(view.x + view.width) - ui.px(margin) - width);
    const ImVec2 low{std::round(std::clamp(divider_x - width / 2, min_left, max_left)), bottom - height};
    const ImVec2 high{low.x + width, bottom};
    draw_backdrop(ui, low, high);
    ui.controls.record("ratio", low, high);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = (low.x + high.x) / 2;
    float baseline = low.y + ui.px(6) + std::round(fonts.heading->Ascent);
    plots::draw_on_baseline(list, fonts.heading,
                            {std::round(middle - plots::text_width(fonts.heading, verdict) / 2), baseline},
                            ratio.known() ? palette.text : palette.label, verdict);
    baseline += ui.px(line_height);
    float x = std::round(middle - second_line_width / 2);
    x = plots::draw_on_baseline(list, fonts.figures, {x, baseline}, palette.text, interval) + gap;
    plots::draw_on_baseline(list, fonts.small, {x, baseline}, palette.muted, method);
    draw_bars(ui, {{low.x + ui.px(caption_padding), high.y - ui.px(bar_height + 6)},
                   {high.x - ui.px(caption_padding), high.y - ui.px(6)}});
    const std::string pace = race_.started ? "The bars race at the true ratio of the medians: 1 s here is " +
                                                 format::duration_text(race_.pace.machine_us(1)) +
                                                 " on the machine.\n\n"
                                           : std::string();
    ui.tooltips.offer(ui.style, low, high,
                      pace + "The median of " + format::grouped(ratio.pairs) +
                          " ratios of A's time to B's, with the 95 % confidence interval. Each ratio "
                          "comes from two frames on the same streams, one with A first and one with B "
                          "first; an interval that contains 1 shows no significant difference.");
}

void LensPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    move_divider_by_keys(ui);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane(
        "view", pane,
        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const auto [low, high] = rect_of(pane);
    const ImVec2 size{high.x - low.x, high.y - low.y};
    invisible_button("##particles", size);
    ImGui::SetItemAllowOverlap();
    ui.controls.record_item("view");
    move_camera(ui, size);
    point_at_particles(ui);
    draw_follow_markers(ui, low, high);

    const float divider_x = draw_divider(ui, low, high);
    const float edge = ui.px(margin);
    const float width = width_of_captions(ui, std::floor((size.x - 3 * edge) / 2));
    // A view too small for everything keeps the buttons and the ratio.
    const float room_for_captions = size.y - 4 * edge - ImGui::GetFrameHeight() - ui.px(ratio_height);
    const int lines = room_for_captions > caption_height(ui, 3)   ? 3
                      : room_for_captions > caption_height(ui, 2) ? 2
                                                                  : 0;
    const bool has_captions = lines > 0 && width > ui.px(100);
    const float captions_top = high.y - edge - caption_height(ui, lines);
    if (has_captions) {
        draw_caption(ui, Side::a, {low.x + edge, captions_top}, {low.x + edge + width, high.y - edge}, lines);
        draw_caption(ui, Side::b, {high.x - edge - width, captions_top}, {high.x - edge, high.y - edge},
                     lines);
    }
    const float ratio_bottom = has_captions ? captions_top - ui.px(8) : high.y - edge;
    draw_ratio(ui, divider_x, ratio_bottom);
    ToolbarFlow flow(ui, {low.x + edge, low.y + edge}, high.x - edge, ratio_bottom - ui.px(ratio_height));
    draw_lens_modes(ui, flow);
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace

ViewType lens_view() {
    return {.name = "A/B lens",
            .meaning =
                "Two algorithms, or two configurations of one, compact the same stream in every frame: A's "
                "result is left of the divider, B's right of it. The box at the divider shows which is "
                "faster, with its confidence interval.",
            .over_scene = true,
            .says_why_empty = true,
            .make = make_panel<LensPanel>};
}

}  // namespace warpsieve::panels
