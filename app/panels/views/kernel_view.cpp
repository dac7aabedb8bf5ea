#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/kernel_view/item_path.hpp"
#include "app/kernel_view/lessons.hpp"
#include "app/kernel_view/plants.hpp"
#include "app/kernel_view/recording.hpp"
#include "app/kernel_view/replay.hpp"
#include "app/kernel_view/warp_view.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/kernel_memory.hpp"
#include "app/panels/views/kernel_source.hpp"
#include "app/panels/views/kernel_timeline.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/scene/pick.hpp"
#include "app/scene/sources.hpp"
#include "compaction/lane_trace.hpp"
#include "workloads/streams.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;
using kernel_view::LineDots;
using kernel_view::Mark;
using kernel_view::Order;
using kernel_view::Replay;

// Pixels at 100 %.
constexpr float kernel_margin = 12;
constexpr float min_width_with_memory = 1'000;
constexpr float min_width_with_keys = 720;
constexpr float value_names_width = 150;
constexpr float shuffle_arrows_height = 18;
// In lower panes, the source and the timeline take the room of legends and of further rows of buttons.
constexpr float min_height_with_legend = 260;
constexpr float min_source_height_with_legend = 120;

constexpr double steps_per_second = 8;

/// Slots of the scene at one time of its clock.
struct SceneSlots {
    const scene::SourceInfo* source = nullptr;
    std::optional<workloads::Pattern> pattern;
    workloads::PicturePointer picture;
    std::uint64_t num_slots = 0;
    std::uint64_t first = 0;  ///< the first slot that is traced
    std::uint64_t phase = 0;  ///< scene::Moment::phase

    bool operator==(const SceneSlots&) const = default;
};

/// What a trace is made from.
struct Subject {
    const Algorithm* chosen = nullptr;  ///< the algorithm of the controls
    const Algorithm* traced = nullptr;  ///< `chosen`, or the one shown in its place
    const kernel_view::Plant* plant = nullptr;
    const kernel_view::Lesson* lesson = nullptr;
    const kernel_view::BuiltInRecording* recording = nullptr;  ///< shown in a build without the simulated GPU
    compaction::Options options;
    std::uint32_t num_items = 0;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    std::uint32_t schedule_seed = 0;
    std::uint32_t items_seed = 0;
    float live_fraction = 0;
    std::optional<SceneSlots> scene;  ///< empty: a random stream

    bool operator==(const Subject&) const = default;
};

/// The slots that the settings choose; empty for a random stream.
std::optional<SceneSlots> scene_slots_of(const Ui& ui) {
    const WindowPreferences& window = ui.settings.window;
    const RunConfig& run = ui.settings.run;
    const std::uint64_t num_slots = ui.snapshot.stream.slots;
    if (window.kernel_slot == 0 || num_slots == 0) return std::nullopt;
    return SceneSlots{.source = &scene::effective_source(run.source),
                      .pattern = run.stream_pattern(),
                      .picture = run.loaded_picture,
                      .num_slots = num_slots,
                      .first = window.kernel_slot <= num_slots ? window.kernel_slot - 1 : 0,
                      .phase = window.kernel_phase};
}

/// The handles of the slots, 0 for an empty one, as in the buffer of the frame.
std::vector<compaction::Item> handles_of(const SceneSlots& slots, const Subject& subject) {
    workloads::StreamFunctions streams;
    scene::Frame frame{.source = slots.source,
                       .slots = slots.num_slots,
                       .moment = scene::Clock().moment(subject.live_fraction, subject.items_seed)};
    frame.moment.phase = slots.phase;
    if (slots.pattern)
        frame.stream = streams.make(*slots.pattern, slots.num_slots, subject.live_fraction,
                                    subject.items_seed, slots.picture);
    std::vector<compaction::Item> handles(subject.num_items);
    for (std::uint32_t i = 0; i < subject.num_items; ++i)
        if (scene::locate(frame, slots.first + i))
            handles[i] = scene::handle_of(static_cast<std::uint32_t>(slots.first + i));
    return handles;
}

bool can_be_traced(const Algorithm& algorithm) {
    return compaction::simulated::no_trace_reason(algorithm).empty();
}

/// The algorithm whose steps are shown for `chosen`. With a fault, one that runs its line.
const Algorithm& traced_for(const Algorithm& chosen, const kernel_view::Plant* plant) {
    const bool shows_other_algorithm = plant && !runs_line_of(*plant, chosen);
    if (kernel_view::has_steps(chosen) && !shows_other_algorithm) return chosen;
    const Algorithm* const planted = plant ? simulated_algorithm(*plant) : nullptr;
    return planted ? *planted : kernel_view::shown_for(chosen);
}

/// The recording that is shown of the algorithm or the lesson; null if the kernels are traced.
const kernel_view::BuiltInRecording* recording_for(const Algorithm& traced,
                                                   const kernel_view::Lesson* lesson) {
    if (can_be_traced(traced)) return nullptr;
    return lesson ? kernel_view::recording_of(*lesson) : kernel_view::find_recording(traced.id);
}

/// Says that another algorithm is shown than the chosen one, and why.
std::string counterpart_text(const Subject& subject) {
    const std::string& chosen = subject.chosen->name;
    const bool is_on_cpu = subject.chosen->engine == compaction::EngineId::cpu;
    return "These are the steps of " + subject.traced->name + ": " +
           (subject.plant       ? chosen + " does not run the line of the fault."
            : is_on_cpu         ? chosen + " runs on the CPU and has no lanes."
            : subject.recording ? "this build has no steps of " + chosen + "."
                                : "the kernels of " + chosen + " cannot be traced.");
}

/// A replay, or why there is none.
struct ReplayResult {
    std::unique_ptr<Replay> replay;
    std::string problem;
    kernel_view::Notice notice;  ///< what a planted fault breaks, or why a kernel failed
};

std::vector<compaction::Item> items_of(const Subject& subject) {
    if (subject.scene) return handles_of(*subject.scene, subject);
    return workloads::make_stream(workloads::Pattern::random, subject.num_items, subject.live_fraction,
                                  subject.items_seed);
}

kernel_view::Recording trace_of(const Subject& subject) {
    if (subject.recording) return kernel_view::read_recording(subject.recording->file());
    const std::vector<compaction::Item> words =
        workloads::widen(items_of(subject), subject.item_size, subject.items_seed);
    return {.trace = compaction::simulated::trace_lanes(*subject.traced, subject.options, subject.item_size,
                                                        std::as_bytes(std::span(words)),
                                                        compaction::keep_non_zero(), subject.schedule_seed)
                         .trace,
            .sources = {}};
}

ReplayResult make_replay(const Subject& subject) {
    try {
        ReplayResult result;
        if (subject.plant) {
            const std::vector<compaction::Item> items = items_of(subject);
            kernel_view::PlantedRun run = kernel_view::run_plant(
                *subject.plant, *subject.traced, subject.options, compaction::ItemSize::bytes_4,
                std::as_bytes(std::span(items)), compaction::keep_non_zero(), subject.schedule_seed);
            result.notice = notice_of(*subject.plant, run.finding);
            result.replay = std::make_unique<Replay>(std::move(run.replay));
        } else {
            auto [trace, sources] = trace_of(subject);
            result.replay = std::make_unique<Replay>(std::move(trace), std::move(sources));
            result.notice = notice_of_failure(result.replay->events());
        }
        // Going to the last step makes the keyframes here, so that no frame of the window waits for them.
        for (const Order order : kernel_view::all_orders)
            if (const std::size_t steps = result.replay->steps(order).size(); steps > 0)
                result.replay->at(order, steps - 1);
        return result;
    } catch (const std::exception& error) {
        return {.replay = nullptr, .problem = error.what(), .notice = {}};
    }
}

/// A set of texts that a setting holds, with ';' between them.
class TextSet {
  public:
    /// Takes the texts of the setting.
    void read(const std::string& setting) {
        if (setting == setting_) return;
        setting_ = setting;
        texts_.clear();
        std::istringstream list(setting);
        for (std::string text; std::getline(list, text, ';');) texts_.insert(text);
    }
    bool contains(const std::string& text) const { return texts_.contains(text); }
    bool empty() const { return texts_.empty(); }
    /// Adds the text to the setting, or removes it.
    void toggle(const std::string& text, std::string& setting) {
        if (texts_.erase(text) == 0) texts_.insert(text);
        setting_.clear();
        for (const std::string& each : texts_) setting_ += (setting_.empty() ? "" : ";") + each;
        setting = setting_;
    }

  private:
    std::string setting_;
    std::set<std::string> texts_;
};

