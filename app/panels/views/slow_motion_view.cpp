#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/slow_motion/animation.hpp"

namespace warpsieve::panels {
namespace {

/// The live fraction is known for 128 x 128 tiles of 8 x 8 slots, which are the first 2^20 slots. Beyond
/// them, the picture repeats.
constexpr std::uint32_t tiles_per_row = 128;

using compaction::PhaseRole;
using slow_motion::num_parts;
using slow_motion::num_slots;
using slow_motion::part_slots;

// Pixels at 100 %.
constexpr float max_side = 560;
constexpr float gap = 14;
constexpr float figure_width = 62;
constexpr float min_text_cell = 19;

/// The first 64 slots are drawn one by one while a side shows fewer cells than this.
constexpr double max_cells_with_first_slots = 24;
constexpr float far_output_light = 0.8F;
constexpr double log2_first_slots = 6;
static_assert(num_slots == 1U << 6U);

/// Positions of all parts of the picture: slots on the left, parts in the middle, output on the right. At the
/// beginning, a cell is an eighth of a side.
struct Layout {
    ImVec2 slots;   ///< top left
    ImVec2 output;  ///< top left
    float side = 0;
    float counts_x = 0;         ///< middle of the column
    float offsets_x = 0;        ///< middle of the column
    double cells = part_slots;  ///< number of cells along a side
    float closeness = 1;        ///< 1: 64 slots are visible; 0: details have faded out

    float cell() const { return side / static_cast<float>(cells); }
    /// The cell of one of the first 64 slots or output indices.
    Rect box(ImVec2 origin, std::uint32_t index) const {
        const float size = cell();
        const ImVec2 low{origin.x + static_cast<float>(index % part_slots) * size,
                         origin.y + static_cast<float>(index / part_slots) * size};
        return {low, {low.x + size, low.y + size}};
    }
    float row_middle(std::uint32_t part) const {
        return slots.y + (static_cast<float>(part) + 0.5F) * side / num_parts;
    }
};

/// Whether more than the first 64 slots are visible.
bool has_pulled_back(const slow_motion::Moment& moment) {
    return moment.log2_slots > log2_first_slots;
}

Layout lay_out_picture(const Ui& ui, const slow_motion::Moment& moment, const Rect& area) {
    Layout layout;
    const float title_height = std::round(ui.fonts().text->FontSize * 1.6F);
    const float middle_width = 2 * ui.px(figure_width) + 2 * ui.px(gap);
    layout.side = std::floor(
        std::min({area.height() - title_height, (area.width() - middle_width) / 2, ui.px(max_side)}));
    const float left = std::round(area.low.x + (area.width() - 2 * layout.side - middle_width) / 2);
    const float top =
        std::round(area.low.y + title_height + (area.height() - title_height - layout.side) / 2);
    layout.slots = {left, top};
    layout.output = {left + layout.side + middle_width, top};
    layout.counts_x = left + layout.side + ui.px(gap) + ui.px(figure_width) / 2;
    layout.offsets_x = layout.counts_x + ui.px(figure_width);
    layout.cells = std::exp2(moment.log2_slots / 2);
    constexpr float fade_log2_slots = 1.2F;
    const auto pulled_back = static_cast<float>(moment.log2_slots - log2_first_slots);
    layout.closeness = std::clamp(1 - pulled_back / fade_log2_slots, 0.0F, 1.0F);
    return layout;
}

void draw_centred(const ImFont* font, ImVec2 centre, ImU32 colour, const std::string& text) {
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font,
                            {std::round(centre.x - plots::text_width(font, text) / 2),
                             std::round(centre.y + font->Ascent * 0.36F)},
                            colour, text);
}

/// Neighbouring parts differ in shade, which shows the part that an item comes from.
ImU32 slot_colour(const plots::Palette& palette, std::uint32_t slot) {
    return slot / part_slots % 2 == 0 ? palette.accent
                                      : plots::mix(palette.background, palette.accent, 0.66F);
}

void draw_cell(const Ui& ui, const Rect& box, ImU32 colour, ImU32 text_colour, compaction::Item item) {
    const float inset = std::min(std::max(1.0F, ui.px(1.5F)), box.width() / 8);
    ImGui::GetWindowDrawList()->AddRectFilled({box.low.x + inset, box.low.y + inset},
                                              {box.high.x - inset, box.high.y - inset}, colour);
    if (box.width() < ui.px(min_text_cell)) return;
    const bool roomy = box.width() >= ui.px(30);
    draw_centred(roomy ? ui.fonts().figures : ui.fonts().small,
                 {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2}, text_colour,
                 std::to_string(item));
}

/// Half the width and height of the box that holds the count or the offset of a part.
ImVec2 half_figure_size(const Ui& ui, const Layout& layout) {
    return {ui.px(figure_width) / 2 - ui.px(5), std::min(layout.side / num_parts * 0.4F, ui.px(15))};
}

/// Draws count and offset of each part, and the current look-back.
void draw_parts(const Ui& ui, const slow_motion::Moment& moment, const Layout& layout) {
    if (layout.closeness <= 0) return;
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto faded = [&](ImU32 colour) { return plots::mix(palette.background, colour, layout.closeness); };
    const ImVec2 half = half_figure_size(ui, layout);
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const slow_motion::PartState& part = moment.parts[i];
        const float y = std::round(layout.row_middle(i));
        if (part.has_begun) {
            const ImU32 colour = plots::style_of(PhaseRole::count).colour;
            list.AddRectFilled({layout.counts_x - half.x, y - half.y}, {layout.counts_x + half.x, y + half.y},
                               faded(plots::mix(palette.background, colour, part.counted ? 0.4F : 0.2F)));
            draw_centred(ui.fonts().figures, {layout.counts_x, y}, faded(palette.text),
                         std::to_string(part.count));
        }
        if (part.offset) {
            const ImU32 colour = plots::style_of(PhaseRole::prefix).colour;
            list.AddRectFilled({layout.offsets_x - half.x, y - half.y},
                               {layout.offsets_x + half.x, y + half.y},
                               faded(plots::mix(palette.background, colour, 0.4F)));
            draw_centred(ui.fonts().figures, {layout.offsets_x, y}, faded(palette.text),
                         std::to_string(*part.offset));
        }
    }
    if (const slow_motion::Look* look = moment.look) {
        // Arrow from the offset that is sought to the prefix or count it looks at.
        const ImVec2 from{layout.offsets_x - half.x, layout.row_middle(look->looking_part)};
        const ImVec2 to{look->found_prefix ? layout.offsets_x - half.x : layout.counts_x + half.x,
                        layout.row_middle(look->seen_part)};
        list.AddLine(from, to, palette.text, std::max(1.0F, ui.px(2)));
        list.AddCircleFilled(to, ui.px(4), palette.text);
    }
}

