#include "app/plots/address_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/format/figures.hpp"

namespace warpsieve::plots {
namespace {

using trace::first_buffer_row;
using trace::input_row;
using trace::MemoryReplay;
using trace::output_row;
using trace::ReplayLaunch;
using trace::ReplayMark;
using trace::ReplayPhase;

/// Divides one axis of a row into cells of `pixels_per_cell` pixels. The last cell may be smaller.
struct CellAxis {
    std::uint32_t pixels;
    std::uint32_t pixels_per_cell;

    std::uint32_t count() const { return (pixels + pixels_per_cell - 1) / pixels_per_cell; }
    /// The first cell that an interval touches, and one past the last; at least one cell. The axis reaches
    /// from 0 to 1.
    std::pair<std::uint32_t, std::uint32_t> touched(double low, double high) const {
        const double cells = static_cast<double>(pixels) / pixels_per_cell;
        // Rounding may add a tiny part of a cell; it does not count as touched.
        constexpr double slack = 1e-4;
        const double first = std::clamp(std::floor(low * cells + slack), 0.0, count() - 1.0);
        const double end =
            std::clamp(std::ceil(high * cells - slack), first + 1, static_cast<double>(count()));
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)};
    }
};

/// The cells of one row, each with a code for its phase and look.
class CellGrid {
  public:
    CellGrid(CellAxis across, CellAxis down)
        : across_(across), down_(down), cells_(std::size_t{across.count()} * down.count()) {}

    void fill(std::uint32_t left, std::uint32_t right, std::uint32_t top, std::uint32_t bottom,
              std::uint8_t code) {
        for (std::uint32_t line = top; line < bottom; ++line) {
            std::uint8_t* const cells = &cells_[std::size_t{line} * across_.count()];
            for (std::uint32_t x = left; x < right; ++x) cells[x] = std::max(cells[x], code);
        }
    }

    /// In a cell with several marks, the largest code is drawn. 0: nothing.
    static std::uint8_t code_of(std::uint8_t phase, MarkLook look) {
        return static_cast<std::uint8_t>((static_cast<unsigned>(look) << 5U) +
                                         std::min<unsigned>(phase, max_phase) + 1);
    }
    static std::uint8_t phase_of(std::uint8_t code) { return static_cast<std::uint8_t>((code & 0x1FU) - 1); }
    static MarkLook look_of(std::uint8_t code) { return static_cast<MarkLook>(code >> 5U); }

    /// Appends the runs of equal cells, merged across lines where they have the same ends.
    void append_rectangles(std::uint8_t row, std::vector<MergedMarks>& out) const {
        const std::uint32_t columns = across_.count();
        // Indices in `out` of the rectangles that end in the line above and in this line, from left to right.
        std::vector<std::size_t> above;
        std::vector<std::size_t> here;
        for (std::uint32_t line = 0; line < down_.count(); ++line) {
            const std::uint8_t* const cells = &cells_[std::size_t{line} * columns];
            const auto top = static_cast<std::uint16_t>(line * down_.pixels_per_cell);
            const auto bottom =
                static_cast<std::uint16_t>(std::min((line + 1) * down_.pixels_per_cell, down_.pixels));
            std::size_t next_above = 0;
            here.clear();
            for (std::uint32_t begin = 0, end = 0; begin < columns; begin = end) {
                const std::uint8_t code = cells[begin];
                end = begin + 1;
                while (end < columns && cells[end] == code) ++end;
                if (code == 0) continue;
                const auto left = static_cast<std::uint16_t>(begin * across_.pixels_per_cell);
                const auto right =
                    static_cast<std::uint16_t>(std::min(end * across_.pixels_per_cell, across_.pixels));
                while (next_above < above.size() && out[above[next_above]].left < left) ++next_above;
                if (next_above < above.size()) {
                    MergedMarks& candidate = out[above[next_above]];
                    if (candidate.left == left && candidate.right == right &&
                        candidate.phase == phase_of(code) && candidate.look == look_of(code)) {
                        candidate.bottom = bottom;
                        here.push_back(above[next_above]);
                        continue;
                    }
                }
                here.push_back(out.size());
                out.push_back({left, right, top, bottom, row, phase_of(code), look_of(code)});
            }
            std::swap(above, here);
        }
    }

  private:
    static constexpr unsigned max_phase = 0x1F - 1;

    CellAxis across_;
    CellAxis down_;
    std::vector<std::uint8_t> cells_;
};

