#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "experiments/sharded.hpp"

namespace warpsieve {

/// Options and callbacks of a measurement of several GPUs.
struct ShardedHooks {
    double seconds_per_group = 2;  ///< limit of the sampling time for rows that are sampled in turn
    /// Called with a text on the next measurement, or on one that was skipped.
    std::function<void(const std::string&)> report;
    /// Called for each row, in the order of the settings.
    std::function<void(experiments::ShardedRow)> row_done;
    const std::atomic<bool>& cancel;  ///< true ends the measurement after the current sample
};

/// Measures a row for each setting. Returns "", or the reason as a sentence if it had to end early.
std::string measure_sharded(const std::vector<experiments::ShardedSetting>& settings,
                            const ShardedHooks& hooks);

}  // namespace warpsieve
