#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/views/inside_parts.hpp"

namespace warpsieve::panels {
namespace {

using plots::Style;
using trace::WorkFigures;

const ImVec2 picture_size{300, 74};

/// A bar of a picture: row, begin and end as shares of the width.
struct Piece {
    int row;
    float begin;
    float end;
};

/// Three processors at work, in the place that remains above `below` pixels.
struct Sketch {
    ImDrawList& list;
    const Style& style;
    ImVec2 low;
    ImVec2 high;

    float x(float share) const { return std::round(low.x + (high.x - low.x) * share); }
    float y(int row) const { return low.y + style.px(static_cast<float>(row) * 16 + 2); }
    float height() const { return style.px(12); }

    void bars(std::span<const Piece> pieces) const {
        const ImU32 colour = plots::style_of(compaction::PhaseRole::count).colour;
        for (const Piece& piece : pieces)
            list.AddRectFilled({x(piece.begin), y(piece.row)}, {x(piece.end) - 1, y(piece.row) + height()},
                               colour);
    }
    /// A bracket below or beside the rows, with a word.
    void span(float begin, float end, float at, const char* word) const {
        const ImU32 colour = style.palette.accent;
        list.AddLine({x(begin), at}, {x(end), at}, colour);
        list.AddLine({x(begin), at - style.px(3)}, {x(begin), at + style.px(3)}, colour);
        list.AddLine({x(end), at - style.px(3)}, {x(end), at + style.px(3)}, colour);
        const float width = plots::text_width(style.fonts.small, word);
        plots::draw_text(
            list, style.fonts.small,
            {std::clamp((x(begin) + x(end) - width) / 2, low.x, high.x - width), at + style.px(3)},
            style.palette.text, word);
    }
    void upright(float share) const {
        for (float from = low.y; from < y(2) + height(); from += style.px(6))
            list.AddLine({x(share), from}, {x(share), from + style.px(3)}, style.palette.accent);
    }
};

void draw_busy_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 1}, Piece{1, 0, 0.7F}, Piece{2, 0, 0.4F}});
    sketch.span(0, 0.4F, sketch.y(3) + style.px(4), "3 busy");
    sketch.span(0.4F, 0.7F, sketch.y(3) + style.px(4), "2");
    sketch.span(0.7F, 0.995F, sketch.y(3) + style.px(4), "1");
}

void draw_tail_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 0.3F}, Piece{0, 0.3F, 0.6F}, Piece{1, 0, 0.3F}, Piece{1, 0.3F, 0.62F},
                           Piece{2, 0, 0.3F}, Piece{2, 0.3F, 0.98F}});
    sketch.upright(0.62F);
    sketch.span(0.62F, 0.98F, sketch.y(3) + style.px(4), "tail");
}

void draw_imbalance_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 0.95F}, Piece{1, 0, 0.5F}, Piece{2, 0, 0.35F}});
    sketch.upright(0.6F);
    sketch.span(0, 0.6F, sketch.y(3) + style.px(4), "mean");
    sketch.span(0.6F, 0.95F, sketch.y(3) + style.px(4), "busiest");
}

void draw_waiting_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 0.3F}, Piece{0, 0.55F, 0.95F}, Piece{1, 0, 0.25F},
                           Piece{1, 0.55F, 0.9F}, Piece{2, 0, 0.45F}, Piece{2, 0.55F, 0.98F}});
    sketch.span(0.3F, 0.55F, sketch.y(0) + sketch.height() / 2, "");
    sketch.span(0.25F, 0.55F, sketch.y(1) + sketch.height() / 2, "");
    sketch.span(0.25F, 0.55F, sketch.y(3) + style.px(4), "waiting");
}

std::string percent_text(double share) {
    const format::Figure figure = format::percent(share);
    return figure.number + " " + figure.unit;
}

/// One of the four figures.
struct Cell {
    const char* name;
    const char* meaning;
    TooltipPicture picture;
    std::string (*text)(const WorkFigures& figures);
    std::string (*more)(const trace::TracedRun& run) = nullptr;  ///< shown where there is room
};

const std::array cells{
    Cell{"busy",
         "How many of the processors are busy, on average over the run.",
         {picture_size, draw_busy_picture},
         [](const WorkFigures& figures) { return percent_text(figures.busy_share); }},
    Cell{
        "tail",
        "The share of the time in which fewer than half of the processors are busy: at the end of a wave, or "
        "while a short phase runs on few of them.",
        {picture_size, draw_tail_picture},
        [](const WorkFigures& figures) { return percent_text(figures.tail_share); }},
    Cell{"imbalance",
         "Busy time of the busiest processor over the mean of all. 1 is even; at 1.5 the busiest works half "
         "as "
         "long again as the mean.",
         {picture_size, draw_imbalance_picture},
         [](const WorkFigures& figures) { return format::significant(figures.imbalance, 2) + " ×"; }},
    Cell{"waiting",
         "The gaps of a processor between its first and its last span: for the next phase, for the next "
         "block, "
         "or for work to share.",
         {picture_size, draw_waiting_picture},
         [](const WorkFigures& figures) { return percent_text(figures.waiting_share); },
         [](const trace::TracedRun& run) { return ", " + inside_duration(run, run.figures.waiting_us); }}};

}  // namespace

std::string inside_duration(const trace::TracedRun& run, double us) {
    return format::duration_text(us) + (has_times(run.algorithm->engine) ? "" : " simulated");
}

void draw_inside_figures(Ui& ui, std::span<const InsideChart> charts, Box box) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float width = box.width() / static_cast<float>(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell& cell = cells[i];
        const float left = std::round(box.low.x + width * static_cast<float>(i));
        float baseline = box.low.y + std::round(fonts.text->Ascent);
        plots::draw_on_baseline(list, fonts.text, {left, baseline}, ui.palette().label, cell.name);
        for (const InsideChart& chart : charts) {
            baseline += ui.px(18);
            std::string text =
                (chart.side ? std::string(chart.side) + "  " : "") + cell.text(chart.run.figures);
            const std::string more = cell.more ? cell.more(chart.run) : "";
            if (plots::text_width(fonts.figures, text + more) <= width - ui.px(6)) text += more;
            plots::draw_on_baseline(list, fonts.figures, {left, baseline}, ui.palette().text, text);
        }
        ui.tooltips.offer(ui.style, {left, box.low.y}, {left + width - ui.px(6), box.high.y}, cell.meaning,
                          {}, {}, &cell.picture);
        ui.controls.record("inside: " + std::string(cell.name), {left, box.low.y},
                           {left + width - ui.px(6), box.high.y});
    }
}

}  // namespace warpsieve::panels
