#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/timings_panel.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float min_bar_width = 14;
constexpr float max_bar_width = 56;
constexpr float bar_gap = 6;
constexpr float name_width = 66;
/// The width of a figure in digits: three, a point, two more, and a gap.
constexpr float digits_per_figure = 7;
constexpr float digits_from_point = 3;  // the point and two digits
constexpr float header_height = 26;
constexpr float row_height = 18;
constexpr float min_row_height = 13;
constexpr float column_gap = 30;
constexpr float clock_name_width = 34;
constexpr float folded_width = 16;  // of the strip when it shows only its triangle

float figure_width(const Ui& ui) {
    return std::ceil(digits_per_figure * digit_width(ui));
}

/// A row of the strip: a part of the frame, or the rest of the frame.
struct FrameRow {
    std::string_view name;
    std::string_view tooltip;
    ImU32 colour;
    double host_us;
    double device_us;
};

constexpr std::size_t num_rows = frame_parts.size() + 1;

/// The parts in the order of `frame_parts`, then the rest of the frame.
std::array<FrameRow, num_rows> rows_of(const Ui& ui) {
    const FrameTimes& times = ui.snapshot.timings.frame;
    const plots::Palette& palette = ui.palette();
    // Hues are for phases, so the parts differ in lightness, neighbours most. Only the compaction has a hue.
    constexpr std::array ink_shares{0.3F, 1.0F, 0.55F, 0.25F, 0.45F, 0.2F};
    std::array<FrameRow, num_rows> rows;
    for (std::size_t i = 0; i < frame_parts.size(); ++i) {
        const FramePartInfo& part = frame_parts[i];
        const ImU32 ink = part.part == FramePart::compact ? palette.accent : palette.text;
        rows[i] = {.name = part.name,
                   .tooltip = part.meaning,
                   .colour = plots::mix(palette.panel, ink, ink_shares[i]),
                   .host_us = times.host_us[i],
                   .device_us = times.device_us ? (*times.device_us)[i] : 0};
    }
    rows.back() = {
        .name = times.device_us ? "other, idle" : "other",
        .tooltip = times.device_us
                       ? "On the host, all other work: checks, copies for comparison, the race, captures. On "
                         "the GPU, the time that none of these parts takes."
                       : "All other work of a frame: checks, copies for comparison, the race, captures.",
        .colour = palette.raised_more,
        .host_us = times.other_us(),
        .device_us = times.idle_us()};
    return rows;
}

enum class Direction : std::uint8_t { upwards, rightwards };

/// Draws a bar whose parts add up to the frame. `us`: the times of one clock.
void draw_bar(const Ui& ui, const std::array<FrameRow, num_rows>& rows, double FrameRow::*us, ImVec2 low,
              ImVec2 high, Direction direction) {
    const bool upright = direction == Direction::upwards;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    double whole_us = 0;
    for (const FrameRow& row : rows) whole_us += row.*us;
    if (whole_us <= 0) return list.AddRectFilled(low, high, ui.palette().raised);
    double end_us = 0;
    for (const FrameRow& row : rows) {
        const auto begin_share = static_cast<float>(end_us / whole_us);
        end_us += row.*us;
        const auto end_share = static_cast<float>(end_us / whole_us);
        ImVec2 part_low = low;
        ImVec2 part_high = high;
        if (upright) {
            part_low.y = std::round(high.y - end_share * (high.y - low.y));
            part_high.y = std::round(high.y - begin_share * (high.y - low.y));
        } else {
            part_low.x = std::round(low.x + begin_share * (high.x - low.x));
            part_high.x = std::round(low.x + end_share * (high.x - low.x));
        }
        const float length = upright ? part_high.y - part_low.y : part_high.x - part_low.x;
        if (length > 0) list.AddRectFilled(part_low, part_high, row.colour);
        // A hairline at the end, because neighbouring colours may look alike.
        if (length > 2) {
            const ImVec2 hair_low = upright ? part_low : ImVec2{part_high.x - 1, low.y};
            const ImVec2 hair_high = upright ? ImVec2{high.x, part_low.y + 1} : part_high;
            list.AddRectFilled(hair_low, hair_high, ui.palette().panel);
        }
    }
}

/// Draws the time of a part in the unit that all parts share; an en dash where it is 0.
void draw_figure(const Ui& ui, double us, const format::TimeUnit& unit, float right, float baseline) {
    const std::string text = us > 0 ? format::significant(us * unit.per_us, 2) : "–";
    const ImFont* font = ui.fonts().figures;
    const format::AlignedNumber parts = format::split_at_decimal_point(text);
    const float point_x = right - digits_from_point * digit_width(ui);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_on_baseline(list, font, {point_x - plots::text_width(font, parts.whole), baseline},
                            us > 0 ? ui.palette().text : ui.palette().muted, parts.whole);
    plots::draw_on_baseline(list, font, {point_x, baseline}, ui.palette().text, parts.fraction);
}