/// Every step of every lane of one traced compaction, beside the source, forwards and backwards.
class KernelPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    bool takes_timings_pane(const Ui& ui) const override { return ui.panes.timings.height > 0; }
    bool pause_or_resume(Ui& ui) override;
    void step(Ui& ui, int direction) override { go_by(ui, direction); }
    void previous_barrier(Ui& ui) { go_to_barrier(ui, -1); }
    void next_barrier(Ui& ui) { go_to_barrier(ui, 1); }
    void previous_launch(Ui& ui) { go_to_launch(ui, -1); }
    void next_launch(Ui& ui) { go_to_launch(ui, 1); }
    void previous_warp(Ui& ui) { step_warp(ui, -1); }
    void next_warp(Ui& ui) { step_warp(ui, 1); }
    void next_seed(Ui& ui);
    bool close(Ui& ui) override;
    void switch_order(Ui& ui);
    void toggle_breakpoint(Ui& ui);
    void run_to_breakpoint(Ui& ui);
    void toggle_follow_item(Ui& ui);
    void previous_of_item(Ui& ui) { go_along_item(ui, -1); }
    void next_of_item(Ui& ui) { go_along_item(ui, 1); }
    void go_to_store(Ui& ui);
    void go_to_next_access(Ui& ui);
    void watch_latest(Ui& ui);

  private:
    /// What is drawn of a step. Computed again when the step, the order or the chosen warp changes.
    struct Shown {
        std::size_t step = 0;
        Order order = Order::warps;
        std::uint32_t chosen_warp = 0;  ///< as WindowPreferences::kernel_warp
        std::uint32_t launch = kernel_view::none;
        kernel_view::WarpView warp;
        std::vector<LineDots> dots;
        std::vector<kernel_view::MemoryRow> memory;
        std::optional<kernel_view::Shuffle> shuffle;
        std::optional<std::size_t> last_store;  ///< the last step that stored what this one loads
        std::string sentence;
        std::string location;  ///< "kernel, block 3, warp 1"
    };

    Subject subject_of(const Ui& ui) const;
    void follow_settings(Ui& ui);
    void collect_replay();
    void pass_time(Ui& ui);
    void go_to(Ui& ui, std::size_t step);
    void go_by(Ui& ui, int direction);
    void go_to_barrier(Ui& ui, int direction);
    void go_to_launch(Ui& ui, int direction);
    void go_to_event(Ui& ui, std::uint32_t event);
    void go_along_item(Ui& ui, int direction);
    void update_path(Ui& ui);
    bool has_value_of_followed_item(std::uint64_t number) const {
        return path_ && path_->is_unique && number == path_->value;
    }
    std::string words_of_path() const;
    bool is_watched(std::uint32_t name) const { return watched_.contains(replay_->events().names[name]); }
    bool is_breakpoint(std::uint32_t line) const {
        return line != kernel_view::none &&
               breakpoints_.contains(kernel_view::place_text(replay_->events(), line));
    }
    void toggle_watch(Ui& ui, std::uint32_t name);
    std::span<const kernel_view::Value> values_of_warp() const;
    std::vector<std::uint32_t> names_with_value() const;
    void toggle_breakpoint_at(Ui& ui, std::uint32_t line);
    void step_warp(Ui& ui, int direction);
    void show_step(Ui& ui);
    Order order(const Ui& ui) const {
        return ui.settings.window.kernel_order == KernelOrder::warps ? Order::warps : Order::lanes;
    }
    bool has_steps(const Ui& ui) const { return replay_ && replay_->steps(order(ui)).size() > 0; }
    /// The step of the current order that contains the event.
    std::size_t step_of(const Ui& ui, std::uint32_t event) const {
        return kernel_view::step_with(replay_->steps(order(ui)), event);
    }
    float draw_buttons(Ui& ui, ImVec2 low, ImVec2 high);
    void draw_step_buttons(Ui& ui, ToolbarFlow& flow);
    void draw_trace_buttons(Ui& ui, ToolbarFlow& flow);
    void draw_item_buttons(Ui& ui, ToolbarFlow& flow);
    void draw_launches_menu(Ui& ui, ToolbarFlow& flow);
    void draw_items_menu(Ui& ui, ToolbarFlow& flow) const;
    void draw_faults_menu(Ui& ui, ToolbarFlow& flow) const;
    void draw_lessons_menu(Ui& ui, ToolbarFlow& flow) const;
    std::size_t opening(const Ui& ui) const;
    void toggle_scene(Ui& ui);
    float draw_notice(Ui& ui, ImVec2 low, ImVec2 high);
    float draw_notice_buttons(Ui& ui, ImVec2 low, ImVec2 high);
    float draw_words(Ui& ui, ImVec2 low, float right);
    float draw_missing_lines(Ui& ui, ImVec2 low, float right) const;
    void draw_source_and_memory(Ui& ui, const Rect& box);
    void draw_lane_numbers(Ui& ui, std::string_view heading, const Rect& box) const;
    void draw_values(Ui& ui, const Rect& box);
    void draw_value(Ui& ui, const std::string& name, const kernel_view::Value& value,
                    std::uint32_t marked_lanes, std::uint32_t lanes_per_line, const Rect& box,
                    bool as_hexadecimal) const;
    float draw_grid_row(Ui& ui, const std::string& kind, const std::string& name,
                        const kernel_view::Value& value, std::uint32_t marked_lanes,
                        std::uint32_t lanes_per_line, ImVec2 low, ImVec2 high) const;
    float draw_memory(Ui& ui, const Rect& box) const;
    float draw_shuffle(Ui& ui, const kernel_view::Shuffle& shuffle, const Rect& box) const;
    void draw_lower(Ui& ui, const Rect& box);

    Subject subject_;
    std::future<ReplayResult> future_replay_;  ///< valid while a thread makes it
    Subject future_subject_;                   ///< subject that the thread traces
    std::unique_ptr<Replay> replay_;           ///< of `subject_`; null while there is none
    std::string problem_;                      ///< why there is no replay
    kernel_view::Notice notice_;               ///< of `replay_`
    std::optional<Shown> shown_;
    KernelSource source_;
    KernelTimeline timeline_;
    KernelMemory memory_;
    TextSet breakpoints_;                        ///< kernel_view::place_text() of lines
    TextSet watched_;                            ///< names of values that stay at the top
    std::optional<kernel_view::ItemPath> path_;  ///< of the item that is followed
    Order path_order_ = Order::warps;            ///< order whose steps `path_steps_` contains
    std::set<std::size_t> path_steps_;           ///< the steps that load or store the item
    bool playing_ = false;
    double last_update_s_ = 0;
    double steps_due_ = 0;  ///< steps to play, with the fraction that is not due yet
};

/// What the settings choose to trace.
Subject KernelPanel::subject_of(const Ui& ui) const {
    const Algorithm& chosen = *ui.snapshot.runs.a.algorithm;
    const WindowPreferences& window = ui.settings.window;
    const RunConfig& run = ui.settings.run;
    const kernel_view::Plant* const plant = kernel_view::find_plant(window.kernel_plant);
    const kernel_view::Lesson* const lesson = kernel_view::find_lesson(window.kernel_lesson);
    const bool has_same_algorithm =
        subject_.chosen == &chosen && subject_.plant == plant && subject_.lesson == lesson;
    const Algorithm& traced = has_same_algorithm ? *subject_.traced
                              : lesson           ? compaction::find_algorithm(lesson->algorithm)
                                                 : traced_for(chosen, plant);
    if (const kernel_view::BuiltInRecording* const recording =
            has_same_algorithm ? subject_.recording : recording_for(traced, lesson))
        return {.chosen = &chosen,
                .traced = &traced,
                .lesson = lesson,
                .recording = recording,
                .options = {},
                .num_items = recording->num_items,
                .item_size = recording->item_size,
                .schedule_seed = recording->schedule_seed,
                .scene = {}};
    if (lesson)
        return {.chosen = &chosen,
                .traced = &traced,
                .lesson = lesson,
                .options = {},
                .num_items = lesson->num_items,
                .item_size = lesson->item_size,
                .schedule_seed = window.kernel_seed,
                .items_seed = kernel_view::lesson_items_seed,
                .live_fraction = 0.5F,
                .scene = {}};
    Subject subject{.chosen = &chosen,
                    .traced = &traced,
                    .plant = plant,
                    .options = {},
                    .num_items = window.kernel_items,
                    .schedule_seed = window.kernel_seed,
                    .items_seed = run.seed,
                    .live_fraction = run.live_fraction,
                    .scene = scene_slots_of(ui)};
    if (subject.scene)
        subject.num_items = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(subject.num_items, subject.scene->num_slots - subject.scene->first));
    // The options are those of the chosen algorithm; another one is traced with its defaults.
    if (&traced == &chosen) subject.options = run.a.options;
    return subject;
}

/// Traces in the background what the settings choose, and takes the replay when it is ready.
void KernelPanel::follow_settings(Ui& ui) {
    const WindowPreferences& window = ui.settings.window;
    const Subject subject = subject_of(ui);
    if (subject != subject_) {
        subject_ = subject;
        replay_.reset();
        problem_.clear();
        notice_ = {};
        shown_.reset();
        path_.reset();
        playing_ = false;
    }
    breakpoints_.read(window.kernel_breakpoints);
    watched_.read(window.kernel_watched);
    collect_replay();
    const bool is_traced = replay_ || !problem_.empty();
    const bool is_tracing = future_replay_.valid();
    if (is_traced || is_tracing) return;
    future_subject_ = subject_;
    try {
        future_replay_ = std::async(std::launch::async, make_replay, subject_);
    } catch (const std::system_error&) {
        problem_ = "The system has no thread left to trace the kernels.";
    }
}

