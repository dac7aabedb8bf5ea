#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpsieve::plots {

/// Round ticks of an axis that starts at 0: multiples of `step`, which is 1, 2 or 5 times a power of ten.
struct Ticks {
    double step = 1;
    std::size_t count = 0;  ///< ticks at 0, step, ..., (count - 1) * step
    int decimals = 0;       ///< needed to tell the labels apart
};

/// Two ticks to `most` (2 or more) on an axis from 0 to `top`. One tick at 0 where `top` is not a positive
/// number.
Ticks choose_ticks(double top, std::size_t most);

/// "0", "2.5", "1,500".
std::string tick_label(double value, int decimals);

/// Ticks of a logarithmic axis from `low` to `high`, rising and all within it: 1, 2 and 5 times powers of ten
/// where at most `most` of these fit, else powers of ten, or every second or third of them. Empty unless
/// 0 < low <= high.
std::vector<double> choose_log_ticks(double low, double high, std::size_t most);

/// The upper end of a live axis, which stays calm while the data varies.
///
/// With Fit::usual it follows the 97th percentile rather than the maximum, so that one late frame does not
/// flatten the others; values above the end are counted. It eases to a new end, and shrinks only when the
/// data has become clearly smaller.
class CalmRange {
  public:
    /// The values that must fit; a logarithmic axis has room for all.
    enum class Fit : std::uint8_t { usual, all };

    /// values: the values on the axis, in any order; skips those that are not finite. `seconds`: since the
    /// last call.
    void follow(std::span<const float> values, double seconds, Fit fit = Fit::usual);

    double top() const { return top_; }
    /// The number of values above the end.
    std::size_t spikes() const { return spikes_; }
    double largest() const { return largest_; }

  private:
    std::vector<float> sorted_;
    double top_ = 0;
    double target_ = 0;
    double largest_ = 0;
    std::size_t spikes_ = 0;
};

/// The lower end of a live logarithmic axis: a power of ten at or below the 3rd percentile of the positive
/// values; moves up only when the data has clearly left it. `last`: the previous end, 0 at first. Reorders
/// `values`. 0 if none is positive and finite.
double calm_log_low(std::span<float> values, double last);

/// Moves rising positions apart until neighbours are `gap` apart and all lie in [low, high], each as near as
/// possible to its old position. Spreads them evenly if there is no room.
void spread(std::span<float> positions, float gap, float low, float high);

/// The position nearest to `wanted` in [low, high] that is `gap` away from `other`. If neither side has room,
/// the end of the larger side.
float keep_apart(float wanted, float other, float gap, float low, float high);

}  // namespace warpsieve::plots
