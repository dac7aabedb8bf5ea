// Slow motion: one compaction of 64 slots, step by step, then the way back to the full stream.
#include "app/panels/views/slow_motion_view.hpp"

#include <algorithm>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float margin = 12;
constexpr float scrub_height = 26;

/// Where tile (column, row) of the picture lies in the stream: tiles of a square follow each other.
std::uint64_t tile_index(std::uint32_t column, std::uint32_t row) {
    std::uint64_t index = 0;
    for (std::uint32_t bit = 0; tiles_per_row >> bit != 0; ++bit) {
        index |= std::uint64_t{column >> bit & 1} << (2 * bit);
        index |= std::uint64_t{row >> bit & 1} << (2 * bit + 1);
    }
    return index;
}

void fill_tiles(SlowMotionMemory& memory) {
    memory.tiles.resize(std::size_t{tiles_per_row} * tiles_per_row);
    for (std::uint32_t row = 0; row < tiles_per_row; ++row) {
        for (std::uint32_t column = 0; column < tiles_per_row; ++column) {
            const std::uint64_t first = tile_index(column, row) * story::num_slots;
            std::uint32_t live = 0;
            for (std::uint64_t slot = first; slot < first + story::num_slots; ++slot)
                live += story::is_live(memory.seed, memory.density, slot);
            memory.tiles[row * tiles_per_row + column] = static_cast<float>(live) / story::num_slots;
        }
    }
}

/// Tells the story of the present algorithm and stream. Another one begins where it stands in time.
void follow_settings(Ui& ui) {
    SlowMotionMemory& memory = ui.memory.slow_motion;
    const compaction::Algorithm& algorithm = *ui.view.runs.a.algorithm;
    const RunConfig& run = ui.settings.run;
    const bool same_stream = memory.seed == run.seed && memory.density == run.density &&
                             memory.full_slots == ui.view.stream.slots && !memory.tiles.empty();
    if (same_stream && memory.algorithm == algorithm.id) return;
    if (memory.algorithm != algorithm.id) memory.time_s = 0;
    memory.algorithm = algorithm.id;
    memory.seed = run.seed;
    memory.density = run.density;
    memory.full_slots = ui.view.stream.slots;
    if (!same_stream) fill_tiles(memory);
    memory.story = story::make_story(story::method_of(algorithm), story::stream_of(run.seed, run.density),
                                     ui.view.stream.slots);
}

/// Another algorithm has other chapters, so the stop is found anew in each frame.
void stand_still(SlowMotionMemory& memory) {
    if (!memory.stop) return;
    const auto chapter =
        std::ranges::find(memory.story.chapters, memory.stop->chapter, &story::Chapter::title);
    if (chapter == memory.story.chapters.end()) return;
    memory.playing = false;
    memory.time_s = chapter->begin_s + memory.stop->share * (chapter->end_s - chapter->begin_s);
}

void pass_time(Ui& ui) {
    SlowMotionMemory& memory = ui.memory.slow_motion;
    // A hidden tab lets no time pass.
    const double passed_s = std::clamp(ui.view.display.now_s - memory.last_now_s, 0.0, 0.1);
    memory.last_now_s = ui.view.display.now_s;
    const double end_s = memory.story.duration_s();
    if (memory.playing) memory.time_s += passed_s;
    if (memory.time_s >= end_s) memory.playing = false;
    memory.time_s = std::clamp(memory.time_s, 0.0, end_s);
}

/// Plays, steps; returns the right end.
float draw_buttons(Ui& ui, ToolbarFlow& flow, float left, bool with_keys) {
    SlowMotionMemory& memory = ui.memory.slow_motion;
    // Pressed or not; counts widths, because a button that does not fit is left out.
    const auto shown = [&](const char* label, const char* longest, const char* tooltip, const char* key) {
        const float width = with_keys ? button_width(ui.style, longest, key) : button_width(longest);
        left += width + ui.px(6);
        if (!flow.place(width)) return false;
        return with_keys ? key_button(ui, label, tooltip, key) : button(ui, label, width, tooltip, key);
    };
    if (shown(memory.playing ? "pause##pause slow motion" : "play", "pause",
              "Plays or pauses; plays again from the end.", "Space"))
        toggle_slow_motion(memory);
    if (shown("step back", "step back", "Moves to the step before.", "Left")) step_slow_motion(memory, -1);
    if (shown("step on", "step on", "Moves to the next step.", "Right")) step_slow_motion(memory, 1);
    return left;
}

