#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/chrome.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float padding = 12;
constexpr float gap = 16;
/// With less room for the headline in the tab strip, the outcome is shortened.
constexpr float comfortable_headline_width = 150;

/// The widest text of each column, in pixels.
std::array<float, 4> column_widths(const Ui& ui, const ChangeCard& card) {
    const plots::Fonts& fonts = ui.fonts();
    std::array<float, 4> widths{0, plots::text_width(fonts.small, "before"),
                                plots::text_width(fonts.small, "now"), 0};
    for (const ChangeCard::Line& line : card.lines) {
        const std::array texts{&line.name, &line.before, &line.after, &line.verdict};
        for (std::size_t i = 0; i < texts.size(); ++i)
            widths[i] =
                std::max(widths[i], plots::text_width(i == 0 ? fonts.text : fonts.figures, *texts[i]));
    }
    return widths;
}

void draw_lines(Ui& ui, const ChangeCard& card, ImVec2 at, const std::array<float, 4>& widths,
                float line_height) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    std::array<float, 4> lefts{at.x};
    for (std::size_t i = 1; i < lefts.size(); ++i) lefts[i] = lefts[i - 1] + widths[i - 1] + ui.px(gap);
    const auto right_aligned = [&](const ImFont* font, std::size_t column, float baseline, ImU32 colour,
                                   std::string_view text) {
        const float x = lefts[column] + widths[column] - plots::text_width(font, text);
        plots::draw_on_baseline(list, font, {x, baseline}, colour, text);
    };
    float baseline = at.y + std::round(fonts.text->Ascent);
    right_aligned(fonts.small, 1, baseline, palette.muted, "before");
    right_aligned(fonts.small, 2, baseline, palette.muted, "now");
    for (const ChangeCard::Line& line : card.lines) {
        baseline += line_height;
        plots::draw_on_baseline(list, fonts.text, {lefts[0], baseline}, palette.label, line.name);
        right_aligned(fonts.figures, 1, baseline, palette.label, line.before);
        right_aligned(fonts.figures, 2, baseline, palette.text, line.after);
        plots::draw_on_baseline(list, fonts.figures, {lefts[3], baseline}, palette.text, line.verdict);
    }
}

/// "algorithm: Spataro → Single pass; slots: 2^20 → 125,000".
std::string joined(const std::vector<std::string>& changes) {
    std::string text;
    for (const std::string& change : changes) text += (text.empty() ? "" : "; ") + change;
    return text;
}

/// All changes if they fit, else the first change and the number of the others.
std::string headline(const plots::Fonts& fonts, const ChangeCard& card, float room) {
    std::string all = joined(card.changes.empty() ? card.automatic_changes : card.changes);
    if (card.changes.size() < 2 || plots::text_width(fonts.text, all) <= room) return all;
    return card.changes.front() + " and " + std::to_string(card.changes.size() - 1) + " more";
}

/// What changed, in one or two words: "vector width", or "3 settings".
std::string short_headline(const ChangeCard& card) {
    const std::vector<std::string>& changes = card.changes.empty() ? card.automatic_changes : card.changes;
    if (changes.empty()) return {};
    if (changes.size() > 1) return std::to_string(changes.size()) + " settings";
    return changes.front().substr(0, changes.front().find(':'));
}

/// The card as a line in the tab strip, shortened to fit.
struct ClosedCard {
    std::string headline;
    std::string outcome;  ///< change of the total: "10.2 µs → 4.38 µs, 2.33 × shorter"
    float headline_width = 0;
    float width = 0;  ///< 0: there is no room
};

ClosedCard closed_card(const Ui& ui, const ChangeCard& card, float room) {
    const plots::Fonts& fonts = ui.fonts();
    if (card.lines.empty()) return {};
    const ChangeCard::Line& total = card.lines.front();
    const float paddings = 2 * ui.px(padding);
    ClosedCard closed;
    closed.outcome = total.before + " → " + total.after + (total.verdict.empty() ? "" : ", " + total.verdict);
    const auto outcome_width = [&] { return plots::text_width(fonts.figures, closed.outcome); };
    // The changes matter more than the times, which the open card shows.
    const auto remaining = [&] { return room - outcome_width() - paddings - ui.px(gap); };
    if (remaining() < ui.px(comfortable_headline_width))
        closed.outcome = total.verdict.empty() ? total.after : total.verdict;
    if (remaining() < ui.px(comfortable_headline_width) && closed.outcome == no_difference)
        closed.outcome = "no difference";
    const std::string shortest = short_headline(card);
    const float min_headline_width = plots::text_width(fonts.text, shortest);
    if (remaining() < min_headline_width) closed.outcome.clear();
    if (remaining() < min_headline_width) return {};
    closed.width = outcome_width() + paddings;
    // A cut value says less than the name of its setting.
    const std::string longest = headline(fonts, card, remaining());
    closed.headline = plots::fitting(fonts.text, {longest, shortest}, remaining());
    closed.headline_width = plots::text_width(fonts.text, closed.headline) + ui.px(gap);
    closed.width += closed.headline_width;
    return closed;
}

/// The height of a line of the open card, in pixels.
float open_line_height(const Ui& ui) {
    return std::round(ui.fonts().text->FontSize * 1.25F);
}

