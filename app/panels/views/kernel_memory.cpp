#include "app/panels/views/kernel_memory.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/format/figures.hpp"

namespace warpsieve::panels {
namespace {

using kernel_view::BarrierState;
using kernel_view::Event;
using kernel_view::Events;
using kernel_view::MapWord;
using kernel_view::MemoryArea;
using kernel_view::none;
using kernel_view::StatusWord;
using kernel_view::Touch;

// Pixels at 100 %.
constexpr float row_names_width = 40;
constexpr float chip_gap = 4;
constexpr float area_gap = 8;

constexpr std::uint32_t words_per_sector = kernel_view::sector_bytes / kernel_view::word_bytes;

/// How many words of the area a line shows.
std::uint32_t words_in_line(const MemoryArea& area) {
    constexpr std::uint32_t banks = 32;
    if (area.space == compaction::MemorySpace::shared || area.num_words <= 4 * banks) return banks;
    return area.num_words <= 2'048 ? 64 : 128;
}

bool is_warp(std::uint32_t writer) {
    return writer != none && writer != kernel_view::earlier_launch;
}

/// "+128" in shared memory, in bytes; else the index of the element with that word.
std::string name_of_line(const MemoryArea& area, std::uint32_t first_word) {
    const std::uint64_t byte = std::uint64_t{first_word} * kernel_view::word_bytes;
    const bool is_shared = area.space == compaction::MemorySpace::shared;
    return is_shared ? "+" + std::to_string(byte) : std::to_string(byte / area.element_bytes);
}

/// "block 1, warp 3, lane 7 of launch 2".
std::string writer_text(const Events& events, std::uint32_t stored_by) {
    if (stored_by == none) return "not written";
    const Event& event = events.events[stored_by];
    const compaction::LaneStepKind kind = events.site_of(event).kind;
    const std::string launch = " of launch " + std::to_string(event.launch + 1);
    if (performs_copy(kind)) return "written by a bulk copy of block " + std::to_string(event.block) + launch;
    if (!kernel_view::is_by_lane(kind)) return "written by the runtime";
    return "written by block " + std::to_string(event.block) + ", warp " + std::to_string(event.warp()) +
           ", lane " + std::to_string(event.lane()) + launch;
}

/// Frames a cell that the step reads; one that it writes has a thicker frame and a dot, too.
void draw_touch(const Ui& ui, ImVec2 low, ImVec2 high, Touch touch) {
    if (touch == Touch::none) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = ui.palette().text;
    const bool is_written = touch == Touch::written;
    list.AddRect(low, high, colour, 0, 0, is_written ? std::max(2.0F, ui.px(2)) : 1.0F);
    if (!is_written) return;
    const ImVec2 middle{std::round((low.x + high.x) / 2), std::round((low.y + high.y) / 2)};
    const float half = std::max(1.0F, ui.px(1.5F));
    list.AddRectFilled({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, colour);
}

ImU32 fill_of(const Ui& ui, const MemoryArea& area, const MapWord& word, std::uint32_t warps_per_block) {
    const plots::Palette& palette = ui.palette();
    if (is_warp(word.writer)) return colour_of_warp(ui, word.writer % warps_per_block);
    const bool has_value = word.value != 0;
    if (word.writer == kernel_view::earlier_launch) return plots::mix(palette.panel, palette.muted, 0.4F);
    if (!area.is_input) return palette.raised;
    if (word.is_read) return has_value ? palette.accent : plots::mix(palette.panel, palette.accent, 0.35F);
    return has_value ? plots::mix(palette.panel, palette.muted, 0.4F) : palette.raised;
}

}  // namespace

ImU32 colour_of_warp(const Ui& ui, std::uint32_t warp) {
    // Multiples of the golden angle are far from each other.
    const float hue = std::fmod(static_cast<float>(warp) * 137.5F + 205.0F, 360.0F) / 360.0F;
    const bool is_dark = ui.settings.window.theme == Theme::dark;
    float red = 0, green = 0, blue = 0;
    ImGui::ColorConvertHSVtoRGB(hue, is_dark ? 0.75F : 0.27F, is_dark ? 0.5F : 0.93F, red, green, blue);
    return ImGui::ColorConvertFloat4ToU32({red, green, blue, 1});
}

void KernelMemory::update(kernel_view::Replay& replay, kernel_view::Order order, std::size_t step,
                          std::uint32_t warp) {
    const Events& events = replay.events();
    const kernel_view::State& state = replay.at(order, step);
    is_new_ = true;
    if (state.launch == none) {
        launch_ = none;
        grids_.clear();
        barriers_.clear();
        status_.clear();
        return;
    }
    warps_per_block_ = events.warps_per_block(state.launch);
    const std::uint32_t block = warp / warps_per_block_;
    if (launch_ != state.launch || block_ != block || grids_.empty()) {
        launch_ = state.launch;
        block_ = block;
        grids_.clear();
        for (MemoryArea& area : kernel_view::memory_areas(events, launch_, block_))
            grids_.push_back({.area = std::move(area), .words = {}});
    }
    const std::span<const std::uint32_t> step_events = replay.steps(order)[step];
    for (Grid& grid : grids_)
        grid.words = kernel_view::map_words(events, state, step_events, grid.area, block_);
    status_ = kernel_view::status_words(events, state, step_events);
    barriers_ = kernel_view::barriers_at(events, replay.steps(order), step, state, block_);
}

void KernelMemory::note_touched(float y, float height) {
    if (!touched_y_) touched_y_ = y - height;
}

/// Places boxes with text from left to right and wraps them into further lines.
class KernelMemory::Chips {
  public:
    Chips(const Ui& ui, ImVec2 low, float right)
        : ui_(ui), left_(low.x), right_(right), height_(ui.fonts().figures->FontSize + ui.px(2)), at_(low) {}