/// Draws a frame around the slot that each counting part tests next.
void draw_tested_next(const Ui& ui, const slow_motion::Moment& moment, const Layout& layout) {
    for (std::uint32_t part = 0; part < num_parts; ++part) {
        const bool is_counting = moment.parts[part].has_begun && !moment.parts[part].counted;
        if (!is_counting) continue;
        for (std::uint32_t i = part * part_slots; i < (part + 1) * part_slots; ++i) {
            if (moment.slots[i].tested) continue;
            // The first slot that is not tested is the next one.
            const Rect box = layout.box(layout.slots, i);
            ImGui::GetWindowDrawList()->AddRect(box.low, box.high, ui.palette().text, 0, 0,
                                                std::max(1.0F, ui.px(2)));
            break;
        }
    }
}

/// The colour of a square of slots while the camera pulls back.
ImU32 far_colour(const plots::Palette& palette, float live_fraction) {
    return plots::mix(palette.raised, palette.accent, 0.8F * live_fraction);
}

/// "Slot 13, sequence 1: rank 5, output index 5, moved in the phase 'move'."
std::string slot_text(const slow_motion::Animation& animation, std::uint32_t slot) {
    const std::string part(slow_motion::part_name(animation.method));
    std::string words =
        "Slot " + std::to_string(slot) + ", " + part + " " + std::to_string(slot / part_slots);
    const auto& index = animation.slots[slot].output_index;
    if (!index) return words + ": empty, so it has no output index.";
    const auto rank = std::count_if(animation.stream.begin(), animation.stream.begin() + slot,
                                    [](compaction::Item item) { return item != 0; });
    words += ": rank " + std::to_string(rank) + ", output index " + std::to_string(*index);
    const auto moving_step = std::ranges::find_if(animation.steps, [](const slow_motion::Step& step) {
        return step.role == PhaseRole::scatter || step.role == PhaseRole::fused;
    });
    if (moving_step != animation.steps.end())
        words += ", moved in the phase '" + std::string(moving_step->title) + "'";
    return words + ".";
}