void fill_mark(CellGrid& grid, const MemoryReplay& replay, const ReplayMark& mark, CellAxis across,
               CellAxis down) {
    const double duration = std::max(replay.duration(), 1e-9);
    const auto [left, right] = across.touched(mark.begin / duration, mark.end / duration);
    const auto [top, bottom] = down.touched(static_cast<double>(mark.low), static_cast<double>(mark.high));
    const MarkLook solid = mark.stores ? MarkLook::stores : MarkLook::loads;
    if (replay.in_steps()) {
        grid.fill(left, right, top, bottom, CellGrid::code_of(mark.phase, solid));
        return;
    }
    // Of a span, only the begin and the end are measured.
    const MarkLook spread = mark.stores ? MarkLook::spread_stores : MarkLook::spread_loads;
    grid.fill(left, right, top, bottom, CellGrid::code_of(mark.phase, spread));
    grid.fill(left, left + 1, top, bottom, CellGrid::code_of(mark.phase, solid));
    grid.fill(right - 1, right, top, bottom, CellGrid::code_of(mark.phase, solid));
}

std::vector<MergedMarks> merged_in_cells(const MemoryReplay& replay, CellAxis across, CellAxis down) {
    std::vector<CellGrid> rows(num_rows(replay), CellGrid(across, down));
    for (const ReplayMark& mark : replay.marks()) {
        if (mark.row < rows.size()) fill_mark(rows[mark.row], replay, mark, across, down);
    }
    std::vector<MergedMarks> merged;
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row].append_rectangles(static_cast<std::uint8_t>(row), merged);
    return merged;
}

/// A launch, and its number among those of its phase.
struct FoundLaunch {
    const ReplayLaunch* launch = nullptr;
    std::size_t number = 0;  ///< counts from 1
    std::size_t num_launches = 0;
};
FoundLaunch launch_at(const MemoryReplay& replay, std::size_t phase, double time) {
    FoundLaunch found;
    for (const ReplayLaunch& launch : replay.launches()) {
        if (launch.phase != phase) continue;
        ++found.num_launches;
        if (launch.begin <= time && time <= launch.end) {
            found.launch = &launch;
            found.number = found.num_launches;
        }
    }
    return found;
}

/// "phase move, launch scan_in_one_block", "phase scan, launch add_at_distance (10 of 13)".
std::string phase_and_launch_text(const MemoryReplay& replay, std::size_t phase, double time) {
    if (phase >= replay.phases().size()) return {};
    std::string text = "phase " + replay.phases()[phase].name;
    const FoundLaunch found = launch_at(replay, phase, time);
    if (!found.launch) return text;
    const std::string number =
        found.num_launches > 1 ? std::to_string(found.number) + " of " + std::to_string(found.num_launches)
                               : std::string();
    if (!found.launch->kernel.empty()) {
        text += ", launch " + found.launch->kernel;
        if (!number.empty()) text += " (" + number + ")";
    } else if (!number.empty()) {
        text += ", launch " + number;
    }
    return text;
}

std::string row_name(const MemoryReplay& replay, std::size_t row) {
    if (row == input_row) return "input";
    if (row == output_row) return "output";
    return replay.buffers()[row - first_buffer_row].name;
}

/// The number of addresses of a row.
std::uint64_t addresses_of(const MemoryReplay& replay, std::size_t row) {
    if (row < first_buffer_row) return replay.num_items();
    return replay.buffers()[row - first_buffer_row].num_words;
}

std::string time_text(const MemoryReplay& replay, double time) {
    if (replay.in_steps()) return format::grouped(static_cast<std::uint64_t>(std::max(time, 0.0)));
    const format::TimeUnit unit = format::time_unit(replay.duration());
    return format::significant(time * unit.per_us) + " " + unit.name;
}

/// "slots 3 to 34", "offsets of sequences 3".
std::string address_text(const MemoryReplay& replay, const ReplayMark& mark) {
    const auto count = static_cast<double>(addresses_of(replay, mark.row));
    const auto first = static_cast<std::uint64_t>(std::llround(static_cast<double>(mark.low) * count));
    const auto end = static_cast<std::uint64_t>(std::llround(static_cast<double>(mark.high) * count));
    const bool single = end <= first + 1;
    std::string text = mark.row == input_row    ? (single ? "slot" : "slots")
                       : mark.row == output_row ? (single ? "output item" : "output items")
                                                : row_name(replay, mark.row);
    text += " " + format::grouped(first);
    if (!single) text += " to " + format::grouped(end - 1);
    return text;
}

/// The index of a row from top to bottom: the output is drawn last.
std::size_t display_index(std::size_t row, std::size_t rows) {
    if (row == input_row) return 0;
    return row == output_row ? rows - 1 : row - 1;
}
std::size_t row_of_display_index(std::size_t index, std::size_t rows) {
    if (index == 0) return input_row;
    return index + 1 == rows ? output_row : index + 1;
}

enum class Diagonals : std::uint8_t { rising, falling };