void KernelPanel::collect_replay() {
    if (!future_replay_.valid()) return;
    const auto status = future_replay_.wait_for(std::chrono::seconds(0));
    if (status != std::future_status::ready) return;
    ReplayResult result = future_replay_.get();
    const bool is_outdated = future_subject_ != subject_;
    if (is_outdated) return;
    replay_ = std::move(result.replay);
    problem_ = std::move(result.problem);
    notice_ = std::move(result.notice);
    timeline_.clear();
    memory_.clear();
}

void KernelPanel::pass_time(Ui& ui) {
    // The limit drops the time for which the tab was hidden.
    constexpr double max_passed_s = 0.25;
    const double passed_s = std::clamp(ui.snapshot.display.now_s - last_update_s_, 0.0, max_passed_s);
    last_update_s_ = ui.snapshot.display.now_s;
    if (!playing_ || !has_steps(ui)) return;
    steps_due_ += passed_s * steps_per_second;
    while (steps_due_ >= 1 && playing_) {
        steps_due_ -= 1;
        const std::size_t before = ui.settings.window.kernel_step;
        go_to(ui, before + 1);
        show_step(ui);
        playing_ = ui.settings.window.kernel_step > before && !is_breakpoint(shown_->warp.line());
    }
}

void KernelPanel::go_to(Ui& ui, std::size_t step) {
    if (!has_steps(ui)) return;
    ui.settings.window.kernel_step =
        static_cast<std::uint32_t>(std::min(step, replay_->steps(order(ui)).size() - 1));
}

void KernelPanel::go_by(Ui& ui, int direction) {
    playing_ = false;
    const std::size_t step = ui.settings.window.kernel_step;
    go_to(ui, direction > 0 ? step + 1 : step - std::min<std::size_t>(step, 1));
}

void KernelPanel::go_to_barrier(Ui& ui, int direction) {
    if (!has_steps(ui)) return;
    playing_ = false;
    go_to(ui, kernel_view::next_milestone(replay_->events(), replay_->steps(order(ui)),
                                          ui.settings.window.kernel_step, direction));
}

/// Moves to the first step of the next launch, or back to that of this launch, and then of the one before.
void KernelPanel::go_to_launch(Ui& ui, int direction) {
    if (!shown_ || shown_->launch == kernel_view::none) return;
    playing_ = false;
    const kernel_view::Steps& steps = replay_->steps(order(ui));
    const auto begin_of = [&](std::uint32_t launch) {
        return kernel_view::steps_of_launch(replay_->events(), steps, launch).begin;
    };
    std::uint32_t launch = shown_->launch;
    if (direction > 0)
        ++launch;
    else if (launch > 0 && shown_->step == begin_of(launch))
        --launch;
    if (launch < replay_->events().trace.launches.size()) go_to(ui, begin_of(launch));
}

/// Follows the item that the step loads or stores. If it accesses none, follows item 0 and moves to the next
/// step that accesses it. If an item is followed already, stops following it.
void KernelPanel::toggle_follow_item(Ui& ui) {
    if (!shown_) return;
    std::uint32_t& followed = ui.settings.window.kernel_item;  // counted from 1
    if (followed != 0) {
        followed = 0;
        return;
    }
    std::optional<std::uint32_t> item_of_step;
    for (const std::uint32_t event : replay_->steps(shown_->order)[shown_->step]) {
        item_of_step = kernel_view::item_of(replay_->events(), event);
        if (item_of_step) break;
    }
    followed = 1 + item_of_step.value_or(0);
    update_path(ui);
    if (!item_of_step) go_along_item(ui, 1);
}

void KernelPanel::go_along_item(Ui& ui, int direction) {
    if (!path_ || !has_steps(ui)) return;
    playing_ = false;
    const std::size_t step = ui.settings.window.kernel_step;
    if (direction > 0) {
        const auto later = path_steps_.upper_bound(step);
        if (later != path_steps_.end()) go_to(ui, *later);
    } else {
        const auto not_earlier = path_steps_.lower_bound(step);
        if (not_earlier != path_steps_.begin()) go_to(ui, *std::prev(not_earlier));
    }
}

/// Moves to the last step that stored what this one loads.
void KernelPanel::go_to_store(Ui& ui) {
    if (!shown_ || !shown_->last_store) return;
    playing_ = false;
    go_to(ui, *shown_->last_store);
}

/// Moves to the event of the notice that follows the one of this step; to the first one elsewhere.
void KernelPanel::go_to_next_access(Ui& ui) {
    const std::vector<kernel_view::Notice::Link>& links = notice_.links;
    if (!has_steps(ui) || links.empty()) return;
    const auto current = std::ranges::find_if(links, [&](const kernel_view::Notice::Link& link) {
        return step_of(ui, link.event) == ui.settings.window.kernel_step;
    });
    const bool has_next = current != links.end() && std::next(current) != links.end();
    go_to_event(ui, has_next ? std::next(current)->event : links.front().event);
}

/// Moves to the step of the event, and shows its warp.
void KernelPanel::go_to_event(Ui& ui, std::uint32_t event) {
    playing_ = false;
    ui.settings.window.kernel_warp = 0;
    go_to(ui, step_of(ui, event));
}

/// Finds the path of the followed item, if it is not known yet.
void KernelPanel::update_path(Ui& ui) {
    std::uint32_t& followed = ui.settings.window.kernel_item;  // counted from 1
    followed = std::min(followed, subject_.num_items);
    if (followed == 0 || !replay_) return path_.reset();
    const std::uint32_t item = followed - 1;
    if (path_ && path_->item == item && path_order_ == order(ui)) return;
    path_ = kernel_view::path_of_item(replay_->events(), item);
    path_order_ = order(ui);
    path_steps_.clear();
    for (const std::uint32_t event : path_->events)
        path_steps_.insert(kernel_view::step_with(replay_->steps(path_order_), event));
}

/// "input[37] ends at output[12]; 4 steps load or store it, this is number 3; framed where it is".
std::string KernelPanel::words_of_path() const {
    const bool is_kept = path_->value != 0;
    std::string words = subject_.scene ? "slot " + format::grouped(subject_.scene->first + path_->item)
                                       : "input[" + std::to_string(path_->item) + "]";
    if (path_->output)
        words += " ends at output[" + std::to_string(*path_->output) + "]";
    else if (!is_kept)
        words += " is not kept";
    else
        words += path_->is_unique ? " is in no place of the output" : " has the value of another item";
    words += "; " + format::grouped(path_steps_.size()) +
             (path_steps_.size() == 1 ? " step loads or stores it" : " steps load or store it");
    const auto current = path_steps_.find(shown_->step);
    if (current != path_steps_.end())
        words += ", this is number " + format::grouped(1 + std::distance(path_steps_.begin(), current));
    if (path_->is_unique) words += "; framed where it is";
    return words;
}

bool KernelPanel::pause_or_resume(Ui& ui) {
    if (!has_steps(ui)) return true;
    playing_ = !playing_;
    steps_due_ = 0;
    const bool is_last_step = ui.settings.window.kernel_step + 1 >= replay_->steps(order(ui)).size();
    if (playing_ && is_last_step) go_to(ui, 0);
    return true;
}

void KernelPanel::switch_order(Ui& ui) {
    KernelOrder& chosen = ui.settings.window.kernel_order;
    const KernelOrder other = chosen == KernelOrder::warps ? KernelOrder::lanes : KernelOrder::warps;
    std::optional<std::uint32_t> event;
    if (has_steps(ui)) {
        const std::size_t step =
            std::min<std::size_t>(ui.settings.window.kernel_step, replay_->steps(order(ui)).size() - 1);
        event = replay_->steps(order(ui))[step][0];
    }
    chosen = other;
    // order(ui) is the other one now. It continues with the same event.
    if (event) go_to(ui, kernel_view::step_with(replay_->steps(order(ui)), *event));
    playing_ = false;
}

/// Shows the warp before or after the one shown, even if the step does not run it. Wraps around.
void KernelPanel::step_warp(Ui& ui, int direction) {
    if (!shown_ || shown_->launch == kernel_view::none) return;
    const std::uint32_t warps = replay_->events().num_warps(shown_->launch);
    const std::uint32_t neighbour = (shown_->warp.warp + (direction > 0 ? 1 : warps - 1)) % warps;
    ui.settings.window.kernel_warp = 1 + neighbour;
}

/// Shows the warp of the step again.
bool KernelPanel::close(Ui& ui) {
    // Esc asks every view, shown or not, whether it has something to close.
    if (ui.settings.window.tab != kernel_tab || ui.settings.window.kernel_warp == 0) return false;
    ui.settings.window.kernel_warp = 0;
    return true;
}

