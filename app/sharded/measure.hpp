#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "experiments/sharded.hpp"

namespace warpsieve {

/// Options and callbacks of a measurement of several GPUs.
struct ShardedHooks {
    double seconds_per_group = 2;  ///< time for the samples of rows that are sampled in turn
    std::function<void(const std::string&)> report;  ///< text on the next or a skipped measurement
    std::function<void(experiments::ShardedRow)>
        row_done;                     ///< called for each row, in the order of the settings
    const std::atomic<bool>& cancel;  ///< ends the measurement after the current sample
};

/// Measures the rows. Returns "", or the reason as a sentence if it had to end early.
std::string measure_sharded(const std::vector<experiments::ShardedSetting>& settings,
                            const ShardedHooks& hooks);

}  // namespace warpsieve
