// The stage of slow motion: slots on the left, parts in the middle, output on the right.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/slow_motion_view.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using compaction::PhaseRole;
using story::num_parts;
using story::num_slots;
using story::part_slots;

// Pixels at 100 %.
constexpr float largest_panel = 560;
constexpr float gap = 14;
constexpr float figure_width = 62;
constexpr float least_text_cell = 19;
/// Cells to a side up to which the first 64 slots are drawn one by one.
constexpr double most_cells_of_first = 24;
constexpr float far_output_light = 0.8F;

/// Where everything lies. At the beginning a cell is an eighth of a side.
struct Stage {
    ImVec2 slots;   ///< top left
    ImVec2 output;  ///< top left
    float side = 0;
    float counts_x = 0;   ///< middle of the column
    float offsets_x = 0;  ///< middle of the column
    double cells = 8;     ///< visible to a side
    float closeness = 1;  ///< 1: 64 slots; 0: details have faded out

    float cell() const { return side / static_cast<float>(cells); }
    Box box(ImVec2 origin, std::uint32_t index) const {
        const float size = cell();
        const ImVec2 low{origin.x + static_cast<float>(index % part_slots) * size,
                         origin.y + static_cast<float>(index / part_slots) * size};
        return {low, {low.x + size, low.y + size}};
    }
    float row_middle(std::uint32_t part) const {
        return slots.y + (static_cast<float>(part) + 0.5F) * side / num_parts;
    }
};

Stage stage_of(const Ui& ui, const story::Moment& moment, const Box& area) {
    Stage stage;
    const float title = std::round(ui.fonts().text->FontSize * 1.6F);
    const float middle = 2 * ui.px(figure_width) + 2 * ui.px(gap);
    stage.side =
        std::floor(std::min({area.height() - title, (area.width() - middle) / 2, ui.px(largest_panel)}));
    const float left = std::round(area.low.x + (area.width() - 2 * stage.side - middle) / 2);
    const float top = std::round(area.low.y + title + (area.height() - title - stage.side) / 2);
    stage.slots = {left, top};
    stage.output = {left + stage.side + middle, top};
    stage.counts_x = left + stage.side + ui.px(gap) + ui.px(figure_width) / 2;
    stage.offsets_x = stage.counts_x + ui.px(figure_width);
    stage.cells = std::exp2(moment.log2_slots / 2);
    stage.closeness = std::clamp(1 - static_cast<float>(moment.log2_slots - 6) / 1.2F, 0.0F, 1.0F);
    return stage;
}

void draw_centred(const ImFont* font, ImVec2 centre, ImU32 colour, const std::string& text) {
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font,
                            {std::round(centre.x - plots::text_width(font, text) / 2),
                             std::round(centre.y + font->Ascent * 0.36F)},
                            colour, text);
}

/// Neighbouring parts differ in shade, so that one sees from where an item comes.
ImU32 item_colour(const plots::Palette& palette, std::uint32_t slot) {
    return slot / part_slots % 2 == 0 ? palette.accent : plots::mix(palette.ground, palette.accent, 0.66F);
}

void draw_cell(const Ui& ui, const Box& box, ImU32 colour, ImU32 text_colour, compaction::Item item) {
    const float air = std::min(std::max(1.0F, ui.px(1.5F)), box.width() / 8);
    ImGui::GetWindowDrawList()->AddRectFilled({box.low.x + air, box.low.y + air},
                                              {box.high.x - air, box.high.y - air}, colour);
    if (box.width() < ui.px(least_text_cell)) return;
    const bool roomy = box.width() >= ui.px(30);
    draw_centred(roomy ? ui.fonts().figures : ui.fonts().small,
                 {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2}, text_colour,
                 std::to_string(item));
}

void draw_titles(const Ui& ui, const story::Moment& moment, const Stage& stage) {
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float baseline = stage.slots.y - ui.px(8);
    const story::Story& story = ui.memory.slow_motion.story;
    std::string slots = "64 slots in 8 " + std::string(story::part_name(story.method)) + "s of 8";
    if (moment.log2_slots > 6) {
        const auto visible = static_cast<std::uint64_t>(std::llround(std::exp2(moment.log2_slots)));
        slots = format::grouped(visible) + " slots";
    }
    plots::draw_on_baseline(list, fonts.small, {stage.slots.x, baseline}, palette.muted,
                            plots::elided(fonts.small, slots, stage.side));
    const std::uint64_t landed = static_cast<std::uint64_t>(
        std::ranges::count_if(moment.slots, [](const story::SlotState& slot) { return slot.flight >= 1; }));
    const std::string output =
        moment.log2_slots > 6 ? "output" : "output: " + std::to_string(landed) + " items";
    plots::draw_on_baseline(list, fonts.small, {stage.output.x, baseline}, palette.muted,
                            plots::elided(fonts.small, output, stage.side));
    if (stage.closeness <= 0) return;
    const ImU32 fading = plots::mix(palette.ground, palette.muted, stage.closeness);
    draw_centred(fonts.small, {stage.counts_x, baseline - ui.px(4)}, fading, "count");
    draw_centred(fonts.small, {stage.offsets_x, baseline - ui.px(4)}, fading, "offset");
}

