#include "app/plots/columns.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::plots {
namespace {

float usable(float us) {
    return std::isfinite(us) && us > 0 ? us : 0.0F;
}

Column column_of(const experiments::FrameSample& sample, std::size_t index) {
    Column column;
    column.sample = index;
    column.algorithm = sample.algorithm;
    column.total_us = usable(sample.total_us);
    column.interop_us = usable(sample.interop_us);
    column.stacked =
        sample.algorithm && sample.num_phases > 0 && sample.num_phases == sample.algorithm->phases.size();
    float top = 0;
    for (std::size_t phase = 0; column.stacked && phase < sample.num_phases; ++phase) {
        top += std::max(sample.phase_us[phase], 0.0F);
        column.tops_us[phase] = top;
        column.stacked = std::isfinite(sample.phase_us[phase]);
    }
    return column;
}

bool stands_out(const Column& candidate, const Column& current) {
    if (candidate.stacked != current.stacked) return candidate.stacked;
    if (candidate.total_us != current.total_us) return candidate.total_us > current.total_us;
    return candidate.stack_us() > current.stack_us();
}

}  // namespace

void reduce(const experiments::Timeline& timeline, std::size_t most, Columns& out) {
    most = std::max<std::size_t>(most, 1);
    const std::size_t group = (timeline.capacity() + most - 1) / most;
    out.frames_per_column = std::max<std::size_t>(group, 1);
    out.across = (timeline.capacity() + out.frames_per_column - 1) / out.frames_per_column;
    out.columns.clear();
    if (timeline.size() == 0) return;

    const std::size_t size = timeline.size();
    const std::uint64_t newest = std::max<std::uint64_t>(timeline[size - 1].frame, size - 1);
    const std::uint64_t newest_group = newest / out.frames_per_column;
    for (std::size_t i = 0; i < size; ++i) {
        Column column = column_of(timeline[i], i);
        const std::uint64_t frame = newest - (size - 1 - i);
        column.age = static_cast<std::size_t>(newest_group - frame / out.frames_per_column);
        if (out.columns.empty() || out.columns.back().age != column.age) {
            out.columns.push_back(column);
            continue;
        }
        Column& current = out.columns.back();
        const float interop_us = std::max(current.interop_us, column.interop_us);
        if (stands_out(column, current)) current = column;
        current.interop_us = interop_us;
    }
}

}  // namespace warpsieve::plots