/// Hatches a rectangle with diagonals that rise or fall to the right.
void draw_diagonals(ImDrawList& list, ImVec2 low, ImVec2 high, float spacing, Diagonals diagonals,
                    ImU32 colour, float thickness) {
    const float width = high.x - low.x;
    const float height = high.y - low.y;
    const bool fall = diagonals == Diagonals::falling;
    // The pattern depends on the position in the window, not in the rectangle, so that the diagonals of
    // neighbouring rectangles of the same height continue each other.
    const float offset = std::fmod(low.x, spacing);
    for (float start = -height - offset; start < width; start += spacing) {
        const float from = std::max(start, 0.0F);
        const float to = std::min(start + height, width);
        if (to <= from) continue;
        const float y_from = fall ? low.y + (from - start) : high.y - (from - start);
        const float y_to = fall ? low.y + (to - start) : high.y - (to - start);
        list.AddLine({low.x + from, y_from}, {low.x + to, y_to}, colour, thickness);
    }
}

// Pixels at 100 %.
constexpr float label_gap = 8;
constexpr float name_gap = 4;
constexpr float axis_gap = 7;  ///< room for the handle of the playhead between the rows and the axis labels

/// "step 120 of 141", "12.4 µs of 42.1 µs".
std::string playhead_text(const MemoryReplay& replay, double time, double end) {
    const std::string text = time_text(replay, time) + " of " + time_text(replay, end);
    return replay.in_steps() ? "step " + text : text;
}

}  // namespace

std::size_t num_rows(const MemoryReplay& replay) {
    return first_buffer_row + replay.buffers().size();
}

std::vector<MergedMarks> merge_marks(const MemoryReplay& replay, std::uint32_t columns,
                                     std::uint32_t row_height, std::uint32_t min_height) {
    if (columns == 0 || row_height == 0) return {};
    CellAxis across{columns, 1};
    CellAxis down{row_height, std::clamp(min_height, 1U, row_height)};
    std::vector<MergedMarks> merged = merged_in_cells(replay, across, down);
    while (merged.size() > max_merged_marks && across.count() * down.count() > 1) {
        // Times stay finer than addresses: cells become higher than they are wide, at most 4 times.
        const bool coarsens_down =
            across.count() == 1 || (down.count() > 1 && down.pixels_per_cell <= 2 * across.pixels_per_cell);
        CellAxis& coarser = coarsens_down ? down : across;
        coarser.pixels_per_cell *= 2;
        merged = merged_in_cells(replay, across, down);
    }
    return merged;
}

std::string text_of(const MemoryReplay& replay, const ReplayMark& mark) {
    std::string text = phase_and_launch_text(replay, mark.phase, mark.begin);
    if (!text.empty()) text += ": ";
    text += mark.stores ? "stores " : "loads ";
    text += address_text(replay, mark);
    if (!replay.in_steps()) {
        if (mark.end <= mark.begin) return text + " at " + time_text(replay, mark.begin);
        return text + ", from " + time_text(replay, mark.begin) + " to " + time_text(replay, mark.end) +
               "; begin and end are measured, the accesses between them are spread evenly";
    }
    const auto first = static_cast<std::uint64_t>(std::max(std::floor(mark.begin), 0.0));
    const auto end = static_cast<std::uint64_t>(std::max(std::ceil(mark.end), 0.0));
    if (end <= first + 1) return text + " at step " + format::grouped(first);
    return text + " at steps " + format::grouped(first) + " to " + format::grouped(end - 1);
}

/// Draws one frame of the plot.
struct AddressPlot::Painter {
    const AddressPlot& plot;
    const MemoryReplay& replay;
    ImDrawList& list;
    const Style& style;
    std::optional<double> playhead;
    float playhead_x;  ///< right end of the plot without a playhead

    const Palette& palette() const { return style.palette; }
    /// The colour behind the marks.
    ImU32 ground() const { return mix(palette().background, palette().raised, 0.55F); }
    /// The colour after the playhead.
    ImU32 dimmed(ImU32 colour) const { return mix(ground(), colour, 0.42F); }
    /// The colour after the playhead of a span that began before it.
    ImU32 unfinished(ImU32 colour) const { return mix(ground(), colour, 0.7F); }
    /// The colour below the hatch of a bar.
    ImU32 bar_body(SeriesStyle series, bool library) const {
        return mix(palette().background, series.colour, library ? 0.12F : 0.36F);
    }

    /// Fills a rectangle with `colour` before the playhead and `colour_after` after it.
    void fill(ImVec2 low, ImVec2 high, ImU32 colour, ImU32 colour_after) const {
        const float middle = std::clamp(playhead_x, low.x, high.x);
        if (middle > low.x) list.AddRectFilled(low, {middle, high.y}, colour);
        if (middle < high.x) list.AddRectFilled({middle, low.y}, high, colour_after);
    }

