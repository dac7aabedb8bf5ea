#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/follow_model.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/race_model.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/plots/address_plot.hpp"
#include "app/trace/memory_replay.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;

/// Why an algorithm cannot be chosen for the race; empty if it can.
std::string disabled_reason(const Ui& ui, const Algorithm& algorithm, bool is_racing) {
    if (!algorithm.is_available()) return algorithm.unavailable_reason;
    if (!is_racing && ui.snapshot.figures->race.lanes.size() >= max_racing)
        return "Eight algorithms race already. Remove one first.";
    return {};
}

void draw_entry(Ui& ui, const Algorithm& algorithm) {
    std::vector<std::string>& race_ids = ui.settings.window.race;
    bool is_racing = std::ranges::find(ui.snapshot.figures->race.lanes, &algorithm, &RaceLane::algorithm) !=
                     ui.snapshot.figures->race.lanes.end();
    const std::string reason = disabled_reason(ui, algorithm, is_racing);
    ImGui::BeginDisabled(!reason.empty());
    bool changed = ImGui::Checkbox((algorithm.name + "##" + algorithm.id).c_str(), &is_racing);
    if (key_presses_entry(ui, "race: " + algorithm.id, AfterPress::keep_menu_open)) {
        is_racing = !is_racing;
        changed = true;
    }
    if (changed) {
        // The list may already contain an algorithm that is added: those after the eighth have no lane.
        std::erase(race_ids, algorithm.id);
        if (is_racing) race_ids.push_back(algorithm.id);
    }
    ImGui::EndDisabled();
    std::string meaning = reason.empty() ? algorithm.summary : reason;
    if (reason.empty() && algorithm.synchronises)
        meaning += "\n\nIt waits for its result in every frame, so the window runs slower while it races.";
    ui.tooltips.offer_item(ui.style, meaning, {});
}

void draw_race_choice(Ui& ui, float width) {
    const std::string shown = std::to_string(ui.snapshot.figures->race.lanes.size()) +
                              (ui.snapshot.figures->race.lanes.size() == 1 ? " algorithm" : " algorithms");
    ImGui::SetNextItemWidth(width);
    if (!begin_menu(ui, "##race", "race", shown)) {
        ui.tooltips.offer_item(ui.style,
                               "The algorithms in the race: at most eight, all of the current engine.");
        return;
    }
    for (const Algorithm& algorithm : ui.snapshot.catalogue.algorithms) {
        if (algorithm.engine == ui.settings.run.engine) draw_entry(ui, algorithm);
    }
    if (button(ui, "default set", ImGui::GetContentRegionAvail().x,
               "The algorithms of the first start: the fast ones, the classic ones and a plain loop.", {}))
        ui.settings.window.race = WindowPreferences{}.race;
    end_menu(ui);
}

// The race: a lane for each algorithm, whose strip fills at its true relative speed.

// Pixels at 100 %.
constexpr float strip_margin = 12;
constexpr float min_lane_height = 34;
constexpr float max_lane_height = 240;
constexpr float text_line_height = 19;
constexpr float interval_width = 132;
constexpr float time_width = 86;
constexpr float lane_ratio_width = 74;

constexpr const char* why_the_table_differs =
    "The table times A, which runs first: with its launch configuration, its phases, and the caches as the "
    "frame left them.";

/// The x of the columns of a lane, from left to right.
struct Columns {
    float place;
    float name;
    float name_right;
    float ratio_right;  ///< 0: no room for the ratio
    float time_right;
    float right;  ///< right end of the lane; equal to `time_right` if there is no room for the interval
};

/// The width of the longest name of a lane, with a gap.
float longest_name_width(const Ui& ui) {
    float width = 0;
    for (const RaceLane& lane : ui.snapshot.figures->race.lanes)
        width = std::max(width, plots::text_width(ui.fonts().text, lane.algorithm->name));
    return width + ui.px(8);
}