void draw_right_aligned(const Ui& ui, float right, float baseline, std::string_view text) {
    const ImFont* const font = ui.fonts().small;
    plots::draw_on_baseline(*ImGui::GetWindowDrawList(), font,
                            {right - plots::text_width(font, text), baseline}, ui.palette().muted, text);
}

/// The width of a name with its figures.
float row_width(const Ui& ui) {
    return ui.px(name_width) + (ui.snapshot.timings.frame.device_us ? 2.0F : 1.0F) * figure_width(ui);
}

/// Draws colour, name and figures of a row that is `height` pixels high.
void draw_row(Ui& ui, const FrameRow& row, ImVec2 low, float height) {
    const plots::Fonts& fonts = ui.fonts();
    const format::TimeUnit unit = format::time_unit(ui.snapshot.timings.frame.frame_us);
    const float baseline = std::round(low.y + (height + fonts.text->Ascent) / 2 - ui.px(1));
    const float host_right = low.x + ui.px(name_width) + figure_width(ui);
    const float right = low.x + row_width(ui);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({low.x, std::round(low.y + height / 2 - ui.px(4))},
                       {low.x + ui.px(8), std::round(low.y + height / 2 + ui.px(4))}, row.colour);
    plots::draw_on_baseline(list, fonts.small, {low.x + ui.px(13), baseline}, ui.palette().label, row.name);
    draw_figure(ui, row.host_us, unit, host_right, baseline);
    const bool on_device = ui.snapshot.timings.frame.device_us.has_value();
    if (on_device) draw_figure(ui, row.device_us, unit, right, baseline);
    ui.tooltips.offer(ui.style, low, {right, low.y + height}, row.tooltip);
}

/// Draws upright bars beside a column of figures.
void draw_upright(Ui& ui, const std::array<FrameRow, num_rows>& rows, ImVec2 low, ImVec2 high,
                  float heading_baseline) {
    const bool on_device = ui.snapshot.timings.frame.device_us.has_value();
    const float spare_per_bar = (high.x - low.x - frame_strip_width(ui)) / (on_device ? 2.0F : 1.0F);
    const float bar_width = std::clamp(ui.px(min_bar_width) + std::floor(spare_per_bar), ui.px(min_bar_width),
                                       ui.px(max_bar_width));
    draw_bar(ui, rows, &FrameRow::host_us, low, {low.x + bar_width, high.y}, Direction::upwards);
    float left = low.x + bar_width + ui.px(bar_gap);
    if (on_device) {
        draw_bar(ui, rows, &FrameRow::device_us, {left, low.y}, {left + bar_width, high.y},
                 Direction::upwards);
        left += bar_width + ui.px(bar_gap);
        draw_right_aligned(ui, left + ui.px(name_width) + figure_width(ui), heading_baseline, "host");
        draw_right_aligned(ui, left + row_width(ui), heading_baseline, "GPU");
    }
    const float height = std::min((high.y - low.y) / static_cast<float>(num_rows), ui.px(row_height));
    // From bottom to top, in the order of the parts in the bars.
    for (std::size_t i = 0; i < num_rows; ++i)
        draw_row(ui, rows[i], {left, high.y - static_cast<float>(i + 1) * height}, height);
}

/// Draws bars from left to right above columns of figures, in a wide strip.
void draw_across(Ui& ui, const std::array<FrameRow, num_rows>& rows, ImVec2 low, ImVec2 high) {
    const bool on_device = ui.snapshot.timings.frame.device_us.has_value();
    const plots::Fonts& fonts = ui.fonts();
    const float column_width = row_width(ui) + ui.px(column_gap);
    const auto columns_that_fit =
        static_cast<std::size_t>((high.x - low.x + ui.px(column_gap)) / column_width);
    const std::size_t columns = std::clamp<std::size_t>(columns_that_fit, 1, num_rows);
    const std::size_t rows_per_column = (num_rows + columns - 1) / columns;
    const float height = ui.px(row_height);
    // A line above the figures names the clocks.
    const std::size_t header_lines = on_device ? 1 : 0;
    const float figures_height = static_cast<float>(rows_per_column + header_lines) * height;
    const float gap = ui.px(bar_gap);
    const float num_bars = on_device ? 2 : 1;
    const float bar_height =
        std::min((high.y - low.y - figures_height - gap) / num_bars - gap, ui.px(max_bar_width));
    const float bars_left = low.x + (on_device ? ui.px(clock_name_width) : 0);
    float top = low.y;
    const auto draw_next_bar = [&](std::string_view clock, double FrameRow::*us) {
        if (on_device)
            plots::draw_on_baseline(*ImGui::GetWindowDrawList(), fonts.small,
                                    {low.x, std::round(top + (bar_height + fonts.small->Ascent) / 2)},
                                    ui.palette().muted, clock);
        draw_bar(ui, rows, us, {bars_left, top}, {high.x, std::round(top + bar_height)},
                 Direction::rightwards);
        top = std::round(top + bar_height) + gap;
    };
    draw_next_bar("host", &FrameRow::host_us);
    if (on_device) draw_next_bar("GPU", &FrameRow::device_us);
    top += gap;
    for (std::size_t i = 0; i < num_rows; ++i) {
        const float left = low.x + static_cast<float>(i / rows_per_column) * column_width;
        const bool begins_column = i % rows_per_column == 0;
        if (on_device && begins_column) {
            const float baseline = std::round(top + fonts.small->Ascent);
            draw_right_aligned(ui, left + ui.px(name_width) + figure_width(ui), baseline, "host");
            draw_right_aligned(ui, left + row_width(ui), baseline, "GPU");
        }
        draw_row(ui, rows[i], {left, top + static_cast<float>(i % rows_per_column + header_lines) * height},
                 height);
    }
}