    SeriesStyle phase_style(std::size_t phase) const {
        return phase < replay.phases().size() ? style_of(replay.phases()[phase].role)
                                              : SeriesStyle{palette().muted, false};
    }

    void draw_compared_name(const std::string& name) const;
    void draw_rows() const;
    void draw_grid(const std::vector<Tick>& ticks) const;
    void draw_library_time() const;
    void draw_marks() const;
    void draw_bar(const PhaseBar& bar) const;
    void draw_strip() const;
    void draw_name(const PhaseName& name) const;
    void draw_axis(const std::vector<Tick>& ticks) const;
    void draw_caption() const;
    void draw_playhead() const;
};

void AddressPlot::Painter::draw_compared_name(const std::string& name) const {
    const Layout& layout = plot.layout_;
    const ImFont* font = style.fonts.small;
    draw_text(list, font,
              {layout.low.x, std::round((layout.strip_top + layout.strip_bottom - font->FontSize) / 2)},
              palette().text, elided(font, name, layout.left - layout.low.x - style.px(label_gap)));
}

void AddressPlot::Painter::draw_rows() const {
    const Layout& layout = plot.layout_;
    const ImFont* font = style.fonts.small;
    const std::size_t rows = num_rows(replay);
    const float room = layout.left - layout.low.x - style.px(label_gap);
    const bool has_labels = layout.row_height + layout.row_gap >= font->FontSize * 0.9F;
    for (std::size_t row = 0; row < rows; ++row) {
        const float top = plot.top_of(row);
        list.AddRectFilled({layout.left, top}, {plot.end_x(), top + layout.row_height}, ground());
        if (!has_labels) continue;
        const std::string name = elided(font, row_name(replay, row), room);
        draw_text(list, font,
                  {layout.left - style.px(label_gap) - text_width(font, name),
                   std::round(top + (layout.row_height - font->FontSize) / 2)},
                  row < first_buffer_row ? palette().text : palette().label, name);
    }
}

void AddressPlot::Painter::draw_grid(const std::vector<Tick>& ticks) const {
    const Layout& layout = plot.layout_;
    const ImU32 colour = mix(ground(), palette().muted, 0.25F);
    for (const Tick& tick : ticks) {
        const float x = std::round(plot.x_of(tick.value));
        list.AddRectFilled({x, layout.rows_top}, {x + 1, layout.rows_bottom + style.px(3)}, colour);
    }
}

/// Hatches the rows during phases by a library, whose accesses are unknown.
void AddressPlot::Painter::draw_library_time() const {
    const Layout& layout = plot.layout_;
    const ImFont* font = style.fonts.small;
    for (const ReplayPhase& phase : replay.phases()) {
        if (!phase.is_library || phase.end <= phase.begin) continue;
        const ImVec2 low{std::round(plot.x_of(phase.begin)), layout.rows_top};
        const ImVec2 high{std::max(std::round(plot.x_of(phase.end)), low.x + 1), layout.rows_bottom};
        draw_diagonals(list, low, high, style.px(12), Diagonals::falling,
                       mix(ground(), palette().muted, 0.35F), std::max(1.0F, style.scale));
        const std::string_view text = "accesses unknown";
        const ImVec2 size{text_width(font, text), font->FontSize};
        if (size.x + style.px(12) > high.x - low.x || size.y > high.y - low.y) continue;
        const ImVec2 at{std::round((low.x + high.x - size.x) / 2), std::round((low.y + high.y - size.y) / 2)};
        list.AddRectFilled({at.x - style.px(4), at.y - 1}, {at.x + size.x + style.px(4), at.y + size.y + 1},
                           ground());
        draw_text(list, font, at, palette().muted, text);
    }
}

void AddressPlot::Painter::draw_marks() const {
    struct Colours {
        ImU32 lit;
        ImU32 unfinished;
        ImU32 dim;
    };
    constexpr std::array strength_by_look{0.34F, 0.52F, 0.64F, 1.0F};
    // The last entry is for marks of an unknown phase.
    std::vector<std::array<Colours, strength_by_look.size()>> colours(replay.phases().size() + 1);
    for (std::size_t phase = 0; phase < colours.size(); ++phase) {
        for (std::size_t look = 0; look < strength_by_look.size(); ++look) {
            const ImU32 lit = mix(ground(), phase_style(phase).colour, strength_by_look[look]);
            colours[phase][look] = {lit, unfinished(lit), dimmed(lit)};
        }
    }
    const std::size_t rows = num_rows(replay);
    std::vector<float> tops;
    for (std::size_t row = 0; row < rows; ++row) tops.push_back(plot.top_of(row));
    // In steps, a wide rectangle is many short marks, so none of them contains the playhead.
    const bool has_spans = !replay.in_steps();
    for (const MergedMarks& marks : plot.merged_) {
        const Colours& colour = colours[std::min<std::size_t>(marks.phase, colours.size() - 1)]
                                       [static_cast<std::size_t>(marks.look)];
        const float left = plot.layout_.left + static_cast<float>(marks.left);
        const float top = tops[marks.row];
        fill({left, top + static_cast<float>(marks.top)},
             {plot.layout_.left + static_cast<float>(marks.right), top + static_cast<float>(marks.bottom)},
             colour.lit, has_spans && left < playhead_x ? colour.unfinished : colour.dim);
    }
}