/// Squares of 2^level x 2^level slots. As the camera pulls back, gaps between them open; then four of them
/// merge into one of the next level.
struct Squares {
    std::uint32_t level;
    float merged;  ///< 0: each has its own colour; 1: four of them have one colour and no gaps
    float apart;   ///< 0: no gaps yet; 1: full gaps
};

Squares squares_of(const Layout& layout) {
    constexpr double max_squares_per_side = 48;
    const double exact_level = std::log2(layout.cells / max_squares_per_side);
    const auto level = static_cast<std::uint32_t>(std::ceil(std::max(0.0, exact_level)));
    // Rises from 0 to 1 while this level is drawn.
    const auto progress = static_cast<float>(exact_level - (static_cast<double>(level) - 1));
    const auto progress_between = [progress](float begin, float end) {
        return std::clamp((progress - begin) / (end - begin), 0.0F, 1.0F);
    };
    return {.level = level,
            .merged = progress_between(0.5F, 1),
            // The first level has its gaps from the beginning.
            .apart = level == 0 ? 1.0F : progress_between(0, 0.5F)};
}

// Pixels at 100 %.
constexpr float view_margin = 12;
constexpr float scrub_height = 26;
constexpr float button_gap = 6;   ///< after each button
constexpr float header_gap = 10;  ///< between buttons and title

/// The number of tiles in the stream before a tile of the picture. Tiles are in Morton order, so that those
/// of a square are contiguous.
std::uint64_t tile_index(std::uint64_t column, std::uint64_t row) {
    std::uint64_t index = 0;
    for (std::uint32_t bit = 0; bit < 16; ++bit) {
        index |= (column >> bit & 1) << (2 * bit);
        index |= (row >> bit & 1) << (2 * bit + 1);
    }
    return index;
}

/// One compaction of 64 slots, step by step, then the way back to the full stream.
class SlowMotionPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    bool pause_or_resume(Ui& /*ui*/) override {
        play_or_pause();
        return true;
    }
    void step(Ui& /*ui*/, int direction) override { step_animation(direction); }

  private:
    void draw_titles(const Ui& ui, const slow_motion::Moment& moment, const Layout& layout) const;
    void draw_slots(const Ui& ui, const slow_motion::Moment& moment, const Layout& layout) const;
    void draw_items(const Ui& ui, const slow_motion::Moment& moment, const Layout& layout) const;
    std::optional<std::uint32_t> hovered_slot(const Layout& layout) const;
    void draw_hovered(Ui& ui, const Layout& layout);
    float live_fraction_of_square(std::uint32_t level, std::uint64_t column, std::uint64_t row) const;
    void draw_far_slots(const Ui& ui, const Layout& layout) const;
    void draw_far_output(const Ui& ui, const Layout& layout) const;
    void draw_picture(Ui& ui, const slow_motion::Moment& moment, const Rect& area);
    void compute_tile_live_fractions();
    void follow_settings(Ui& ui);
    void pass_time(Ui& ui);
    float draw_buttons(Ui& ui, ToolbarFlow& flow, float left, bool with_keys);
    float draw_header(Ui& ui, ImVec2 low, float right, float max_bottom);
    float draw_caption(Ui& ui, const slow_motion::Moment& moment, ImVec2 low, float right);
    void draw_scrub(Ui& ui, const Rect& bar);
    void play_or_pause();
    void step_animation(int direction);

    std::string algorithm_id_;  ///< empty: there is no animation yet
    std::uint64_t seed_ = 0;
    float live_fraction_ = 0;
    std::uint64_t full_slots_ = 0;
    slow_motion::Animation animation_;
    std::vector<float> tile_live_fractions_;  ///< [tiles_per_row * tiles_per_row]
    double animation_time_s_ = 0;
    double last_update_s_ = 0;
    bool playing_ = true;
};

