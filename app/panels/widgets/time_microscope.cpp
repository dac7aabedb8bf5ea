#include "app/panels/time_microscope.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/widgets.hpp"
#include "app/panels/widgets/parts.hpp"
#include "app/trace/playhead.hpp"

namespace warpsieve::panels {
namespace {

constexpr std::string_view dial_label = "slow motion dial";
constexpr std::string_view plot_label = "plot of time by address";

/// The dial as a slider with the text of its position.
Slider dial_of(int position, bool in_steps) {
    Slider slider{.row = {.label = dial_label}, .step = position, .last_step = trace::last_dial_position};
    if (position <= 0) {
        slider.before = in_steps ? "all steps at once" : "real time";
    } else if (in_steps) {
        const double steps = trace::steps_per_second_at(position);
        slider.number = steps < 10 ? format::rough(steps) : format::significant(std::round(steps), 0);
        slider.unit = "steps a second";
    } else {
        slider.number = format::significant(trace::slowdown_at(position), 1);
        slider.unit = "× slower";
    }
    return slider;
}

std::optional<int> typed_position(Ui& ui, const std::string& typed, bool in_steps) {
    const auto number = format::parse_number(typed);
    if (!number || *number < 0) {
        ui.requests.notice =
            "'" + typed.substr(0, 16) + (number ? "' is less than 0." : "' is not a number.");
        return {};
    }
    return in_steps ? trace::dial_position_of_steps_per_second(*number)
                    : trace::dial_position_of_slowdown(*number);
}

/// Whether the last item is released after a double-click. Two fast drags from a point are none.
bool was_double_clicked() {
    const ImGuiIO& io = ImGui::GetIO();
    constexpr ImGuiMouseButton left = ImGuiMouseButton_Left;
    return ImGui::IsItemDeactivated() && io.MouseClickedLastCount[left] == 2 &&
           io.MouseDragMaxDistanceSqr[left] <= io.MouseDragThreshold * io.MouseDragThreshold;
}

}  // namespace

void SlowMotion::update(const Ui& ui) {
    if (replay != ui.snapshot.memory.replay) {
        // The playhead keeps its share of the compaction when algorithm or options change.
        const bool is_first = !replay;
        const double share = is_first ? static_cast<double>(ui.settings.window.initial_pause)
                                      : playhead.time / replay->duration();
        replay = ui.snapshot.memory.replay;
        playhead.time = replay ? share * replay->duration() : 0;
        if (is_first && share > 0) playhead.playing = false;
    }
    const double now = ui.snapshot.display.now_s;
    const double seconds = std::clamp(now - last_update_s, 0.0, 0.1);
    last_update_s = now;
    if (!replay || ui.settings.window.slow_motion == 0) return;
    playhead.pass(seconds, trace::playhead_speed(ui.settings.window.slow_motion, replay->in_steps()),
                  replay->duration());
}

void SlowMotion::step(int direction) {
    playhead.scrub(std::clamp(playhead.time + direction * replay->key_step(), 0.0, replay->duration()));
}

float slow_motion_dial_height(const Ui&) {
    return ImGui::GetFrameHeight();
}

void slow_motion_dial(Ui& ui, const Rect& box) {
    int& position = ui.settings.window.slow_motion;
    const bool in_steps = ui.snapshot.machine.engine == compaction::EngineId::simulated;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const std::string_view fastest = in_steps ? "at once" : "real time";
    const std::string_view slowest = in_steps ? "4 steps a second" : "1,000,000 × slower";
    const float gap = ui.px(8);
    float left = box.low.x;
    float right = box.high.x;
    const float baseline = baseline_of(ui, box.low.y);
    const float names_width = plots::text_width(font, fastest) + plots::text_width(font, slowest) + 2 * gap;
    if (right - left - names_width >= ui.px(180)) {
        left = plots::draw_on_baseline(list, font, {left, baseline}, ui.palette().label, fastest) + gap;
        right -= plots::text_width(font, slowest);
        plots::draw_on_baseline(list, font, {right, baseline}, ui.palette().label, slowest);
        right -= gap;
    }
    ImGui::SetCursorScreenPos({left, box.low.y});
    const bool is_typed = ui.typed.slider == dial_label;
    ImGui::PushID("slow motion dial");
    const SliderResult moved = bare_slider(ui, dial_of(position, in_steps), right - left);
    ImGui::PopID();
    const bool resets = !is_typed && was_double_clicked();
    ui.memory.slow_motion.holds_dial = is_typed || ImGui::IsItemActive() || ImGui::IsItemHovered();
    ui.tooltips.offer(
        ui.style, box.low, {box.high.x, box.low.y + slow_motion_dial_height(ui)},
        in_steps ? "How fast the steps of the simulated schedule are played. Drag, use the arrow keys, or "
                   "Ctrl+click and type steps a second. A double-click plays them all at once."
                 : "How much slower than in reality the compaction is played. Drag, use the arrow keys, or "
                   "Ctrl+click and type a factor. A double-click returns to real time.");
    if (resets) {
        position = ui.defaults->window.slow_motion;
        return;
    }
    const std::optional<int> new_position =
        moved.typed ? typed_position(ui, *moved.typed, in_steps) : moved.step;
    if (!new_position) return;
    if (position == 0) ui.memory.slow_motion.playhead = {};
    position = *new_position;
}

std::optional<double> address_scrubber(Ui& ui, plots::AddressPlot& plot, const Rect& box,
                                       const std::shared_ptr<const trace::MemoryReplay>& replay,
                                       std::optional<double> playhead) {
    if (!replay || box.width() < 1 || box.height() < 1) return {};
    ImGui::SetCursorScreenPos(box.low);
    invisible_button("##plot of time by address", {box.width(), box.height()});
    ui.controls.record(plot_label, box.low, box.high);
    const bool active = ImGui::IsItemActive();
    const bool hovered = ImGui::IsItemHovered();
    plot.draw(*ImGui::GetWindowDrawList(), box.low, box.high, replay, playhead, ui.style);
    std::optional<double> moved;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (active) {
        moved = plot.time_at(mouse.x);
    } else if (hovered && ui.shows_cards()) {
        ui.tooltips.offer(ui.style, box.low, box.high, [&] {
            const std::string text = plot.text_at(mouse);
            return (text.empty() ? std::string("Time from left to right, addresses from top to bottom")
                                 : text) +
                   ".\n\nDrag to move through time.";
        });
    }
    if (ui.focus->add_control(plot_label)) {
        ui.focus->show(ui, box.low, box.high);
        if (ui.focus->steps() != 0) {
            const double from = playhead.value_or(replay->duration());
            moved = std::clamp(from + replay->key_step() * ui.focus->steps(), 0.0, replay->duration());
        }
    }
    return moved;
}

}  // namespace warpsieve::panels
