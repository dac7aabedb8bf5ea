#include "app/plots/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/format/figures.hpp"

namespace warpsieve::plots {

Ticks choose_ticks(double top, std::size_t most) {
    if (!std::isfinite(top) || top <= 0) return {1, 1, 0};
    const double rough = top / static_cast<double>(std::max<std::size_t>(most, 2) - 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    }
    // A single label at 0 does not show the scale.
    if (step > top * (1 + 1e-9)) {
        const double top_power = std::pow(10.0, std::floor(std::log10(top) + 1e-9));
        step = std::clamp(std::floor(top / top_power + 1e-9), 1.0, 5.0) * top_power;
    }
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    return {step, static_cast<std::size_t>(std::floor(top / step + 1e-9)) + 1, decimals};
}

std::string tick_label(double value, int decimals) {
    if (decimals == 0) return grouped(static_cast<std::uint64_t>(std::llround(std::max(value, 0.0))));
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::vector<double> choose_log_ticks(double low, double high, std::size_t most) {
    if (!std::isfinite(low) || !std::isfinite(high) || low <= 0 || high < low) return {};
    most = std::max<std::size_t>(most, 1);
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    constexpr double slack = 1e-9;
    std::vector<double> ticks;
    const auto fits = [&](std::span<const double> factors, int stride) {
        ticks.clear();
        for (int exponent = first; exponent <= last; ++exponent) {
            if (exponent % stride != 0) continue;
            for (const double factor : factors) {
                const double value = factor * std::pow(10.0, exponent);
                if (value >= low * (1 - slack) && value <= high * (1 + slack)) ticks.push_back(value);
            }
        }
        return ticks.size() <= most;
    };
    constexpr std::array<double, 3> fine{1, 2, 5};
    if (fits(fine, 1)) return ticks;
    for (int stride = 1; !fits(std::span(fine).first(1), stride); ++stride) {
    }
    return ticks;
}

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

void CalmRange::follow(std::span<const float> values, double seconds, Fit fit) {
    sorted_.clear();
    std::ranges::copy_if(values, std::back_inserter(sorted_),
                         [](float value) { return std::isfinite(value); });
    spikes_ = 0;
    if (sorted_.empty()) {
        largest_ = 0;
        return;
    }
    const auto common = sorted_.begin() + static_cast<std::ptrdiff_t>((sorted_.size() - 1) * 97 / 100);
    std::ranges::nth_element(sorted_, common);
    const double usual = *common;
    largest_ = *std::max_element(common, sorted_.end());
    // A maximum near the other values is not a spike: the axis shows the whole range.
    const bool whole = fit == Fit::all || largest_ <= 1.5 * usual;
    const double wanted = nice_end(whole ? 1.08 * largest_ : 1.3 * usual);
    if (wanted > target_ || wanted < 0.7 * target_) target_ = wanted;

    constexpr double easing_s = 0.18;
    if (top_ <= 0) top_ = target_;
    top_ += (target_ - top_) * (1 - std::exp(-std::max(seconds, 0.0) / easing_s));
    if (std::abs(top_ - target_) < 0.003 * target_) top_ = target_;
    spikes_ = static_cast<std::size_t>(
        std::ranges::count_if(sorted_, [this](float value) { return value > std::max(top_, target_); }));
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