/// Lays out a lane. If a name would be cut, leaves out the interval, which is also in the tooltip.
Columns columns_of(const Ui& ui, float left, float right) {
    const float longest_name = longest_name_width(ui);
    Columns columns{.place = left,
                    .name = left + ui.px(26),
                    .name_right = 0,
                    .ratio_right = 0,
                    .time_right = right - ui.px(interval_width),
                    .right = right};
    const float room_for_name = columns.time_right - ui.px(time_width) - columns.name;
    if (room_for_name < longest_name) columns.time_right = right;
    columns.name_right = columns.time_right - ui.px(time_width);
    const float min_room_with_ratio = std::max(ui.px(300), longest_name + ui.px(lane_ratio_width));
    if (columns.name_right - columns.name > min_room_with_ratio) {
        columns.ratio_right = columns.name_right;
        columns.name_right -= ui.px(lane_ratio_width);
    }
    return columns;
}

void draw_right_aligned(const ImFont* font, float right, float baseline, ImU32 colour,
                        const std::string& text) {
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font,
                            {right - plots::text_width(font, text), baseline}, colour, text);
}

/// "[40.9, 41.6]": both ends in the unit of the median.
std::string interval_text(const Runner& runner) {
    const format::TimeUnit unit = format::time_unit(runner.median_us);
    return "[" + format::significant(runner.interval.low * unit.per_us) + ", " +
           format::significant(runner.interval.high * unit.per_us) + "]";
}

/// Draws the place in a disc, which has the accent colour for a winner.
void draw_place(const Ui& ui, std::uint32_t place, ImVec2 centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float radius = ui.px(9);
    const bool wins = place == 1;
    list.AddCircleFilled(centre, radius, wins ? palette.accent : palette.raised_more);
    const std::string text = std::to_string(place);
    const ImFont* font = ui.fonts().small;
    plots::draw_on_baseline(list, font,
                            {std::round(centre.x - plots::text_width(font, text) / 2),
                             std::round(centre.y + font->Ascent * 0.36F)},
                            wins ? palette.background : palette.text, text);
}

ImU32 colour_of_lane(const Ui& ui, std::size_t index) {
    static_assert(std::tuple_size_v<decltype(plots::Palette::series)> >= max_racing);
    return ui.palette().series[index % max_racing];
}

/// Draws the output strip, filled from the left.
void draw_strip(const Ui& ui, const Rect& strip, float share_done, ImU32 colour) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    list.AddRectFilled(strip.low, strip.high, palette.raised);
    const float front_x = std::round(strip.low.x + share_done * strip.width());
    if (front_x > strip.low.x) {
        list.AddRectFilled(strip.low, {front_x, strip.high.y}, plots::mix(palette.raised, colour, 0.72F));
        if (share_done < 1)
            list.AddRectFilled({std::max(strip.low.x, front_x - ui.px(3)), strip.low.y},
                               {front_x, strip.high.y}, palette.text);
    }
    list.AddRect(strip.low, strip.high, palette.outline);
}

std::string lane_tooltip(const Ui& ui, std::size_t index) {
    const RaceLane& lane = ui.snapshot.figures->race.lanes[index];
    if (!lane.problem.empty()) return lane.problem;
    std::string text = lane.algorithm->summary;
    if (lane.n == 0) return text;
    const bool is_fastest = lane.over_fastest.median == 1;
    const Runner now{.median_us = lane.median_us, .interval = lane.interval};
    text += "\n\nMedian now " + format::duration_text(lane.median_us) + " " + interval_text(now) + " of " +
            format::grouped(lane.n) + " times; the interval has 95 % confidence" +
            (is_fastest ? "." : ", with the time of the fastest taken as exact.");
    if (lane.algorithm->id == ui.settings.run.a.algorithm) text += std::string(" ") + why_the_table_differs;
    if (!lane.algorithm->stable) text += " It keeps the items, but not their order.";
    return text;
}