/// Draws the triangle that folds or unfolds the strip, and `title`. Returns the right end.
float draw_fold_button(Ui& ui, ImVec2 low, std::string_view title) {
    bool& shown = ui.settings.window.show_frame_strip;
    const plots::Fonts& fonts = ui.fonts();
    const float triangle_width = ui.px(folded_width);
    const float text_end = low.x + triangle_width + plots::text_width(fonts.heading, title);
    ImGui::SetCursorScreenPos(low);
    if (invisible_button("##frame strip", {text_end - low.x, fonts.heading->FontSize + ui.px(4)}))
        shown = !shown;
    ui.controls.record_item("fold frame strip");
    if (ui.focus->presses_item(ui, "fold frame strip")) shown = !shown;
    ui.tooltips.offer_item(ui.style, shown ? "Folds the strip, so that the plot gets its room."
                                           : "Shows where the time of a frame goes.");
    const ImU32 ink = ImGui::IsItemHovered() ? ui.palette().accent : ui.palette().label;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 centre{low.x + ui.px(5), low.y + std::round(fonts.heading->FontSize / 2)};
    const float radius = ui.px(4);
    if (shown)
        list.AddTriangleFilled({centre.x - radius, centre.y - radius / 2},
                               {centre.x + radius, centre.y - radius / 2}, {centre.x, centre.y + radius},
                               ink);
    else
        list.AddTriangleFilled({centre.x + radius / 2, centre.y - radius},
                               {centre.x + radius / 2, centre.y + radius}, {centre.x - radius, centre.y},
                               ink);
    return plots::draw_on_baseline(list, fonts.heading,
                                   {low.x + triangle_width, low.y + std::round(fonts.heading->Ascent)},
                                   ui.palette().text, title);
}

}  // namespace

float frame_strip_width(const Ui& ui) {
    if (!ui.settings.window.show_frame_strip) return ui.px(folded_width);
    const float num_clocks = ui.snapshot.timings.frame.device_us ? 2 : 1;
    return num_clocks * (ui.px(min_bar_width + bar_gap) + figure_width(ui)) + ui.px(name_width + bar_gap);
}

void draw_frame_strip(Ui& ui, ImVec2 low, ImVec2 high) {
    const FrameTimes& times = ui.snapshot.timings.frame;
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool on_device = times.device_us.has_value();
    const float heading_baseline = low.y + std::round(fonts.heading->Ascent);
    const format::Figure whole = format::duration(times.frame_us);
    if (!ui.settings.window.show_frame_strip) {
        draw_fold_button(ui, low, "");
        return;
    }
    const float title_right = draw_fold_button(ui, low, "Frame");
    const bool is_wide = high.x - low.x > frame_strip_width(ui) + ui.px(4 * max_bar_width);
    // The names of both clocks take the room of the figure, which the status line shows as well.
    const std::string mean = on_device && !is_wide ? "mean" : "mean " + whole.number + " " + whole.unit;
    plots::draw_on_baseline(list, fonts.small, {title_right + ui.px(8), heading_baseline}, palette.muted,
                            times.frame_us > 0 ? mean : "–");
    const float top = low.y + ui.px(header_height);
    if (high.y - top < ui.px(min_row_height) * static_cast<float>(num_rows)) return;

    const auto rows = rows_of(ui);
    if (is_wide)
        draw_across(ui, rows, {low.x, top}, high);
    else
        draw_upright(ui, rows, {low.x, top}, high, heading_baseline);
    ui.controls.record("frame strip", low, high);
    ui.tooltips.offer(
        ui.style, low, high,
        on_device ? "Where the time of a frame goes, by the clocks of host and GPU: means over the last 60 "
                    "frames. Each bar adds up to the frame. Host and GPU work at the same time."
                  : "Where the time of a frame goes: means over the last 60 frames. The parts add up to "
                    "the frame.");
}

}  // namespace warpsieve::panels
