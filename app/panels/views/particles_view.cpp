#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/time_microscope.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/welcome_panel.hpp"
#include "app/panels/widgets.hpp"
#include "app/plots/address_plot.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/trace/memory_replay.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float edge = 12;
constexpr float line_gap = 3;
/// The maximum share of the view's height for plot and dial.
constexpr float max_plot_share = 0.45F;
/// The maximum share of the view, in width and in height, for the label of the followed item.
constexpr float max_label_share = 0.6F;
/// At rest, the words between input and output are shown for this time after a change of the algorithm.
constexpr double words_stay_s = 6;

/// Shows the particles, and the arrays that they are compacted to. When the dial leaves real time, plays the
/// memory accesses of one frame's compaction.
class ParticlesPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    bool takes_timings_pane(const Ui& /*ui*/) const override { return time_is_in_pane_; }
    bool pause_or_resume(Ui& ui) override;
    void step(Ui& ui, int direction) override;

  private:
    void follow_replay(Ui& ui);
    void note_change(const Ui& ui);
    void suggest_item(Ui& ui) const;
    void follow_tour(Ui& ui);
    std::optional<scene::Viewpoint> viewpoint_of(const Ui& ui, tour::ScenePart part) const;
    void draw_toolbar(Ui& ui, const Rect& view);
    bool begins_below_toolbar(const Rect& view) const;
    void draw_captions(Ui& ui, float top, const Rect& view) const;
    void draw_reason_for_no_replay(const Ui& ui, float top, const Rect& view) const;
    void draw_labels(Ui& ui, const Rect& view) const;
    void label_sheets_at_rest(const Ui& ui);
    void point_at_memory(Ui& ui, const Rect& view);
    std::optional<ImVec2> draw_path(const Ui& ui, const Rect& view, const scene::MemoryHit& hit) const;
    void draw_hit(const Ui& ui, const Rect& view, const scene::MemoryHit& hit) const;
    void draw_followed(Ui& ui, const Rect& view, std::uint64_t slot) const;
    void place_time(Ui& ui);
    float height_below_scene(const Ui& ui, const Rect& view) const;
    void draw_time(Ui& ui, const Rect& area);
    static bool plays(const Ui& ui) { return replay(ui) && in_slow_motion(ui); }
    static const std::shared_ptr<trace::MemoryReplay>& replay(const Ui& ui) {
        return ui.memory.slow_motion.replay;
    }
    static bool shows_arrays(const Ui& ui) {
        return ui.settings.window.particles_mode == ParticlesMode::sparse_dense;
    }
    bool shows_words(const Ui& ui) const;
    static bool in_slow_motion(const Ui& ui) { return ui.settings.shows_slow_motion(); }

    bool scene_has_cells() const { return scene_.input.cells > 0; }

    scene::MemoryScene scene_;
    std::shared_ptr<trace::MemoryReplay> described_;  ///< the replay whose end scene_ shows; null in motion
    const scene::MemoryColours* described_colours_ = nullptr;
    const compaction::Algorithm* algorithm_ = nullptr;  ///< algorithm of the last frame's replay
    std::uint64_t num_parts_ = 0;                       ///< parts of the last frame's replay
    double changed_at_s_ = -words_stay_s;               ///< when algorithm_ or num_parts_ changed
    plots::AddressPlot plot_;
    std::uint64_t tour_num_shown_ = 0;  ///< TourMemory::num_shown of the step whose moment was taken
    bool holds_dial_ = false;           ///< SlowMotion::holds_dial of the last frame
    bool time_is_in_pane_ = false;      ///< plot and dial are in the pane of the timings
    float toolbar_height_ = 0;          ///< including the captions, in the last frame
    bool toolbar_wraps_ = false;        ///< the buttons took several rows in the last frame
};

bool is_sheet_label(const scene::Label& label) {
    return label.kind == scene::LabelKind::sheet;
}

/// Whether the mouse is over the view.
bool is_mouse_over(const Ui& ui, const Rect& view) {
    return view.contains(ImGui::GetIO().MousePos) && !ui.snapshot.display.for_picture;
}

bool ParticlesPanel::pause_or_resume(Ui& ui) {
    if (!plays(ui)) return false;
    ui.memory.slow_motion.play_or_pause();
    return true;
}

