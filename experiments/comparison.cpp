#include "experiments/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace experiments {
namespace {

constexpr double error_rate = 0.05;  ///< probability of a false claim
constexpr double power = 0.8;        ///< probability to find the smallest change
constexpr std::size_t max_processes = 1000;

/// Mean and variance of the logarithms of one program's medians.
struct Side {
    double mean = 0;
    double variance = 0;
    std::size_t n = 0;

    explicit Side(std::span<const double> medians) : n(medians.size()) {
        for (const double median : medians) mean += std::log(median) / static_cast<double>(n);
        for (const double median : medians) variance += std::pow(std::log(median) - mean, 2);
        variance /= static_cast<double>(n - 1);
    }
};

/// The difference of two means: its standard error, and the degrees of freedom of its t distribution.
struct Difference {
    double value = 0;
    double error = 0;
    double degrees = 0;

    Difference(const Side& other, const Side& ours, std::size_t other_n, std::size_t our_n)
        : value(ours.mean - other.mean) {
        const double other_square = other.variance / static_cast<double>(other_n);
        const double our_square = ours.variance / static_cast<double>(our_n);
        const double square = other_square + our_square;
        error = std::sqrt(square);
        degrees = square > 0 ? square * square /
                                   (other_square * other_square / static_cast<double>(other_n - 1) +
                                    our_square * our_square / static_cast<double>(our_n - 1))
                             : static_cast<double>(other_n + our_n - 2);
    }

    /// The t statistic of the hypothesis that the true difference is `shift`.
    double t(double shift = 0) const {
        const double distance = value - shift;
        return distance == 0 ? 0 : distance / error;
    }

    /// The difference that a two-sided test finds with probability `power`. The first step of Holm's
    /// correction over `num_settings` decides.
    double smallest_found(std::size_t num_settings) const {
        const double tail = error_rate / 2 / static_cast<double>(num_settings);
        return error * (student_t_quantile(tail, degrees) + student_t_quantile(1 - power, degrees));
    }
};

/// One setting that can be compared.
struct Tested {
    Side other;
    Side ours;
    Difference difference;

    explicit Tested(const ProcessMedians& medians)
        : other(medians.other_us), ours(medians.this_us), difference(other, ours, other.n, ours.n) {}

    std::optional<std::size_t> processes_for(double change, std::size_t num_settings) const {
        const auto finds = [&](std::size_t n) {
            return Difference(other, ours, n, n).smallest_found(num_settings) <= std::log1p(change);
        };
        if (change <= 0 || !finds(max_processes)) return std::nullopt;
        std::size_t too_few = 1;
        std::size_t enough = max_processes;
        while (enough - too_few > 1) {
            const std::size_t middle = (too_few + enough) / 2;
            (finds(middle) ? enough : too_few) = middle;
        }
        return enough;
    }
};

ProcessComparison judge(const Tested& tested, double p_of_difference, double p_of_excess,
                        std::optional<double> max_regress, std::size_t num_settings) {
    const Difference& difference = tested.difference;
    const double margin = student_t_quantile(error_rate / 2, difference.degrees) * difference.error;
    ProcessComparison result;
    result.ratio = std::exp(difference.value);
    result.ratio_interval = {std::exp(difference.value - margin), std::exp(difference.value + margin),
                             1 - error_rate};
    result.spread = std::sqrt((tested.other.variance + tested.ours.variance) / 2);
    result.smallest_change = std::expm1(difference.smallest_found(num_settings));
    if (max_regress) result.processes_needed = tested.processes_for(*max_regress, num_settings);
    const double allowed = 1 + max_regress.value_or(same_within);
    if (result.ratio_interval.low >= 1 / allowed && result.ratio_interval.high <= allowed) {
        result.verdict = Verdict::same;
    } else if (p_of_difference <= error_rate) {
        result.verdict = difference.value > 0 ? Verdict::slower : Verdict::faster;
    }
    result.regressed = max_regress && result.verdict == Verdict::slower && p_of_excess <= error_rate;
    return result;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::faster:
            return "faster";
        case Verdict::slower:
            return "slower";
        case Verdict::same:
            return "same";
        case Verdict::cannot_tell:
            break;
    }
    return "cannot tell";
}

double spread_of(std::span<const double> medians) {
    return std::sqrt(Side(medians).variance);
}

std::vector<double> holm(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
    std::vector<double> corrected(p_values.size());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const auto hypotheses_left = static_cast<double>(order.size() - rank);
        largest = std::max(largest, std::min(1.0, hypotheses_left * p_values[order[rank]]));
        corrected[order[rank]] = largest;
    }
    return corrected;
}

std::vector<ProcessComparison> compare_processes(std::span<const ProcessMedians> settings,
                                                 std::optional<double> max_regress) {
    std::vector<Tested> tested;
    for (const ProcessMedians& medians : settings) {
        if (medians.comparable()) tested.emplace_back(medians);
    }
    std::vector<double> p_of_difference;
    std::vector<double> p_of_excess;
    const double shift = std::log1p(max_regress.value_or(0));
    for (const Tested& each : tested) {
        const Difference& difference = each.difference;
        p_of_difference.push_back(2 * student_t_above(std::abs(difference.t()), difference.degrees));
        p_of_excess.push_back(student_t_above(difference.t(shift), difference.degrees));
    }
    p_of_difference = holm(p_of_difference);
    p_of_excess = holm(p_of_excess);
    std::vector<ProcessComparison> comparisons(settings.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (!settings[i].comparable()) continue;
        comparisons[i] =
            judge(tested[next], p_of_difference[next], p_of_excess[next], max_regress, tested.size());
        ++next;
    }
    return comparisons;
}

}  // namespace experiments
