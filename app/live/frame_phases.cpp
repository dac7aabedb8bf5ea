#include "app/live/frame_phases.hpp"

#include <algorithm>
#include <numeric>

namespace warpsieve {

void FramePhases::add(const compaction::RunTiming& timing, std::size_t num_phases) {
    if (timing.num_phases != num_phases) {
        ++untimed_;
        return;
    }
    ++timed_;
    if (timing.gaps_known) ++with_gaps_;
    for (std::size_t phase = 0; phase < num_phases; ++phase) {
        phase_us_[phase] += static_cast<double>(timing.phase_us[phase]);
        hidden_us_[phase] += static_cast<double>(timing.hidden_us[phase]);
        gap_us_[phase] += static_cast<double>(timing.gap_us[phase]);
    }
}

void FramePhases::share_out(experiments::FrameSample& sample) const {
    const std::size_t num_phases = sample.algorithm->phases.size();
    if (timed_ == 0) {
        if (untimed_ == 0 || num_phases != 1) return;
        sample.num_phases = 1;
        sample.phase_us[0] = sample.total_us;
        return;
    }
    const auto total_us = static_cast<double>(sample.total_us);
    const double sum_us =
        std::accumulate(phase_us_.begin(), phase_us_.end(), 0.0) / static_cast<double>(timed_);
    const double fit = sum_us > total_us ? total_us / sum_us : 1;
    const double scale = fit / static_cast<double>(timed_);
    sample.num_phases = num_phases;
    sample.gaps_known = with_gaps_ > 0;
    sample.between_us = static_cast<float>(std::max(total_us - sum_us, 0.0));
    for (std::size_t phase = 0; phase < num_phases; ++phase) {
        sample.phase_us[phase] = static_cast<float>(phase_us_[phase] * scale);
        sample.hidden_us[phase] = static_cast<float>(hidden_us_[phase] * scale);
        if (with_gaps_ > 0)
            sample.gap_us[phase] = static_cast<float>(gap_us_[phase] * fit / static_cast<double>(with_gaps_));
    }
}

}  // namespace warpsieve
