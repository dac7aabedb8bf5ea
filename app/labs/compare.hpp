#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::labs {

/// Every algorithm of the engine with automatic options on the stream of the settings. The selected algorithm
/// also runs with its current options, if they differ.
Job compare_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
                std::span<const compaction::Algorithm> catalogue);

/// A row of the comparison.
struct CompareRow {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options = {};
    const experiments::Result* result = nullptr;  ///< null if not measured
    std::string reason = {};                      ///< one sentence on why it was not measured
    bool is_interactive = false;                  ///< see Report::is_interactive

    double speed_up = 0;  ///< median of the base over this median; 0 if unknown
    experiments::Interval speed_up_interval = {};
    /// Comparison with the base. Empty for the base, for wrong results and while samples are missing.
    std::optional<experiments::Change> verdict = {};
    bool is_base = false;

    bool correct() const { return result && result->correct(); }
    /// The name of the algorithm and all options that are not automatic.
    std::string name() const;
};

struct Comparison {
    std::vector<CompareRow> rows = {};  ///< fastest first, then wrong results, then rows without a result
    double floor_us = 0;                ///< time of a copy of exactly the useful bytes; 0 if unknown
    double fastest_us = 0;
};

/// Compares the results of a report. The base of the speed-ups is the first of these that has a correct
/// result: the algorithm with the id `base_id`, the default base of the engine, the fastest algorithm. The
/// returned value points into `report`.
Comparison compare(const Report& report, std::string_view base_id);

}  // namespace warpsieve::labs