void ParticlesPanel::step(Ui& ui, int direction) {
    if (plays(ui)) ui.memory.slow_motion.step(direction);
}

/// Takes the newest replay, describes its scene, and requests the drawing.
void ParticlesPanel::follow_replay(Ui& ui) {
    if (!shows_arrays(ui)) {
        ui.memory.slow_motion.replay.reset();
        return;
    }
    ui.memory.slow_motion.update(ui);
    note_change(ui);
    suggest_item(ui);
    follow_tour(ui);
    MemoryRequest& request = ui.requests.memory.emplace();
    request.in_slow_motion = in_slow_motion(ui);
    if (!replay(ui) || !ui.snapshot.memory.colours) return;
    // At rest, every frame draws the same final state.
    if (request.in_slow_motion || described_ != replay(ui) ||
        described_colours_ != ui.snapshot.memory.colours) {
        const bool at_rest = !request.in_slow_motion;
        replay(ui)->seek(at_rest ? replay(ui)->duration() : ui.memory.slow_motion.playhead.time);
        scene::describe(*replay(ui), replay(ui)->state(), *ui.snapshot.memory.colours, at_rest, scene_);
        // The labels of input and output come first, because draw_labels() may draw only them.
        std::stable_partition(scene_.labels.begin(), scene_.labels.end(), is_sheet_label);
        described_ = request.in_slow_motion ? nullptr : replay(ui);
        described_colours_ = ui.snapshot.memory.colours;
    }
    if (!request.in_slow_motion) label_sheets_at_rest(ui);
    if (request.in_slow_motion || shows_words(ui)) request.scene = &scene_;
}

/// Whether the words between input and output are shown at rest: while the mouse is over the scene, and for
/// some seconds after the algorithm changes.
bool ParticlesPanel::shows_words(const Ui& ui) const {
    return is_mouse_over(ui, rect_of(ui.panes.view)) ||
           (ui.snapshot.display.now_s < changed_at_s_ + words_stay_s && !ui.snapshot.display.for_picture);
}

/// Records when the algorithm or the number of its parts changes.
void ParticlesPanel::note_change(const Ui& ui) {
    if (!replay(ui)) return;
    const std::uint64_t num_parts = replay(ui)->parts().num_parts;
    if (algorithm_ == &replay(ui)->algorithm() && num_parts_ == num_parts) return;
    algorithm_ = &replay(ui)->algorithm();
    num_parts_ = num_parts;
    changed_at_s_ = ui.snapshot.display.now_s;
}

/// Chooses the item that the welcome card and the tour follow. In slow motion it stays after they close,
/// until the user pins an item.
void ParticlesPanel::suggest_item(Ui& ui) const {
    std::optional<std::uint64_t>& suggested = ui.follow.suggested;
    const bool needs_suggestion = is_welcome_open(ui.memory, ui.snapshot) || ui.memory.tour.tour.runs() ||
                                  (suggested && in_slow_motion(ui));
    if (!needs_suggestion || !replay(ui) || ui.follow.pinned) {
        suggested.reset();
    } else if (!suggested || *suggested >= replay(ui)->num_items() || !replay(ui)->is_kept(*suggested)) {
        suggested = scene::slot_to_follow(*replay(ui));
    }
}

/// Pauses at the moment of the tour's step, and points the camera at its part of the scene.
void ParticlesPanel::follow_tour(Ui& ui) {
    const TourMemory& tour = ui.memory.tour;
    if (!tour.tour.runs()) return;
    const tour::Step& step = tour.tour.step();
    ui.requests.point_camera = viewpoint_of(ui, step.part);
    const bool plays_current_run = plays(ui) && &replay(ui)->algorithm() == ui.snapshot.runs.a.algorithm &&
                                   replay(ui)->num_items() == ui.snapshot.stream.slots;
    const bool moment_was_taken = tour_num_shown_ == tour.num_shown;
    if (!step.stop || !plays_current_run || moment_was_taken) return;
    tour_num_shown_ = tour.num_shown;
    const auto phase = std::ranges::find(replay(ui)->phases(), step.stop->role, &trace::ReplayPhase::role);
    if (phase == replay(ui)->phases().end()) return;
    ui.memory.slow_motion.playhead.scrub(std::lerp(phase->begin, phase->end, step.stop->share));
}