/// Makes the output index under the mouse the one that all views point at. A click pins its item.
void point_at_strip(Ui& ui, std::size_t index, const Rect& strip) {
    ImGui::SetCursorScreenPos(strip.low);
    ImGui::PushID(static_cast<int>(index));
    invisible_button("##strip", {strip.width(), strip.height()});
    ImGui::PopID();
    if (!ImGui::IsItemHovered() || ui.snapshot.runs.a.num_kept == 0) return;
    const float share = (ImGui::GetIO().MousePos.x - strip.low.x) / std::max(strip.width(), 1.0F);
    const auto output_index = static_cast<std::uint64_t>(static_cast<double>(std::clamp(share, 0.0F, 1.0F)) *
                                                         static_cast<double>(ui.snapshot.runs.a.num_kept));
    // Only an ordered output has the same item at this index as the output of the running algorithm.
    if (ui.snapshot.figures->race.lanes[index].algorithm->stable)
        ui.follow.output_index_under_mouse = std::min(output_index, ui.snapshot.runs.a.num_kept - 1);
    if (clicked_without_drag() && ui.follow.hovered) ui.follow.pinned = ui.follow.hovered;
}

/// Marks the followed item in the strip.
void draw_followed_item(const Ui& ui, const RaceLane& lane, const Rect& strip) {
    const std::optional<std::uint64_t> slot = ui.follow.slot();
    const scene::SlotSample* const sample = ui.snapshot.slot_map.sample.get();
    if (!slot || !sample || !sample->algorithm || sample->kept == 0 || !lane.algorithm->stable) return;
    const auto item = follow_item(*sample, *slot);
    // The rank of an item is its index in every ordered output.
    if (!item || item->live != true || !item->rank) return;
    const double share = static_cast<double>(*item->rank) / static_cast<double>(sample->live);
    const float x = std::round(strip.low.x + static_cast<float>(share) * strip.width());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half_width = std::max(1.0F, ui.px(1));
    list.AddRectFilled({x - 2 * half_width, strip.low.y}, {x + 2 * half_width, strip.high.y},
                       ui.palette().background);
    list.AddRectFilled({x - half_width, strip.low.y - ui.px(3)}, {x + half_width, strip.high.y + ui.px(3)},
                       ui.palette().text);
    ui.controls.record("followed in race", {x - 2 * half_width, strip.low.y},
                       {x + 2 * half_width, strip.high.y});
}

bool has_several_lanes(const Ui& ui) {
    return ui.snapshot.figures->race.lanes.size() > 1;
}

/// Whether lanes take steps of a simulated schedule, because their engine has no times.
bool in_steps(const Ui& ui) {
    return !has_times(ui.settings.run.engine);
}

/// Algorithms that compact the same stream, each in a lane of its own, and the memory of the first two.
class RacePanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    bool takes_timings_pane(const Ui& ui) const override {
        return !in_steps(ui) && has_several_lanes(ui) && ui.panes.timings.height > 0;
    }

  private:
    void update_race(Ui& ui);
    void draw_memory(Ui& ui, const Rect& area);
    void draw_plots(Ui& ui, const Rect& area);
    std::string reason_for_no_memory(const Ui& ui) const;
    void draw_lane_text(const Ui& ui, std::size_t index, const Columns& columns, float baseline) const;
    void draw_lane(Ui& ui, std::size_t index, const Rect& box);
    std::string scale_text(const Ui& ui) const;
    float draw_header(Ui& ui, ImVec2 low, float right, float max_bottom);
    float draw_photo_text(Ui& ui, ImVec2 low, float right);
    void draw_lanes(Ui& ui, ImVec2 low, ImVec2 high);

    Race race_;
    std::optional<std::array<std::size_t, 2>> pair_;                     ///< the lanes whose memory is shown
    std::array<std::shared_ptr<const trace::MemoryReplay>, 2> replays_;  ///< of the pair, fixed for one race
    double replays_race_began_s_ = 0;                                    ///< when that race began
    std::array<plots::AddressPlot, 2> plots_;
};

