#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Round values for the axes of plots, in the window and in reports.
namespace experiments::format {

/// Round numbers for an axis that starts at 0: multiples of `step`, which is 1, 2 or 5 times a power of ten.
struct Ticks {
    double step = 1;
    std::size_t count = 0;  ///< ticks at 0, step, ..., (count - 1) * step
    int decimals = 0;       ///< decimals that the labels need to differ
};

/// Two to `max_count` (2 or more) ticks on an axis from 0 to `top`. One tick at 0 if `top` is not a positive
/// number.
Ticks choose_ticks(double top, std::size_t max_count);

/// "0", "2.5", "1,500".
std::string tick_label(double value, int decimals);

/// Ticks of a logarithmic axis from `low` to `high`, rising and all within it: 1, 2 and 5 times powers of ten
/// if at most `max_count` of these fit; otherwise powers of ten, or every second or third of them. Empty
/// unless 0 < low <= high.
std::vector<double> choose_log_ticks(double low, double high, std::size_t max_count);

/// Powers of two from `low` to `high`; if more than `max_count`, only every second, fourth, ... of them.
/// `low` > 0.
std::vector<double> powers_of_two(double low, double high, std::size_t max_count);

/// Multiples of `step` from `low` to `high`, at most `max_count` of them.
std::vector<double> multiples_of(double step, double low, double high, std::size_t max_count);

}  // namespace experiments::format