void AddressPlot::Painter::draw_bar(const PhaseBar& bar) const {
    const Layout& layout = plot.layout_;
    const SeriesStyle series = phase_style(bar.phase);
    const ImVec2 low{bar.left, layout.strip_top};
    const ImVec2 high{bar.right, layout.strip_bottom};
    const bool library = replay.phases()[bar.phase].is_library;
    const bool hatched = library || series.hatched;
    const ImU32 body = bar_body(series, library);
    fill(low, high, hatched ? body : series.colour, dimmed(hatched ? body : series.colour));
    if (!hatched) return;
    const auto hatch = [&](float from, float to, ImU32 colour) {
        if (to - from < 1) return;
        draw_diagonals(list, {from, low.y}, {to, high.y}, style.px(library ? 9 : 6),
                       library ? Diagonals::falling : Diagonals::rising, colour, std::max(1.0F, style.scale));
    };
    const float middle = std::clamp(playhead_x, low.x, high.x);
    hatch(low.x, middle, series.colour);
    hatch(middle, high.x, dimmed(series.colour));
    if (library) list.AddRect(low, high, playhead_x > low.x ? series.colour : dimmed(series.colour));
}

void AddressPlot::Painter::draw_name(const PhaseName& name) const {
    const Layout& layout = plot.layout_;
    const ImFont* font = style.fonts.small;
    if (name.position == PhaseName::Position::above) {
        draw_text(list, font, {name.x, layout.low.y}, palette().label, name.text);
        return;
    }
    const float y = std::round((layout.strip_top + layout.strip_bottom - font->FontSize) / 2);
    if (name.position == PhaseName::Position::beside) {
        draw_text(list, font, {name.x, y}, palette().label, name.text);
        return;
    }
    const SeriesStyle series = phase_style(name.phase);
    const bool library = replay.phases()[name.phase].is_library;
    ImU32 body = series.colour;
    if (series.hatched || library) {
        body = bar_body(series, library);
        const float pad = style.px(name_gap);
        fill({name.x - pad, layout.strip_top + 1},
             {name.x + text_width(font, name.text) + pad, layout.strip_bottom - 1}, body, dimmed(body));
    }
    // The part of the name after the playhead has the ink that suits the dimmed bar.
    const int first_vertex = list.VtxBuffer.Size;
    draw_text(list, font, {name.x, y}, ink_on(palette(), body), name.text);
    const ImU32 ink_on_dim = ink_on(palette(), dimmed(body));
    for (int i = first_vertex; i < list.VtxBuffer.Size; ++i) {
        if (list.VtxBuffer[i].pos.x >= playhead_x) list.VtxBuffer[i].col = ink_on_dim;
    }
}

void AddressPlot::Painter::draw_strip() const {
    for (const PhaseBar& bar : plot.phase_bars()) draw_bar(bar);
    for (const PhaseName& name : plot.names_) draw_name(name);
}

void AddressPlot::Painter::draw_axis(const std::vector<Tick>& ticks) const {
    const Layout& layout = plot.layout_;
    const ImFont* font = style.fonts.small;
    const float y = layout.rows_bottom + style.px(axis_gap);
    // Ticks leave room for the label of the playhead in the same line.
    const float label_half =
        playhead ? text_width(font, playhead_text(replay, *playhead, plot.time_.high)) / 2 + style.px(8) : 0;
    const float label_middle = std::clamp(playhead_x, layout.left + label_half,
                                          std::max(layout.right - label_half, layout.left + label_half));
    const float labels_left = layout.left - style.px(20);
    float free_from = labels_left;
    for (const Tick& tick : ticks) {
        const float width = text_width(font, tick.label);
        const float x = std::round(std::min(plot.x_of(tick.value) - width / 2, layout.high.x - width));
        if (x < free_from) continue;
        if (playhead && x + width > label_middle - label_half && x < label_middle + label_half) continue;
        draw_text(list, font, {x, y}, palette().muted, tick.label);
        free_from = x + width + style.px(8);
    }
    if (!replay.in_steps()) return;
    const float width = text_width(font, "steps");
    const float x = labels_left - width;
    if (x >= layout.low.x) draw_text(list, font, {x, y}, palette().muted, "steps");
}

