// The axis of the plot of phases: what it fits, and what lies above it.
#include <algorithm>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/plots/stacked_phases.hpp"

namespace warpsieve::plots {

float StackedPhases::drawn_us(const experiments::FrameSample& sample) const {
    const float us = hidden_ & total_series ? visible_us(sample, hidden_) : sample.total_us;
    return std::isfinite(us) ? us : 0.0F;
}

std::string StackedPhases::left_out() const {
    if (above_ == 0) return {};
    const format::Figure end = format::duration(range_.top());
    return format::grouped(above_) + (above_ == 1 ? " frame" : " frames") + " above " + end.number + " " +
           end.unit;
}

/// Medians and quartiles of a long window change little with a few frames: these are not worth another look.
bool StackedPhases::is_cached(Basis basis) const {
    constexpr std::size_t min_share = 64;
    const std::uint64_t passed = basis.end > basis_.end ? basis.end - basis_.end : basis_.end - basis.end;
    if (passed > basis.frames / min_share) return false;
    basis.end = basis_.end;
    basis.frames = basis_.frames;
    return basis == basis_;
}

void StackedPhases::follow(const PhaseSeries& series, double seconds) {
    const std::uint64_t end = std::min(series.window.end, series.timeline.end());
    const std::uint64_t begin =
        std::max(series.timeline.begin(),
                 series.window.end - std::min<std::uint64_t>(series.window.end, series.window.frames));
    const std::uint32_t epoch = end > begin ? series.timeline.at(end - 1).config_epoch : scaled_epoch_;
    if (epoch != scaled_epoch_) range_.restart();
    scaled_epoch_ = epoch;
    const Basis basis{.end = end,
                      .frames = end > begin ? static_cast<std::size_t>(end - begin) : 0,
                      .columns = columns_.across,
                      .epoch = epoch,
                      .algorithm = &series.algorithm,
                      .hidden = hidden_,
                      .fits_all = series.fits_all,
                      .logarithmic = series.logarithmic,
                      .compared_us = series.compared ? series.compared->us.q3 : 0};
    const bool serves = is_cached(basis);
    if (serves) {
        range_.ease(seconds);
        count_above(series.timeline, begin, end);
        // An axis that fits all frames has no room for a higher one.
        if (above_ == 0 || !(series.fits_all || series.logarithmic)) return;
    }
    basis_ = basis;
    recompute(series, begin, serves ? 0 : seconds);
    count_above(series.timeline, begin, end);
}

void StackedPhases::recompute(const PhaseSeries& series, std::uint64_t begin, double seconds) {
    usual_ = find_usual_times(series.algorithm);
    shown_us_.clear();
    lowest_us_.clear();
    double stack_us = 0;
    double interop_us = 0;
    const auto counts = [&](const experiments::FrameSample& sample) {
        return series.fits_all || series.logarithmic || sample.config_epoch == scaled_epoch_;
    };
    for (std::uint64_t ordinal = begin; ordinal < basis_.end; ++ordinal) {
        const experiments::FrameSample& sample = series.timeline.at(ordinal);
        if (!counts(sample)) continue;
        const std::span<const float> phases = sample.phases();
        const float total_us = drawn_us(sample);
        shown_us_.push_back(total_us);
        if (series.logarithmic) lowest_us_.push_back(phases.empty() ? sample.total_us : phases.front());
        stack_us += total_us;
        interop_us += std::isfinite(sample.interop_us) ? sample.interop_us : 0.0F;
    }
    const double usual_us = shown_us_.empty() ? 0 : stack_us / static_cast<double>(shown_us_.size());
    // The line may take up to half of the stack's height. Above that it is not drawn, and its name says so.
    // The two limits differ so that a line near them does not flicker.
    const bool fits = interop_us < (interop_ == Line::shown ? 2.4 : 2.0) * stack_us;
    interop_ = interop_us <= 0 ? Line::none : fits ? Line::shown : Line::above;
    if (interop_ == Line::shown && !(hidden_ & interop_series)) {
        std::size_t next = 0;
        for (std::uint64_t ordinal = begin; ordinal < basis_.end; ++ordinal) {
            const experiments::FrameSample& sample = series.timeline.at(ordinal);
            if (!counts(sample)) continue;
            shown_us_[next] = std::max(shown_us_[next], sample.interop_us);
            ++next;
        }
    }
    decide_on_compared(series.compared, usual_us);
    const bool all = series.logarithmic || series.fits_all;
    range_.follow(shown_us_, seconds, all ? RangeHysteresis::Fit::all : RangeHysteresis::Fit::usual,
                  compared_ == Line::shown && !(hidden_ & ghost_series) ? series.compared->us.q3 : 0);
    log_low_us_ = series.logarithmic ? calm_log_low(lowest_us_, log_low_us_) : 0;
    if (log_low_us_ >= range_.top()) log_low_us_ = 0;
}

void StackedPhases::count_above(const experiments::Timeline& timeline, std::uint64_t begin,
                                std::uint64_t end) {
    above_ = 0;
    highest_us_ = 0;
    for (std::uint64_t ordinal = begin; ordinal < end; ++ordinal) {
        const experiments::FrameSample& sample = timeline.at(ordinal);
        const bool with_interop = interop_ == Line::shown && !(hidden_ & interop_series);
        const double highest_us = std::max(drawn_us(sample), with_interop ? sample.interop_us : 0.0F);
        if (!std::isfinite(highest_us)) continue;
        highest_us_ = std::max(highest_us_, highest_us);
        if (highest_us > range_.end()) ++above_;
    }
}

/// Same rule as for map / unmap: another run's usual times are shown if they leave a third of the height to
/// the stack.
void StackedPhases::decide_on_compared(const std::optional<TotalsLine>& compared, double usual_us) {
    if (!compared) {
        compared_ = Line::none;
        return;
    }
    const double limit = compared_ == Line::shown ? 3.4 : 3.0;
    compared_ = usual_us <= 0 || compared->us.q3 < limit * usual_us ? Line::shown : Line::above;
}

}  // namespace warpsieve::plots
