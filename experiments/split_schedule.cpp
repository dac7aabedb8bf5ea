#include "experiments/split_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace experiments {
namespace {

/// A quarter of 1 %: over a whole run a split also disturbs its neighbours, and costs up to four times what
/// its own batch shows (docs/notes/sequence_wise_on_h200.md).
constexpr double budget = 0.0025;
constexpr double longest_period = 4096;
/// Batches of each kind before their difference is used.
constexpr std::size_t enough = 8;

}  // namespace

void SplitSchedule::Ring::add(float value) {
    if (!std::isfinite(value)) return;
    us[next] = value;
    next = (next + 1) % kept;
    size = std::min(size + 1, kept);
    std::array<float, kept> sorted = us;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(size / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(size));
    median = *middle;
}

bool SplitSchedule::known() const {
    return plain_.size >= enough && split_.size >= enough;
}

bool SplitSchedule::next(std::uint32_t compactions) {
    if (compactions != compactions_) restart();
    compactions_ = compactions;
    ++batches_since_split_;
    const bool odd = batches_since_split_ % 2 == 1;
    const bool due = std::uint64_t{compactions} * batches_since_split_ >= period();
    // Until the cost is known, split the first and last of four batches: both kinds are needed.
    const bool split = known() ? due && odd : ++batches_learned_from_ % 4 < 2;
    if (split) batches_since_split_ = 0;
    return split;
}

void SplitSchedule::add_batch(float us, std::uint32_t compactions, bool split) {
    if (compactions == compactions_) (split ? split_ : plain_).add(us);
}

bool SplitSchedule::split_batches_count() const {
    return known() && cost_us() <= budget * plain_.median;
}

void SplitSchedule::restart() {
    plain_ = {};
    split_ = {};
    phases_ = {};
    batches_since_split_ = 0;
    batches_learned_from_ = 0;
}

double SplitSchedule::cost_us() const {
    if (!known()) return 0;
    const double of_phases = phases_.size > 0 ? phases_.median - plain_.median / compactions_ : 0;
    return std::max({0.0, split_.median - plain_.median, of_phases});
}

std::uint32_t SplitSchedule::period() const {
    if (!known() || !(plain_.median > 0)) return 1;
    const double one_compaction_us = plain_.median / compactions_;
    return static_cast<std::uint32_t>(
        std::clamp(std::ceil(cost_us() / (budget * one_compaction_us)), 1.0, longest_period));
}

}  // namespace experiments
