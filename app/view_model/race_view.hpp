#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/algorithm.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve {

/// One algorithm in the race.
struct RaceLane {
    const compaction::Algorithm* algorithm = nullptr;
    std::string problem;             ///< why it does not run; empty if it does
    std::size_t n = 0;               ///< times behind the figures
    double median_us = 0;            ///< of one compaction
    experiments::Interval interval;  ///< of the median, at 95 %
};

/// The race; its figures are refreshed at 5 Hz.
struct RaceView {
    std::uint64_t serial = 0;     ///< changes when all lanes are measured anew
    std::vector<RaceLane> lanes;  ///< in the order of the settings
};

}  // namespace warpsieve
