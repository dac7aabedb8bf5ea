#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/check_icon.hpp"
#include "app/panels/chrome.hpp"

namespace warpsieve::panels {
namespace {

/// The width of the icon of a check with its gap, in pixels at 100 %.
constexpr float check_icon_width = 15;

/// One entry of the line. A narrow window shortens the entries that allow it.
struct Entry {
    std::string_view name;  ///< muted, before the text
    std::string text;
    std::string tooltip;
    const ImFont* font = nullptr;
    ImU32 colour = 0;
    bool may_be_shortened = false;
    int drop_order = 0;                               ///< 1 is dropped first; 0 is never dropped
    float min_text_width = 0;                         ///< so that changing digits move nothing
    std::optional<CheckResult> check = std::nullopt;  ///< its icon is drawn before the name
};

std::string_view name_of(scene::Transfer transfer) {
    switch (transfer) {
        case scene::Transfer::interop:
            return "interop";
        case scene::Transfer::pinned_copy:
            return "pinned copy";
        case scene::Transfer::host:
            return "host memory";
    }
    return {};
}

std::string transfer_tooltip(const MachineInfo& machine) {
    const std::string reason = machine.transfer_reason.empty() ? "" : "\n\n" + machine.transfer_reason;
    switch (machine.transfer) {
        case scene::Transfer::interop:
            return "The engine writes into OpenGL's buffers. The kept items are drawn without a copy, and "
                   "their count stays on the device." +
                   reason;
        case scene::Transfer::pinned_copy:
            return "The kept items are copied to OpenGL through pinned host memory. They are drawn some "
                   "frames later." +
                   reason;
        case scene::Transfer::host:
            return "The CPU engine works in host memory. OpenGL uploads the kept items from there." + reason;
    }
    return {};
}

Entry check_entry(const Ui& ui, std::string_view name, const CheckResult& check) {
    return {.name = name,
            .text = check_words(check),
            .tooltip = check.wrong > 0 ? check.first_failure : check.last,
            .font = ui.fonts().text,
            .colour = check_colour(ui.palette(), check),
            .check = check};
}

/// The check of A and B together if both are correct or both wrong, else of the wrong one. Without B, the
/// check of A; but a failure of B is shown even if B no longer runs.
Entry check_entry(const Ui& ui) {
    const CheckResult& a = ui.snapshot.checks.a;
    const CheckResult& b = ui.snapshot.checks.b;
    if (b.wrong == 0 && !ui.snapshot.runs.b.has_value()) return check_entry(ui, "check", a);
    if (b.wrong == 0 && a.wrong > 0) return check_entry(ui, "check A", a);
    if (a.wrong == 0 && b.wrong > 0) return check_entry(ui, "check B", b);
    CheckResult both = a;
    both.checked += b.checked;
    both.wrong += b.wrong;
    both.last = "A: " + a.last + "\nB: " + b.last;
    both.first_failure = a.first_failure + "\n" + b.first_failure;
    return check_entry(ui, "check A, B", both);
}

/// The entry that says, on every tab, that a lab measures: the lab may hold the scene.
Entry lab_entry(const Ui& ui) {
    const bool held = ui.settings.labs.hold_scene;
    return {.name = "lab",
            .text = held ? "scene held" : "scene runs",
            .tooltip = held ? "A lab is measuring, so the scene is held and few frames are drawn. The scene "
                              "continues when the lab is done; key 5 shows the lab."
                            : "A lab is measuring while the scene runs, so the figures of both are "
                              "interactive. Key 5 shows the lab.",
            .font = ui.fonts().text,
            .colour = ui.palette().warning_text};
}

std::vector<Entry> entries_of(const Ui& ui) {
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const auto engine = std::ranges::find(ui.snapshot.catalogue.engines, ui.snapshot.machine.engine,
                                          &compaction::EngineStatus::id);
    const std::string_view engine_name =
        engine == ui.snapshot.catalogue.engines.end() ? std::string_view() : engine->name;
    const double frame_us = ui.snapshot.timings.frame.frame_us;
    const format::Figure time = format::duration(frame_us);
    const std::string rate = frame_us > 0 ? format::significant(1e6 / frame_us) : "–";
    const float digit = plots::text_width(fonts.figures, "0");

    std::vector<Entry> entries;
    entries.push_back(
        {.name = engine_name,
         .text = ui.snapshot.machine.device.name,
         .tooltip =
             ui.snapshot.machine.device.name +
             (ui.snapshot.machine.device.driver.empty() ? "" : "\n" + ui.snapshot.machine.device.driver),
         .font = fonts.text,
         .colour = palette.text,
         .may_be_shortened = true});
    entries.push_back(
        {.name = "OpenGL",
         .text = ui.snapshot.machine.gl.renderer,
         .tooltip = ui.snapshot.machine.gl.renderer + "\n" + ui.snapshot.machine.gl.version +
                    (ui.snapshot.machine.gl.software
                         ? "\nSoftware rendering: particles are splatted on the CPU and plots are simplified."
                         : ""),
         .font = fonts.text,
         .colour = palette.text,
         .may_be_shortened = true,
         .drop_order = 1});
    entries.push_back({.name = "",
                       .text = std::string(name_of(ui.snapshot.machine.transfer)),
                       .tooltip = transfer_tooltip(ui.snapshot.machine),
                       .font = fonts.text,
                       .colour = palette.text,
                       .drop_order = 2});
    entries.push_back({.name = "frame",
                       .text = (frame_us > 0 ? time.number + " " + time.unit : "–") + "  " + rate + " fps",
                       .tooltip = "Mean time from the start of one frame to the start of the next, over 60 "
                                  "frames; with vsync it includes waiting for the display. Building the "
                                  "panels takes " +
                                  format::duration(ui.snapshot.timings.interface_us).number + " " +
                                  format::duration(ui.snapshot.timings.interface_us).unit + " of it.",
                       .font = fonts.figures,
                       .colour = palette.text,
                       .drop_order = 3,
                       .min_text_width = 18 * digit});
    entries.push_back(check_entry(ui));
    if (ui.snapshot.display.film_s_left > 0) {
        entries.push_back(
            {.name = "filming",
             .text = std::to_string(std::lround(std::ceil(ui.snapshot.display.film_s_left))) + " s",
             .tooltip = "The seconds until the loop is complete. Keep the size of the view.",
             .font = fonts.figures,
             .colour = palette.text});
    }
    if (ui.snapshot.labs.running) entries.push_back(lab_entry(ui));
    return entries;
}

/// The width of an entry with its whole text, in pixels.
float natural_width(const Ui& ui, const Entry& entry) {
    const float name = entry.name.empty() ? 0 : plots::text_width(ui.fonts().small, entry.name) + ui.px(6);
    return (entry.check ? ui.px(check_icon_width) : 0) + name +
           std::max(entry.min_text_width, plots::text_width(entry.font, entry.text));
}

/// The width of all entries with their whole texts, and a gap after each.
float natural_width(const Ui& ui, std::span<const Entry> entries, float gap) {
    float sum = 0;
    for (const Entry& entry : entries) sum += natural_width(ui, entry) + gap;
    return sum;
}

/// Shortens entries, then drops the least important ones, until they fit into `room`.
void fit_entries(const Ui& ui, std::vector<Entry>& entries, float room, float gap) {
    const float min_shortened_width = ui.px(96);
    for (Entry& entry : entries) {
        const float excess = natural_width(ui, entries, gap) - room;
        if (excess <= 0) return;
        if (!entry.may_be_shortened) continue;
        const float width = plots::text_width(entry.font, entry.text);
        entry.text = plots::elided(entry.font, entry.text,
                                   std::max(width - excess, std::min(width, min_shortened_width)));
    }
    for (const int order : {1, 2, 3}) {
        if (natural_width(ui, entries, gap) <= room) return;
        std::erase_if(entries, [order](const Entry& entry) { return entry.drop_order == order; });
    }
}

/// The newest message that disappears by itself; null if there is none.
const Message* notice_of(const Ui& ui) {
    if (ui.snapshot.display.for_picture) return nullptr;
    const auto newest =
        std::find_if(ui.snapshot.messages.rbegin(), ui.snapshot.messages.rend(),
                     [](const Message& message) { return message.severity == Severity::info; });
    return newest == ui.snapshot.messages.rend() ? nullptr : &*newest;
}

/// Draws a notice at the right end of the line. Returns the left end of the notice.
float draw_notice(Ui& ui, const Message& message, ImVec2 low, ImVec2 high, float baseline) {
    const ImFont* font = ui.fonts().text;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    constexpr float max_share_of_line = 0.62F;
    const std::string whole = format::with_powers(message.text);
    const std::string text = plots::elided(font, whole, max_share_of_line * (high.x - low.x) - ui.px(20));
    const float left = high.x - plots::text_width(font, text) - ui.px(20);
    list.AddRectFilled({left, low.y + ui.px(7)}, {left + ui.px(3), high.y - ui.px(6)}, ui.palette().accent);
    plots::draw_on_baseline(list, font, {left + ui.px(10), baseline}, ui.palette().text, text);
    ui.controls.record("notice", {left, low.y}, high);
    ui.tooltips.offer(ui.style, {left, low.y}, high, whole);
    return left;
}

}  // namespace

void draw_status_line(Ui& ui) {
    const Rectangle& pane = ui.panes.status;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane("status", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    const auto [low, high] = rect_of(pane);
    list.AddRectFilled(low, {high.x, low.y + 1}, palette.outline);
    const float baseline = std::round((low.y + high.y - fonts.text->FontSize) / 2 + fonts.text->Ascent);
    const float margin = ui.px(12);
    const float gap = ui.px(26);

    std::vector<Entry> entries = entries_of(ui);
    const float room = high.x - low.x - 2 * margin;
    // A narrow window drops the version and the second hint first.
    const std::string hint_and_version = "F1 help   Ctrl+P find   " + ui.snapshot.machine.version;
    const bool shows_version = room - plots::text_width(fonts.small, hint_and_version) > ui.px(620);
    const Message* const notice = notice_of(ui);
    const std::string_view end_text = notice          ? std::string_view("")
                                      : shows_version ? std::string_view(hint_and_version)
                                                      : std::string_view("F1 help");
    const float end_left = notice ? draw_notice(ui, *notice, low, high, baseline)
                                  : high.x - margin - plots::text_width(fonts.small, end_text);
    fit_entries(ui, entries, end_left - low.x - margin, gap);
    // The entries take precedence over the text at the end.
    if (low.x + margin + natural_width(ui, entries, gap) <= end_left + gap)
        plots::draw_on_baseline(list, fonts.small, {end_left, baseline}, palette.muted, end_text);
    float x = low.x + margin;
    for (const Entry& entry : entries) {
        const float left = x;
        const float right = x + natural_width(ui, entry);
        if (entry.check) {
            draw_check_icon(ui, *entry.check, {x + ui.px(5), (low.y + high.y) / 2});
            x += ui.px(check_icon_width);
        }
        if (!entry.name.empty()) {
            x = plots::draw_on_baseline(list, fonts.small, {x, baseline}, palette.muted, entry.name) +
                ui.px(6);
        }
        plots::draw_on_baseline(list, entry.font, {x, baseline}, entry.colour, entry.text);
        ui.tooltips.offer(ui.style, {left, low.y}, {right, high.y}, entry.tooltip);
        x = right + gap;
        if (&entry != &entries.back()) {
            list.AddRectFilled({x - gap / 2, low.y + ui.px(8)}, {x - gap / 2 + 1, high.y - ui.px(8)},
                               palette.outline);
        }
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace warpsieve::panels