void draw_closed(Ui& ui, const ClosedCard& closed, const Rect& at) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float baseline = at.low.y + std::round((at.height() + fonts.text->Ascent) / 2) - ui.px(2);
    const float x = at.low.x + ui.px(padding);
    plots::draw_on_baseline(list, fonts.text, {x, baseline}, ui.palette().label, closed.headline);
    plots::draw_on_baseline(list, fonts.figures, {x + closed.headline_width, baseline}, ui.palette().text,
                            closed.outcome);
}

constexpr const char* explanation = "medians of the running frames; click to dismiss";

ImVec2 open_size(const Ui& ui, const ChangeCard& card, const std::array<float, 4>& widths) {
    const plots::Fonts& fonts = ui.fonts();
    float width = 3 * ui.px(gap);
    for (const float each : widths) width += each;
    for (const std::string& change : card.changes)
        width = std::max(width, plots::text_width(fonts.heading, change));
    for (const std::string& each : card.automatic_changes)
        width = std::max(width, plots::text_width(fonts.text, each));
    width = std::max(width, plots::text_width(fonts.small, explanation));
    // The header of the table and the explanation take a line each.
    const auto num_lines =
        static_cast<float>(card.changes.size() + card.automatic_changes.size() + card.lines.size() + 2);
    return {width + 2 * ui.px(padding), num_lines * open_line_height(ui) + 2 * ui.px(padding)};
}

void draw_open(Ui& ui, const ChangeCard& card, ImVec2 low, const std::array<float, 4>& widths) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float line_height = open_line_height(ui);
    ImVec2 at{low.x + ui.px(padding), low.y + ui.px(padding)};
    for (const std::string& change : card.changes) {
        plots::draw_on_baseline(list, fonts.heading, {at.x, at.y + std::round(fonts.heading->Ascent)},
                                ui.palette().text, change);
        at.y += line_height;
    }
    for (const std::string& each : card.automatic_changes) {
        plots::draw_on_baseline(list, fonts.text, {at.x, at.y + std::round(fonts.text->Ascent)},
                                ui.palette().label, each);
        at.y += line_height;
    }
    draw_lines(ui, card, at, widths, line_height);
    at.y += static_cast<float>(card.lines.size() + 1) * line_height;
    plots::draw_on_baseline(list, fonts.small, {at.x, at.y + std::round(fonts.text->Ascent)},
                            ui.palette().muted, explanation);
}

/// Opens a window in front of the panes that is one large button. Returns whether it is pressed. Close with
/// end_card().
bool begin_card(Ui& ui, const char* name, const Rect& at) {
    ImGui::SetNextWindowPos(at.low);
    ImGui::SetNextWindowSize({at.width(), at.height()});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.palette().panel);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, ui.px(1)));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing);
    return invisible_button("##put away", {at.width(), at.height()});
}

void end_card() {
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

}  // namespace

float min_width_of_change_card(const Ui& ui, const ChangeCard* change) {
    if (!change || change->lines.empty()) return 0;
    const ChangeCard::Line& total = change->lines.front();
    const std::string& outcome = total.verdict.empty() ? total.after : total.verdict;
    return plots::text_width(ui.fonts().text, short_headline(*change)) +
           plots::text_width(ui.fonts().figures, outcome) + 2 * ui.px(padding) + 2 * ui.px(gap);
}

void draw_change_card(Ui& ui, const ChangeCard* change, float tabs_end, bool& open) {
    if (!change) {
        open = false;
        return;
    }
    const ChangeCard& card = *change;
    const Rectangle& strip = ui.panes.tabs;
    const Rectangle& pane = ui.panes.view;
    const auto right = static_cast<float>(strip.x + strip.width);
    const ClosedCard closed = closed_card(ui, card, right - tabs_end - ui.px(gap));
    if (closed.width <= 0) return;
    const Rect line{{right - closed.width, static_cast<float>(strip.y)},
                    {right, static_cast<float>(strip.y + strip.height)}};
    const std::array<float, 4> widths = column_widths(ui, card);
    const ImVec2 size = open_size(ui, card, widths);
    const Rect table{{right - size.x, line.high.y}, {right, line.high.y + size.y}};
    const auto under_mouse = [](const Rect& box) {
        return ImGui::IsMouseHoveringRect(box.low, box.high, /*clip=*/false);
    };
    const bool fits = size.x <= static_cast<float>(pane.width) && size.y <= static_cast<float>(pane.height);
    open = fits && (under_mouse(line) || (open && under_mouse(table)));

    if (begin_card(ui, "change", line)) ui.requests.dismiss_change = true;
    ui.controls.record_item("change card");
    if (!fits) {
        ui.tooltips.offer_item(ui.style,
                               "Shows the effect of the last change: medians of the running frames before "
                               "and after it. The window has no room for the figures; click to dismiss.");
    }
    draw_closed(ui, closed, line);
    end_card();
    if (!open) return;
    if (begin_card(ui, "change, its figures", table)) ui.requests.dismiss_change = true;
    ui.controls.record_item("change card, figures");
    draw_open(ui, card, table.low, widths);
    end_card();
}

}  // namespace warpsieve::panels
