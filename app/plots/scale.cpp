#include "app/plots/scale.hpp"
#include "app/format/figures.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/ticks.hpp"

namespace warpsieve::plots {
namespace {

/// The fewest digits that give the value: "0.05", "2", "1,500".
std::string shortest(double value) {
    const double magnitude = std::abs(value);
    if (magnitude >= 1000) return format::grouped(static_cast<std::uint64_t>(std::llround(value)));
    return experiments::format::shortest(value);
}

struct Prefix {
    const char* name;
    double factor;
};

/// "k", "M", "G": the prefix of a rate.
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

/// `largest`: of the axis, whose unit a linear axis writes throughout.
std::string tick_text(Counts counts, double value, double largest, bool logarithmic, bool last) {
    const double writes_unit_of = logarithmic ? value : largest;
    switch (counts) {
        case Counts::number:
            return shortest(value);
        case Counts::items:
            return items_text(value);
        case Counts::time_us: {
            const format::TimeUnit unit = format::time_unit(writes_unit_of);
            return shortest(value * unit.per_us) +
                   (logarithmic || last ? std::string(" ") + unit.name : std::string());
        }
        case Counts::share:
            return shortest(value * 100) + " %";
        case Counts::per_second: {
            const Prefix prefix = prefix_of(writes_unit_of);
            return shortest(value * prefix.factor) + (value > 0 ? std::string(" ") + prefix.name : "");
        }
        case Counts::gb_s:
            return shortest(value);
    }
    return {};
}

/// Multiples of a power of two or of a round number within a linear scale.
std::vector<double> multiples(const Scale& scale, Counts counts, std::size_t most) {
    const double span = scale.high - scale.low;
    double step = experiments::format::choose_ticks(span, most).step;
    if (counts == Counts::items) {
        step = std::exp2(std::ceil(std::log2(std::max(span / static_cast<double>(most), 1.0))));
    }
    return experiments::format::multiples_of(step, scale.low, scale.high, most);
}

}  // namespace

format::Figure figure_of(Counts counts, double value) {
    switch (counts) {
        case Counts::number:
            return {std::isfinite(value) ? shortest(value) : "–", ""};
        case Counts::items:
            if (!std::isfinite(value) || value < 0) return {"–", ""};
            return {format::slot_count(static_cast<std::uint64_t>(std::llround(value))), ""};
        case Counts::time_us:
            return format::duration(value);
        case Counts::share:
            return format::percent(value);
        case Counts::per_second: {
            const Prefix prefix = prefix_of(value);
            return {format::significant(value * prefix.factor), std::string(prefix.name) + "/s"};
        }
        case Counts::gb_s:
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
    constexpr double air = 0.06;  // of the axis, at an end where data may lie
    Scale scale{range.low, range.high, logarithmic, start, end};
    if (range.empty) scale.low = scale.high = 1;
    if (logarithmic) {
        // A range below a factor of two would exaggerate noise.
        const double widen = std::max(1.0, std::sqrt(2.0 / (scale.high / scale.low)));
        scale.low /= widen;
        scale.high *= widen;
        const double more = std::pow(scale.high / scale.low, air);
        scale.low /= more;
        scale.high *= more;
        return scale;
    }
    if (from_zero && scale.low >= 0) scale.low = 0;
    if (scale.high <= scale.low) {
        const double half = scale.low == 0 ? 0.5 : std::abs(scale.low) / 2;
        scale.high += half;
        if (!from_zero || scale.low < 0) scale.low -= half;
    }
    const double more = air * (scale.high - scale.low);
    if (scale.low != 0) scale.low -= more;
    scale.high += more;
    return scale;
}

std::vector<Tick> ticks_of(const Scale& scale, Counts counts, std::size_t most) {
    most = std::max<std::size_t>(most, 2);
    std::vector<double> values;
    if (!scale.logarithmic) {
        values = multiples(scale, counts, most);
    } else {
        values = counts == Counts::items ? experiments::format::powers_of_two(scale.low, scale.high, most)
                                         : experiments::format::choose_log_ticks(scale.low, scale.high, most);
        // A small range may not contain two powers.
        if (values.size() < 2) values = multiples(scale, counts, most);
    }
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ticks.push_back(
            {values[i], tick_text(counts, values[i], scale.high, scale.logarithmic, i + 1 == values.size())});
    }
    return ticks;
}

std::vector<std::size_t> thin_out(const std::vector<float>& x, const std::vector<float>& y, float column) {
    std::vector<std::size_t> kept;
    for (std::size_t begin = 0; begin < x.size();) {
        std::size_t end = begin + 1;
        while (end < x.size() && x[end] - x[begin] < column) ++end;
        const auto by_height = [&](std::size_t a, std::size_t b) { return y[a] < y[b]; };
        std::array<std::size_t, 4> stand{begin, begin, begin, end - 1};
        for (std::size_t i = begin; i < end; ++i) {
            if (by_height(i, stand[1])) stand[1] = i;
            if (by_height(stand[2], i)) stand[2] = i;
        }
        std::ranges::sort(stand);
        for (const std::size_t i : stand) {
            if (kept.empty() || kept.back() != i) kept.push_back(i);
        }
        begin = end;
    }
    return kept;
}

}  // namespace warpsieve::plots
