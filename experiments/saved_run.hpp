#pragma once

#include <string>
#include <vector>

#include "experiments/statistics.hpp"

namespace experiments {

/// Totals of a saved run, for comparison with the current one. Times in microseconds.
struct SavedRun {
    std::string name;             ///< file name
    std::string algorithm;        ///< id; "several" if its frames used more than one
    std::vector<float> total_us;  ///< per frame, oldest first; empty if only the summary was saved
    Summary us;                   ///< of the totals
};

}  // namespace experiments