void SlowMotionPanel::draw_titles(const Ui& ui, const slow_motion::Moment& moment,
                                  const Layout& layout) const {
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float baseline = layout.slots.y - ui.px(8);
    const slow_motion::Animation& animation = animation_;
    std::string slots = "64 slots in 8 " + std::string(slow_motion::part_name(animation.method)) + "s of 8";
    if (has_pulled_back(moment)) {
        const auto visible = static_cast<std::uint64_t>(std::llround(std::exp2(moment.log2_slots)));
        slots = format::grouped(visible) + " slots";
    }
    plots::draw_on_baseline(list, fonts.small, {layout.slots.x, baseline}, palette.muted,
                            plots::elided(fonts.small, slots, layout.side));
    const std::uint64_t landed = static_cast<std::uint64_t>(std::ranges::count_if(
        moment.slots, [](const slow_motion::SlotState& slot) { return slot.flight >= 1; }));
    const std::string output =
        has_pulled_back(moment) ? "output" : "output: " + std::to_string(landed) + " items";
    plots::draw_on_baseline(list, fonts.small, {layout.output.x, baseline}, palette.muted,
                            plots::elided(fonts.small, output, layout.side));
    if (layout.closeness <= 0) return;
    const ImU32 fading = plots::mix(palette.background, palette.muted, layout.closeness);
    draw_centred(fonts.small, {layout.counts_x, baseline - ui.px(4)}, fading, "count");
    draw_centred(fonts.small, {layout.offsets_x, baseline - ui.px(4)}, fading, "offset");
}

/// Draws the first 64 slots, and frames around those that are tested next.
void SlowMotionPanel::draw_slots(const Ui& ui, const slow_motion::Moment& moment,
                                 const Layout& layout) const {
    const plots::Palette& palette = ui.palette();
    const slow_motion::Animation& animation = animation_;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const slow_motion::SlotState& slot = moment.slots[i];
        // An item that moves leaves a pale copy behind: the input does not change.
        const float light = slot.lit * (1 - 0.6F * slot.flight);
        const ImU32 near = plots::mix(palette.raised, slot_colour(palette, i), light);
        const ImU32 colour = plots::mix(far_colour(palette, slot.lit), near, layout.closeness);
        const ImU32 ink = animation.stream[i] != 0 ? plots::ink_on(palette, colour) : palette.muted;
        draw_cell(ui, layout.box(layout.slots, i), colour, plots::mix(colour, ink, layout.closeness),
                  animation.stream[i]);
    }
    if (layout.closeness > 0) draw_tested_next(ui, moment, layout);
    const bool is_scanning = animation.method == slow_motion::Method::flags && moment.num_scanned > 0 &&
                             moment.num_scanned < num_slots;
    if (is_scanning) {
        const Rect box = layout.box(layout.slots, moment.num_scanned);
        list.AddRect(box.low, box.high, plots::style_of(PhaseRole::prefix).colour, 0, 0, ui.px(2));
    }
}

/// Draws the items on their way and in the output, while these can be told apart.
void SlowMotionPanel::draw_items(const Ui& ui, const slow_motion::Moment& moment,
                                 const Layout& layout) const {
    const plots::Palette& palette = ui.palette();
    const slow_motion::Animation& animation = animation_;
    const ImU32 outline = plots::mix(palette.background, palette.raised, layout.closeness);
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const Rect box = layout.box(layout.output, i);
        const bool is_inside = box.high.x <= layout.output.x + layout.side + 1 &&
                               box.high.y <= layout.output.y + layout.side + 1;
        if (!is_inside) continue;
        ImGui::GetWindowDrawList()->AddRect(box.low, box.high, outline);
    }
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const float flight = moment.slots[i].flight;
        if (flight <= 0) continue;
        const Rect from = layout.box(layout.slots, i);
        const Rect to = layout.box(layout.output, *animation.slots[i].output_index);
        const float lift = std::sin(flight * 3.14159F) * layout.cell() * 0.6F;
        const ImVec2 low{from.low.x + (to.low.x - from.low.x) * flight,
                         from.low.y + (to.low.y - from.low.y) * flight - lift};
        // Fades to the colour of the whole output, which then replaces it.
        const ImU32 far = plots::mix(palette.background, palette.accent, far_output_light);
        const ImU32 colour = plots::mix(far, slot_colour(palette, i), layout.closeness);
        draw_cell(ui, {low, {low.x + from.width(), low.y + from.height()}}, colour,
                  plots::mix(colour, plots::ink_on(palette, colour), layout.closeness), animation.stream[i]);
    }
}

