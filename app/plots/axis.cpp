#include "app/plots/axis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/ticks.hpp"

namespace warpsieve::plots {
namespace {

/// The value with as few digits as possible: "0.05", "2", "1,500".
std::string shortest(double value) {
    const double magnitude = std::abs(value);
    if (magnitude >= 1000) return format::grouped(static_cast<std::uint64_t>(std::llround(value)));
    return experiments::format::shortest(value);
}

struct Prefix {
    const char* name;
    double factor;
};

/// The unit prefix of a rate: "k", "M", "G".
Prefix prefix_of(double value) {
    if (value >= 999.5e6) return {"G", 1e-9};
    if (value >= 999.5e3) return {"M", 1e-6};
    if (value >= 999.5) return {"k", 1e-3};
    return {"", 1};
}

std::string items_text(double value) {
    const auto items = static_cast<std::uint64_t>(std::llround(std::max(value, 0.0)));
    if (items >= 1024 && std::has_single_bit(items))
        return format::with_powers(experiments::format::count_text(items));
    constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
    constexpr std::uint64_t kibi = std::uint64_t{1} << 10;
    if (items >= mebi && items % mebi == 0) return format::grouped(items / mebi) + " Mi";
    if (items >= kibi && items % kibi == 0) return format::grouped(items / kibi) + " Ki";
    return format::grouped(items);
}

/// The label of a tick. All labels of a linear axis are in the unit that suits `axis_max`; those of times
/// name it only on the last tick.
std::string tick_text(AxisQuantity quantity, double value, double axis_max, bool logarithmic, bool is_last) {
    const double unit_value = logarithmic ? value : axis_max;
    switch (quantity) {
        case AxisQuantity::number:
            return shortest(value);
        case AxisQuantity::items:
            return items_text(value);
        case AxisQuantity::time_us: {
            const format::TimeUnit unit = format::time_unit(unit_value);
            return shortest(value * unit.per_us) +
                   (logarithmic || is_last ? std::string(" ") + unit.name : std::string());
        }
        case AxisQuantity::share:
            return shortest(value * 100) + " %";
        case AxisQuantity::per_second: {
            const Prefix prefix = prefix_of(unit_value);
            return shortest(value * prefix.factor) + (value > 0 ? std::string(" ") + prefix.name : "");
        }
        case AxisQuantity::gb_s:
            return shortest(value);
    }
    return {};
}

/// Multiples of a power of two or of a round number within a linear scale.
std::vector<double> multiples(const Scale& scale, AxisQuantity quantity, std::size_t max_ticks) {
    const double span = scale.high - scale.low;
    double step = experiments::format::choose_ticks(span, max_ticks).step;
    if (quantity == AxisQuantity::items) {
        step = std::exp2(std::ceil(std::log2(std::max(span / static_cast<double>(max_ticks), 1.0))));
    }
    return experiments::format::multiples_of(step, scale.low, scale.high, max_ticks);
}

/// The smallest round number that is not less than `value`.
double round_up(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (factor * power >= value) return factor * power;
    }
    return 10 * power;
}

}  // namespace

format::Figure figure_of(AxisQuantity quantity, double value) {
    switch (quantity) {
        case AxisQuantity::number:
            return {std::isfinite(value) ? shortest(value) : "–", ""};
        case AxisQuantity::items:
            if (!std::isfinite(value) || value < 0) return {"–", ""};
            return {format::slot_count_text(static_cast<std::uint64_t>(std::llround(value))), ""};
        case AxisQuantity::time_us:
            return format::duration(value);
        case AxisQuantity::share:
            return format::percent(value);
        case AxisQuantity::per_second: {
            const Prefix prefix = prefix_of(value);
            return {format::significant(value * prefix.factor), std::string(prefix.name) + "/s"};
        }
        case AxisQuantity::gb_s:
            return {format::significant(value), "GB/s"};
    }
    return {};
}

float Scale::at(double value) const {
    const double share =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return start + static_cast<float>(share) * (end - start);
}

