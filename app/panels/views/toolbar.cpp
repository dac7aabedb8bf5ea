#include "app/panels/views/toolbar.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/choices.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

constexpr std::string_view inside_tooltip =
    "One compaction, block by block: a row for each multiprocessor or worker thread, a bar for each block or "
    "part of the stream. It shows waves, tails, stragglers and waiting.";

}  // namespace

float button_width(const char* label) {
    return ImGui::CalcTextSize(label, nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
}

float button_width(const plots::Style& style, const char* label, const char* key) {
    return button_width(label) + style.px(8) + plots::text_width(style.fonts.small, key);
}

bool key_button(Ui& ui, const char* label, std::string_view tooltip, const char* key) {
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, ImGui::GetStyle().ButtonTextAlign.y});
    const bool pressed = button(ui, label, button_width(ui.style, label, key), tooltip, key);
    ImGui::PopStyleVar();
    return pressed;
}

std::optional<std::uint64_t> number_box(Ui& ui, ToolbarFlow& flow, std::string_view label,
                                        std::uint64_t number, std::string_view tooltip) {
    const plots::Fonts& fonts = ui.fonts();
    const std::size_t mark = label.find("##");
    const std::string_view shown = label.substr(0, mark);
    const std::string_view name = mark == std::string_view::npos ? label : label.substr(mark + 2);
    const float name_width = plots::text_width(fonts.text, shown) + ui.px(6);
    const float field_width =
        6 * plots::text_width(fonts.figures, "0") + 2 * ImGui::GetStyle().FramePadding.x;
    if (!flow.place(name_width + field_width)) return std::nullopt;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    plots::draw_text(*ImGui::GetWindowDrawList(), fonts.text,
                     {at.x, at.y + std::round((ImGui::GetFrameHeight() - fonts.text->FontSize) / 2)},
                     ui.palette().label, shown);
    ImGui::SetCursorScreenPos({at.x + name_width, at.y});
    ImGui::SetNextItemWidth(field_width);
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::PushFont(fonts.figures);
    const bool has_focus = ui.focus->add_control(name);
    if (has_focus && ui.focus->pressed()) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputScalar("##number", ImGuiDataType_U64, &number, nullptr, nullptr, nullptr,
                                            ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopFont();
    ImGui::PopID();
    ui.controls.record_item(name);
    ui.tooltips.offer_item(ui.style, tooltip);
    if (has_focus) ui.focus->show(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    return entered ? std::optional(number) : std::nullopt;
}

bool toggle(Ui& ui, ToolbarFlow& flow, const char* label, bool on, std::string_view tooltip,
            std::string_view key, float gap_before) {
    if (!flow.place(button_width(label), gap_before)) return false;
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, ui.palette().accent_fill);
    const bool pressed = button(ui, label, 0, tooltip, key);
    if (on) {
        ImGui::PopStyleColor();
        const ImVec2 low = ImGui::GetItemRectMin();
        const ImVec2 high = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRectFilled({low.x + ui.px(5), high.y - std::max(2.0F, ui.px(2))},
                                                  {high.x - ui.px(5), high.y}, ui.palette().accent);
    }
    return pressed;
}

bool modes_fit_before_hold(const ToolbarFlow& flow) {
    // As wide as the two modes with the longest names, and twice as wide as "hold", which leaves room for
    // gaps and the key.
    return flow.room() >
           button_width("particles") + button_width("inside one compaction") + 2 * button_width("hold");
}

void draw_timeline_modes(Ui& ui, ToolbarFlow& flow) {
    TimelineMode& mode = ui.settings.window.timeline_mode;
    if (toggle(ui, flow, "frames", mode == TimelineMode::frames,
               "The phases of the last 6,000 frames, to hold, scroll and inspect.", "M"))
        mode = TimelineMode::frames;
    if (toggle(ui, flow, "inside one compaction", mode == TimelineMode::inside, inside_tooltip, "M"))
        mode = TimelineMode::inside;
}

void draw_particles_modes(Ui& ui, ToolbarFlow& flow) {
    ParticlesMode& mode = ui.settings.window.particles_mode;
    if (toggle(
            ui, flow, "sparse and dense", mode == ParticlesMode::sparse_dense,
            "The sparse buffer in front, a cell for a slot or a group of slots, with holes where slots are "
            "empty. Arcs lead to the dense array behind it, from which the particles rise. Colours are "
            "those of the slot map: the position in the buffer.",
            "M"))
        mode = ParticlesMode::sparse_dense;
    if (toggle(ui, flow, "output alone", mode == ParticlesMode::output_alone,
               "The compacted particles where their source puts them, coloured by age.", "M"))
        mode = ParticlesMode::output_alone;
}

void draw_lens_modes(Ui& ui, ToolbarFlow& flow) {
    LensMode& mode = ui.settings.window.lens_mode;
    if (toggle(ui, flow, "inside one compaction", mode == LensMode::inside, inside_tooltip, "M"))
        mode = LensMode::inside;
    if (toggle(
            ui, flow, "difference", mode == LensMode::difference,
            "Both outputs of the same frame, and the indices that hold different items. Algorithms that keep "
            "no order differ there.",
            "M"))
        mode = LensMode::difference;
    const bool offers_particles = mode == LensMode::particles || outputs_may_differ(ui.snapshot, ui.settings);
    if (offers_particles &&
        toggle(ui, flow, "particles", mode == LensMode::particles,
               "The particles of A left of the divider and of B right of it. They look the same "
               "unless an algorithm keeps no order.",
               "M"))
        mode = LensMode::particles;
}

}  // namespace warpsieve::panels