/// Draws name, time and interval above the strip.
void RacePanel::draw_lane_text(const Ui& ui, std::size_t index, const Columns& columns,
                               float baseline) const {
    const RaceLane& lane = ui.snapshot.figures->race.lanes[index];
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    const std::string measuring = "measuring: " + std::to_string(lane.over_fastest.pairs) + " of " +
                                  std::to_string(experiments::min_pairs) + " pairs of rounds";
    // A problem or the state of the measurement takes the room of the other columns.
    float name_right = lane.problem.empty() ? columns.name_right : columns.right;
    if (lane.problem.empty() && !race_.started)
        name_right = columns.right - plots::text_width(fonts.small, measuring) - ui.px(4);
    const float name_end = plots::draw_on_baseline(
        *ImGui::GetWindowDrawList(), fonts.text, {columns.name, baseline}, palette.text,
        plots::elided(fonts.text, lane.algorithm->name, name_right - columns.name - ui.px(8)));
    if (!lane.problem.empty()) {
        const float left = name_end + ui.px(12);
        plots::draw_on_baseline(*ImGui::GetWindowDrawList(), fonts.small, {left, baseline}, palette.error,
                                plots::elided(fonts.small, lane.problem, columns.right - left));
        return;
    }
    if (!race_.started) {
        draw_right_aligned(fonts.small, columns.right, baseline, palette.muted, measuring);
        return;
    }
    const Runner& runner = race_.runners[index];
    const double elapsed_s = race_.elapsed_s(ui.snapshot.display.now_s);
    const double elapsed_machine_us = race_.pace.machine_us(std::min(elapsed_s, race_.pace.seconds));
    const bool finished = share_done(runner, race_.pace, elapsed_s) >= 1;
    const format::TimeUnit unit = format::time_unit(runner.median_us);
    const std::string time =
        format::significant(std::min(elapsed_machine_us, runner.median_us) * unit.per_us) + " " + unit.name;
    draw_right_aligned(fonts.figures, columns.time_right, baseline, finished ? palette.text : palette.muted,
                       time);
    // The time counts up until the lane finishes. Only then are interval and ratio shown.
    const bool has_interval_column = columns.right > columns.time_right;
    if (finished && has_interval_column)
        draw_right_aligned(fonts.small, columns.right, baseline, palette.muted, interval_text(runner));
    const bool in_photo = race_.in_photo(ui.snapshot.display.now_s);
    if (in_photo && !finished && has_interval_column)
        draw_right_aligned(fonts.small, columns.right, baseline, palette.label,
                           format::duration_text(runner.median_us - elapsed_machine_us) + " to go");
    if ((finished || in_photo) && columns.ratio_right > 0)
        draw_right_aligned(fonts.figures, columns.ratio_right, baseline, palette.label,
                           "×" + format::significant(runner.over_fastest.median));
}

void RacePanel::draw_lane(Ui& ui, std::size_t index, const Rect& box) {
    const Columns columns = columns_of(ui, box.low.x, box.high.x);
    const float text_height = ui.px(text_line_height);
    const float baseline = std::round(box.low.y + ui.px(3) + ui.fonts().text->Ascent);
    draw_lane_text(ui, index, columns, baseline);
    const Rect strip{{columns.name, box.low.y + ui.px(3) + text_height},
                     {columns.right, box.high.y - ui.px(4)}};
    const Runner* runner = race_.started ? &race_.runners[index] : nullptr;
    const double elapsed_s = race_.elapsed_s(ui.snapshot.display.now_s);
    const float share = runner ? share_done(*runner, race_.pace, elapsed_s) : 0.0F;
    draw_strip(ui, strip, share, colour_of_lane(ui, index));
    point_at_strip(ui, index, strip);
    draw_followed_item(ui, ui.snapshot.figures->race.lanes[index], strip);
    if (runner && share >= 1) {
        draw_place(ui, race_.places[index],
                   {columns.place + ui.px(10), std::round((box.low.y + box.high.y) / 2)});
    }
    ui.controls.record("lane: " + ui.snapshot.figures->race.lanes[index].algorithm->id, box.low, box.high);
    ui.tooltips.offer(ui.style, box.low, box.high, lane_tooltip(ui, index), {},
                      ui.snapshot.figures->race.lanes[index].algorithm->name);
}

/// A sentence on the time scale of the race.
std::string RacePanel::scale_text(const Ui& ui) const {
    if (in_steps(ui)) return "Compactions on a simulated GPU are not timed, so they have no ratio.";
    if (!race_.started) return "The race starts when every lane has been timed.";
    const std::string machine = format::duration_text(race_.pace.machine_us(1));
    return "1 s here is " + machine + " on the machine: every strip is slowed down " +
           format::significant(race_.pace.slowdown) + " times.";
}