/// Traces the same kernels with another schedule.
void KernelPanel::next_seed(Ui& ui) {
    if (subject_.recording) return;
    constexpr std::uint32_t max_seed_of_setting = std::numeric_limits<int>::max();
    std::uint32_t& seed = ui.settings.window.kernel_seed;
    seed = seed < max_seed_of_setting ? seed + 1 : 0;
    if (subject_.plant) ui.settings.window.kernel_step = opening_step;
}

void KernelPanel::toggle_breakpoint(Ui& ui) {
    if (shown_ && shown_->warp.line() != kernel_view::none) toggle_breakpoint_at(ui, shown_->warp.line());
}

void KernelPanel::toggle_breakpoint_at(Ui& ui, std::uint32_t line) {
    breakpoints_.toggle(kernel_view::place_text(replay_->events(), line),
                        ui.settings.window.kernel_breakpoints);
}

void KernelPanel::run_to_breakpoint(Ui& ui) {
    if (!has_steps(ui)) return;
    playing_ = false;
    std::vector<std::uint32_t> lines;
    for (std::uint32_t line = 0; line < replay_->events().lines.size(); ++line)
        if (is_breakpoint(line)) lines.push_back(line);
    constexpr int forward = 1;
    go_to(ui, kernel_view::next_at_line(replay_->events(), replay_->steps(order(ui)),
                                        ui.settings.window.kernel_step, forward, lines));
}

/// The step at which a fault shows or a lesson begins, else that which loads the followed item, else the
/// first one.
std::size_t KernelPanel::opening(const Ui& ui) const {
    if (notice_.opening != kernel_view::none) return step_of(ui, notice_.opening);
    if (subject_.lesson)
        return kernel_view::first_at_text(replay_->events(), replay_->steps(order(ui)),
                                          subject_.lesson->line);
    return path_ && !path_steps_.empty() ? *path_steps_.begin() : 0;
}

/// Computes `shown_` for the step of the settings, unless nothing has changed.
void KernelPanel::show_step(Ui& ui) {
    if (!has_steps(ui)) return;
    update_path(ui);
    if (ui.settings.window.kernel_step == opening_step) go_to(ui, opening(ui));
    go_to(ui, ui.settings.window.kernel_step);
    const std::size_t step = ui.settings.window.kernel_step;
    const std::uint32_t chosen_warp = ui.settings.window.kernel_warp;
    if (shown_ && shown_->step == step && shown_->order == order(ui) && shown_->chosen_warp == chosen_warp)
        return;
    const std::uint32_t previous_launch = shown_ ? shown_->launch : kernel_view::none;
    const kernel_view::Events& events = replay_->events();
    const kernel_view::State& state = replay_->at(order(ui), step);
    const std::span<const std::uint32_t> step_events = replay_->steps(order(ui))[step];
    Shown shown;
    shown.step = step;
    shown.order = order(ui);
    shown.chosen_warp = chosen_warp;
    shown.launch = state.launch;
    shown.sentence = replay_->sentence(order(ui), step).text();
    if (state.launch != kernel_view::none) {
        const std::uint32_t warps_per_block = events.warps_per_block(state.launch);
        const std::uint32_t warp =
            chosen_warp == 0 ? events.warp_of(events.events[step_events[0]]) : chosen_warp - 1;
        shown.warp =
            kernel_view::warp_view(events, step_events, std::min(warp, events.num_warps(state.launch) - 1));
        shown.dots = kernel_view::line_dots(events, state, shown.warp);
        shown.memory = kernel_view::accessed_rows(events, state, step_events);
        shown.shuffle = kernel_view::shuffle_of(events, step_events, shown.warp.warp);
        for (const std::uint32_t store : kernel_view::observed_stores(events, state, step_events))
            shown.last_store = std::max(shown.last_store.value_or(0),
                                        kernel_view::step_with(replay_->steps(shown.order), store));
        shown.location = events.trace.launches[state.launch].kernel + ", block " +
                         std::to_string(shown.warp.warp / warps_per_block) + ", warp " +
                         std::to_string(shown.warp.warp % warps_per_block);
        if (state.launch != previous_launch) source_.show_launch(events, state.launch);
    }
    shown_ = std::move(shown);
    memory_.update(*replay_, shown_->order, step, shown_->warp.warp);
    source_.scroll_to_step();
}

/// Places a button and says whether it is pressed. Narrow toolbars leave the keys to the tooltips.
bool tool_button(Ui& ui, ToolbarFlow& flow, const char* label, const char* tooltip, const char* key) {
    if (flow.width() < ui.px(min_width_with_keys))
        return flow.place(button_width(label)) && button(ui, label, 0, tooltip, key);
    return flow.place(button_width(ui.style, label, key)) && key_button(ui, label, tooltip, key);
}

/// Draws the buttons and menus. Returns their bottom.
float KernelPanel::draw_buttons(Ui& ui, ImVec2 low, ImVec2 high) {
    // The fault and the sentence of the step keep their room.
    const float max_toolbar_share = high.y - low.y < ui.px(min_height_with_legend) ? 0 : 0.6F;
    ToolbarFlow flow(ui, low, high.x, low.y + max_toolbar_share * (high.y - low.y));
    draw_step_buttons(ui, flow);
    draw_trace_buttons(ui, flow);
    draw_item_buttons(ui, flow);
    if (ui.settings.window.kernel_warp != 0 &&
        tool_button(ui, flow, "follow the step", "Shows the warp that the step runs.", "Esc"))
        close(ui);
    if (!breakpoints_.empty() && tool_button(ui, flow, "run to breakpoint",
                                             "Moves on to the next step at a line with a breakpoint.", "N"))
        run_to_breakpoint(ui);
    if (shown_ && shown_->last_store &&
        tool_button(ui, flow, "to the write##kernel write",
                    "Moves to the last step that wrote what this one reads.", "W"))
        go_to_store(ui);
    return flow.bottom() + ui.px(6);
}

/// Draws the buttons that play, step and choose the order.
void KernelPanel::draw_step_buttons(Ui& ui, ToolbarFlow& flow) {
    if (tool_button(ui, flow, "back##kernel back", "Moves to the step before.", "Left")) go_by(ui, -1);
    if (tool_button(ui, flow, "step##kernel step", "Moves to the next step.", "Right")) go_by(ui, 1);
    if (tool_button(ui, flow, playing_ ? "pause##kernel play" : "play##kernel play",
                    "Plays the steps, up to a line with a breakpoint.", "Space"))
        pause_or_resume(ui);
    if (tool_button(ui, flow, "barrier back##kernel barrier back",
                    "Moves back to the end of a barrier or a launch.", "Shift+Left"))
        previous_barrier(ui);
    if (tool_button(ui, flow, "next barrier##kernel barrier",
                    "Moves on to the end of the next barrier or launch.", "Shift+Right"))
        next_barrier(ui);
    if (flow.width() < ui.px(min_width_with_memory) &&
        toggle(ui, flow, "memory", ui.settings.window.kernel_memory,
               "Shows the memory in place of the source.", "M"))
        ui.settings.window.kernel_memory = !ui.settings.window.kernel_memory;
    if (shown_) {
        if (const auto step =
                number_box(ui, flow, "step##kernel step number", shown_->step + 1, "Moves to the step."))
            go_to(ui, *step > 0 ? *step - 1 : 0);
        draw_launches_menu(ui, flow);
    }
    const bool by_warps = ui.settings.window.kernel_order == KernelOrder::warps;
    if (toggle(ui, flow, "warp by warp", by_warps,
               "Each warp runs until it waits, and its lanes run each instruction together.", "O") &&
        !by_warps)
        switch_order(ui);
    if (toggle(ui, flow, "lane by lane", !by_warps,
               "One lane after the other, as the simulated GPU scheduled them.", "O") &&
        by_warps)
        switch_order(ui);
}

/// Draws what chooses the trace: its schedule, its items, a fault or a lesson.
void KernelPanel::draw_trace_buttons(Ui& ui, ToolbarFlow& flow) {
    if (!subject_.recording) {
        if (tool_button(ui, flow, "next seed",
                        "Runs the kernels again in the order that the next seed fixes.", "S"))
            next_seed(ui);
        if (!subject_.lesson) draw_items_menu(ui, flow);
        if (!subject_.lesson &&
            toggle(
                ui, flow, "of the scene", subject_.scene.has_value(),
                "Traces slots of the scene as they are now, in place of a random stream. D does so for the "
                "item that is followed.",
                ""))
            toggle_scene(ui);
        draw_faults_menu(ui, flow);
    }
    draw_lessons_menu(ui, flow);
}

/// Draws the buttons of the followed item.
void KernelPanel::draw_item_buttons(Ui& ui, ToolbarFlow& flow) {
    if (toggle(ui, flow, "follow item", ui.settings.window.kernel_item != 0,
               "Follows the item that the step loads or stores, else item 0. Each word that holds it has a "
               "frame.",
               "F"))
        toggle_follow_item(ui);
    if (path_) {
        const std::optional<std::uint64_t> item = number_box(ui, flow, "item##kernel item", path_->item,
                                                             "Follows the item with this index, from 0.");
        if (item)
            ui.settings.window.kernel_item =
                1 + static_cast<std::uint32_t>(std::min<std::uint64_t>(*item, subject_.num_items - 1));
    }
    if (path_ && tool_button(ui, flow, "item back##kernel item back",
                             "Moves back to the last step that loads or stores the item.", "Ctrl+Left"))
        previous_of_item(ui);
    if (path_ && tool_button(ui, flow, "item on##kernel item on",
                             "Moves on to the next step that loads or stores the item.", "Ctrl+Right"))
        next_of_item(ui);
}

