#include "experiments/split_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/statistics.hpp"

namespace experiments {
namespace {

constexpr double budget = 0.01;
constexpr std::uint32_t longest_period = 4096;

}  // namespace

void SplitSchedule::Ring::add(float value) {
    values[next] = value;
    next = (next + 1) % kept;
    size = std::min(size + 1, kept);
}

SplitSchedule::Plan SplitSchedule::next(std::uint32_t compactions) {
    if (known() && cost_us() <= budget * compactions * summarise(totals_.span()).median) return Plan::within_batch;
    since_split_ += compactions;
    if (known() && since_split_ < period()) return Plan::none;
    since_split_ = 0;
    return Plan::extra_run;
}

void SplitSchedule::restart() {
    totals_ = {};
    splits_ = {};
    since_split_ = 0;
}

double SplitSchedule::cost_us() const {
    if (!known()) return 0;
    return std::max(0.0, summarise(splits_.span()).median - summarise(totals_.span()).median);
}

std::uint32_t SplitSchedule::period() const {
    if (!known()) return 1;
    const double total_us = summarise(totals_.span()).median;
    if (!(total_us > 0)) return 1;
    return static_cast<std::uint32_t>(std::clamp(std::ceil(cost_us() / (budget * total_us)), 1.0, double{longest_period}));
}

}  // namespace experiments
