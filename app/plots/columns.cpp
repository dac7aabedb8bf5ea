#include "app/plots/columns.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::plots {
namespace {

using experiments::FrameSample;

float usable(float us) {
    return std::isfinite(us) && us > 0 ? us : 0.0F;
}

/// Orders frames that share a column: the most prominent one represents them. A frame with the times of all
/// phases is more prominent than one without; otherwise the larger total decides.
struct Prominence {
    bool has_all_phases = false;
    float total_us = 0;

    Prominence() = default;
    explicit Prominence(const FrameSample& sample) : total_us(usable(sample.total_us)) {
        if (!sample.algorithm || sample.num_phases == 0 ||
            sample.num_phases != sample.algorithm->phases.size())
            return;
        float sum_us = sample.between_us;
        for (const float us : sample.phases()) sum_us += us;
        has_all_phases = std::isfinite(sum_us);
    }
    bool operator>(const Prominence& other) const {
        return has_all_phases != other.has_all_phases ? has_all_phases : total_us > other.total_us;
    }
};

void set_frame(Column& column, const FrameSample& sample, const Prominence& prominence, SeriesSet hidden) {
    column.algorithm = sample.algorithm;
    column.total_us = prominence.total_us;
    column.stacked = prominence.has_all_phases;
    if (!column.stacked) return;
    float top_us = 0;
    for (std::size_t phase = 0; phase < sample.num_phases; ++phase) {
        if (!(hidden & phase_series(phase))) top_us += std::max(sample.phase_us[phase], 0.0F);
        column.tops_us[phase] = top_us;
    }
    if (!(hidden & between_series)) top_us += std::max(sample.between_us, 0.0F);
    column.tops_us[sample.num_phases] = top_us;
}

}  // namespace

float visible_us(const FrameSample& sample, SeriesSet hidden) {
    float us = 0;
    for (std::size_t phase = 0; phase < sample.num_phases; ++phase) {
        if (!(hidden & phase_series(phase))) us += usable(sample.phase_us[phase]);
    }
    if (sample.num_phases > 0 && !(hidden & between_series)) us += usable(sample.between_us);
    return us;
}

void reduce(const experiments::Timeline& timeline, const Window& window, std::size_t max_columns,
            Columns& out, SeriesSet hidden) {
    max_columns = std::max<std::size_t>(max_columns, 1);
    out.window = window;
    out.frames_per_column = std::max<std::size_t>((window.frames + max_columns - 1) / max_columns, 1);
    out.num_across = (window.frames + out.frames_per_column - 1) / out.frames_per_column;
    out.columns.clear();
    const std::uint64_t end = std::min(window.end, timeline.end());
    const std::uint64_t oldest = window.end - std::min<std::uint64_t>(window.end, window.frames);
    std::uint64_t ordinal = std::max(timeline.begin(), oldest);
    if (ordinal >= end) return;

    const std::uint64_t newest_group = (window.end - 1) / out.frames_per_column;
    std::uint64_t group = ordinal / out.frames_per_column;
    std::uint32_t config_epoch = timeline.at(ordinal).config_epoch;
    for (; ordinal < end; ++group) {
        Column& column = out.columns.emplace_back();
        column.num_newer = static_cast<std::size_t>(newest_group - group);
        const FrameSample* most_prominent = nullptr;
        Prominence highest;
        const std::uint64_t group_end = std::min(end, (group + 1) * out.frames_per_column);
        for (; ordinal < group_end; ++ordinal) {
            const FrameSample& sample = timeline.at(ordinal);
            const Prominence prominence(sample);
            if (!most_prominent || prominence > highest) {
                highest = prominence;
                most_prominent = &sample;
                column.ordinal = ordinal;
            }
            column.interop_us = std::max(column.interop_us, usable(sample.interop_us));
            if (sample.clock_hz > 0 && (column.clock_hz == 0 || sample.clock_hz < column.clock_hz))
                column.clock_hz = sample.clock_hz;
            column.settings_changed = column.settings_changed || sample.config_epoch != config_epoch;
            config_epoch = sample.config_epoch;
        }
        set_frame(column, *most_prominent, highest, hidden);
    }
}

}  // namespace warpsieve::plots