/// Title and controls; returns their bottom.
float draw_header(Ui& ui, ImVec2 low, float right, float lowest) {
    SlowMotionMemory& memory = ui.memory.slow_motion;
    const plots::Fonts& fonts = ui.fonts();
    const std::string scale = "scaled down: 64 of " + format::slot_count(memory.full_slots) + " slots";
    const std::string text = scale + ", " + ui.view.runs.a.algorithm->name;
    const float keys = button_width(ui.style, "pause", "Space") +
                       button_width(ui.style, "step back", "Left") +
                       button_width(ui.style, "step on", "Right") + ui.px(3 * 6 + 10);
    const bool with_keys = low.x + keys + plots::text_width(fonts.text, text) <= right;
    ToolbarFlow flow(ui, low, right, lowest);
    const float left = draw_buttons(ui, flow, low.x, with_keys) + ui.px(10);
    const float baseline = low.y + std::round((ImGui::GetFrameHeight() + fonts.text->Ascent) / 2) - ui.px(2);
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), fonts.text, {left, baseline}, ui.palette().label,
                            plots::fitting(fonts.text, {text, scale, "scaled down: 64 slots"}, right - left));
    ui.controls.record("slow motion: scaled down", {left, low.y}, {right, flow.bottom()});
    ui.tooltips.offer(ui.style, {left, low.y}, {right, flow.bottom()},
                      "Plain reference code with the phases of this algorithm compacts 64 slots. A test "
                      "compares its output "
                      "with that of the algorithm. Sequences, blocks and tiles have eight slots here.");
    return flow.bottom() + ui.px(10);
}

/// The caption of the chapter; returns its bottom.
float draw_caption(Ui& ui, const story::Moment& moment, ImVec2 low, float right) {
    const story::Chapter& chapter = ui.memory.slow_motion.story.chapters[moment.chapter];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    float baseline = std::round(low.y + fonts.heading->Ascent);
    float x = low.x;
    if (chapter.role) {
        const float size = ui.px(10);
        plots::draw_swatch(list, {x + size / 2, baseline - size / 2}, size, plots::style_of(*chapter.role),
                           palette.ground);
        x += size + ui.px(7);
    }
    x = plots::draw_on_baseline(list, fonts.heading, {x, baseline}, palette.text, chapter.title) + ui.px(12);
    std::string caption(chapter.caption);
    const bool last = moment.chapter + 1 == ui.memory.slow_motion.story.chapters.size();
    if (const auto* total = timed_figures_of(ui.view.runs.a.rows, total_row_name);
        last && total && has_times(ui.view.runs.a.algorithm->engine))
        caption = "The full stream takes " + format::duration_text(total->median) + " at full speed.";
    // Below the title where there is no room beside it.
    if (plots::text_width(fonts.text, caption) > right - x) {
        x = low.x;
        baseline += std::round(fonts.text->FontSize * 1.35F);
    }
    plots::draw_on_baseline(list, fonts.text, {x, baseline}, palette.label,
                            plots::elided(fonts.text, caption, right - x));
    ui.controls.record("slow motion: " + std::string(chapter.title), low, {right, baseline});
    // The stage keeps its place whatever the caption.
    return std::round(low.y + fonts.heading->Ascent + fonts.text->FontSize * 1.9F);
}