std::optional<scene::Viewpoint> ParticlesPanel::viewpoint_of(const Ui& ui, tour::ScenePart part) const {
    scene::Viewpoint view = scene::memory_viewpoint();
    switch (part) {
        case tour::ScenePart::none:
            return std::nullopt;
        case tour::ScenePart::input:
            view.elevation = 0.66F;
            // At rest, the particles rise behind the output.
            view.distance = in_slow_motion(ui) ? 16.0F : 20.0F;
            view.target = {-0.3F, 0.6F, 2.4F};
            break;
        case tour::ScenePart::words:
            view.azimuth = -0.16F;
            view.elevation = 0.42F;
            view.distance = 14;
            view.target = {-1.2F, 0.8F, 0.4F};
            break;
        case tour::ScenePart::item:
            view.elevation = 0.6F;
            view.distance = 13;
            view.target = {0, 0.9F, 0.2F};
            if (replay(ui) && scene_has_cells() && ui.follow.suggested) {
                const scene::MemoryHit hit =
                    scene::hit_of_slot(*replay(ui), replay(ui)->state(), scene_, *ui.follow.suggested);
                view.target.x = hit.counterpart ? (hit.position.x + hit.counterpart->x) / 2 : hit.position.x;
            }
            break;
    }
    return view;
}

/// Labels input and output with this frame's numbers of slots and kept items, because at rest the particles
/// are of this frame and the replay may be older.
void ParticlesPanel::label_sheets_at_rest(const Ui& ui) {
    const std::string kept = format::grouped(ui.snapshot.figures->a.num_kept);
    for (scene::Label& label : scene_.labels) {
        if (!is_sheet_label(label)) continue;
        const bool is_input = label.text == "INPUT";
        label.detail = is_input ? format::grouped(ui.snapshot.stream.slots) + " slots, " + kept + " kept"
                                : kept + (kept == "1" ? " item" : " items");
    }
}

void ParticlesPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    time_is_in_pane_ &= pane.width > 0 && pane.height > 0;
    if (pane.width <= 0 || pane.height <= 0) return;
    follow_replay(ui);
    place_time(ui);
    // An empty window over the particles lets ImGui decide whether the mouse is over a panel or message.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane(
        "view", pane,
        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const Rect view = rect_of(pane);
    Rect scene = view;
    scene.high.y -= height_below_scene(ui, view);
    if (plays(ui) || begins_below_toolbar(view)) {
        scene.low.y = std::min(scene.low.y + toolbar_height_, scene.high.y);
        ui.memory.above_scene = static_cast<int>(scene.low.y - view.low.y);
        ImGui::GetWindowDrawList()->AddRectFilled(view.low, {view.high.x, scene.low.y},
                                                  ui.palette().background);
    }
    if (plays(ui)) ui.memory.below_scene = static_cast<int>(view.high.y - scene.high.y);
    ImGui::SetCursorScreenPos(scene.low);
    invisible_button("##particles", {scene.width(), scene.height()});
    ImGui::SetItemAllowOverlap();
    ui.controls.record_item("view");
    move_camera(ui, {scene.width(), scene.height()});
    if (plays(ui)) {
        point_at_memory(ui, scene);
        draw_labels(ui, scene);
    } else {
        if (replay(ui) && shows_arrays(ui)) draw_labels(ui, scene);
        point_at_particles(ui);
        draw_follow_markers(ui, scene.low, scene.high);
        const bool follows_suggestion = ui.follow.suggested && !ui.follow.slot();
        if (replay(ui) && scene_has_cells() && follows_suggestion && !ui.snapshot.display.for_picture)
            draw_followed(ui, scene, *ui.follow.suggested);
    }
    draw_toolbar(ui, view);
    const bool has_time_in_view = scene.high.y < view.high.y;
    if (has_time_in_view) draw_time(ui, {{view.low.x, scene.high.y}, view.high});
    ImGui::End();
    ImGui::PopStyleVar();
    if (!takes_timings_pane(ui)) return;
    begin_pane("timings", ui.panes.timings,
               ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_time(ui, rect_of(ui.panes.timings));
    ImGui::End();
}