double Scale::value_at(float pixel) const {
    const double share = static_cast<double>((pixel - start) / (end - start));
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

Scale make_scale(const Range& range, bool logarithmic, bool from_zero, float start, float end) {
    constexpr double margin = 0.06;  // share of the axis
    Scale scale{range.low, range.high, logarithmic, start, end};
    if (range.empty) scale.low = scale.high = 1;
    if (logarithmic) {
        // A range below a factor of two would exaggerate noise.
        const double factor = std::max(1.0, std::sqrt(2.0 / (scale.high / scale.low)));
        scale.low /= factor;
        scale.high *= factor;
        const double margin_factor = std::pow(scale.high / scale.low, margin);
        scale.low /= margin_factor;
        scale.high *= margin_factor;
        return scale;
    }
    if (from_zero && scale.low >= 0) scale.low = 0;
    if (scale.high <= scale.low) {
        const double half = scale.low == 0 ? 0.5 : std::abs(scale.low) / 2;
        scale.high += half;
        if (!from_zero || scale.low < 0) scale.low -= half;
    }
    const double added = margin * (scale.high - scale.low);
    if (scale.low != 0) scale.low -= added;
    scale.high += added;
    return scale;
}

std::vector<Tick> ticks_of(const Scale& scale, AxisQuantity quantity, std::size_t max_ticks) {
    max_ticks = std::max<std::size_t>(max_ticks, 2);
    std::vector<double> values;
    if (!scale.logarithmic) {
        values = multiples(scale, quantity, max_ticks);
    } else {
        values = quantity == AxisQuantity::items
                     ? experiments::format::powers_of_two(scale.low, scale.high, max_ticks)
                     : experiments::format::choose_log_ticks(scale.low, scale.high, max_ticks);
        // A small range may not contain two powers.
        if (values.size() < 2) values = multiples(scale, quantity, max_ticks);
    }
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_last = i + 1 == values.size();
        ticks.push_back({values[i], tick_text(quantity, values[i], scale.high, scale.logarithmic, is_last)});
    }
    return ticks;
}

std::vector<std::size_t> thin_out(const std::vector<float>& x, const std::vector<float>& y,
                                  float column_width) {
    std::vector<std::size_t> selected;
    for (std::size_t begin = 0; begin < x.size();) {
        std::size_t end = begin + 1;
        while (end < x.size() && x[end] - x[begin] < column_width) ++end;
        std::size_t smallest = begin;
        std::size_t largest = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (y[i] < y[smallest]) smallest = i;
            if (y[largest] < y[i]) largest = i;
        }
        std::array extremes{begin, smallest, largest, end - 1};
        std::ranges::sort(extremes);
        for (const std::size_t i : extremes) {
            if (selected.empty() || selected.back() != i) selected.push_back(i);
        }
        begin = end;
    }
    return selected;
}

void RangeHysteresis::update(std::span<const float> values, double seconds, Fit fit, double shown) {
    finite_values_.clear();
    std::ranges::copy_if(values, std::back_inserter(finite_values_),
                         [](float value) { return std::isfinite(value); });
    spikes_ = 0;
    if (finite_values_.empty()) {
        largest_ = 0;
        return;
    }
    // Moves a quartile to its index and returns the index. `begin`: index of a lower quartile, or 0.
    const auto partition_at_quartile = [&](std::size_t begin, std::size_t quarters) {
        const std::size_t index = (finite_values_.size() - 1) * quarters / 4;
        const auto nth = finite_values_.begin() + static_cast<std::ptrdiff_t>(index);
        std::nth_element(finite_values_.begin() + static_cast<std::ptrdiff_t>(begin), nth,
                         finite_values_.end());
        return index;
    };
    const std::size_t first = partition_at_quartile(0, 1);
    const std::size_t third = partition_at_quartile(first, 3);
    const double q1 = finite_values_[first];
    const double q3 = finite_values_[third];
    const double fence = std::max(1.3 * q3, q3 + 3 * (q3 - q1));
    largest_ = std::ranges::max(finite_values_);
    // A maximum near the other values is not a spike, so the axis shows it too.
    const bool fits_all = fit == Fit::all || largest_ <= std::max(fence, 1.5 * q3);
    const double wanted = round_up(std::max(fits_all ? 1.08 * largest_ : fence, 1.08 * shown));
    if (wanted > target_ || wanted < 0.7 * target_) target_ = wanted;
    if (current_end_ <= 0) current_end_ = target_;
    ease(seconds);
    const auto is_above = [this](float value) { return value > largest_end(); };
    spikes_ = static_cast<std::size_t>(std::ranges::count_if(finite_values_, is_above));
}

void RangeHysteresis::ease(double seconds) {
    constexpr double easing_s = 0.18;
    current_end_ += (target_ - current_end_) * (1 - std::exp(-std::max(seconds, 0.0) / easing_s));
    if (std::abs(current_end_ - target_) < 0.003 * target_) current_end_ = target_;
}

double log_low_with_hysteresis(std::span<float> values, double last) {
    const auto end = std::partition(values.begin(), values.end(),
                                    [](float value) { return std::isfinite(value) && value > 0; });
    if (end == values.begin()) return 0;
    const auto percentile = values.begin() + (end - values.begin()) * 3 / 100;
    std::nth_element(values.begin(), percentile, end);
    const double low = *percentile;
    const double wanted = std::pow(10.0, std::floor(std::log10(low) + 1e-6));
    const bool last_is_far_below = low > 13 * last;
    return last <= 0 || wanted < last || last_is_far_below ? wanted : last;
}

void spread_apart(std::span<float> positions, float gap, float low, float high) {
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

float position_apart(float wanted, float other, float gap, float low, float high) {
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