/// Says what the axis counts.
void AddressPlot::Painter::draw_caption() const {
    const Layout& layout = plot.layout_;
    if (!layout.has_caption) return;
    const ImFont* font = style.fonts.small;
    const bool cpu = replay.algorithm().engine == compaction::EngineId::cpu;
    const std::string seed = std::to_string(replay.schedule_seed());
    const std::string begin_and_end =
        std::string("begin and end of each ") + (cpu ? "part" : "block") +
        (replay.algorithm().engine == compaction::EngineId::simulated ? " as simulated" : " as measured");
    const float room = layout.high.x - layout.left;
    const std::string text =
        replay.in_steps()
            ? fitting(font,
                      {"steps (simulated schedule, seed " + seed + "); no times; loads fainter than stores",
                       "steps (simulated schedule, seed " + seed + ")"},
                      room)
            : fitting(font,
                      {"time; " + begin_and_end +
                           ", dim between them: accesses spread evenly; loads fainter than stores",
                       begin_and_end + ", dim: accesses spread evenly", begin_and_end},
                      room);
    draw_text(list, font, {layout.left, layout.high.y - font->FontSize}, palette().muted, text);
}

void AddressPlot::Painter::draw_playhead() const {
    if (!playhead) return;
    const Layout& layout = plot.layout_;
    const ImFont* font = style.fonts.small;
    const float x = std::round(playhead_x);
    plots::draw_playhead(list, style, x, layout.strip_top - style.px(2), layout.rows_bottom);
    if (!layout.has_axis) return;
    const std::string text = playhead_text(replay, *playhead, plot.time_.high);
    const float width = text_width(font, text);
    const float left =
        std::round(std::clamp(x - width / 2, layout.left, std::max(layout.high.x - width, layout.left)));
    draw_text(list, font, {left, layout.rows_bottom + style.px(axis_gap)}, palette().text, text);
}

float AddressPlot::good_height(const MemoryReplay& replay, const Style& style) {
    const float line = style.fonts.small->FontSize;
    const auto rows = static_cast<float>(num_rows(replay));
    return 4 * line + style.px(24) + rows * style.px(22);
}

void AddressPlot::lay_out(ImVec2 low, ImVec2 high, const Style& style, const ComparedPlot& compared) {
    const ImFont* font = style.fonts.small;
    const float line = font->FontSize;
    float label_width = text_width(font, "output");
    for (std::size_t row = 0; row < num_rows(*replay_); ++row)
        label_width = std::max(label_width, text_width(font, row_name(*replay_, row)));
    const float max_label_width = std::max(style.px(60), (high.x - low.x) * 0.16F);
    const bool stands_alone = compared.name.empty();
    // The time axes of compared plots begin at the same x.
    label_width = stands_alone ? std::min(label_width, max_label_width) : std::round(1.2F * max_label_width);
    layout_ = {};
    layout_.low = low;
    layout_.high = high;
    layout_.left = std::round(low.x + label_width + style.px(label_gap));
    layout_.right = std::max(std::round(high.x - style.px(8)), layout_.left + 1);
    time_ = {.low = 0,
             .high = std::max({replay_->duration(), compared.axis_end, 1e-9}),
             .logarithmic = false,
             .start = layout_.left,
             .end = layout_.right};
    name_phases(style);
    const bool any_above = std::ranges::any_of(
        names_, [](const PhaseName& name) { return name.position == PhaseName::Position::above; });
    layout_.strip_top = std::round(low.y + (any_above ? line : 0) + style.px(2));
    layout_.strip_bottom = layout_.strip_top + std::round(line + style.px(6));
    layout_.rows_top = layout_.strip_bottom + style.px(3);
    const auto rows = static_cast<float>(num_rows(*replay_));
    layout_.has_axis = compared.is_last;
    const float axis_height = layout_.has_axis ? line + style.px(axis_gap + 3) : style.px(axis_gap);
    const float min_row_pitch = style.px(12);  // with a caption
    layout_.has_caption =
        stands_alone && high.y - layout_.rows_top - axis_height - line > rows * min_row_pitch;
    layout_.rows_bottom = high.y - axis_height - (layout_.has_caption ? line : 0);
    const float row_pitch = (layout_.rows_bottom - layout_.rows_top) / rows;
    layout_.row_gap = row_pitch >= style.px(8) ? std::max(1.0F, style.px(2)) : 1;
    layout_.row_height = std::max(std::floor(row_pitch - layout_.row_gap), 0.0F);
    // Rows are whole pixels high, so they may end a little higher.
    layout_.rows_bottom = layout_.rows_top + rows * (layout_.row_height + layout_.row_gap);
}