/// Draws the menu of the launches, if there are several.
void KernelPanel::draw_launches_menu(Ui& ui, ToolbarFlow& flow) {
    const std::vector<compaction::TracedLaunch>& launches = replay_->events().trace.launches;
    if (launches.size() < 2 || shown_->launch == kernel_view::none) return;
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < launches.size(); ++i)
        entries.push_back({std::to_string(i + 1) + " " + launches[i].kernel});
    const float width = menu_width(ui, entries);
    if (!flow.place(width)) return;
    const std::optional<std::size_t> clicked = menu(ui, "kernel launch", width, entries, shown_->launch,
                                                    "The launches. Moves to the first step of one.");
    if (!clicked) return;
    playing_ = false;
    ui.settings.window.kernel_warp = 0;
    go_to(ui, kernel_view::steps_of_launch(replay_->events(), replay_->steps(shown_->order),
                                           static_cast<std::uint32_t>(*clicked))
                  .begin);
}

/// Draws the menu that chooses how many items are traced.
void KernelPanel::draw_items_menu(Ui& ui, ToolbarFlow& flow) const {
    std::uint32_t& chosen = ui.settings.window.kernel_items;
    const std::set<std::uint32_t> counts{32, 256, 1'024, 2'048, max_kernel_items, chosen};
    std::vector<MenuEntry> entries;
    for (const std::uint32_t count : counts) entries.push_back({format::grouped(count) + " items"});
    const float width = menu_width(ui, entries);
    if (!flow.place(width)) return;
    const auto selected = static_cast<std::size_t>(std::distance(counts.begin(), counts.find(chosen)));
    const std::optional<std::size_t> clicked =
        menu(ui, "kernel items", width, entries, selected, "How many items are traced.");
    if (clicked) chosen = *std::next(counts.begin(), static_cast<std::ptrdiff_t>(*clicked));
}

/// Traces the first slots of the scene, or a random stream again.
void KernelPanel::toggle_scene(Ui& ui) {
    WindowPreferences& window = ui.settings.window;
    window.kernel_slot = subject_.scene ? 0 : 1;
    window.kernel_phase = ui.snapshot.stream.phase;
}

/// A menu of the words that a setting allows.
struct WordMenu {
    std::string_view name;
    std::string_view setting;  ///< its key
    std::string shown;
    std::string longest;  ///< of the texts that `shown` may be
    std::string_view tooltip;
};

/// Draws the menu. `meaning_of(word)`: the tooltip of its entry. Returns the word that was clicked.
template <typename MeaningOf>
std::optional<std::string> word_menu(Ui& ui, ToolbarFlow& flow, const WordMenu& menu, MeaningOf meaning_of) {
    const SettingDescriptor& setting = field(menu.setting);
    const AllowedValues allowed = setting.allowed(ui.settings, ui.snapshot.catalogue);
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < allowed.words.size(); ++i)
        entries.push_back({allowed.names[i], std::string(meaning_of(allowed.words[i]))});
    const float width = menu_width(ui, std::array{MenuEntry{menu.longest}});
    if (!flow.place(width)) return std::nullopt;
    const auto selected = static_cast<std::size_t>(
        std::ranges::find(allowed.words, text_of(setting, ui.settings)) - allowed.words.begin());
    ImGui::PushID(menu.name.data(), menu.name.data() + menu.name.size());
    ImGui::SetNextItemWidth(width);
    const MenuState state = bare_menu(ui, menu.name, menu.shown, entries, selected);
    if (!state.open) ui.tooltips.offer_item(ui.style, menu.tooltip);
    ImGui::PopID();
    if (!state.clicked) return std::nullopt;
    return allowed.words[*state.clicked];
}

/// Draws the menu that plants a fault into the kernels.
void KernelPanel::draw_faults_menu(Ui& ui, ToolbarFlow& flow) const {
    if (!kernel_view::can_plant()) return;
    const WordMenu menu{.name = "kernel fault",
                        .setting = "kernel_plant",
                        .shown = subject_.plant ? "fault: planted" : "fault: none",
                        .longest = "fault: planted",
                        .tooltip = "Runs the kernels without one of their lines, and goes to what breaks."};
    const auto word = word_menu(ui, flow, menu, [](const std::string& id) {
        const kernel_view::Plant* const plant = kernel_view::find_plant(id);
        return plant ? plant->consequence : std::string_view();
    });
    if (word) choose_plant(ui.settings, *word);
}

/// Draws the menu that chooses a lesson.
void KernelPanel::draw_lessons_menu(Ui& ui, ToolbarFlow& flow) const {
    const WordMenu menu{.name = "kernel lesson",
                        .setting = "kernel_lesson",
                        .shown = subject_.lesson ? "lesson: shown" : "lesson: none",
                        .longest = "lesson: shown",
                        .tooltip = "Shows kernels with a question that the controls answer."};
    const auto word = word_menu(ui, flow, menu, [](const std::string& id) {
        const kernel_view::Lesson* const lesson = kernel_view::find_lesson(id);
        return lesson ? lesson->question : std::string_view();
    });
    if (word) choose_lesson(ui.settings, *word);
}

/// Draws what is wrong with the kernels: the planted fault, what it breaks, and buttons that go there; or the
/// question of the lesson. Returns the bottom.
float KernelPanel::draw_notice(Ui& ui, ImVec2 low, ImVec2 high) {
    const kernel_view::Lesson* const lesson = notice_.text.empty() ? subject_.lesson : nullptr;
    if (!subject_.plant && !lesson && notice_.text.empty()) return low.y;
    constexpr float max_text_share = 0.2F;
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = low.x + ui.px(10);
    const std::string badge = subject_.plant ? "planted fault" : lesson ? "lesson" : "failed";
    const std::string text =
        lesson ? std::string(lesson->question) + " " + std::string(lesson->hint) : notice_.text;
    const float badge_right = left + plots::text_width(fonts.text, badge) + ui.px(12);
    const float heading_bottom = low.y + fonts.text->FontSize + ui.px(2);
    list.AddRectFilled({left, low.y}, {badge_right, heading_bottom},
                       lesson ? palette.accent_fill : palette.error, ui.px(3));
    plots::draw_text(list, fonts.text, {left + ui.px(6), low.y + ui.px(1)},
                     lesson ? palette.text : palette.on_error, badge);
    std::string heading = (lesson ? std::string(lesson->name) + ": " : std::string()) + subject_.traced->id;
    if (subject_.plant) heading += " " + std::string(subject_.plant->name);
    if (notice_.left_out_line != 0)
        heading += " (" + notice_.left_out_file.substr(notice_.left_out_file.rfind('/') + 1) + ":" +
                   std::to_string(notice_.left_out_line) + ")";
    const float heading_left = badge_right + ui.px(8);
    plots::draw_text(list, fonts.text, {heading_left, low.y + ui.px(1)}, palette.text,
                     plots::elided(fonts.text, heading, high.x - heading_left));
    float bottom = heading_bottom;
    if (!text.empty()) {
        const ImVec2 text_low{left, heading_bottom + ui.px(3)};
        const float text_height = plots::paragraph_height(fonts.small, text, high.x - left);
        const float line = fonts.small->FontSize;
        const float room = line * std::max(1.0F, std::floor((high.y - low.y) * max_text_share / line));
        bottom = text_low.y + std::min(text_height, room);
        plots::draw_wrapped(list, fonts.small, text_low, {high.x, bottom}, palette.text, text);
        if (text_height > room) ui.tooltips.offer(ui.style, text_low, {high.x, bottom}, text);
        ui.controls.record(lesson ? "kernel: question" : "kernel: finding", text_low, {high.x, bottom});
    }
    ui.controls.record(lesson ? "kernel: lesson" : "kernel: planted", {left, low.y},
                       {high.x, heading_bottom});
    if (shown_) bottom = draw_notice_buttons(ui, {left, bottom + ui.px(4)}, high);
    list.AddRectFilled(low, {low.x + ui.px(3), bottom}, lesson ? palette.accent : palette.error);
    return bottom + ui.px(6);
}

/// Draws a button for each event that the notice names, and one for the line of the fault. Returns their
/// bottom.
float KernelPanel::draw_notice_buttons(Ui& ui, ImVec2 low, ImVec2 high) {
    const bool shows_line = source_.has_line_left_out(replay_->events(), notice_);
    if (notice_.links.empty() && !shows_line) return low.y;
    ToolbarFlow flow(ui, low, high.x, high.y);
    for (const kernel_view::Notice::Link& link : notice_.links) {
        const bool is_shown = step_of(ui, link.event) == shown_->step;
        if (toggle(ui, flow, link.text.c_str(), is_shown, "Moves to its step.", "J"))
            go_to_event(ui, link.event);
    }
    if (shows_line && flow.place(button_width("the line left out")) &&
        button(ui, "the line left out", 0, "Shows the line in the source.", ""))
        source_.scroll_to_line_left_out();
    return flow.bottom();
}