/// Draws the controls and the time scale. Returns their bottom.
float RacePanel::draw_header(Ui& ui, ImVec2 low, float right, float max_bottom) {
    ToolbarFlow flow(ui, low, right, max_bottom);
    const float menu_width = ui.px(150);
    if (flow.place(menu_width)) draw_race_choice(ui, menu_width);
    if (flow.place(button_width("start again")) &&
        button(ui, "start again", 0, "Starts the race from the beginning, with the newest medians.", {}))
        race_ = {};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const std::string scale = scale_text(ui);
    const std::string stream =
        format::slot_count_text(ui.snapshot.stream.slots) + " slots, the stream of every frame.";
    const float line_height = ui.px(text_line_height);
    const auto draw_line = [&](float x, float top, const std::string& text, ImU32 colour) {
        plots::draw_on_baseline(list, fonts.text, {x, std::round(top + fonts.text->Ascent)}, colour,
                                plots::elided(fonts.text, text, right - x));
    };
    float text_left = low.x;
    float top = flow.bottom() + ui.px(6);
    // The text is beside the controls if there is room, else below them.
    const float controls_right = low.x + menu_width + button_width("start again") + ui.px(30);
    const std::string both = scale + " " + stream;
    if (plots::text_width(fonts.text, both) <= right - controls_right) {
        text_left = controls_right;
        top = low.y + std::round((ImGui::GetFrameHeight() - fonts.text->FontSize) / 2);
        draw_line(text_left, top, both, ui.palette().label);
    } else {
        const bool both_fit = plots::text_width(fonts.text, both) <= right - low.x;
        draw_line(text_left, top, both_fit ? both : scale, ui.palette().label);
    }
    ui.controls.record("race: scale", {text_left, top}, {right, top + line_height});
    ui.tooltips.offer(
        ui.style, {text_left, top}, {right, top + line_height},
        scale + " " + stream +
            (in_steps(ui)
                 ? ""
                 : " Each lane is timed by itself after the running compaction, with the automatic launch "
                   "configuration and without phases, so its time differs from the total in the table. "
                   "A strip fills in the median time that its algorithm had when the race started. "
                   "Algorithms whose times do not differ significantly share a place."));
    return std::max(flow.bottom(), top + line_height) + ui.px(8);
}

