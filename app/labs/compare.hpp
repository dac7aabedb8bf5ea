#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::labs {

/// Every algorithm of the engine on the stream of the settings, laid out automatically; and the chosen one as
/// it is laid out now, where that is something else.
Job compare_job(const Settings& settings, std::uint64_t slots,
                std::span<const compaction::Algorithm> catalogue);

/// A line of the comparison.
struct CompareRow {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options = {};
    const experiments::Result* result = nullptr;  ///< null where nothing was measured
    std::string reason = {};                      ///< why not, in a sentence
    bool interactive = false;

    double speed_up = 0;                 ///< median of the base over this one's; 0 where unknown
    experiments::Interval between = {};  ///< in which the true ratio lies
    /// Against the base; nothing while samples are still missing, for the base itself and for wrong results.
    std::optional<experiments::Change> verdict = {};
    bool is_base = false;

    bool correct() const { return result && result->correct(); }
    /// "Sequence-wise, vectorised" and what of its layout was chosen by hand.
    std::string name() const;
};

struct Comparison {
    std::vector<CompareRow> rows = {};  ///< the fastest first; then what is wrong; then what was not measured
    double floor_us = 0;  ///< a copy that moves what a compaction must, measured in turn; 0: unknown
    double fastest_us = 0;
};

/// `base`: id that speed-ups are against; where it was not measured, the yardstick of the engine, and where
/// that was not either, the fastest. Points into `report`.
Comparison compare(const Report& report, std::string_view base);

}  // namespace warpsieve::labs