/// Draws a line of text, and offers all of it where it is cut. Returns its bottom.
float draw_line(Ui& ui, const ImFont* font, ImVec2 low, float right, ImU32 colour, std::string_view text) {
    const float bottom = low.y + font->FontSize;
    if (low.x >= right) return bottom;
    plots::draw_text(*ImGui::GetWindowDrawList(), font, low, colour,
                     plots::elided(font, text, right - low.x));
    if (plots::text_width(font, text) > right - low.x)
        ui.tooltips.offer(ui.style, low, {right, bottom}, text);
    return bottom;
}

/// Draws the schedule, the traced algorithm and the sentence of the step. Returns their bottom.
float KernelPanel::draw_words(Ui& ui, ImVec2 low, float right) {
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const std::string schedule = std::string(subject_.recording ? "recorded simulated" : "simulated") +
                                 " schedule, seed " + std::to_string(subject_.schedule_seed) +
                                 ": one possible order, no times";
    draw_line(ui, fonts.small, low, right, palette.warning_text, schedule);
    const float schedule_width = plots::text_width(fonts.small, schedule);
    ui.controls.record("kernel: schedule", low, {low.x + schedule_width, low.y + fonts.small->FontSize});
    std::string subject = subject_.traced->id + ", ";
    if (subject_.scene)
        subject += "slots " + format::grouped(subject_.scene->first) + " to " +
                   format::grouped(subject_.scene->first + subject_.num_items - 1) +
                   (subject_.scene->phase == ui.snapshot.stream.phase ? " of the scene now"
                                                                      : " of the scene at another time");
    else
        subject += format::grouped(subject_.num_items) + " items";
    const ImVec2 after_schedule{low.x + schedule_width + ui.px(16), low.y};
    float y = draw_line(ui, fonts.small, after_schedule, right, palette.muted, subject) + ui.px(2);
    if (subject_.chosen != subject_.traced && !subject_.lesson)
        y = draw_line(ui, fonts.small, {low.x, y}, right, palette.text, counterpart_text(subject_)) +
            ui.px(2);
    std::string position, sentence;
    if (shown_) {
        position = "step " + format::grouped(shown_->step + 1) + " of " +
                   format::grouped(replay_->steps(shown_->order).size());
        if (!shown_->location.empty()) position += ", " + shown_->location;
        if (shown_->last_store)
            position +=
                "; what it reads was written last in step " + format::grouped(*shown_->last_store + 1);
        sentence = shown_->sentence;
    } else {
        sentence = !problem_.empty() ? problem_ : "Traces the kernels.";
    }
    if (!position.empty())
        y = draw_line(ui, fonts.small, {low.x, y}, right, palette.muted, position) + ui.px(1);
    const float bottom = draw_line(ui, fonts.text, {low.x, y}, right, palette.text, sentence);
    ui.controls.record("kernel: sentence", {low.x, y}, {right, bottom});
    if (!shown_ || !path_) return bottom + ui.px(6);
    const float path_y = bottom + ui.px(2);
    const float path_bottom =
        draw_line(ui, fonts.small, {low.x, path_y}, right, palette.text, words_of_path());
    ui.controls.record("kernel: item", {low.x, path_y}, {right, path_bottom});
    return path_bottom + ui.px(6);
}

/// Says why the source is not shown, if its lines are not known. Returns the bottom.
float KernelPanel::draw_missing_lines(Ui& ui, ImVec2 low, float right) const {
    const std::string& reason = replay_->events().trace.missing_lines;
    if (reason.empty()) return low.y;
    return draw_line(ui, ui.fonts().small, low, right, ui.palette().warning_text, reason) + ui.px(3);
}

/// Draws the source, and the memory beside it if both fit; else one of them.
void KernelPanel::draw_source_and_memory(Ui& ui, const Rect& box) {
    const bool fit_both = box.width() >= ui.px(min_width_with_memory);
    const bool shows_memory = ui.settings.window.kernel_memory;
    Rect source = box;
    Rect memory = box;
    if (fit_both) {
        const float width = std::clamp(0.36F * box.width(), ui.px(340), ui.px(520));
        memory.low.x = std::round(box.high.x - width);
        source.high.x = memory.low.x - ui.px(12);
    }
    if (fit_both || !shows_memory) {
        if (box.height() >= ui.px(min_source_height_with_legend))
            source.low.y = source_.draw_legend(ui, source.low, source.high.x);
        const KernelSource::Content content{
            .events = replay_->events(),
            .warp = shown_->warp,
            .dots = shown_->dots,
            .notice = notice_,
            .is_breakpoint = [this](std::uint32_t line) { return is_breakpoint(line); }};
        if (const std::optional<std::uint32_t> line = source_.draw(ui, content, source))
            toggle_breakpoint_at(ui, *line);
    }
    if (!fit_both && !shows_memory) return;
    const auto followed = path_ && path_->is_unique ? std::optional(path_->value) : std::nullopt;
    if (const std::optional<std::uint32_t> event = memory_.draw(ui, replay_->events(), followed, memory))
        go_to_event(ui, *event);
}

/// The value of a lane as text: "?" if no lane has stored it.
std::string text_of_value(std::uint64_t value) {
    return value == kernel_view::not_stored_word ? "?" : std::to_string(value);
}

/// The width of the widest number of a row.
float widest_number(const Ui& ui, const kernel_view::Value& value) {
    float widest = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((value.known >> lane & 1) != 0)
            widest =
                std::max(widest, plots::text_width(ui.fonts().figures, text_of_value(value.of_lane[lane])));
    return widest;
}

/// How many lanes of the value fit beside each other: 32, 16 or 8.
std::uint32_t lanes_that_fit(const Ui& ui, const kernel_view::Value& value, float width) {
    const float widest = widest_number(ui, value);
    for (const std::uint32_t lanes : {32U, 16U})
        if (widest + ui.px(4) <= width / static_cast<float>(lanes)) return lanes;
    return 8;
}

/// Whether a row of 32 numbers needs cells of two lines with four hexadecimal digits each, and they fit.
bool is_hexadecimal(const Ui& ui, const kernel_view::Value& value, float row_width) {
    const float cell_width = (row_width - ui.px(value_names_width)) / 32 - 1;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((value.known >> lane & 1) != 0 && value.of_lane[lane] > std::numeric_limits<std::uint32_t>::max())
            return false;
    return plots::text_width(ui.fonts().small, "dddd") <= cell_width && widest_number(ui, value) > cell_width;
}

/// The distance of the next row below a row of 32 numbers, in one line or in two of hexadecimal digits.
float height_of_row(const Ui& ui, bool as_hexadecimal) {
    const float line_height = ui.fonts().figures->FontSize + ui.px(1);
    return (as_hexadecimal ? 2 * line_height - ui.px(2) : line_height) + ui.px(2);
}

/// The upper four hexadecimal digits of a word, and the lower four.
std::array<std::string, 2> hexadecimal(std::uint32_t word) {
    if (word == kernel_view::not_stored_word) return {"?", ""};
    std::array<char, 9> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", word);
    return {std::string(digits.data(), 4), std::string(digits.data() + 4, 4)};
}

/// Names the first lane of each line but the first, which has the name of the value. The texts end at
/// `right`.
void draw_first_lanes(const Ui& ui, std::uint32_t lanes_per_line, float right, float top, float height) {
    const ImFont* const small = ui.fonts().small;
    for (std::uint32_t lane = lanes_per_line; lane < 32; lane += lanes_per_line) {
        const std::string text = "lane " + std::to_string(lane);
        top += height;
        plots::draw_text(*ImGui::GetWindowDrawList(), small,
                         {std::round(right - plots::text_width(small, text)), top + ui.px(1)},
                         ui.palette().muted, text);
    }
}

