#include "app/plots/axis.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::plots {

namespace {

/// Round ends: a live axis moves between these.
double nice_end(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (factor * power >= value) return factor * power;
    }
    return 10 * power;
}

}  // namespace

void RangeHysteresis::follow(std::span<const float> values, double seconds, Fit fit, double shown) {
    sorted_.clear();
    std::ranges::copy_if(values, std::back_inserter(sorted_),
                         [](float value) { return std::isfinite(value); });
    spikes_ = 0;
    if (sorted_.empty()) {
        largest_ = 0;
        return;
    }
    // Each looks only at the values above the last.
    const auto quartile = [&](std::size_t before, std::size_t quarters) {
        const std::size_t at = (sorted_.size() - 1) * quarters / 4;
        const auto place = sorted_.begin() + static_cast<std::ptrdiff_t>(at);
        std::nth_element(sorted_.begin() + static_cast<std::ptrdiff_t>(before), place, sorted_.end());
        return at;
    };
    const std::size_t first = quartile(0, 1);
    const std::size_t third = quartile(first, 3);
    const std::span<const float> upper = std::span<const float>(sorted_).subspan(third);
    const double q1 = sorted_[first];
    const double q3 = upper.front();
    const double fence = std::max(1.3 * q3, q3 + 3 * (q3 - q1));
    largest_ = std::ranges::max(upper);
    // A maximum near the other values is not a spike: the axis shows the whole range.
    const bool whole = fit == Fit::all || largest_ <= std::max(fence, 1.5 * q3);
    const double wanted = nice_end(std::max(whole ? 1.08 * largest_ : fence, 1.08 * shown));
    if (wanted > target_ || wanted < 0.7 * target_) target_ = wanted;
    if (top_ <= 0) top_ = target_;
    ease(seconds);
    const auto is_above = [this](float value) { return value > end(); };
    spikes_ = static_cast<std::size_t>(std::ranges::count_if(end() < q3 ? sorted_ : upper, is_above));
}

void RangeHysteresis::ease(double seconds) {
    constexpr double easing_s = 0.18;
    top_ += (target_ - top_) * (1 - std::exp(-std::max(seconds, 0.0) / easing_s));
    if (std::abs(top_ - target_) < 0.003 * target_) top_ = target_;
}

double calm_log_low(std::span<float> values, double last) {
    const auto end = std::partition(values.begin(), values.end(),
                                    [](float value) { return std::isfinite(value) && value > 0; });
    if (end == values.begin()) return 0;
    const auto low = values.begin() + (end - values.begin()) * 3 / 100;
    std::nth_element(values.begin(), low, end);
    const double wanted = std::pow(10.0, std::floor(std::log10(static_cast<double>(*low)) + 1e-6));
    const bool left_behind = static_cast<double>(*low) > 13 * last;
    return last <= 0 || wanted < last || left_behind ? wanted : last;
}

void spread(std::span<float> positions, float gap, float low, float high) {
    if (positions.empty()) return;
    const auto intervals = static_cast<float>(positions.size() - 1);
    gap = intervals > 0 ? std::min(gap, (high - low) / intervals) : gap;
    positions[0] = std::max(positions[0], low);
    for (std::size_t i = 1; i < positions.size(); ++i) {
        positions[i] = std::max(positions[i], positions[i - 1] + gap);
    }
    // A position past the end pushes its neighbours back.
    float limit = high;
    for (std::size_t i = positions.size(); i-- > 0; limit -= gap)
        positions[i] = std::min(positions[i], limit);
}

float keep_apart(float wanted, float other, float gap, float low, float high) {
    wanted = std::clamp(wanted, low, std::max(low, high));
    if (std::abs(wanted - other) >= gap) return wanted;
    const float before = other - gap;
    const float after = other + gap;
    const bool room_before = before >= low;
    const bool room_after = after <= high;
    if (room_before && room_after) return wanted < other ? before : after;
    if (room_before || room_after) return room_before ? before : after;
    return other - low > high - other ? low : high;
}

}  // namespace warpsieve::plots