/// Draws the text of the photo finish, in as many lines as it needs. It takes its room before the first
/// runner finishes, too, so that the lanes do not move. Returns its bottom.
float RacePanel::draw_photo_text(Ui& ui, ImVec2 low, float right) {
    if (ui.snapshot.figures->race.lanes.size() < 2) return low.y;
    const double now_s = ui.snapshot.display.now_s;
    const float line_bottom = low.y + ImGui::GetFrameHeight() + ui.px(4);
    const RaceFigures& figures = ui.snapshot.figures->race;
    const std::string text = in_steps(ui) ? photo_text_in_steps(race_, figures) : photo_text(race_, figures);
    if (text.empty()) return line_bottom;
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    constexpr std::string_view heading = "Photo finish";
    constexpr const char* label = "go on";
    const float top = low.y + std::round((ImGui::GetFrameHeight() - fonts.text->FontSize) / 2);
    const float text_left = low.x + plots::text_width(fonts.heading, heading) + ui.px(8);
    const float button_left = right - button_width(label);
    const float text_right = button_left - ui.px(8);
    const float room = std::max(text_right - text_left, 4 * fonts.text->FontSize);
    // Several lines leave the number of pairs to the tooltip, because they take their room from the lanes.
    const bool fits_line = in_steps(ui) || plots::text_width(fonts.text, text) <= room;
    const std::string shown = fits_line ? text : photo_text(race_, figures, PhotoDetail::interval);
    const float height = plots::paragraph_height(fonts.text, shown, room);
    const float bottom = std::max(line_bottom, top + height + ui.px(6));
    if (!race_.started || race_.elapsed_s(now_s) < race_.photo_at_s) return bottom;
    const bool in_photo = race_.in_photo(now_s);
    if (in_photo) {
        ImGui::SetCursorScreenPos({button_left, low.y});
        if (button(ui, label, 0,
                   "The race stands still where the first finishes, and goes on after a moment.", {}))
            race_.go_on(now_s);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_on_baseline(list, fonts.heading, {low.x, top + std::round(fonts.text->Ascent)},
                            in_photo ? palette.accent : palette.label, heading);
    plots::draw_paragraph(list, fonts.text, {text_left, top}, room, palette.text, shown);
    ui.controls.record("race: photo finish", low, {text_right, bottom});
    ui.tooltips.offer(ui.style, low, {text_right, bottom},
                      text + (in_steps(ui) ? "\n\nSteps of a simulated schedule are no times."
                                           : "\n\nEach pair has the times of both in two rounds, one in each "
                                             "order; the interval of the median has 95 % confidence."));
    return bottom;
}

void RacePanel::draw_lanes(Ui& ui, ImVec2 low, ImVec2 high) {
    const std::size_t count = ui.snapshot.figures->race.lanes.size();
    if (count == 0 || high.y <= low.y) {
        plots::draw_text(*ImGui::GetWindowDrawList(), ui.fonts().text, low, ui.palette().muted,
                         "Choose algorithms to race.");
        return;
    }
    ImGui::SetCursorScreenPos(low);
    ImGui::BeginChild("lanes", {high.x - low.x, high.y - low.y});
    const float room = (high.y - low.y) / static_cast<float>(count);
    const float height = std::floor(std::clamp(room, ui.px(min_lane_height), ui.px(max_lane_height)));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = start.x + ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < count; ++i) {
        const float top = start.y + static_cast<float>(i) * height;
        draw_lane(ui, i, {{start.x, top}, {right, top + height}});
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({1, static_cast<float>(count) * height});
    ImGui::EndChild();
}

/// Starts a race when it is due, and requests the replays of the shown pair.
void RacePanel::update_race(Ui& ui) {
    const RaceFigures& figures = ui.snapshot.figures->race;
    const double now_s = ui.snapshot.display.now_s;
    if (in_steps(ui)) {
        start_in_steps_when_due(race_, figures, now_s);
    } else {
        start_when_due(race_, figures, now_s);
    }
    pair_ = shown_pair(race_, figures, in_steps(ui));
    if (!pair_) return;
    const RaceLane& first = figures.lanes[(*pair_)[0]];
    const RaceLane& second = figures.lanes[(*pair_)[1]];
    ui.requests.race_replays = {first.algorithm, second.algorithm};
    const bool has_replays_of_race = race_.began_s == replays_race_began_s_ && replays_[0] && replays_[1];
    if (has_replays_of_race) return;
    replays_ = {first.replay, second.replay};
    replays_race_began_s_ = race_.began_s;
}

/// Draws the memory of the pair on one scale of time. The playhead follows the race.
void RacePanel::draw_plots(Ui& ui, const Rect& area) {
    const plots::Fonts& fonts = ui.fonts();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float gap = ui.px(6);
    const std::array durations{replays_[0]->duration(), replays_[1]->duration()};
    // The pair is in the order of finishing, except in steps.
    const double first_duration = in_steps(ui) ? std::min(durations[0], durations[1]) : durations[0];
    const double playhead = replay_time(race_, first_duration, ui.snapshot.display.now_s);
    const std::string caption =
        in_steps(ui) ? "One compaction of each in steps of a simulated schedule, seed " +
                           std::to_string(replays_[0]->schedule_seed()) + "; no ratio is made from them."
                     : "One traced compaction of each, of " + format::duration_text(durations[0]) + " and " +
                           format::duration_text(durations[1]) +
                           ", nearest to its median; tracing takes time. Loads fainter than stores.";
    plots::draw_text(list, fonts.small, area.low, ui.palette().label,
                     plots::elided(fonts.small, caption, area.width()));
    const float top = area.low.y + fonts.small->FontSize + gap;
    const float axis_height = fonts.small->FontSize + ui.px(3);
    const float height = std::floor((area.high.y - top - axis_height) / 2);
    if (height <= 0) return;
    for (std::size_t i = 0; i < plots_.size(); ++i) {
        const bool is_last = i + 1 == plots_.size();
        const float plot_top = top + static_cast<float>(i) * height;
        const Rect box{{area.low.x, plot_top},
                       {area.high.x, plot_top + height + (is_last ? axis_height : 0)}};
        const compaction::Algorithm& algorithm = *ui.snapshot.figures->race.lanes[(*pair_)[i]].algorithm;
        plots_[i].draw(
            list, box.low, box.high, replays_[i], playhead, ui.style,
            {.name = algorithm.name, .axis_end = std::max(durations[0], durations[1]), .is_last = is_last});
        ui.controls.record("memory: " + algorithm.id, box.low, box.high);
        ui.tooltips.offer(ui.style, box.low, box.high, [&] {
            const std::string text = plots_[i].text_at(ImGui::GetIO().MousePos);
            return algorithm.name + (text.empty() ? ": time from left to right, addresses from top to bottom."
                                                  : ": " + text + ".");
        });
    }
}

std::string RacePanel::reason_for_no_memory(const Ui& ui) const {
    const std::vector<RaceLane>& lanes = ui.snapshot.figures->race.lanes;
    if (in_steps(ui) && !pair_) return "Choose two algorithms to see what they do to memory.";
    for (std::size_t i = 0; pair_ && i < pair_->size(); ++i) {
        if (!lanes[(*pair_)[i]].replay_problem.empty()) return lanes[(*pair_)[i]].replay_problem;
    }
    return in_steps(ui) ? "The memory of the two appears here when they have been traced."
                        : "The memory of the first two appears here when they have been timed and traced.";
}

void RacePanel::draw_memory(Ui& ui, const Rect& area) {
    if (pair_ && race_.started && replays_[0] && replays_[1]) return draw_plots(ui, area);
    plots::draw_text(*ImGui::GetWindowDrawList(), ui.fonts().text, area.low, ui.palette().muted,
                     plots::elided(ui.fonts().text, reason_for_no_memory(ui), area.width()));
}

void RacePanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    update_race(ui);
    begin_pane("race", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const float edge = ui.px(strip_margin);
    const ImVec2 low{static_cast<float>(pane.x) + edge, static_cast<float>(pane.y) + ui.px(10)};
    const ImVec2 high{static_cast<float>(pane.x + pane.width) - edge,
                      static_cast<float>(pane.y + pane.height) - ui.px(6)};
    const float header_bottom = draw_header(ui, low, high.x, high.y);
    const float top = draw_photo_text(ui, {low.x, header_bottom}, high.x);
    if (in_steps(ui)) {
        draw_memory(ui, {{low.x, top}, high});
    } else {
        const bool draws_memory_here = has_several_lanes(ui) && !takes_timings_pane(ui);
        float lanes_bottom = draws_memory_here ? std::round((top + high.y) / 2) : high.y;
        const bool is_above_table = ui.panes.timings.height > 0 && !takes_timings_pane(ui);
        if (is_above_table) {
            lanes_bottom -= ui.px(text_line_height);
            const ImFont* const font = ui.fonts().small;
            plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x, lanes_bottom}, ui.palette().label,
                             plots::elided(font, why_the_table_differs, high.x - low.x));
        }
        draw_lanes(ui, {low.x, top}, {high.x, lanes_bottom});
        if (draws_memory_here) draw_memory(ui, {{low.x, lanes_bottom + ui.px(6)}, high});
    }
    ImGui::End();
    if (!takes_timings_pane(ui)) return;
    const Rect below = rect_of(ui.panes.timings);
    begin_pane("timings", ui.panes.timings,
               ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_memory(ui, {{below.low.x + edge, below.low.y + ui.px(6)}, {below.high.x - edge, below.high.y}});
    ImGui::End();
}

}  // namespace

ViewType race_view() {
    return {.name = "Race",
            .meaning =
                "Up to eight algorithms compact the stream of every frame, each in a lane of its own. A "
                "strip fills at the true relative speed of its algorithm; all are slowed down by the same "
                "factor. Below them, the memory of the first two.",
            .make = make_panel<RacePanel>};
}

}  // namespace warpsieve::panels