/// Chapters along the time; a click or drag moves to its time.
void draw_scrub(Ui& ui, const Box& bar) {
    SlowMotionMemory& memory = ui.memory.slow_motion;
    const story::Story& story = memory.story;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    ImGui::SetCursorScreenPos(bar.low);
    invisible_button("##scrub", {bar.width(), bar.height()});
    ui.controls.record_item("slow motion: time");
    if (ImGui::IsItemActive() && bar.width() > 0) {
        const float share = (ImGui::GetIO().MousePos.x - bar.low.x) / bar.width();
        memory.time_s = static_cast<double>(std::clamp(share, 0.0F, 1.0F)) * story.duration_s();
        memory.playing = false;
        memory.stop.reset();
    } else {
        ui.tooltips.offer(ui.style, bar.low, bar.high, "Drag to move through time.");
    }
    const auto x_of = [&](double time_s) {
        return std::round(bar.low.x + static_cast<float>(time_s / story.duration_s()) * bar.width());
    };
    for (const story::Chapter& chapter : story.chapters) {
        const ImVec2 low{x_of(chapter.begin_s) + ui.px(1), bar.low.y};
        const ImVec2 high{x_of(chapter.end_s), bar.high.y};
        const ImU32 colour = chapter.role ? plots::style_of(*chapter.role).colour : palette.muted;
        const float now_x = std::clamp(x_of(memory.time_s), low.x, high.x);
        list.AddRectFilled(low, high, palette.raised);
        list.AddRectFilled(low, {now_x, high.y}, plots::mix(palette.raised, colour, 0.35F));
        list.AddRectFilled({low.x, high.y - ui.px(3)}, high, colour);
        const float room = high.x - low.x - ui.px(6);
        const std::string title = room > 0 ? plots::elided(ui.fonts().small, chapter.title, room) : "";
        if (title == chapter.title) {
            plots::draw_on_baseline(
                list, ui.fonts().small,
                {low.x + ui.px(3), std::round(low.y + ui.fonts().small->Ascent + ui.px(4))}, palette.text,
                title);
        }
    }
    const float now_x = x_of(memory.time_s);
    list.AddRectFilled({now_x - ui.px(1), bar.low.y - ui.px(4)}, {now_x + ui.px(1), bar.high.y},
                       palette.text);
}

}  // namespace

void toggle_slow_motion(SlowMotionMemory& memory) {
    if (memory.algorithm.empty()) return;
    memory.stop.reset();
    memory.playing = !memory.playing;
    if (memory.playing && memory.time_s >= memory.story.duration_s()) memory.time_s = 0;
}

void step_slow_motion(SlowMotionMemory& memory, int direction) {
    if (memory.algorithm.empty()) return;
    memory.stop.reset();
    memory.playing = false;
    memory.time_s = direction > 0 ? story::next_step(memory.story, memory.time_s)
                                  : story::previous_step(memory.story, memory.time_s);
}

void draw_slow_motion(Ui& ui) {
    const Rectangle& zone = ui.zones.view;
    if (zone.width <= 0 || zone.height <= 0 || !ui.view.runs.a.algorithm) return;
    follow_settings(ui);
    stand_still(ui.memory.slow_motion);
    pass_time(ui);
    begin_zone("slow motion", zone, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const float edge = ui.px(margin);
    const ImVec2 low{static_cast<float>(zone.x) + edge, static_cast<float>(zone.y) + ui.px(10)};
    const ImVec2 high{static_cast<float>(zone.x + zone.width) - edge,
                      static_cast<float>(zone.y + zone.height) - ui.px(10)};
    const float header_bottom = draw_header(ui, low, high.x, high.y);
    const Box bar{{low.x, high.y - ui.px(scrub_height)}, high};
    draw_scrub(ui, bar);
    const story::Moment moment = story::at(ui.memory.slow_motion.story, ui.memory.slow_motion.time_s);
    const float top = draw_caption(ui, moment, {low.x, header_bottom}, high.x);
    draw_stage(ui, moment, {{low.x, top}, {high.x, bar.low.y - ui.px(6)}});
    ImGui::End();
}

}  // namespace warpsieve::panels