    /// As wide as the longer text, so that boxes stay where they are when their texts change.
    Rect place(const std::string& text, const std::string& longest) {
        const ImFont* const font = ui_.fonts().figures;
        const float width =
            std::max(plots::text_width(font, text), plots::text_width(font, longest)) + ui_.px(10);
        if (at_.x > left_ && at_.x + width > right_) at_ = {left_, at_.y + height_ + ui_.px(chip_gap)};
        const Rect chip{at_, {at_.x + width, at_.y + height_}};
        at_.x += width + ui_.px(chip_gap);
        return chip;
    }
    void draw_text(const Rect& chip, const std::string& text) const {
        plots::draw_text(*ImGui::GetWindowDrawList(), ui_.fonts().figures,
                         {chip.low.x + ui_.px(5), chip.low.y + ui_.px(1)}, ui_.palette().text, text);
    }
    float bottom() const { return at_.y + height_ + ui_.px(area_gap); }

  private:
    const Ui& ui_;
    float left_;
    float right_;
    float height_;
    ImVec2 at_;
};

/// Draws a bar for the barrier of the block, and a box for each mbarrier. Returns their bottom.
float KernelMemory::draw_barriers(Ui& ui, ImVec2 low, float right) {
    const ImFont* const font = ui.fonts().small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto draw_share = [&](const BarrierState& barrier, const Rect& box) {
        const float share =
            barrier.expected == 0
                ? 0
                : std::min(1.0F, static_cast<float>(barrier.arrived) / static_cast<float>(barrier.expected));
        list.AddRectFilled(box.low, box.high, ui.palette().track);
        list.AddRectFilled(box.low, {box.low.x + share * box.width(), box.high.y},
                           plots::mix(ui.palette().track, ui.palette().accent, 0.55F));
    };
    float y = low.y;
    std::optional<Chips> chips;
    for (const BarrierState& barrier : barriers_) {
        const std::string arrivals =
            format::grouped(barrier.arrived) + " of " + format::grouped(barrier.expected);
        if (!barrier.mbarrier) {
            const float bar_right = low.x + ui.px(row_names_width);
            draw_share(barrier, {{low.x, y + ui.px(3)}, {bar_right, y + font->FontSize - ui.px(2)}});
            const float text_left = bar_right + ui.px(6);
            plots::draw_text(
                list, font, {text_left, y}, ui.palette().label,
                plots::elided(font, barrier.name + ": " + arrivals + " threads wait", right - text_left));
            ui.controls.record("kernel: " + barrier.name, {low.x, y}, {right, y + font->FontSize});
            y += font->FontSize + ui.px(4);
            continue;
        }
        if (!chips) {
            plots::draw_text(
                list, font, {low.x, y}, ui.palette().label,
                plots::elided(font, "mbarriers: filled as lanes arrive; framed: used now", right - low.x));
            chips.emplace(ui, ImVec2{low.x, y + font->FontSize + ui.px(2)}, right);
        }
        const std::string text = std::to_string(*barrier.mbarrier);
        const Rect chip = chips->place(text, "00");
        draw_share(barrier, chip);
        chips->draw_text(chip, text);
        if (barrier.is_used_now) {
            draw_touch(ui, chip.low, chip.high, Touch::read);
            note_touched(chip.low.y, chip.height());
        }
        std::string tooltip = barrier.name + ": " + arrivals + " arrivals";
        if (barrier.bytes > 0)
            tooltip +=
                "; its phase also waits for bulk copies of " + format::grouped(barrier.bytes) + " bytes";
        tooltip += barrier.phases == 1 ? "; 1 phase is complete"
                                       : "; " + format::grouped(barrier.phases) + " phases are complete";
        ui.tooltips.offer(ui.style, chip.low, chip.high, tooltip);
        ui.controls.record("kernel: " + barrier.name, chip.low, chip.high);
    }
    return chips ? chips->bottom() : y;
}

/// Draws a box for each status word: its index and its number, or that it is not published. Returns the
/// bottom.
float KernelMemory::draw_status_words(Ui& ui, const Events& events, ImVec2 low, float right) {
    const ImFont* const small = ui.fonts().small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float y = low.y;
    std::uint32_t buffer = none;
    std::optional<Chips> chips;
    for (const StatusWord& word : status_) {
        const std::string& name = events.trace.buffers[word.buffer].name;
        if (word.buffer != buffer) {
            if (chips) y = chips->bottom();
            buffer = word.buffer;
            plots::draw_text(
                list, small, {low.x, y}, ui.palette().label,
                plots::elided(small, name + ", in status words; -: not published yet", right - low.x));
            chips.emplace(ui, ImVec2{low.x, y + small->FontSize + ui.px(2)}, right);
        }
        const bool is_published = word.stored_by != none;
        const std::string text = std::to_string(word.index) + ": " +
                                 (is_published ? format::grouped(word.number) : std::string("-"));
        const Rect chip = chips->place(text, "00: 0,000");
        if (is_published)
            list.AddRectFilled(chip.low, chip.high, colour_of_warp(ui, events.events[word.stored_by].warp()));
        else
            list.AddRect(chip.low, chip.high, ui.palette().control_edge);
        chips->draw_text(chip, text);
        draw_touch(ui, chip.low, chip.high, word.now);
        if (word.now != Touch::none) note_touched(chip.low.y, chip.height());
        const std::string title = name + "[" + std::to_string(word.index) + "]";
        ui.controls.record("kernel: " + title, chip.low, chip.high);
        std::string tooltip =
            title + ": " +
            (is_published ? std::to_string(word.number) + ", " + writer_text(events, word.stored_by)
                          : std::string("not published yet"));
        if (word.read_by != none)
            tooltip += "; read last by block " + std::to_string(events.events[word.read_by].block);
        ui.tooltips.offer(ui.style, chip.low, chip.high, tooltip);
        if (is_published && is_clicked(chip.low, chip.high)) clicked_ = word.stored_by;
    }
    return chips ? chips->bottom() : y;
}

/// Says what the word under the mouse holds and who wrote it. A click goes there.
void KernelMemory::offer_word(Ui& ui, const Events& events, const Grid& grid, std::uint32_t word,
                              const Rect& cell) {
    const bool is_shared = grid.area.space == compaction::MemorySpace::shared;
    const std::uint64_t byte = std::uint64_t{word} * kernel_view::word_bytes;
    const std::string place =
        is_shared ? "shared byte " + std::to_string(byte)
                  : grid.area.name + "[" + std::to_string(byte / grid.area.element_bytes) + "]";
    const std::uint32_t value = grid.words[word].value;
    const std::uint32_t stored_by = grid.words[word].stored_by;
    const bool is_known = !is_shared || stored_by != none;
    std::string text = place + ": " + (is_known ? std::to_string(value) : std::string("?"));
    if (!grid.area.is_input || stored_by != none) text += ", " + writer_text(events, stored_by);
    ui.tooltips.offer(ui.style, cell.low, cell.high, text);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && stored_by != none) clicked_ = stored_by;
}

/// Draws words side by side. Neighbours with the same writer are one rectangle, which begins with its number.
void KernelMemory::draw_words(const Ui& ui, const MemoryArea& area, std::span<const MapWord> words,
                              const Rect& row) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* const font = ui.fonts().small;
    const float cell = row.width() / static_cast<float>(words_in_line(area));
    const auto count = static_cast<std::uint32_t>(words.size());
    const auto x_of = [&](std::uint32_t i) { return row.low.x + std::round(static_cast<float>(i) * cell); };
    for (std::uint32_t begin = 0; begin < count;) {
        const MapWord& word = words[begin];
        const ImU32 fill = fill_of(ui, area, word, warps_per_block_);
        std::uint32_t end = begin + 1;
        while (end < count && words[end].writer == word.writer &&
               fill_of(ui, area, words[end], warps_per_block_) == fill)
            ++end;
        list.AddRectFilled({x_of(begin), row.low.y}, {x_of(end), row.high.y - 1}, fill);
        if (is_warp(word.writer)) {
            const std::string number = std::to_string(word.writer % warps_per_block_);
            if (plots::text_width(font, number) + ui.px(3) <= x_of(end) - x_of(begin))
                plots::draw_text(
                    list, font,
                    {x_of(begin) + ui.px(2), std::round((row.low.y + row.high.y - 1 - font->FontSize) / 2)},
                    ui.palette().text, number);
        }
        begin = end;
    }
    // Sectors stand apart.
    for (std::uint32_t i = words_per_sector; i < count; i += words_per_sector)
        list.AddRectFilled({x_of(i) - 1, row.low.y}, {x_of(i), row.high.y}, ui.palette().panel);
    for (std::uint32_t i = 0; i < count; ++i) {
        const MapWord& word = words[i];
        draw_touch(ui, {x_of(i), row.low.y}, {x_of(i + 1), row.high.y - 1}, word.now);
        if (followed_ && word.value == *followed_)
            list.AddRect({x_of(i) - 1, row.low.y - 1}, {x_of(i + 1) + 1, row.high.y}, ui.palette().error, 0,
                         0, std::max(2.0F, ui.px(2)));
    }
    if (area.space == compaction::MemorySpace::shared) return;
    for (std::uint32_t i = 0; i < count; i += words_per_sector) {
        const std::uint32_t end = std::min(i + words_per_sector, count);
        const bool is_transferred = std::any_of(words.begin() + i, words.begin() + end,
                                                [](const MapWord& word) { return word.now != Touch::none; });
        if (is_transferred)
            list.AddRect({x_of(i) - 1, row.low.y - 1}, {x_of(end), row.high.y}, ui.palette().warning, 0, 0,
                         std::max(1.0F, ui.px(1.4F)));
    }
}

