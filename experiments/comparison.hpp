#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "experiments/statistics.hpp"

namespace experiments {

/// How this program compares with another one in one setting.
enum class Verdict { faster, slower, same, cannot_tell };

/// "faster", "slower", "same", "cannot tell".
std::string_view name_of(Verdict verdict);

/// The medians of one setting: one per process of the other program and of this one, all above 0.
struct ProcessMedians {
    std::vector<double> other_us;
    std::vector<double> this_us;

    /// A spread needs two processes on each side.
    bool comparable() const { return other_us.size() >= 2 && this_us.size() >= 2; }
};

struct ProcessComparison {
    Verdict verdict = Verdict::cannot_tell;
    double ratio = 1;         ///< time of this program over that of the other: geometric means of the medians
    Interval ratio_interval;  ///< 95 %, of this setting alone
    double spread = 0;        ///< root mean square of spread_of() both programs
    /// The smallest change that a comparison with so many processes, settings and such a spread finds in 80 %
    /// of cases: 0.02 for 2 %.
    double smallest_change = 0;
    /// The fewest processes of each program that would find a change as large as the allowed regression in
    /// 80 % of cases. Empty without one, and if it would take more than 1,000.
    std::optional<std::size_t> processes_needed = {};
    bool regressed = false;  ///< slower by more than the allowed regression
};

/// Compares two programs by the medians of their processes, which are the independent observations: samples
/// of one process share its memory layout and its moment. One comparison per setting, in their order;
/// settings that are not comparable() are left as they are.
///
/// Tests: Welch's t test of the logarithms of the medians, two-sided, for `faster` and `slower`. For
/// `regressed`, the setting must be `slower`, and the same test must also reject, one-sided, that this
/// program is slower by at most `max_regress` (0.03 for 3 %). Each of the two families of tests is corrected
/// for the number of settings, so that a false claim anywhere has a probability of at most 5 %. `same` needs
/// no test but takes precedence: the interval of the ratio lies between 1 / (1 + margin) and 1 + margin,
/// where the margin is `max_regress`, else 1 %.
///
/// Source: Welch (1947), Biometrika 34; Satterthwaite (1946), Biometrics Bulletin 2; Holm (1979),
/// Scandinavian Journal of Statistics 6.
std::vector<ProcessComparison> compare_processes(std::span<const ProcessMedians> settings,
                                                 std::optional<double> max_regress = {});

/// Standard deviation of the logarithms of at least two medians: 0.01 if processes differ by 1 %.
double spread_of(std::span<const double> medians);

/// The p-values after Holm's correction: a value of at most 5 % rejects its hypothesis, with a probability of
/// at most 5 % that any true hypothesis is rejected.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace experiments