void ParticlesPanel::draw_toolbar(Ui& ui, const Rect& view) {
    const float margin = ui.px(edge);
    ToolbarFlow flow(ui, {view.low.x + margin, view.low.y + margin}, view.high.x - margin, view.high.y);
    draw_particles_modes(ui, flow);
    constexpr const char* label = "guided tour";
    const float width = button_width(ui.style, label, "F2");
    if (!ui.memory.tour.tour.runs() && flow.place(width, ui.px(8)) &&
        key_button(ui, label, "Ten short steps: what a compaction does, and what makes one fast.", "F2"))
        ui.requests.tour_step = 0;
    toolbar_height_ = std::ceil(flow.bottom() + ui.px(8) - view.low.y);
    toolbar_wraps_ = flow.bottom() - view.low.y - margin > 1.5F * ImGui::GetFrameHeight();
    if (!in_slow_motion(ui)) return;
    const float top = flow.bottom() + ui.px(6);
    if (!replay(ui)) return draw_reason_for_no_replay(ui, top, view);
    draw_captions(ui, top, view);
    toolbar_height_ = std::ceil(top + ui.fonts().heading->FontSize + ui.px(8) - view.low.y);
}

/// Whether the scene at rest leaves the room of the buttons. A single row covers little of it.
bool ParticlesPanel::begins_below_toolbar(const Rect& view) const {
    constexpr float min_scene_share = 0.5F;
    return toolbar_wraps_ && toolbar_height_ <= (1 - min_scene_share) * view.height();
}

void ParticlesPanel::draw_reason_for_no_replay(const Ui& ui, float top, const Rect& view) const {
    const plots::Fonts& fonts = ui.fonts();
    const std::string& problem = ui.snapshot.memory.problem;
    const std::string text = problem.empty() ? "Slow motion begins when a compaction is traced." : problem;
    const float left = view.low.x + ui.px(edge);
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), fonts.text,
                            {left, std::round(top + fonts.text->Ascent)}, ui.palette().text,
                            plots::elided(fonts.text, text, view.high.x - ui.px(edge) - left));
}

/// "a, b and c".
std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

/// Draws the names of the phases in a row, with the current one marked, and what it reads and writes.
void ParticlesPanel::draw_captions(Ui& ui, float top, const Rect& view) const {
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto& phases = replay(ui)->phases();
    float x = view.low.x + ui.px(edge);
    const float baseline = std::round(top + fonts.heading->Ascent);
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (i > 0)
            x = plots::draw_on_baseline(list, fonts.text, {x + ui.px(6), baseline}, palette.muted, ">") +
                ui.px(10);
        const bool is_current = replay(ui)->state().phase == i;
        const std::string text = (phases.size() > 1 ? std::to_string(i + 1) + " " : "") + phases[i].name;
        const float width = plots::text_width(fonts.heading, text);
        if (is_current)
            list.AddRectFilled({x - ui.px(5), top - ui.px(2)},
                               {x + width + ui.px(5), top + fonts.heading->FontSize + ui.px(3)},
                               plots::mix(palette.background, plots::style_of(phases[i].role).colour, 0.35F),
                               ui.px(4));
        x = plots::draw_on_baseline(list, fonts.heading, {x, baseline},
                                    is_current ? palette.text : palette.muted, text);
    }
    const auto phase = replay(ui)->state().phase;
    if (!phase) return;
    std::string text = !phases[*phase].reads.empty() ? "reads " + joined(phases[*phase].reads)
                       : phases[*phase].is_library   ? "by a library, of which only the time is known"
                                                     : "";
    if (!phases[*phase].writes.empty())
        text += (text.empty() ? "writes " : ", writes ") + joined(phases[*phase].writes);
    const float room = view.high.x - ui.px(edge) - x - ui.px(12);
    plots::draw_on_baseline(list, fonts.text, {x + ui.px(12), baseline}, palette.text,
                            plots::elided(fonts.text, text, room));
}