/// The slot under the mouse, or the slot of the output item under the mouse.
std::optional<std::uint32_t> SlowMotionPanel::hovered_slot(const Layout& layout) const {
    if (!ImGui::IsWindowHovered()) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto cell_at = [&](ImVec2 origin) -> std::optional<std::uint32_t> {
        const float column = (mouse.x - origin.x) / layout.cell();
        const float row = (mouse.y - origin.y) / layout.cell();
        const auto num_cells = static_cast<float>(part_slots);
        if (column < 0 || row < 0 || column >= num_cells || row >= num_cells) return std::nullopt;
        return static_cast<std::uint32_t>(row) * part_slots + static_cast<std::uint32_t>(column);
    };
    if (const auto slot = cell_at(layout.slots)) return slot;
    const auto index = cell_at(layout.output);
    if (!index) return std::nullopt;
    const auto& slots = animation_.slots;
    const auto found = std::ranges::find(slots, index, &slow_motion::SlotTimes::output_index);
    if (found == slots.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - slots.begin());
}

/// Frames the slot under the mouse, the count and offset of its part, and its output index.
void SlowMotionPanel::draw_hovered(Ui& ui, const Layout& layout) {
    const std::optional<std::uint32_t> slot = hovered_slot(layout);
    if (!slot) return;
    const slow_motion::Animation& animation = animation_;
    const Rect from = layout.box(layout.slots, *slot);
    ui.controls.record("pointed slot", from.low, from.high);
    if (animation.slots[*slot].output_index) {
        const Rect to = layout.box(layout.output, *animation.slots[*slot].output_index);
        const float y = std::round(layout.row_middle(*slot / part_slots));
        const ImVec2 half = half_figure_size(ui, layout);
        for (const float x : {layout.counts_x, layout.offsets_x})
            draw_item_frame(ui, {x - half.x, y - half.y}, {x + half.x, y + half.y});
        draw_item_frame(ui, to.low, to.high);
        ui.controls.record("pointed output", to.low, to.high);
        ui.tooltips.offer(ui.style, to.low, to.high, slot_text(animation, *slot));
    }
    draw_item_frame(ui, from.low, from.high);
    ui.tooltips.offer(ui.style, from.low, from.high, slot_text(animation, *slot));
}

/// Live fraction of a square of 2^level slots to a side.
float SlowMotionPanel::live_fraction_of_square(std::uint32_t level, std::uint64_t column,
                                               std::uint64_t row) const {
    constexpr std::uint32_t tile_level = 3;
    const auto tile = [&](std::uint64_t x, std::uint64_t y) {
        return tile_live_fractions_[y % tiles_per_row * tiles_per_row + x % tiles_per_row];
    };
    if (level >= tile_level) {
        // Samples at most sixteen of the tiles, evenly spaced.
        const std::uint64_t tiles = std::uint64_t{1} << (level - tile_level);
        const std::uint64_t step = std::max<std::uint64_t>(1, tiles / 4);
        float sum = 0;
        float count = 0;
        for (std::uint64_t y = 0; y < tiles; y += step) {
            for (std::uint64_t x = 0; x < tiles; x += step, ++count)
                sum += tile(column * tiles + x, row * tiles + y);
        }
        return sum / count;
    }
    const std::uint64_t width = std::uint64_t{1} << level;
    float num_live = 0;
    for (std::uint64_t y = row * width; y < (row + 1) * width; ++y) {
        for (std::uint64_t x = column * width; x < (column + 1) * width; ++x) {
            const std::uint64_t tile_start = tile_index(x / part_slots, y / part_slots) * num_slots;
            num_live += slow_motion::is_live(seed_, live_fraction_,
                                             tile_start + y % part_slots * part_slots + x % part_slots);
        }
    }
    return num_live / static_cast<float>(width * width);
}

/// Draws the slots around the first 64 as squares, while the camera pulls back.
void SlowMotionPanel::draw_far_slots(const Ui& ui, const Layout& layout) const {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Squares squares = squares_of(layout);
    const std::uint32_t level = squares.level;
    const float size = layout.cell() * static_cast<float>(std::uint64_t{1} << level);
    // The tolerance keeps rounding from adding a row of squares without a width.
    constexpr float tolerance = 1e-3F;
    const auto squares_per_side = static_cast<std::uint64_t>(std::ceil(layout.side / size - tolerance));
    const float inset = size >= 5 ? std::min(1.0F, size / 8) * (1 - squares.merged) * squares.apart : 0;
    const bool has_first_slots = layout.cells < max_cells_with_first_slots;
    const ImVec2 end{layout.slots.x + layout.side, layout.slots.y + layout.side};
    for (std::uint64_t row = 0; row < squares_per_side; ++row) {
        for (std::uint64_t column = 0; column < squares_per_side; ++column) {
            // draw_slots() draws these.
            if (has_first_slots && row < part_slots && column < part_slots) continue;
            const ImVec2 low{layout.slots.x + static_cast<float>(column) * size,
                             layout.slots.y + static_cast<float>(row) * size};
            float live = live_fraction_of_square(level, column, row);
            if (squares.merged > 0) {
                const float merged = live_fraction_of_square(level + 1, column / 2, row / 2);
                live += (merged - live) * squares.merged;
            }
            list.AddRectFilled({low.x + inset, low.y + inset},
                               {std::min(end.x, low.x + size - inset), std::min(end.y, low.y + size - inset)},
                               far_colour(palette, live));
        }
    }
}

