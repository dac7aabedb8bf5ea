#pragma once

#include <string>
#include <vector>

#include "experiments/statistics.hpp"

namespace experiments {

/// The totals of a run that was saved, to be held against the one that runs now. Times in microseconds.
struct SavedRun {
    std::string name;             ///< of its file
    std::string algorithm;        ///< id; "several" where its frames had more than one
    std::vector<float> total_us;  ///< frame by frame, oldest first; empty where only the summary was saved
    Summary us;                   ///< of the totals that were measured in their own frame
};

}  // namespace experiments