/// Draws text that stays legible over the scene.
void draw_outlined(const Ui& ui, const ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float offset = std::max(1.0F, ui.px(1));
    for (const ImVec2 shift : {ImVec2{-offset, 0}, ImVec2{offset, 0}, ImVec2{0, -offset}, ImVec2{0, offset}})
        plots::draw_on_baseline(list, font, {at.x + shift.x, at.y + shift.y}, ui.palette().background, text);
    plots::draw_on_baseline(list, font, at, colour, text);
}

const ImFont* font_of(const Ui& ui, scene::LabelKind kind) {
    switch (kind) {
        case scene::LabelKind::sheet:
        case scene::LabelKind::sum:
            return ui.fonts().heading;
        case scene::LabelKind::figure:
            return ui.fonts().figures;
        case scene::LabelKind::row:
        case scene::LabelKind::hint:
            break;
    }
    return ui.fonts().text;
}

/// Whether the detail of a label is below its text; else it is beside it.
bool is_detail_below(const scene::Label& label) {
    return label.kind == scene::LabelKind::row;
}

void ParticlesPanel::draw_labels(Ui& ui, const Rect& view) const {
    const ImFont* const small = ui.fonts().small;
    const float gap = ui.px(6);
    const auto measure = [&](const scene::Label& label) -> std::array<float, 2> {
        const ImFont* const font = font_of(ui, label.kind);
        const float text = plots::text_width(font, label.text);
        if (label.detail.empty()) return {text, font->FontSize};
        const float detail = plots::text_width(small, label.detail);
        if (is_detail_below(label))
            return {std::max(text, detail), font->FontSize + ui.px(line_gap) + small->FontSize};
        return {text + gap + detail, font->FontSize};
    };
    const auto num_sheets = static_cast<std::size_t>(std::ranges::count_if(scene_.labels, is_sheet_label));
    const bool shows_all = plays(ui) || shows_words(ui);
    const auto labels = std::span(scene_.labels).first(shows_all ? scene_.labels.size() : num_sheets);
    for (const scene::PlacedLabel& placed :
         scene::place(labels, ui.snapshot.memory.view_projection, view.width(), view.height(), measure)) {
        const scene::Label& label = *placed.label;
        const ImFont* const font = font_of(ui, label.kind);
        // The colours of phases are too light for text on paper.
        constexpr float hue_share = 0.6F;
        const ImU32 text = ui.palette().text;
        const ImU32 colour =
            label.hue ? plots::mix(text, plots::style_of(*label.hue).colour, hue_share) : text;
        const bool right_aligned = is_detail_below(label) && label.side == scene::LabelSide::left;
        const float text_width = plots::text_width(font, label.text);
        const float left = view.low.x + placed.left;
        const float x = right_aligned ? left + placed.width - text_width : left;
        const float baseline = std::round(view.low.y + placed.top + font->Ascent);
        if (is_sheet_label(label)) {
            // A ground keeps the label legible over particles.
            const ImU32 ground = plots::with_alpha(ui.palette().background, 0xAA);
            const ImVec2 low{left - ui.px(4), view.low.y + placed.top - ui.px(1)};
            ImGui::GetWindowDrawList()->AddRectFilled(
                low, {left + placed.width + ui.px(4), view.low.y + placed.top + placed.height + ui.px(2)},
                ground, ui.px(3));
        }
        draw_outlined(ui, font, {std::round(x), baseline}, colour, label.text);
        if (label.detail.empty() || !placed.has_detail) continue;
        const float detail_width = plots::text_width(small, label.detail);
        const ImVec2 at = is_detail_below(label)
                              ? ImVec2{right_aligned ? left + placed.width - detail_width : left,
                                       baseline + ui.px(line_gap) + small->FontSize}
                              : ImVec2{x + text_width + gap, baseline};
        draw_outlined(ui, small, {std::round(at.x), std::round(at.y)}, ui.palette().label, label.detail);
    }
}

scene::ScreenPoint screen_point(const Rect& view, ImVec2 mouse) {
    return {(mouse.x - view.low.x) / view.width() * 2 - 1, 1 - (mouse.y - view.low.y) / view.height() * 2};
}