/// Count and offset of each part, and the look-back that is going on.
void draw_parts(const Ui& ui, const story::Moment& moment, const Stage& stage) {
    if (stage.closeness <= 0) return;
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto faded = [&](ImU32 colour) { return plots::mix(palette.ground, colour, stage.closeness); };
    const float half = std::min(stage.side / num_parts * 0.4F, ui.px(15));
    const float wide = ui.px(figure_width) / 2 - ui.px(5);
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const story::PartState& part = moment.parts[i];
        const float y = std::round(stage.row_middle(i));
        if (part.works) {
            const ImU32 colour = plots::style_of(PhaseRole::count).colour;
            list.AddRectFilled({stage.counts_x - wide, y - half}, {stage.counts_x + wide, y + half},
                               faded(plots::mix(palette.ground, colour, part.counted ? 0.4F : 0.2F)));
            draw_centred(ui.fonts().figures, {stage.counts_x, y}, faded(palette.text),
                         std::to_string(part.count));
        }
        if (part.offset) {
            const ImU32 colour = plots::style_of(PhaseRole::prefix).colour;
            list.AddRectFilled({stage.offsets_x - wide, y - half}, {stage.offsets_x + wide, y + half},
                               faded(plots::mix(palette.ground, colour, 0.4F)));
            draw_centred(ui.fonts().figures, {stage.offsets_x, y}, faded(palette.text),
                         std::to_string(*part.offset));
        }
    }
    if (const story::Look* look = moment.look) {
        // From the offset that is sought to what it looks at: a prefix, or a count.
        const ImVec2 from{stage.offsets_x - wide, stage.row_middle(look->from)};
        const ImVec2 to{look->found_prefix ? stage.offsets_x - wide : stage.counts_x + wide,
                        stage.row_middle(look->at)};
        list.AddLine(from, to, palette.text, std::max(1.0F, ui.px(2)));
        list.AddCircleFilled(to, ui.px(4), palette.text);
    }
}

/// The colour of a square of slots while the camera pulls back.
ImU32 far_colour(const plots::Palette& palette, float live) {
    return plots::mix(palette.raised, palette.accent, 0.8F * live);
}

/// The slots of the beginning: numbers, light and the slots that workers test next.
void draw_slots(const Ui& ui, const story::Moment& moment, const Stage& stage) {
    const plots::Palette& palette = ui.palette();
    const story::Story& story = ui.memory.slow_motion.story;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const story::SlotState& slot = moment.slots[i];
        // An item that has flown leaves a pale copy: the input does not change.
        const float light = slot.lit * (1 - 0.6F * slot.flight);
        const ImU32 near = plots::mix(palette.raised, item_colour(palette, i), light);
        const ImU32 colour = plots::mix(far_colour(palette, slot.lit), near, stage.closeness);
        const ImU32 ink = story.stream[i] != 0 ? plots::ink_on(palette, colour) : palette.muted;
        draw_cell(ui, stage.box(stage.slots, i), colour, plots::mix(colour, ink, stage.closeness),
                  story.stream[i]);
    }
    for (std::uint32_t part = 0; part < num_parts && stage.closeness > 0; ++part) {
        if (!moment.parts[part].works || moment.parts[part].counted) continue;
        for (std::uint32_t i = part * part_slots; i < (part + 1) * part_slots; ++i) {
            if (moment.slots[i].tested) continue;
            const Box box = stage.box(stage.slots, i);
            list.AddRect(box.low, box.high, palette.text, 0, 0, std::max(1.0F, ui.px(2)));
            break;
        }
    }
    if (story.method == story::Method::flags && moment.num_scanned > 0 && moment.num_scanned < num_slots) {
        const Box box = stage.box(stage.slots, moment.num_scanned);
        list.AddRect(box.low, box.high, plots::style_of(PhaseRole::prefix).colour, 0, 0, ui.px(2));
    }
}

