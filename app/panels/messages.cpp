#include <algorithm>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/chrome.hpp"

namespace warpsieve::panels {
namespace {

constexpr std::size_t max_messages = 3;
// Pixels at 100 %.
constexpr float edge_width = 24;
constexpr float message_padding = 10;  ///< left and right of the text
constexpr float text_inset = 5;        ///< above and below the text
constexpr float cross_width = 24;
constexpr float gap = 2;

struct Banner {
    Severity severity;
    std::string text;
    std::optional<std::size_t> message_index;  ///< the message that the cross dismisses; empty: no cross
};

std::string text_of(const Message& message) {
    const std::string text = format::with_powers(message.text);
    return message.num_reports == 1 ? text : text + " (" + format::grouped(message.num_reports) + " times)";
}

ImU32 colour_of(const plots::Palette& palette, Severity severity) {
    switch (severity) {
        case Severity::info:
            return palette.accent;
        case Severity::warning:
            return palette.warning;
        case Severity::error:
            return palette.error;
    }
    return palette.accent;
}

/// Draws a coloured edge with a sign, so that colour is not the only cue.
void draw_edge(const Ui& ui, ImVec2 low, ImVec2 high, Severity severity) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    list.AddRectFilled(low, high, colour_of(palette, severity));
    const char* sign = severity == Severity::warning ? "!" : "×";
    const ImFont* font = ui.fonts().heading;
    const ImU32 ink = severity == Severity::warning ? palette.on_warning : palette.on_error;
    plots::draw_text(list, font,
                     {(low.x + high.x - plots::text_width(font, sign)) / 2, low.y + ui.px(text_inset)}, ink,
                     sign);
}

/// Draws the cross that dismisses the message with that index.
void draw_cross(Ui& ui, ImVec2 low, std::size_t message_index) {
    const float size = ui.px(20);
    ImGui::SetCursorScreenPos(low);
    ImGui::PushID(static_cast<int>(message_index));
    if (invisible_button("##dismiss", {size, size})) ui.requests.dismiss_message = message_index;
    ImGui::PopID();
    const plots::Palette& palette = ui.palette();
    const ImU32 colour = ImGui::IsItemHovered() ? palette.text : palette.muted;
    const ImVec2 centre{low.x + size / 2, low.y + size / 2};
    const float r = ui.px(4);
    const float thickness = std::max(1.0F, 1.5F * ui.style.scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, colour, thickness);
    list.AddLine({centre.x - r, centre.y + r}, {centre.x + r, centre.y - r}, colour, thickness);
    const std::string label = "dismiss message " + std::to_string(message_index + 1);
    ui.controls.record_item(label);
    if (ui.focus->presses_item(ui, label)) ui.requests.dismiss_message = message_index;
    ui.tooltips.offer_item(ui.style, "Dismisses this message.");
}

/// The messages that stay until they are dismissed, oldest first, then the failed comparisons.
std::vector<Banner> banners_of(const Messages& messages, const CheckResults& checks,
                               CaptureMessages of_captures) {
    std::vector<Banner> banners;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Message& message = messages[i];
        if (message.severity == Severity::info) continue;
        if (of_captures == CaptureMessages::left_out && message.topic == Topic::captures) continue;
        banners.push_back({message.severity, text_of(message), i});
    }
    // Shows the newest messages; older ones reappear as these are dismissed.
    if (banners.size() > max_messages)
        banners.erase(banners.begin(), banners.end() - static_cast<std::ptrdiff_t>(max_messages));
    for (const Side side : both_sides) {
        const CheckResult& check = checks.of(side);
        if (check.wrong == 0) continue;
        banners.push_back({Severity::error,
                           "Wrong result: " + check.first_failure + " (" + format::grouped(check.wrong) +
                               " of " + format::grouped(check.checked) + " comparisons failed)",
                           std::nullopt});
    }
    return banners;
}

float text_width_of(const Ui& ui, const Banner& banner) {
    return static_cast<float>(ui.panes.messages.width) - ui.px(edge_width) - 2 * ui.px(message_padding) -
           (banner.message_index ? ui.px(cross_width) : 0);
}

float height_of(const Ui& ui, const Banner& banner) {
    const ImFont* font = ui.fonts().text;
    return plots::paragraph_height(font, banner.text, std::max(text_width_of(ui, banner), 1.0F)) +
           2 * ui.px(text_inset);
}

void draw_banner(Ui& ui, const Banner& banner, ImVec2 low, float height) {
    const auto width = static_cast<float>(ui.panes.messages.width);
    const float edge = ui.px(edge_width);
    const ImFont* font = ui.fonts().text;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + width, low.y + height}, ui.palette().raised);
    draw_edge(ui, low, {low.x + edge, low.y + height}, banner.severity);
    plots::draw_paragraph(list, font, {low.x + edge + ui.px(message_padding), low.y + ui.px(text_inset)},
                          text_width_of(ui, banner), ui.palette().text, banner.text);
    if (banner.message_index)
        draw_cross(ui, {low.x + width - ui.px(cross_width), low.y + ui.px(3)}, *banner.message_index);
}

}  // namespace

float draw_messages(Ui& ui, const Messages& messages, const CheckResults& checks,
                    CaptureMessages of_captures) {
    const std::vector<Banner> banners = banners_of(messages, checks, of_captures);
    if (banners.empty()) return 0;
    float wanted_height = 0;
    for (const Banner& banner : banners) wanted_height += std::round(height_of(ui, banner)) + ui.px(gap);
    const Rectangle& pane = ui.panes.messages;
    if (pane.width <= 0 || pane.height <= 0) return wanted_height;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane("messages", pane);
    float y = static_cast<float>(pane.y) + ui.px(gap) - ImGui::GetScrollY();
    for (const Banner& banner : banners) {
        const float height = std::round(height_of(ui, banner));
        draw_banner(ui, banner, {static_cast<float>(pane.x), y}, height);
        y += height + ui.px(gap);
    }
    // In a low window, the messages scroll: ImGui needs the height of the content.
    ImGui::SetCursorScreenPos({static_cast<float>(pane.x), y - 1});
    ImGui::Dummy({1, 1});
    ImGui::End();
    ImGui::PopStyleVar();
    return wanted_height;
}

}  // namespace warpsieve::panels