/// "input, 128 of 1,024 words read by this launch; bright: not 0".
std::string KernelMemory::title_of(const Grid& grid) {
    const MemoryArea& area = grid.area;
    const bool is_shared = area.space == compaction::MemorySpace::shared;
    const std::uint64_t words_per_element =
        is_shared ? 1 : std::max<std::uint64_t>(1, area.element_bytes / kernel_view::word_bytes);
    const auto num_done = static_cast<std::uint64_t>(std::ranges::count_if(
        grid.words, [&](const auto& word) { return area.is_written ? is_warp(word.writer) : word.is_read; }));
    std::string title = area.name + ", " + format::grouped(num_done / words_per_element) + " of " +
                        format::grouped(area.num_words / words_per_element) +
                        (words_per_element == 1 ? " words" : " values") +
                        (area.is_written ? " written by this launch" : " read by this launch");
    if (is_shared) title += ", 32 banks";
    if (area.is_input) title += "; bright: not 0";
    return title;
}

/// Draws the words of an area, without the rows that the launch does not access. Returns the bottom.
float KernelMemory::draw_grid(Ui& ui, const Events& events, const Grid& grid, ImVec2 low,
                              const Rect& visible) {
    const ImFont* const small = ui.fonts().small;
    const float right = visible.high.x;
    plots::draw_text(*ImGui::GetWindowDrawList(), small, low, ui.palette().label,
                     plots::elided(small, title_of(grid), right - low.x));
    ui.controls.record("kernel: " + grid.area.name, low, {right, low.y + small->FontSize});
    const float longest_name = plots::text_width(small, name_of_line(grid.area, grid.area.num_words));
    const float left = low.x + std::max(ui.px(row_names_width), longest_name + ui.px(4));
    const std::uint32_t per_line = words_in_line(grid.area);
    constexpr std::uint32_t words_per_used_row = 32;
    float y = low.y + small->FontSize + ui.px(2);
    bool was_left_out = false;
    for (std::uint32_t first = 0; first < grid.words.size(); first += per_line) {
        const auto used = grid.area.used_rows.begin() + first / words_per_used_row;
        const std::uint32_t count = std::min(per_line, static_cast<std::uint32_t>(grid.words.size()) - first);
        const bool is_used = std::any_of(used, used + (count + words_per_used_row - 1) / words_per_used_row,
                                         [](bool is) { return is; });
        const bool was_used = !std::exchange(was_left_out, !is_used);
        if (is_used) {
            draw_line(ui, events, grid, std::span(grid.words).subspan(first, count),
                      {{left, y}, {right, y + small->FontSize}}, visible);
            y += small->FontSize;
        } else if (was_used) {
            // A hairline stands for the rows that are left out.
            ImGui::GetWindowDrawList()->AddRectFilled({left, y + ui.px(1)}, {right, y + ui.px(1) + 1},
                                                      ui.palette().outline);
            y += ui.px(4);
        }
    }
    return y + ui.px(area_gap);
}

