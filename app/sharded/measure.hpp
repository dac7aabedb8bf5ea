#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "experiments/sharded.hpp"

namespace warpsieve {

/// What the measurement of several GPUs asks for and reports meanwhile.
struct ShardedHooks {
    double seconds_per_group = 2;                    ///< for the samples of rows that are sampled in turn
    std::function<void(const std::string&)> begins;  ///< what is measured next, or cannot be, in words
    std::function<void(experiments::ShardedRow)> row_done;  ///< each row, in the order of the settings
    const std::atomic<bool>& cancel;                        ///< ends the measurement after the current sample
};

/// Measures the rows. Returns "" or, where it had to end early, the reason as a sentence.
std::string measure_sharded(const std::vector<experiments::ShardedSetting>& settings,
                            const ShardedHooks& hooks);

}  // namespace warpsieve