/// Draws the output of the visible slots as one dense area.
void SlowMotionPanel::draw_far_output(const Ui& ui, const Layout& layout) const {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low = layout.output;
    const ImVec2 high{low.x + layout.side, low.y + layout.side};
    const float opacity = 1 - layout.closeness;
    list.AddRectFilled(low, {high.x, low.y + live_fraction_ * layout.side},
                       plots::mix(palette.background, palette.accent, far_output_light * opacity));
    list.AddRect(low, high, palette.outline);
}

/// Draws the slots, the parts and the output at a moment, within `area`.
void SlowMotionPanel::draw_picture(Ui& ui, const slow_motion::Moment& moment, const Rect& area) {
    const Layout layout = lay_out_picture(ui, moment, area);
    if (layout.side < ui.px(80)) {
        say_too_small(ui, area.low, area.high, "the slots");
        return;
    }
    const ImVec2 high{layout.output.x + layout.side, layout.output.y + layout.side};
    ui.controls.record("slow motion: stage", layout.slots, high);
    draw_titles(ui, moment, layout);
    draw_parts(ui, moment, layout);
    if (has_pulled_back(moment)) {
        draw_far_slots(ui, layout);
        draw_far_output(ui, layout);
    }
    if (layout.cells < max_cells_with_first_slots) draw_slots(ui, moment, layout);
    if (layout.closeness > 0) draw_items(ui, moment, layout);
    if (!has_pulled_back(moment)) draw_hovered(ui, layout);
}

void SlowMotionPanel::compute_tile_live_fractions() {
    tile_live_fractions_.resize(std::size_t{tiles_per_row} * tiles_per_row);
    for (std::uint32_t row = 0; row < tiles_per_row; ++row) {
        for (std::uint32_t column = 0; column < tiles_per_row; ++column) {
            const std::uint64_t first = tile_index(column, row) * slow_motion::num_slots;
            std::uint32_t live = 0;
            for (std::uint64_t slot = first; slot < first + slow_motion::num_slots; ++slot)
                live += slow_motion::is_live(seed_, live_fraction_, slot);
            tile_live_fractions_[row * tiles_per_row + column] =
                static_cast<float>(live) / slow_motion::num_slots;
        }
    }
}

/// Makes the animation of the current algorithm and stream. A new algorithm starts at time 0; a new stream
/// keeps the time.
void SlowMotionPanel::follow_settings(Ui& ui) {
    const compaction::Algorithm& algorithm = *ui.snapshot.runs.a.algorithm;
    const RunConfig& run = ui.settings.run;
    const bool same_stream = seed_ == run.seed && live_fraction_ == run.live_fraction &&
                             full_slots_ == ui.snapshot.stream.slots && !tile_live_fractions_.empty();
    if (same_stream && algorithm_id_ == algorithm.id) return;
    if (algorithm_id_ != algorithm.id) animation_time_s_ = 0;
    algorithm_id_ = algorithm.id;
    seed_ = run.seed;
    live_fraction_ = run.live_fraction;
    full_slots_ = ui.snapshot.stream.slots;
    if (!same_stream) compute_tile_live_fractions();
    animation_ = slow_motion::make_animation(slow_motion::method_of(algorithm),
                                             slow_motion::stream_of(run.seed, run.live_fraction),
                                             ui.snapshot.stream.slots);
}

void SlowMotionPanel::pass_time(Ui& ui) {
    // This runs only while the tab is shown. The limit drops the time for which it was hidden.
    const double passed_s = std::clamp(ui.snapshot.display.now_s - last_update_s_, 0.0, 0.1);
    last_update_s_ = ui.snapshot.display.now_s;
    const double end_s = animation_.duration_s();
    if (playing_) animation_time_s_ += passed_s;
    if (animation_time_s_ >= end_s) playing_ = false;
    animation_time_s_ = std::clamp(animation_time_s_, 0.0, end_s);
}