void KernelPanel::draw_value(Ui& ui, const std::string& name, const kernel_view::Value& value,
                             std::uint32_t marked_lanes, std::uint32_t lanes_per_line, const Rect& box,
                             bool as_hexadecimal) const {
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_text(list, fonts.small, {box.low.x, box.low.y + ui.px(1)}, palette.label,
                     plots::elided(fonts.small, as_hexadecimal ? name + ", hex" : name,
                                   ui.px(value_names_width) - ui.px(6)));
    const float left = box.low.x + ui.px(value_names_width);
    const float width = (box.high.x - left) / static_cast<float>(lanes_per_line);
    const float line_height = fonts.figures->FontSize + ui.px(1);
    const float height = as_hexadecimal ? 2 * line_height - ui.px(2) : line_height;
    draw_first_lanes(ui, lanes_per_line, left - ui.px(6), box.low.y, height);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const ImVec2 low{left + static_cast<float>(lane % lanes_per_line) * width,
                         box.low.y + static_cast<float>(lane / lanes_per_line) * height};
        const ImVec2 high{low.x + width - 1, low.y + height - 1};
        if ((value.known >> lane & 1) == 0) {
            list.AddRect(low, high, palette.raised);
            continue;
        }
        const bool is_marked = (marked_lanes >> lane & 1) != 0;
        list.AddRectFilled(low, high, palette.raised);
        if (has_value_of_followed_item(value.of_lane[lane]))
            list.AddRect(low, high, palette.error, 0, 0, ui.px(2));
        if (is_marked) list.AddRectFilled({low.x, high.y - ui.px(2)}, high, palette.warning);
        if (as_hexadecimal) {
            float y = low.y;
            for (const std::string& digits : hexadecimal(static_cast<std::uint32_t>(value.of_lane[lane]))) {
                const float x = std::round(high.x - plots::text_width(fonts.small, digits) - 1);
                plots::draw_text(list, fonts.small, {x, y}, is_marked ? palette.text : palette.label, digits);
                y += line_height - ui.px(2);
            }
            continue;
        }
        const std::string number = text_of_value(value.of_lane[lane]);
        const float number_width = plots::text_width(fonts.figures, number);
        const ImU32 colour = is_marked ? palette.text : palette.label;
        if (number_width > width - ui.px(2)) {
            // A block stands for a number that is too long; its tooltip says it.
            const float inset = std::round(width * 0.3F);
            list.AddRectFilled({low.x + inset, low.y + ui.px(3)}, {high.x - inset, high.y - ui.px(4)},
                               colour);
            ui.tooltips.offer(ui.style, low, high, number);
        } else {
            plots::draw_text(list, fonts.figures, {std::round(high.x - number_width - 1), low.y}, colour,
                             number);
        }
    }
}

// Arguments of draw_grid_row().
constexpr std::uint32_t no_lanes = 0;
constexpr std::uint32_t all_in_a_line = 32;

/// Draws a row of 32 numbers in lines of `lanes_per_line`. `marked_lanes`: mask of the lanes to underline.
/// Returns its bottom, or `low.y` if it does not fit and is not drawn.
float KernelPanel::draw_grid_row(Ui& ui, const std::string& kind, const std::string& name,
                                 const kernel_view::Value& value, std::uint32_t marked_lanes,
                                 std::uint32_t lanes_per_line, ImVec2 low, ImVec2 high) const {
    const float line_height = ui.fonts().figures->FontSize + ui.px(1);
    const bool as_hexadecimal = lanes_per_line == all_in_a_line && is_hexadecimal(ui, value, high.x - low.x);
    const float further_lines = line_height * static_cast<float>(32 / lanes_per_line - 1);
    const Rect row{low, {high.x, low.y + height_of_row(ui, as_hexadecimal) - ui.px(2) + further_lines}};
    if (row.high.y > high.y) return low.y;
    draw_value(ui, name, value, marked_lanes, lanes_per_line, row, as_hexadecimal);
    ui.controls.record("kernel: " + kind + " " + name, row.low, row.high);
    return row.high.y + ui.px(2);
}

/// Draws the memory that the step accesses, as many rows as there is room for. Returns their bottom.
float KernelPanel::draw_memory(Ui& ui, const Rect& box) const {
    const std::vector<kernel_view::MemoryRow>& rows = shown_->memory;
    const ImFont* const small = ui.fonts().small;
    if (rows.empty() || box.height() < small->FontSize || box.width() < ui.px(400)) return box.low.y;
    const float rows_top = box.low.y + small->FontSize + ui.px(2);
    const bool shows_banks = rows.size() > 1 && rows.front().space == compaction::MemorySpace::shared;
    std::size_t num_shown = 0;
    float rows_bottom = rows_top + (shows_banks ? height_of_row(ui, /*as_hexadecimal=*/false) : 0);
    for (; num_shown < rows.size(); ++num_shown) {
        rows_bottom += height_of_row(ui, is_hexadecimal(ui, rows[num_shown].words, box.width()));
        if (rows_bottom - ui.px(2) > box.high.y) break;
    }
    if (num_shown == 0) return box.low.y;
    std::string heading = "Memory of this step, ";
    if (num_shown < rows.size()) heading += std::to_string(num_shown) + " of ";
    heading += std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows") +
               " of 32 words; underlined: read or written now; outlined: not transferred; ?: "
               "not written";
    plots::draw_text(*ImGui::GetWindowDrawList(), small, box.low, ui.palette().muted,
                     plots::elided(small, heading, box.width()));
    float y = rows_top;
    if (shows_banks)
        y = draw_grid_row(ui, "banks", "words in each bank", kernel_view::words_of_banks(rows), no_lanes,
                          all_in_a_line, {box.low.x, y}, box.high);
    for (const kernel_view::MemoryRow& row : std::span(rows).first(num_shown))
        y = draw_grid_row(ui, "memory", row.name, row.words, row.accessed, all_in_a_line, {box.low.x, y},
                          box.high);
    return y + ui.px(2);
}

/// Draws the values that the lanes pass and those that they get, and an arrow to each lane whose value comes
/// from another one. Returns the bottom, or the top if there is no room.
float KernelPanel::draw_shuffle(Ui& ui, const kernel_view::Shuffle& shuffle, const Rect& box) const {
    const float row_height = ui.fonts().figures->FontSize + ui.px(3);
    if (box.height() < 2 * row_height + ui.px(shuffle_arrows_height)) return box.low.y;
    const float passed_bottom =
        draw_grid_row(ui, "shuffle", "passes", shuffle.passed, no_lanes, all_in_a_line, box.low, box.high);
    const float results_top = passed_bottom + ui.px(shuffle_arrows_height);
    const float bottom = draw_grid_row(ui, "shuffle", shuffle.name, shuffle.results, shuffle.results.known,
                                       all_in_a_line, {box.low.x, results_top}, box.high);
    const float left = box.low.x + ui.px(value_names_width);
    const float column_width = (box.high.x - left) / 32;
    const ImU32 colour = colour_of_mark(ui.palette(), Mark::collective);
    const float arrow_head = ui.px(3);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t source = shuffle.source_lane[lane];
        const bool gets_value = (shuffle.results.known >> lane & 1) != 0;
        if (!gets_value || source == lane) continue;
        const ImVec2 from{left + (static_cast<float>(source) + 0.5F) * column_width,
                          passed_bottom - ui.px(1)};
        const ImVec2 to{left + (static_cast<float>(lane) + 0.5F) * column_width, results_top - ui.px(1)};
        const float bend = (to.y - from.y) / 2;
        list.AddBezierCubic(from, {from.x, from.y + bend}, {to.x, to.y - bend}, to, colour, ui.px(1.3F));
        list.AddTriangleFilled({to.x - arrow_head, to.y - arrow_head}, {to.x + arrow_head, to.y - arrow_head},
                               to, colour);
    }
    return bottom;
}

/// The values of the warp, by name. Valid until the step changes.
std::span<const kernel_view::Value> KernelPanel::values_of_warp() const {
    const std::size_t names = replay_->events().names.size();
    return std::span(replay_->at(shown_->order, shown_->step).values)
        .subspan(shown_->warp.warp * names, names);
}

/// The names that have a value: those that are watched, then the others, the latest first.
std::vector<std::uint32_t> KernelPanel::names_with_value() const {
    const std::span<const kernel_view::Value> values = values_of_warp();
    std::vector<std::uint32_t> known;
    for (std::uint32_t name = 0; name < values.size(); ++name)
        if (values[name].known != 0) known.push_back(name);
    std::ranges::stable_sort(known, std::ranges::greater(), [&](std::uint32_t name) {
        return std::pair(is_watched(name), is_watched(name) ? 0 : values[name].set_at);
    });
    return known;
}

void KernelPanel::toggle_watch(Ui& ui, std::uint32_t name) {
    watched_.toggle(replay_->events().names[name], ui.settings.window.kernel_watched);
}

/// Watches the value that was set last, of those not watched yet. Clears the watches if all values are
/// watched.
void KernelPanel::watch_latest(Ui& ui) {
    if (!shown_ || shown_->launch == kernel_view::none) return;
    const std::vector<std::uint32_t> names = names_with_value();
    const auto latest = std::ranges::find_if_not(names, [&](std::uint32_t name) { return is_watched(name); });
    if (latest != names.end()) return toggle_watch(ui, *latest);
    ui.settings.window.kernel_watched.clear();
}

