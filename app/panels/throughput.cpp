#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "app/format/figures.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/timings_panel.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::panels {
namespace {

// Names of the timed operations behind a figure.
constexpr std::string_view compaction_name = "the compaction";
constexpr std::string_view copy_name = "the copy";

std::string noise_text(std::string_view subject, double noise) {
    const format::Figure spread = format::percent(noise);
    return "Noisy: the middle half of the times of " + std::string(subject) + " spreads over " +
           spread.number + " " + spread.unit + " of their median, more than " + noise_limit() + ".";
}

/// Draws the ratio of effective to copy bandwidth as a bar, with a dashed line at 100 %.
void draw_fraction(Ui& ui, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    // The bar ends above 100 %, so that the dashed line lies within it.
    constexpr double ratio_at_end = 1.15;
    const float width = high.x - low.x;
    const double filled =
        std::clamp(ui.snapshot.figures->a.throughput.fraction_of_copy / ratio_at_end, 0.0, 1.0);
    list.AddRectFilled(low, high, palette.raised);
    list.AddRectFilled(low, {low.x + std::round(width * static_cast<float>(filled)), high.y}, palette.accent);
    const float copy_x = std::round(low.x + width / static_cast<float>(ratio_at_end));
    const float dash = ui.px(4);
    for (float y = low.y - dash; y < high.y + dash; y += 2 * dash) {
        list.AddRectFilled({copy_x, y},
                           {copy_x + std::max(1.0F, ui.px(1.5F)), std::min(y + dash, high.y + dash)},
                           palette.text);
    }
}

/// A bandwidth and the noise of the times behind it.
struct Bandwidth {
    std::string_view name;
    double gb_s;                       ///< 0: unknown
    std::string_view timed_operation;  ///< "the copy"
    double noise;                      ///< interquartile range of the times over their median
    std::string_view tooltip;
};

/// Draws a bandwidth with its top left at `low`. A noisy figure has an icon before it and one digit less.
/// Returns the x where the next bandwidth begins.
float draw_bandwidth(Ui& ui, ImVec2 low, const Bandwidth& bandwidth) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const float baseline = low.y + std::round(fonts.figures->Ascent);
    const float bottom = low.y + fonts.figures->FontSize;
    const bool is_known = bandwidth.gb_s > 0;
    const bool is_noisy = is_known && experiments::is_noisy(bandwidth.noise);
    const std::string number = !is_known  ? "–"
                               : is_noisy ? format::rough(bandwidth.gb_s)
                                          : format::significant(bandwidth.gb_s);
    const float icon_left =
        plots::draw_on_baseline(list, fonts.small, {low.x, baseline}, palette.muted, bandwidth.name) +
        ui.px(16);
    // The icon and five characters have fixed room, so that nothing after them moves.
    const float number_left = icon_left + 5 * digit_width(ui) - plots::text_width(fonts.figures, number);
    if (is_noisy) draw_quality_icon(ui, {number_left - ui.px(8), (low.y + bottom) / 2}, Quality::caution);
    const float number_right =
        plots::draw_on_baseline(list, fonts.figures, {number_left, baseline}, palette.text, number);
    const float right = plots::draw_on_baseline(list, fonts.small, {number_right + ui.px(4), baseline},
                                                palette.muted, "GB/s");
    ui.tooltips.offer(ui.style, low, {right, bottom}, [&] {
        const std::string text(bandwidth.tooltip);
        return is_noisy ? text + "\n\n" + noise_text(bandwidth.timed_operation, bandwidth.noise) : text;
    });
    return right + ui.px(14);
}

}  // namespace

std::string noise_limit() {
    return experiments::format::shortest(100 * experiments::noisy_above) + " %";
}

float digit_width(const Ui& ui) {
    return plots::text_width(ui.fonts().figures, "0");
}

std::string percentage_of_copy(const Throughput& throughput) {
    if (throughput.fraction_of_copy <= 0) return "–";
    return experiments::is_noisy(throughput.noise_of_fraction())
               ? format::rough(100 * throughput.fraction_of_copy)
               : format::percent(throughput.fraction_of_copy).number;
}

std::string caution_of_copy(const Throughput& throughput) {
    if (throughput.fraction_of_copy <= 0 || !experiments::is_noisy(throughput.noise_of_fraction())) return {};
    const bool copy_is_noisier = throughput.copy_noise > throughput.useful_noise;
    return noise_text(copy_is_noisier ? copy_name : compaction_name, throughput.noise_of_fraction());
}

void draw_throughput(Ui& ui, ImVec2 low, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    const Throughput& throughput = ui.snapshot.figures->a.throughput;
    const float baseline = low.y + std::round(fonts.figures->Ascent);
    const float bottom = low.y + fonts.figures->FontSize;
    const bool copy_is_timed = throughput.fraction_of_copy > 0;
    const bool is_wide = right - low.x > ui.px(400);
    float x = draw_bandwidth(
        ui, low,
        {is_wide ? "effective" : "eff.", throughput.useful_gb_s, compaction_name, throughput.useful_noise,
         "Effective bandwidth: the bytes of the stream read once plus the kept items written once, divided "
         "by the time. Every algorithm gets the same credit, however often it reads."});
    // A narrow window drops this figure; the percentage still shows the ratio.
    if (is_wide) {
        x = draw_bandwidth(
            ui, {x, low.y},
            {"copy", copy_is_timed ? throughput.copy_gb_s : 0, copy_name, throughput.copy_noise,
             "Copy bandwidth: a copy of the same memory, bytes read plus written, timed in "
             "the same run. It is hot: every frame uses the same memory, so a short stream "
             "stays in the caches. A compaction that keeps little can exceed it, as reading "
             "is faster than copying."});
    }
    const std::string caution = caution_of_copy(throughput);
    const std::string percentage = percentage_of_copy(throughput);
    // Room for four characters, the unit and an icon.
    const float percentage_width =
        4 * digit_width(ui) + ui.px(4) + plots::text_width(fonts.small, "%") + ui.px(8);
    const float bar_right = right - percentage_width - ui.px(6);
    if (bar_right - x > ui.px(24)) {
        draw_fraction(ui, {x, low.y + ui.px(4)}, {bar_right, bottom - ui.px(4)});
    }
    const float unit_left = right - plots::text_width(fonts.small, "%");
    const float number_left = unit_left - ui.px(4) - plots::text_width(fonts.figures, percentage);
    plots::draw_on_baseline(list, fonts.figures, {number_left, baseline}, palette.text, percentage);
    plots::draw_on_baseline(list, fonts.small, {unit_left, baseline}, palette.muted, "%");
    if (!caution.empty())
        draw_quality_icon(
            ui, {unit_left - ui.px(12) - plots::text_width(fonts.figures, percentage), (low.y + bottom) / 2},
            Quality::caution);
    ui.tooltips.offer(ui.style, {x, low.y}, {right, bottom}, [&] {
        const std::string text =
            copy_is_timed
                ? "Effective bandwidth in % of the bandwidth of a copy of the same memory, the dashed "
                  "line. An algorithm "
                  "that reads its input twice cannot reach it unless the second read hits a cache. Labs "
                  "define the figure in the same way; they measure cold unless you choose hot, so it is "
                  "higher there for a short stream."
                : "No copy has been timed yet.";
        return caution.empty() ? text : text + "\n\n" + caution;
    });
}

}  // namespace warpsieve::panels