/// Draws the buttons to play and to step. Returns where they end if all of them fit into one row.
/// `with_keys`: the buttons name their keys.
float SlowMotionPanel::draw_buttons(Ui& ui, ToolbarFlow& flow, float left, bool with_keys) {
    // Draws a button, if it fits, and returns whether it is pressed. Moves `left` in either case.
    const auto draw_button = [&](const char* label, const char* longest, const char* tooltip,
                                 const char* key) {
        const float width = with_keys ? button_width(ui.style, longest, key) : button_width(longest);
        left += width + ui.px(button_gap);
        if (!flow.place(width)) return false;
        return with_keys ? key_button(ui, label, tooltip, key) : button(ui, label, width, tooltip, key);
    };
    // The controls have a pause button too, so this one has a name of its own after "##".
    if (draw_button(playing_ ? "pause##pause slow motion" : "play", "pause",
                    "Plays or pauses; plays again from the end.", "Space"))
        play_or_pause();
    if (draw_button("step back", "step back", "Moves to the step before.", "Left")) step_animation(-1);
    if (draw_button("step on", "step on", "Moves to the next step.", "Right")) step_animation(1);
    return left;
}

/// Draws controls and title. Returns their bottom.
float SlowMotionPanel::draw_header(Ui& ui, ImVec2 low, float right, float max_bottom) {
    const plots::Fonts& fonts = ui.fonts();
    const std::string scale = "scaled down: 64 of " + format::slot_count_text(full_slots_) + " slots";
    const std::string text = scale + ", " + ui.snapshot.runs.a.algorithm->name;
    const float gaps = ui.px(3 * button_gap + header_gap);
    const float width_with_keys = button_width(ui.style, "pause", "Space") +
                                  button_width(ui.style, "step back", "Left") +
                                  button_width(ui.style, "step on", "Right") + gaps;
    const bool with_keys = low.x + width_with_keys + plots::text_width(fonts.text, text) <= right;
    ToolbarFlow flow(ui, low, right, max_bottom);
    const float left = draw_buttons(ui, flow, low.x, with_keys) + ui.px(header_gap);
    const float baseline = low.y + std::round((ImGui::GetFrameHeight() + fonts.text->Ascent) / 2) - ui.px(2);
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), fonts.text, {left, baseline}, ui.palette().label,
                            plots::fitting(fonts.text, {text, scale, "scaled down: 64 slots"}, right - left));
    ui.controls.record("slow motion: scaled down", {left, low.y}, {right, flow.bottom()});
    ui.tooltips.offer(
        ui.style, {left, low.y}, {right, flow.bottom()},
        "Plain code with the phases of this algorithm compacts 64 slots. A test "
        "compares its output with that of the algorithm. Sequences, blocks and tiles have eight "
        "slots here.");
    return flow.bottom() + ui.px(10);
}

/// Draws the caption of the step. Returns its bottom.
float SlowMotionPanel::draw_caption(Ui& ui, const slow_motion::Moment& moment, ImVec2 low, float right) {
    const slow_motion::Step& step = animation_.steps[moment.step];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    float baseline = std::round(low.y + fonts.heading->Ascent);
    float x = low.x;
    if (step.role) {
        const float size = ui.px(10);
        plots::draw_swatch(list, {x + size / 2, baseline - size / 2}, size, plots::style_of(*step.role),
                           palette.background);
        x += size + ui.px(7);
    }
    x = plots::draw_on_baseline(list, fonts.heading, {x, baseline}, palette.text, step.title) + ui.px(12);
    std::string caption(step.caption);
    const bool is_last_step = moment.step + 1 == animation_.steps.size();
    if (const auto* total = timed_figures_of(ui.snapshot.figures->a.rows, total_row_name);
        is_last_step && total && has_times(ui.snapshot.runs.a.algorithm->engine))
        caption = "The full stream takes " + format::duration_text(total->median) + " at full speed.";
    // The caption is below the title if there is no room beside it.
    if (plots::text_width(fonts.text, caption) > right - x) {
        x = low.x;
        baseline += std::round(fonts.text->FontSize * 1.35F);
    }
    plots::draw_on_baseline(list, fonts.text, {x, baseline}, palette.label,
                            plots::elided(fonts.text, caption, right - x));
    ui.controls.record("slow motion: " + std::string(step.title), low, {right, baseline});
    // Reserves two lines for every caption, so that the picture does not move.
    return std::round(low.y + fonts.heading->Ascent + fonts.text->FontSize * 1.9F);
}