void AddressPlot::merge(const Style& style) {
    const auto columns = static_cast<std::uint32_t>(std::max(end_x() - layout_.left, 1.0F));
    const auto height = static_cast<std::uint32_t>(layout_.row_height);
    const auto min_height = static_cast<std::uint32_t>(std::max(style.px(1.5F), 1.0F));
    if (merged_replay_ == replay_ && merged_columns_ == columns && merged_height_ == height &&
        merged_min_height_ == min_height)
        return;
    merged_ = merge_marks(*replay_, columns, height, min_height);
    merged_replay_ = replay_;
    merged_columns_ = columns;
    merged_height_ = height;
    merged_min_height_ = min_height;
}

/// A bar for each launch, or one for a whole phase that a library runs or whose launches are unknown.
std::vector<AddressPlot::PhaseBar> AddressPlot::phase_bars() const {
    std::vector<PhaseBar> bars;
    const auto add = [&](std::size_t phase, double begin, double end) {
        const float left = std::round(x_of(begin));
        const float right = std::max(std::round(x_of(end)), left + 1);
        // Adjacent bars keep a pixel between them.
        bars.push_back({phase, left, right - left >= 4 ? right - 1 : right});
    };
    for (std::size_t phase = 0; phase < replay_->phases().size(); ++phase) {
        const ReplayPhase& each = replay_->phases()[phase];
        bool any_launch = false;
        if (!each.is_library) {
            for (const ReplayLaunch& launch : replay_->launches()) {
                if (launch.phase != phase || launch.end <= launch.begin) continue;
                add(phase, launch.begin, launch.end);
                any_launch = true;
            }
        }
        if (!any_launch && each.end > each.begin) add(phase, each.begin, each.end);
    }
    return bars;
}

/// Finds the position of the name of each phase: in its widest bar, in the gap after it, or above the strip.
/// Leaves out names above the strip that do not fit.
void AddressPlot::name_phases(const Style& style) {
    names_.clear();
    const ImFont* font = style.fonts.small;
    const float pad = style.px(name_gap);
    const std::vector<PhaseBar> bars = phase_bars();
    std::vector<PhaseBar> named_above;
    for (std::size_t i = 0; i < replay_->phases().size(); ++i) {
        const ReplayPhase& phase = replay_->phases()[i];
        const PhaseBar* widest = nullptr;
        PhaseBar whole{i, layout_.right, layout_.left};  // grows to contain all bars of the phase
        float gap_end = layout_.right;
        for (const PhaseBar& bar : bars) {
            if (bar.phase != i) continue;
            if (!widest || bar.right - bar.left > widest->right - widest->left) widest = &bar;
            whole.left = std::min(whole.left, bar.left);
            whole.right = std::max(whole.right, bar.right);
        }
        if (!widest) continue;
        for (const PhaseBar& bar : bars) {
            if (bar.left >= widest->right) gap_end = std::min(gap_end, bar.left);
        }
        const float room = widest->right - widest->left - 2 * pad;
        const std::string long_name = phase.is_library ? phase.name + ", by a library" : phase.name;
        const std::string& name = text_width(font, long_name) <= room ? long_name : phase.name;
        const float width = text_width(font, name);
        if (width <= room) {
            names_.push_back({i, name, std::round((widest->left + widest->right - width) / 2),
                              PhaseName::Position::inside});
        } else if (widest->right + width + 2 * pad <= gap_end) {
            names_.push_back({i, name, widest->right + pad, PhaseName::Position::beside});
        } else {
            named_above.push_back(whole);
        }
    }
    std::ranges::sort(named_above, {}, &PhaseBar::left);
    float free_from = layout_.left;
    for (const PhaseBar& bar : named_above) {
        const std::string& name = replay_->phases()[bar.phase].name;
        const float width = text_width(font, name);
        const float middle = (bar.left + bar.right) / 2;
        const float x = std::round(std::max(std::min(middle - width / 2, layout_.right - width), free_from));
        // A name far from its bar would stand above another bar.
        if (x + width > layout_.right || std::abs(x + width / 2 - middle) > width) continue;
        names_.push_back({bar.phase, name, x, PhaseName::Position::above});
        free_from = x + width + style.px(8);
    }
}

float AddressPlot::top_of(std::size_t row) const {
    const std::size_t index = display_index(row, num_rows(*replay_));
    return layout_.rows_top + static_cast<float>(index) * (layout_.row_height + layout_.row_gap);
}