/// Items on their way and at their places.
void draw_items(const Ui& ui, const story::Moment& moment, const Stage& stage) {
    const plots::Palette& palette = ui.palette();
    const story::Story& story = ui.memory.slow_motion.story;
    const ImU32 empty = plots::mix(palette.ground, palette.raised, stage.closeness);
    for (std::uint32_t i = 0; i < num_slots && stage.closeness > 0; ++i) {
        const Box box = stage.box(stage.output, i);
        if (box.high.x > stage.output.x + stage.side + 1 || box.high.y > stage.output.y + stage.side + 1)
            continue;
        ImGui::GetWindowDrawList()->AddRect(box.low, box.high, empty);
    }
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const float flight = moment.slots[i].flight;
        if (flight <= 0) continue;
        const Box from = stage.box(stage.slots, i);
        const Box to = stage.box(stage.output, *story.slots[i].place);
        const float lift = std::sin(flight * 3.14159F) * stage.cell() * 0.6F;
        const ImVec2 low{from.low.x + (to.low.x - from.low.x) * flight,
                         from.low.y + (to.low.y - from.low.y) * flight - lift};
        // As the whole output, which takes its place.
        const ImU32 far = plots::mix(palette.ground, palette.accent, far_output_light);
        const ImU32 colour = plots::mix(far, item_colour(palette, i), stage.closeness);
        draw_cell(ui, {low, {low.x + from.width(), low.y + from.height()}}, colour,
                  plots::mix(colour, plots::ink_on(palette, colour), stage.closeness), story.stream[i]);
    }
}

/// The slot below the mouse, or that of the item at the place below it.
std::optional<std::uint32_t> pointed_slot(const Ui& ui, const Stage& stage) {
    if (!ImGui::IsWindowHovered()) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto cell_at = [&](ImVec2 origin) -> std::optional<std::uint32_t> {
        const float column = (mouse.x - origin.x) / stage.cell();
        const float row = (mouse.y - origin.y) / stage.cell();
        const auto end = static_cast<float>(part_slots);
        if (column < 0 || row < 0 || column >= end || row >= end) return std::nullopt;
        return static_cast<std::uint32_t>(row) * part_slots + static_cast<std::uint32_t>(column);
    };
    if (const auto slot = cell_at(stage.slots)) return slot;
    const auto place = cell_at(stage.output);
    if (!place) return std::nullopt;
    const auto& slots = ui.memory.slow_motion.story.slots;
    const auto found = std::ranges::find(slots, place, &story::SlotTimes::place);
    if (found == slots.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - slots.begin());
}

/// "slot 13, sequence 1, rank 5, output index 5, moved by 'move'".
std::string words_of(const story::Story& story, std::uint32_t slot) {
    const std::string part(story::part_name(story.method));
    std::string words =
        "Slot " + std::to_string(slot) + ", " + part + " " + std::to_string(slot / part_slots);
    const auto& place = story.slots[slot].place;
    if (!place) return words + ": empty, so it has no place in the output.";
    const auto rank = std::count_if(story.stream.begin(), story.stream.begin() + slot,
                                    [](compaction::Item item) { return item != 0; });
    words += ": rank " + std::to_string(rank) + ", output index " + std::to_string(*place);
    const auto moves = std::ranges::find_if(story.chapters, [](const story::Chapter& chapter) {
        return chapter.role == PhaseRole::move || chapter.role == PhaseRole::fused;
    });
    if (moves != story.chapters.end()) words += ", moved in the phase '" + std::string(moves->title) + "'";
    return words + ".";
}

/// Lights up the way of the item below the mouse: its slot, the count and offset of its part, its place.
void draw_pointed(Ui& ui, const Stage& stage) {
    const std::optional<std::uint32_t> slot = pointed_slot(ui, stage);
    if (!slot) return;
    const story::Story& story = ui.memory.slow_motion.story;
    const Box from = stage.box(stage.slots, *slot);
    ui.controls.record("pointed slot", from.low, from.high);
    if (story.slots[*slot].place) {
        const Box to = stage.box(stage.output, *story.slots[*slot].place);
        const float y = std::round(stage.row_middle(*slot / part_slots));
        const float half = std::min(stage.side / num_parts * 0.4F, ui.px(15));
        const float wide = ui.px(figure_width) / 2 - ui.px(5);
        for (const float x : {stage.counts_x, stage.offsets_x})
            draw_item_frame(ui, {x - wide, y - half}, {x + wide, y + half});
        draw_item_frame(ui, to.low, to.high);
        ui.controls.record("pointed place", to.low, to.high);
        ui.tooltips.offer(ui.style, to.low, to.high, words_of(story, *slot));
    }
    draw_item_frame(ui, from.low, from.high);
    ui.tooltips.offer(ui.style, from.low, from.high, words_of(story, *slot));
}