/// Describes what is under the mouse. A click pins the item.
void ParticlesPanel::point_at_memory(Ui& ui, const Rect& view) {
    std::optional<scene::MemoryHit> hit;
    if (ImGui::IsItemHovered() && ui.shows_cards())
        hit = scene::hit(*replay(ui), replay(ui)->state(), scene_, ui.snapshot.memory.view_projection,
                         screen_point(view, ImGui::GetIO().MousePos), view.width() / view.height());
    if (hit && hit->kind == scene::MemoryHit::Kind::slot) ui.follow.under_mouse = hit->index;
    // `under_mouse` may change before the button is released; `hovered` is kept while it is held.
    if (clicked_without_drag() && ui.follow.hovered) ui.follow.pinned = ui.follow.hovered;
    if (hit) return draw_hit(ui, view, *hit);
    const auto followed = ui.follow.pinned ? ui.follow.pinned : ui.follow.suggested;
    if (followed && scene_has_cells() && *followed < replay(ui)->num_items())
        draw_followed(ui, view, *followed);
}

/// Marks the hit, and draws the path of its item. Returns the pixel of the hit; nullopt outside the view.
std::optional<ImVec2> ParticlesPanel::draw_path(const Ui& ui, const Rect& view,
                                                const scene::MemoryHit& hit) const {
    const auto pixel = [&](const scene::Vector& at) -> std::optional<ImVec2> {
        const auto point = scene::project(ui.snapshot.memory.view_projection, at);
        if (!point) return std::nullopt;
        return ImVec2{view.low.x + (point->x + 1) / 2 * view.width(),
                      view.low.y + (1 - point->y) / 2 * view.height()};
    };
    const auto at = pixel(hit.position);
    if (!at) return std::nullopt;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(view.low, view.high, true);
    const auto draw_frame = [&](ImVec2 centre) {
        const float half = ui.px(6);
        draw_item_frame(ui, {centre.x - half, centre.y - half}, {centre.x + half, centre.y + half});
    };
    if (hit.counterpart) {
        std::optional<ImVec2> last;
        constexpr int pieces = 48;
        for (int i = 0; i <= pieces; ++i) {
            const auto next = pixel(scene::arc_point(hit.position, *hit.counterpart,
                                                     static_cast<float>(i) / static_cast<float>(pieces)));
            const bool is_dash = i % 2 == 1;
            if (last && next && is_dash)
                list.AddLine(*last, *next, ui.palette().text, std::max(1.5F, ui.px(2)));
            last = next;
        }
        if (const auto end = pixel(*hit.counterpart)) draw_frame(*end);
    }
    draw_frame(*at);
    list.PopClipRect();
    return at;
}

