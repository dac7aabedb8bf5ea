#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpsieve::plots {

/// The upper end of a live axis: calm to look at while the data wobbles.
///
/// Where the axis has to fit `usual` values, it ends at the upper outer fence of Tukey, three interquartile
/// ranges above the third quartile, so late frames do not flatten all others; values above the end are
/// counted, for the plot to say so. It eases to a new end instead of jumping, and comes down only when the
/// data has become clearly smaller.
class RangeHysteresis {
  public:
    /// The values that must fit; a logarithmic axis has room for all.
    enum class Fit : std::uint8_t { usual, all };

    /// values: the values on the axis, in any order; skips those that are not finite. `seconds`: since the
    /// last call. `shown`: a value to show beside them, in any case.
    void follow(std::span<const float> values, double seconds, Fit fit = Fit::usual, double shown = 0);

    /// The same for values that are those of the last call.
    void ease(double seconds);

    /// Forgets the last end: the next call of `follow` jumps to its own.
    void restart() { top_ = target_ = 0; }

    double top() const { return top_; }
    /// The end it moves to, or still has while that is higher.
    double end() const { return top_ > target_ ? top_ : target_; }
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