/// Draws a heading and, if they fit, the number of each lane above its column; those of the step are
/// brighter.
void KernelPanel::draw_lane_numbers(Ui& ui, std::string_view heading, const Rect& box) const {
    const ImFont* const small = ui.fonts().small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_text(list, small, box.low, ui.palette().muted,
                     plots::elided(small, heading, ui.px(value_names_width) - ui.px(6)));
    const float left = box.low.x + ui.px(value_names_width);
    const float width = (box.high.x - left) / 32;
    const bool numbers_fit = plots::text_width(small, "31") + ui.px(4) <= width;
    for (std::uint32_t lane = 0; numbers_fit && lane < 32; ++lane) {
        const std::string number = std::to_string(lane);
        const float number_width = plots::text_width(small, number);
        const bool runs = (shown_->warp.running >> lane & 1) != 0;
        plots::draw_text(
            list, small,
            {std::round(left + static_cast<float>(lane + 1) * width - number_width - 2), box.low.y},
            runs ? ui.palette().warning_text : ui.palette().muted, number);
    }
    ui.tooltips.offer(
        ui.style, box.low, box.high,
        "The values of this warp that the source names, the latest first, a column for each lane. "
        "Lanes of this step are highlighted. Underlined: set by this step. At a shuffle, arrows show "
        "from which lane each one gets its value. A click on a value keeps it at the top.");
}

/// Draws the values of the warp that the source names, the latest first, as many as there is room for.
void KernelPanel::draw_values(Ui& ui, const Rect& box) {
    const std::span<const kernel_view::Value> values = values_of_warp();
    const std::vector<std::uint32_t> names = names_with_value();
    const ImFont* const small = ui.fonts().small;
    if (box.height() < small->FontSize || box.width() < ui.px(400)) return;
    const std::optional<kernel_view::Shuffle>& shuffle = shown_->shuffle;
    draw_lane_numbers(ui,
                      shuffle         ? "shuffle, by lane"
                      : names.empty() ? "no value yet, by lane"
                                      : "values, by lane",
                      {box.low, {box.high.x, box.low.y + small->FontSize}});
    float y = box.low.y + small->FontSize + ui.px(2);
    if (shuffle) y = draw_shuffle(ui, *shuffle, {{box.low.x, y}, box.high});
    for (const std::uint32_t name : names) {
        const bool is_shuffled = shuffle && replay_->events().names[name] == shuffle->name;
        if (is_shuffled && !is_watched(name)) continue;  // it stands below the arrows
        const std::uint32_t lanes_just_set = values[name].set_at == shown_->step ? values[name].set : 0;
        const auto draw_in_lines_of = [&](std::uint32_t lanes_per_line) {
            return draw_grid_row(ui, "value", replay_->events().names[name], values[name], lanes_just_set,
                                 lanes_per_line, {box.low.x, y}, box.high);
        };
        float bottom =
            draw_in_lines_of(is_hexadecimal(ui, values[name], box.width())
                                 ? all_in_a_line
                                 : lanes_that_fit(ui, values[name], box.width() - ui.px(value_names_width)));
        // If the first value does not fit in several lines, one line shows blocks for its numbers.
        const bool is_first = name == names.front();
        if (bottom == y && is_first) bottom = draw_in_lines_of(all_in_a_line);
        const bool has_room = bottom != y;
        if (!has_room) break;
        if (is_watched(name))
            ImGui::GetWindowDrawList()->AddRectFilled(
                {box.low.x - ui.px(6), y}, {box.low.x - ui.px(3), bottom - ui.px(2)}, ui.palette().accent);
        const bool has_focus = ui.focus->add_control("kernel: value " + replay_->events().names[name]);
        if (has_focus) ui.focus->show(ui, {box.low.x, y}, {box.high.x, bottom - ui.px(2)});
        const bool is_pressed = has_focus && ui.focus->pressed();
        if (is_pressed || is_clicked({box.low.x, y}, {box.high.x, bottom})) toggle_watch(ui, name);
        y = bottom;
    }
}

/// Draws the timeline, and below it the memory and the values.
void KernelPanel::draw_lower(Ui& ui, const Rect& box) {
    if (!shown_ || shown_->launch == kernel_view::none) return;
    constexpr float max_timeline_share = 0.42F;
    const float max_timeline_y = std::round(box.low.y + box.height() * max_timeline_share);
    const KernelTimeline::Result timeline =
        timeline_.draw(ui, *replay_, shown_->order, shown_->step, shown_->warp.warp,
                       {box.low, {box.high.x, max_timeline_y}});
    if (timeline.warp) ui.settings.window.kernel_warp = 1 + *timeline.warp;
    if (timeline.step) {
        playing_ = false;
        ui.settings.window.kernel_warp = 0;
        go_to(ui, *timeline.step);
    }
    const float top = timeline.bottom + ui.px(6);
    // The heading of the values and one row of them always fit.
    const float values_height = ui.fonts().small->FontSize + ui.fonts().figures->FontSize + ui.px(8);
    const float memory_bottom = draw_memory(ui, {{box.low.x, top}, {box.high.x, box.high.y - values_height}});
    draw_values(ui, {{box.low.x, memory_bottom}, box.high});
}

void KernelPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0 || !ui.snapshot.runs.a.algorithm) return;
    follow_settings(ui);
    pass_time(ui);
    show_step(ui);
    begin_pane("kernel", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const float edge = ui.px(kernel_margin);
    const ImVec2 low{static_cast<float>(pane.x) + edge, static_cast<float>(pane.y) + ui.px(8)};
    const ImVec2 high{static_cast<float>(pane.x + pane.width) - edge,
                      static_cast<float>(pane.y + pane.height) - ui.px(8)};
    const float buttons_bottom = draw_buttons(ui, low, high);
    const float notice_bottom = draw_notice(ui, {low.x, buttons_bottom}, high);
    float top = draw_words(ui, {low.x, notice_bottom}, high.x);
    if (shown_) {
        const bool has_lower_pane = takes_timings_pane(ui);
        const float source_bottom =
            has_lower_pane ? high.y : high.y - std::min(ui.px(220), (high.y - top) / 2);
        top = draw_missing_lines(ui, {low.x, top}, high.x);
        draw_source_and_memory(ui, {{low.x, top}, {high.x, source_bottom}});
        if (!has_lower_pane) draw_lower(ui, {{low.x, source_bottom + ui.px(8)}, high});
    }
    ImGui::End();
    if (!takes_timings_pane(ui)) return;
    const Rect lower = rect_of(ui.panes.timings);
    begin_pane("timings", ui.panes.timings,
               ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_lower(
        ui, {{lower.low.x + edge, lower.low.y + ui.px(8)}, {lower.high.x - edge, lower.high.y - ui.px(8)}});
    ImGui::End();
}

}  // namespace

ViewType kernel_view() {
    return {.name = "Kernel",
            .meaning =
                "Every step of every lane of the kernels, beside their source, forwards and backwards. The "
                "simulated GPU runs them on the CPU.",
            .keys = {view_key("Shift+Left", "kernel: barrier before",
                              {.keys = {GLFW_KEY_LEFT}, .shift = true, .repeats = true},
                              &KernelPanel::previous_barrier),
                     view_key("Shift+Right", "kernel: next barrier",
                              {.keys = {GLFW_KEY_RIGHT}, .shift = true, .repeats = true},
                              &KernelPanel::next_barrier),
                     view_key("Ctrl+Up", "kernel: launch before", {.keys = {GLFW_KEY_UP}, .ctrl = true},
                              &KernelPanel::previous_launch),
                     view_key("Ctrl+Down", "kernel: next launch", {.keys = {GLFW_KEY_DOWN}, .ctrl = true},
                              &KernelPanel::next_launch),
                     view_key("Up", "kernel: warp before", {.keys = {GLFW_KEY_UP}, .repeats = true},
                              &KernelPanel::previous_warp),
                     view_key("Down", "kernel: next warp", {.keys = {GLFW_KEY_DOWN}, .repeats = true},
                              &KernelPanel::next_warp),
                     view_key("S", "kernel: next seed of the schedule", {.keys = {GLFW_KEY_S}},
                              &KernelPanel::next_seed),
                     view_key("O", "kernel: order of the steps", {.keys = {GLFW_KEY_O}},
                              &KernelPanel::switch_order),
                     view_key("P", "kernel: breakpoint at the line", {.keys = {GLFW_KEY_P}},
                              &KernelPanel::toggle_breakpoint),
                     view_key("N", "kernel: run to a breakpoint", {.keys = {GLFW_KEY_N}, .repeats = true},
                              &KernelPanel::run_to_breakpoint),
                     view_key("F", "kernel: follow an item", {.keys = {GLFW_KEY_F}},
                              &KernelPanel::toggle_follow_item),
                     view_key("Ctrl+Left", "kernel: step of the item before",
                              {.keys = {GLFW_KEY_LEFT}, .ctrl = true, .repeats = true},
                              &KernelPanel::previous_of_item),
                     view_key("Ctrl+Right", "kernel: next step of the item",
                              {.keys = {GLFW_KEY_RIGHT}, .ctrl = true, .repeats = true},
                              &KernelPanel::next_of_item),
                     view_key("W", "kernel: to the write that the step reads", {.keys = {GLFW_KEY_W}},
                              &KernelPanel::go_to_store),
                     view_key("J", "kernel: next access of the fault", {.keys = {GLFW_KEY_J}},
                              &KernelPanel::go_to_next_access),
                     view_key("U", "kernel: keep the latest value at the top", {.keys = {GLFW_KEY_U}},
                              &KernelPanel::watch_latest)},
            .make = make_panel<KernelPanel>};
}

}  // namespace warpsieve::panels