/// Draws a line of words with its name, if it is visible, and what the mouse points at there.
void KernelMemory::draw_line(Ui& ui, const Events& events, const Grid& grid, std::span<const MapWord> words,
                             const Rect& line, const Rect& visible) {
    if (std::ranges::any_of(words, [](const MapWord& word) { return word.now != Touch::none; }))
        note_touched(line.low.y, line.height());
    if (line.high.y < visible.low.y || line.low.y > visible.high.y) return;
    const auto first = static_cast<std::uint32_t>(words.data() - grid.words.data());
    const ImFont* const small = ui.fonts().small;
    const std::string name = name_of_line(grid.area, first);
    plots::draw_text(*ImGui::GetWindowDrawList(), small,
                     {line.low.x - plots::text_width(small, name) - ui.px(4), line.low.y}, ui.palette().muted,
                     name);
    draw_words(ui, grid.area, words, line);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered() || !line.contains(mouse)) return;
    const float cell = line.width() / static_cast<float>(words_in_line(grid.area));
    const auto i = static_cast<std::uint32_t>((mouse.x - line.low.x) / cell);
    const float cell_left = line.low.x + static_cast<float>(i) * cell;
    if (i < words.size())
        offer_word(ui, events, grid, first + i,
                   {{cell_left, line.low.y}, {cell_left + std::max(cell, 1.0F), line.high.y}});
}