/// Live fraction of a square of 2^level slots to a side.
float live_fraction(const SlowMotionMemory& memory, std::uint32_t level, std::uint64_t column,
                    std::uint64_t row) {
    constexpr std::uint32_t tile_level = 3;
    const auto tile = [&](std::uint64_t x, std::uint64_t y) {
        return memory.tiles[y % tiles_per_row * tiles_per_row + x % tiles_per_row];
    };
    if (level >= tile_level) {
        // Sixteen tiles of a larger square stand for it.
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
    float live = 0;
    for (std::uint64_t y = row * width; y < (row + 1) * width; ++y) {
        for (std::uint64_t x = column * width; x < (column + 1) * width; ++x) {
            std::uint64_t index = 0;
            for (std::uint32_t bit = 0; bit < 16; ++bit) {
                index |= (x / part_slots >> bit & 1) << (2 * bit);
                index |= (y / part_slots >> bit & 1) << (2 * bit + 1);
            }
            live += story::is_live(memory.seed, memory.density,
                                   index * num_slots + y % part_slots * part_slots + x % part_slots);
        }
    }
    return live / static_cast<float>(width * width);
}

/// Squares of slots: 2^level to a side.
struct Squares {
    std::uint32_t level;
    float merged;  ///< 0 to 1: four of them have become one of the next level, which then takes their place
    float apart;   ///< 0 to 1: gaps between them have opened
};

Squares squares_of(const Stage& stage) {
    constexpr double most_squares = 48;
    const double levels = std::log2(stage.cells / most_squares);
    const auto level = static_cast<std::uint32_t>(std::ceil(std::max(0.0, levels)));
    // From 0 to 1 while this level is shown; the first one is shown from the beginning.
    const auto passed = static_cast<float>(levels - (static_cast<double>(level) - 1));
    const auto share = [passed](float begin, float end) {
        return std::clamp((passed - begin) / (end - begin), 0.0F, 1.0F);
    };
    return {level, share(0.5F, 1), level == 0 ? 1.0F : share(0, 0.5F)};
}

/// The slots around the first 64 while the camera pulls back: squares of as many slots as a pixel can show.
void draw_far_slots(const Ui& ui, const Stage& stage) {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Squares squares = squares_of(stage);
    const std::uint32_t level = squares.level;
    const float size = stage.cell() * static_cast<float>(std::uint64_t{1} << level);
    const auto count = static_cast<std::uint64_t>(std::ceil(stage.side / size - 1e-3F));
    const float air = size >= 5 ? std::min(1.0F, size / 8) * (1 - squares.merged) * squares.apart : 0;
    const bool first_visible = stage.cells < most_cells_of_first;
    const ImVec2 end{stage.slots.x + stage.side, stage.slots.y + stage.side};
    for (std::uint64_t row = 0; row < count; ++row) {
        for (std::uint64_t column = 0; column < count; ++column) {
            if (first_visible && row < part_slots && column < part_slots) continue;
            const ImVec2 low{stage.slots.x + static_cast<float>(column) * size,
                             stage.slots.y + static_cast<float>(row) * size};
            float live = live_fraction(ui.memory.slow_motion, level, column, row);
            if (squares.merged > 0) {
                const float whole = live_fraction(ui.memory.slow_motion, level + 1, column / 2, row / 2);
                live += (whole - live) * squares.merged;
            }
            list.AddRectFilled({low.x + air, low.y + air},
                               {std::min(end.x, low.x + size - air), std::min(end.y, low.y + size - air)},
                               far_colour(palette, live));
        }
    }
}

/// The output grows with the stream; it stays dense.
void draw_far_output(const Ui& ui, const Stage& stage) {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float share = ui.memory.slow_motion.density;
    const ImVec2 low = stage.output;
    const ImVec2 high{low.x + stage.side, low.y + stage.side};
    const float appears = 1 - stage.closeness;
    list.AddRectFilled(low, {high.x, low.y + share * stage.side},
                       plots::mix(palette.ground, palette.accent, far_output_light * appears));
    list.AddRect(low, high, palette.outline);
}

}  // namespace

void draw_stage(Ui& ui, const story::Moment& moment, const Box& area) {
    const Stage stage = stage_of(ui, moment, area);
    if (stage.side < ui.px(80)) {
        say_too_small(ui, area.low, area.high, "the slots");
        return;
    }
    const ImVec2 high{stage.output.x + stage.side, stage.output.y + stage.side};
    ui.controls.record("slow motion: stage", stage.slots, high);
    draw_titles(ui, moment, stage);
    draw_parts(ui, moment, stage);
    if (moment.log2_slots > 6) {
        draw_far_slots(ui, stage);
        draw_far_output(ui, stage);
    }
    if (stage.cells < most_cells_of_first) draw_slots(ui, moment, stage);
    if (stage.closeness > 0) draw_items(ui, moment, stage);
    if (moment.log2_slots <= 6) draw_pointed(ui, stage);
}

}  // namespace warpsieve::panels
