#include <algorithm>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/chrome.hpp"

namespace warpsieve::panels {
namespace {

constexpr std::size_t most_messages = 3;

struct Banner {
    std::string name;  ///< of its ImGui window
    Severity severity;
    std::string text;
    std::optional<std::size_t> message;  ///< dismissed by the cross; none: it stays
};

std::string text_of(const Message& message) {
    return message.times == 1 ? message.text
                              : message.text + " (" + format::grouped(message.times) + " times)";
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

/// A coloured edge with a sign, so that colour is not the only cue.
void draw_edge(const PanelFrame& frame, ImVec2 low, ImVec2 high, Severity severity) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = frame.palette();
    list.AddRectFilled(low, high, colour_of(palette, severity));
    const char* sign = severity == Severity::info ? "i" : severity == Severity::warning ? "!" : "×";
    const ImFont* font = frame.fonts().heading;
    const ImU32 ink = severity == Severity::warning ? palette.on_warning : palette.on_error;
    plots::draw_text(list, font, {(low.x + high.x - plots::text_width(font, sign)) / 2, low.y + frame.px(7)},
                     ink, sign);
}

void draw_cross(PanelFrame& frame, ImVec2 low, std::size_t message) {
    const float size = frame.px(20);
    ImGui::SetCursorScreenPos(low);
    if (invisible_button("##dismiss", {size, size})) frame.requests.dismiss_message = message;
    const plots::Palette& palette = frame.palette();
    const ImU32 colour = ImGui::IsItemHovered() ? palette.text : palette.muted;
    const ImVec2 centre{low.x + size / 2, low.y + size / 2};
    const float r = frame.px(4);
    const float thickness = std::max(1.0F, 1.5F * frame.style.scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, colour, thickness);
    list.AddLine({centre.x - r, centre.y + r}, {centre.x + r, centre.y - r}, colour, thickness);
    frame.controls.record_item("dismiss message " + std::to_string(message + 1));
    frame.tooltips.offer_item(frame.style, "Dismisses this message.");
}

/// Draws one banner with its lower edge at `bottom`; returns the lower edge of the next one.
float draw_banner(PanelFrame& frame, const Banner& banner, float bottom) {
    const Rectangle& zone = frame.zones.view;
    const float margin = frame.px(12);
    const float edge = frame.px(24);
    const float air = frame.px(10);
    const float width = std::min(frame.px(620), static_cast<float>(zone.width) - 2 * margin);
    const float cross = banner.message ? frame.px(24) : 0;
    const float text_width = width - edge - 2 * air - cross;
    if (text_width < frame.px(60)) return bottom;
    const ImFont* font = frame.fonts().text;
    const char* text_end = banner.text.data() + banner.text.size();
    const float text_height =
        font->CalcTextSizeA(font->FontSize, FLT_MAX, text_width, banner.text.data(), text_end).y;
    const float height = text_height + frame.px(14);
    const float top = std::round(bottom - height);
    if (top < static_cast<float>(zone.y)) return bottom;

    ImGui::SetNextWindowPos(
        {static_cast<float>(zone.x) + std::round((static_cast<float>(zone.width) - width) / 2), top});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.palette().raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin(banner.name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    const ImVec2 low = ImGui::GetWindowPos();
    draw_edge(frame, low, {low.x + edge, low.y + height}, banner.severity);
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {low.x + edge + air, low.y + frame.px(7)},
                                        frame.palette().text, banner.text.data(), text_end, text_width);
    if (banner.message) draw_cross(frame, {low.x + width - cross, low.y + frame.px(5)}, *banner.message);
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    return top - frame.px(6);
}

}  // namespace

/// At the bottom of the view, where no view has a toolbar; newer messages lie lower, alarms lowest.
void draw_messages(PanelFrame& frame, const Messages& messages, const ChecksView& checks, bool for_picture,
                   float bottom) {
    for (const Side side : both_sides) {
        const CheckView& check = checks.of(side);
        if (check.wrong == 0) continue;
        bottom = draw_banner(
            frame,
            {.name = std::string("##check failure of ") + name_of(side),
             .severity = Severity::error,
             .text = "Wrong result: " + check.first_failure + " (" + format::grouped(check.wrong) + " of " +
                     format::grouped(check.checked) + " comparisons failed)",
             .message = {}},
            bottom);
    }
    // Shows the newest; older ones reappear as these are dismissed.
    const std::size_t hidden = messages.size() > most_messages ? messages.size() - most_messages : 0;
    for (std::size_t i = messages.size(); i-- > hidden;) {
        const Message& message = messages[i];
        // A picture shows no messages about other pictures.
        const bool of_the_moment = message.severity == Severity::info || message.topic == Topic::captures;
        if (for_picture && of_the_moment) continue;
        bottom = draw_banner(frame,
                             {.name = "##message" + std::to_string(i),
                              .severity = message.severity,
                              .text = text_of(message),
                              .message = i},
                             bottom);
    }
}

}  // namespace warpsieve::panels
