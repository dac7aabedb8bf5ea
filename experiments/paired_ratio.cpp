#include "experiments/paired_ratio.hpp"

#include <cmath>
#include <random>

#include "experiments/format/numbers.hpp"
#include "workloads/stream_function.hpp"

namespace experiments {
namespace {

constexpr int digits = 3;
constexpr std::uint64_t order_seed = 1;

Comparison comparison_of(const Interval& interval) {
    if (interval.low >= 1 / (1 + same_within) && interval.high <= 1 + same_within) return Comparison::same;
    if (interval.low > 1) return Comparison::b_faster;
    if (interval.high < 1) return Comparison::a_faster;
    return Comparison::ambiguous;
}

void scale(Summary& summary, double factor) {
    for (double Summary::*const time : {&Summary::median, &Summary::q1, &Summary::q3, &Summary::min,
                                        &Summary::max, &Summary::mean, &Summary::mean_error})
        summary.*time *= factor;
}

}  // namespace

bool runs_in_reverse(std::uint64_t round) {
    return (workloads::random_bits(order_seed, round / 2) ^ round) % 2 == 1;
}

std::uint64_t random_first_round() {
    return std::uint64_t{2} * std::random_device{}();
}

std::vector<Pair> pairs_of(std::span<const RoundTime> a, std::span<const RoundTime> b) {
    std::vector<Pair> pairs;
    // The nearest round without a partner.
    const RoundTime* later_a = nullptr;
    const RoundTime* later_b = nullptr;
    // Walks both series backwards; either may lack a round.
    for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0 && pairs.size() < max_pairs;) {
        const RoundTime& of_a = a[i - 1];
        const RoundTime& of_b = b[j - 1];
        if (of_a.round >= of_b.round) --i;
        if (of_b.round >= of_a.round) --j;
        if (of_a.round != of_b.round) continue;
        if (later_a && runs_in_reverse(later_a->round) != runs_in_reverse(of_a.round)) {
            pairs.push_back({(of_a.us + later_a->us) / 2, (of_b.us + later_b->us) / 2});
            later_a = nullptr;
        } else {
            later_a = &of_a;
            later_b = &of_b;
        }
    }
    return pairs;
}

Summary summarise_pairs(std::span<const RoundTime> times) {
    std::vector<float> means;
    for (const Pair& pair : pairs_of(times, times)) means.push_back(pair.a_us);
    Summary summary = summarise(means);
    summary.n *= 2;
    return summary;
}

PairedRatio compare_pairs(std::span<const Pair> pairs) {
    std::vector<float> ratios;
    ratios.reserve(pairs.size());
    for (const Pair& pair : pairs) {
        const bool timed =
            std::isfinite(pair.a_us) && std::isfinite(pair.b_us) && pair.a_us > 0 && pair.b_us > 0;
        if (timed) ratios.push_back(pair.a_us / pair.b_us);
    }
    PairedRatio ratio;
    ratio.pairs = ratios.size();
    if (ratio.pairs < min_pairs) return ratio;
    ratio.median = summarise(ratios).median;
    ratio.interval = median_interval(ratios);
    ratio.comparison = comparison_of(ratio.interval);
    return ratio;
}

void apply_ratio(const PairedRatio& ratio, Summary& a_us, Summary& b_us) {
    if (!ratio.known() || a_us.median <= 0 || b_us.median <= 0) return;
    if (b_us.median < a_us.median)
        scale(a_us, ratio.median * b_us.median / a_us.median);
    else
        scale(b_us, a_us.median / ratio.median / b_us.median);
}

std::string verdict_of(const PairedRatio& ratio) {
    switch (ratio.comparison) {
        case Comparison::warming_up:
            return "warming up: " + std::to_string(ratio.pairs) + " of " + std::to_string(min_pairs) +
                   " pairs";
        case Comparison::a_faster:
            return "A " + format::significant(1 / ratio.median, digits) + "× faster";
        case Comparison::b_faster:
            return "B " + format::significant(ratio.median, digits) + "× faster";
        case Comparison::same:
            return "same within 1 %";
        case Comparison::ambiguous:
            return "no significant difference";
    }
    return {};
}

std::string interval_of(const PairedRatio& ratio) {
    if (!ratio.known()) return {};
    const Interval& of_a = ratio.interval;
    const Interval shown = ratio.comparison == Comparison::a_faster
                               ? Interval{1 / of_a.high, 1 / of_a.low, of_a.coverage}
                               : of_a;
    return "[" + format::significant(shown.low, digits) + ", " + format::significant(shown.high, digits) +
           "]";
}

}  // namespace experiments