std::optional<std::uint32_t> KernelMemory::draw(Ui& ui, const Events& events,
                                                std::optional<std::uint64_t> followed, const Rect& box) {
    followed_ = followed;
    const ImFont* const small = ui.fonts().small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    clicked_.reset();
    touched_y_.reset();
    const float swatch = small->FontSize - ui.px(2);
    float x = box.low.x;
    const auto legend = [&](const char* text, auto draw_swatch) {
        const float width = swatch + ui.px(5) + plots::text_width(small, text);
        if (x + width > box.high.x) return;
        const ImVec2 low{x, box.low.y + ui.px(1)};
        draw_swatch(low, ImVec2{low.x + swatch, low.y + swatch});
        plots::draw_text(list, small, {x + swatch + ui.px(5), box.low.y}, ui.palette().muted, text);
        x += width + ui.px(12);
    };
    legend("written by warp 0", [&](ImVec2 low, ImVec2 high) {
        list.AddRectFilled(low, high, colour_of_warp(ui, 0));
        plots::draw_text(list, small, {low.x + ui.px(2), box.low.y}, ui.palette().text, "0");
    });
    legend("read now", [&](ImVec2 low, ImVec2 high) { draw_touch(ui, low, high, Touch::read); });
    legend("written now", [&](ImVec2 low, ImVec2 high) { draw_touch(ui, low, high, Touch::written); });
    legend("sector of 32 bytes", [&](ImVec2 low, ImVec2 high) {
        list.AddRect(low, high, ui.palette().warning, 0, 0, std::max(1.0F, ui.px(1.4F)));
    });
    if (followed)
        legend("the followed item", [&](ImVec2 low, ImVec2 high) {
            list.AddRect(low, high, ui.palette().error, 0, 0, std::max(2.0F, ui.px(2)));
        });
    const float top = box.low.y + small->FontSize + ui.px(3);
    if (box.high.y - top < 3 * small->FontSize) return std::nullopt;
    ImGui::SetCursorScreenPos({box.low.x, top});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("memory", {box.width(), box.high.y - top});
    ImGui::PopStyleVar();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float right = origin.x + ImGui::GetContentRegionAvail().x - ui.px(2);
    const Rect visible{{origin.x, top}, {right, box.high.y}};
    float y = draw_barriers(ui, origin, right);
    y = draw_status_words(ui, events, {origin.x, y}, right);
    for (const Grid& grid : grids_) y = draw_grid(ui, events, grid, {origin.x, y}, visible);
    ImGui::Dummy({1, y - origin.y});
    if (std::exchange(is_new_, false) && touched_y_) {
        const bool is_in_sight = *touched_y_ >= top && *touched_y_ + 3 * small->FontSize <= box.high.y;
        if (!is_in_sight)
            ImGui::SetScrollY(std::max(0.0F, std::round(*touched_y_ - origin.y - box.height() / 4)));
    }
    ImGui::EndChild();
    ui.controls.record("kernel: memory", box.low, box.high);
    return clicked_;
}

}  // namespace warpsieve::panels