std::optional<std::size_t> AddressPlot::row_at(float y) const {
    if (y < layout_.rows_top || y >= layout_.rows_bottom) return {};
    const auto index =
        static_cast<std::size_t>((y - layout_.rows_top) / (layout_.row_height + layout_.row_gap));
    const std::size_t rows = num_rows(*replay_);
    return row_of_display_index(std::min(index, rows - 1), rows);
}

void AddressPlot::draw(ImDrawList& list, ImVec2 low, ImVec2 high,
                       const std::shared_ptr<const MemoryReplay>& replay, std::optional<double> playhead,
                       const Style& style, const ComparedPlot& compared) {
    replay_ = replay;
    layout_ = {};
    if (!replay_) return;
    lay_out(low, high, style, compared);
    merge(style);
    if (playhead) playhead = std::clamp(*playhead, 0.0, replay_->duration());
    const Painter painter{.plot = *this,
                          .replay = *replay_,
                          .list = list,
                          .style = style,
                          .playhead = playhead,
                          .playhead_x = playhead ? std::round(x_of(*playhead)) : layout_.right};
    const auto max_ticks =
        static_cast<std::size_t>(std::max((layout_.right - layout_.left) / style.px(90), 2.0F));
    const std::vector<Tick> ticks =
        ticks_of(time_, replay_->in_steps() ? AxisQuantity::number : AxisQuantity::time_us, max_ticks);
    list.PushClipRect(low, high, true);
    if (layout_.row_height > 0) {
        painter.draw_rows();
        painter.draw_grid(ticks);
        painter.draw_library_time();
        painter.draw_marks();
    }
    painter.draw_strip();
    painter.draw_compared_name(compared.name);
    if (layout_.has_axis) painter.draw_axis(ticks);
    painter.draw_caption();
    painter.draw_playhead();
    list.PopClipRect();
}

double AddressPlot::time_at(float x) const {
    if (!replay_) return 0;
    return std::clamp(time_.value_at(x), 0.0, replay_->duration());
}

/// The nearest mark within reach of a point; of equally near ones a store, then the shortest.
const ReplayMark* AddressPlot::mark_at(std::size_t row, ImVec2 point) const {
    if (layout_.row_height <= 0) return nullptr;
    const double time = time_.value_at(point.x);
    const double reach_time = 1.5 * (time_.value_at(point.x + 1) - time);
    // As in ReplayMark: 0 is the top of the row, 1 its bottom.
    const float address = (point.y - top_of(row)) / layout_.row_height;
    const float reach_address = 2 / layout_.row_height;
    const ReplayMark* found = nullptr;
    for (const ReplayMark& mark : replay_->marks()) {
        if (mark.row != row || mark.begin > time + reach_time || mark.end < time - reach_time ||
            mark.low > address + reach_address || mark.high < address - reach_address)
            continue;
        const auto distance = [&](const ReplayMark& each) {
            const double x = std::max({each.begin - time, time - each.end, 0.0}) / reach_time;
            const float y = std::max({each.low - address, address - each.high, 0.0F}) / reach_address;
            return x + static_cast<double>(y);
        };
        const auto rank = [&](const ReplayMark& each) {
            return std::tuple(distance(each), !each.stores, each.end - each.begin);
        };
        if (!found || rank(mark) < rank(*found)) found = &mark;
    }
    return found;
}

/// "phase count: 12.4 µs; loads input; stores counts".
std::string AddressPlot::phase_text_at(double time) const {
    const auto joined = [](const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
        return text;
    };
    for (std::size_t i = 0; i < replay_->phases().size(); ++i) {
        const ReplayPhase& phase = replay_->phases()[i];
        if (time < phase.begin || time > phase.end) continue;
        std::string text =
            phase_and_launch_text(*replay_, i, time) + ": " + time_text(*replay_, phase.end - phase.begin);
        if (replay_->in_steps()) text += " steps";
        if (phase.is_library) return text + "; by a library: only its begin and end are known";
        if (!phase.reads.empty()) text += "; loads " + joined(phase.reads);
        if (!phase.writes.empty()) text += "; stores " + joined(phase.writes);
        if (!launch_at(*replay_, i, time).launch && !replay_->launches().empty())
            text += "; here between launches";
        return text;
    }
    return "no phase: launch or drain";
}

std::string AddressPlot::text_at(ImVec2 point) const {
    if (!replay_ || point.x < layout_.left || point.x > end_x()) return {};
    const double time = time_at(point.x);
    if (point.y >= layout_.strip_top && point.y < layout_.rows_top) return phase_text_at(time);
    const std::optional<std::size_t> row = row_at(point.y);
    if (!row) return {};
    if (const ReplayMark* mark = mark_at(*row, point)) return text_of(*replay_, *mark);
    return row_name(*replay_, *row) + ": no access here; " + phase_text_at(time);
}

}  // namespace warpsieve::plots