void ParticlesPanel::draw_hit(const Ui& ui, const Rect& view, const scene::MemoryHit& hit) const {
    const auto at = draw_path(ui, view, hit);
    if (!at) return;
    const ImVec2 padding{ui.px(12), ui.px(9)};
    float width = 0;
    for (const std::string& line : hit.lines)
        width = std::max(width, ImGui::CalcTextSize(line.c_str()).x + 2 * padding.x);
    const float height =
        static_cast<float>(hit.lines.size()) * ImGui::GetTextLineHeightWithSpacing() + 2 * padding.y;
    // Above the hit and to its right, unless the card would leave the window there.
    const float gap = ui.px(18);
    const bool fits_right = at->x + gap + width <= static_cast<float>(ui.window.width);
    const bool fits_above = at->y - ui.px(12) - height >= 0;
    ImGui::SetNextWindowPos({fits_right ? at->x + gap : at->x - gap, at->y + ui.px(fits_above ? -12 : 12)},
                            ImGuiCond_Always, {fits_right ? 0.0F : 1.0F, fits_above ? 1.0F : 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::BeginTooltip();
    for (const std::string& line : hit.lines) ImGui::TextUnformatted(line.c_str());
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

/// Draws the path of the followed item, and its label, which stays inside the scene. The label is not a
/// tooltip, because the tooltip describes what is under the mouse.
void ParticlesPanel::draw_followed(Ui& ui, const Rect& view, std::uint64_t slot) const {
    const scene::MemoryHit hit = scene::hit_of_slot(*replay(ui), replay(ui)->state(), scene_, slot);
    const auto at = draw_path(ui, view, hit);
    if (!at) return;
    const ImFont* const font = ui.fonts().text;
    const float padding = ui.px(8), line_height = std::round(font->FontSize * 1.2F);
    const float gap_after_last_line = line_height - font->FontSize;
    ImVec2 size{0, line_height * static_cast<float>(hit.lines.size()) + 2 * padding - gap_after_last_line};
    for (const std::string& text : hit.lines)
        size.x = std::max(size.x, plots::text_width(font, text) + 2 * padding);
    if (size.x > max_label_share * view.width() || size.y > max_label_share * view.height()) return;
    const float margin = ui.px(6);
    const auto inside = [margin](float wanted, float low, float high) {
        return std::round(std::clamp(wanted, low + margin, std::max(low + margin, high - margin)));
    };
    // Beside the item, not over it.
    const float gap = ui.px(18);
    const bool fits_right = at->x + gap + size.x + margin <= view.high.x;
    const ImVec2 low{
        inside(fits_right ? at->x + gap : at->x - gap - size.x, view.low.x, view.high.x - size.x),
        inside(at->y - size.y / 2, view.low.y, view.high.y - size.y)};
    const ImVec2 high{low.x + size.x, low.y + size.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(view.low, view.high, true);
    list.AddRectFilled(low, high, ui.palette().raised, ImGui::GetStyle().FrameRounding);
    list.AddRect(low, high, ui.palette().grid, ImGui::GetStyle().FrameRounding);
    float baseline = low.y + padding + std::round(font->Ascent);
    for (const std::string& text : hit.lines) {
        plots::draw_on_baseline(list, font, {low.x + padding, baseline}, ui.palette().text, text);
        baseline += line_height;
    }
    list.PopClipRect();
    ui.controls.record("followed item in scene", low, high);
}

/// In motion, plot and dial are in the pane of the timings, or below the scene if that pane is hidden. At
/// rest, the dial is below the scene while the mouse is over the view. The dial keeps its place while the
/// mouse is on it, because ImGui ends a drag whose control moves to another window.
void ParticlesPanel::place_time(Ui& ui) {
    holds_dial_ = std::exchange(ui.memory.slow_motion.holds_dial, false);
    const bool wants_pane = holds_dial_ ? time_is_in_pane_ : plays(ui);
    time_is_in_pane_ = wants_pane && shows_arrays(ui) && ui.panes.timings.height > 0;
}

float ParticlesPanel::height_below_scene(const Ui& ui, const Rect& view) const {
    if (!shows_arrays(ui) || takes_timings_pane(ui)) return 0;
    const float dial_height = slow_motion_dial_height(ui) + 2 * ui.px(line_gap);
    if (!plays(ui)) return holds_dial_ || is_mouse_over(ui, view) ? dial_height : 0;
    const bool moves_to_pane_later = ui.panes.timings.height > 0;
    if (moves_to_pane_later) return dial_height;
    const float wanted = dial_height + plots::AddressPlot::good_height(*replay(ui), ui.style);
    const float max_height = std::max(dial_height, max_plot_share * view.height());
    return std::floor(std::clamp(wanted, dial_height, max_height));
}

/// Draws the dial, and above it the plot of time by address in slow motion.
void ParticlesPanel::draw_time(Ui& ui, const Rect& area) {
    const float left = area.low.x + ui.px(edge), right = area.high.x - ui.px(edge);
    const float dial_top = area.high.y - slow_motion_dial_height(ui) - ui.px(line_gap);
    ImGui::GetWindowDrawList()->AddRectFilled(area.low, area.high, ui.palette().panel);
    if (plays(ui)) {
        const Rect plot{{left, area.low.y}, {right, dial_top - ui.px(line_gap)}};
        trace::Playhead& playhead = ui.memory.slow_motion.playhead;
        if (const auto time = address_scrubber(ui, plot_, plot, replay(ui), playhead.time))
            playhead.scrub(*time);
    }
    slow_motion_dial(ui, {{left, dial_top}, {right, area.high.y}});
}

}  // namespace

ViewType particles_view() {
    return {
        .name = "Particles",
        .meaning =
            "The kept particles, drawn directly from the compacted output. A missing or doubled particle is "
            "an error of the algorithm.",
        .over_scene = true,
        .says_why_empty = true,
        .make = make_panel<ParticlesPanel>};
}

}  // namespace warpsieve::panels