/// Draws the steps along the time axis. A click or drag moves to its time.
void SlowMotionPanel::draw_scrub(Ui& ui, const Rect& bar) {
    const slow_motion::Animation& animation = animation_;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    ImGui::SetCursorScreenPos(bar.low);
    invisible_button("##scrub", {bar.width(), bar.height()});
    ui.controls.record_item("slow motion: time");
    if (ImGui::IsItemActive() && bar.width() > 0) {
        const float share = (ImGui::GetIO().MousePos.x - bar.low.x) / bar.width();
        animation_time_s_ = static_cast<double>(std::clamp(share, 0.0F, 1.0F)) * animation.duration_s();
        playing_ = false;
    } else {
        ui.tooltips.offer(ui.style, bar.low, bar.high, "Drag to move through time.");
    }
    const auto x_of = [&](double time_s) {
        return std::round(bar.low.x + static_cast<float>(time_s / animation.duration_s()) * bar.width());
    };
    for (const slow_motion::Step& step : animation.steps) {
        const ImVec2 low{x_of(step.begin_s) + ui.px(1), bar.low.y};
        const ImVec2 high{x_of(step.end_s), bar.high.y};
        const ImU32 colour = step.role ? plots::style_of(*step.role).colour : palette.muted;
        const float now_x = std::clamp(x_of(animation_time_s_), low.x, high.x);
        list.AddRectFilled(low, high, palette.raised);
        list.AddRectFilled(low, {now_x, high.y}, plots::mix(palette.raised, colour, 0.35F));
        list.AddRectFilled({low.x, high.y - ui.px(3)}, high, colour);
        const float room = high.x - low.x - ui.px(6);
        if (plots::text_width(ui.fonts().small, step.title) <= room) {
            plots::draw_on_baseline(
                list, ui.fonts().small,
                {low.x + ui.px(3), std::round(low.y + ui.fonts().small->Ascent + ui.px(4))}, palette.text,
                step.title);
        }
    }
    const float now_x = x_of(animation_time_s_);
    list.AddRectFilled({now_x - ui.px(1), bar.low.y - ui.px(4)}, {now_x + ui.px(1), bar.high.y},
                       palette.text);
}

void SlowMotionPanel::play_or_pause() {
    if (algorithm_id_.empty()) return;
    playing_ = !playing_;
    if (playing_ && animation_time_s_ >= animation_.duration_s()) animation_time_s_ = 0;
}

void SlowMotionPanel::step_animation(int direction) {
    if (algorithm_id_.empty()) return;
    playing_ = false;
    animation_time_s_ = direction > 0 ? slow_motion::next_stop(animation_, animation_time_s_)
                                      : slow_motion::previous_stop(animation_, animation_time_s_);
}

void SlowMotionPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0 || !ui.snapshot.runs.a.algorithm) return;
    follow_settings(ui);
    pass_time(ui);
    begin_pane("slow motion", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const float edge = ui.px(view_margin);
    const ImVec2 low{static_cast<float>(pane.x) + edge, static_cast<float>(pane.y) + ui.px(10)};
    const ImVec2 high{static_cast<float>(pane.x + pane.width) - edge,
                      static_cast<float>(pane.y + pane.height) - ui.px(10)};
    const float header_bottom = draw_header(ui, low, high.x, high.y);
    const Rect bar{{low.x, high.y - ui.px(scrub_height)}, high};
    draw_scrub(ui, bar);
    const slow_motion::Moment moment = slow_motion::moment_at(animation_, animation_time_s_);
    const float top = draw_caption(ui, moment, {low.x, header_bottom}, high.x);
    draw_picture(ui, moment, {{low.x, top}, {high.x, bar.low.y - ui.px(6)}});
    ImGui::End();
}

}  // namespace

ViewType slow_motion_view() {
    return {.name = "Slow motion",
            .meaning =
                "What the algorithm does, step by step, with 64 slots; then the way back to the full stream. "
                "Play, pause, step or drag through time.",
            .make = make_panel<SlowMotionPanel>};
}

}  // namespace warpsieve::panels
