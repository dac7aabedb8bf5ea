#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/jobs.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::labs {

/// Every algorithm of the engine with automatic options on the stream of the settings, and the selected one
/// also with its current options if they differ.
Job compare_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
                std::span<const compaction::Algorithm> catalogue);

/// A line of the comparison.
struct CompareRow {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options = {};
    const experiments::Result* result = nullptr;  ///< null if not measured
    std::string reason = {};                      ///< why it was not measured, in a sentence
    bool interactive = false;

    double speed_up = 0;                 ///< median of the base over this median; 0 if unknown
    experiments::Interval between = {};  ///< interval of the speed-up
    /// Comparison with the base. Empty while samples are missing, for the base and for wrong results.
    std::optional<experiments::Change> verdict = {};
    bool is_base = false;

    bool correct() const { return result && result->correct(); }
    /// The name, "Sequence-wise, vectorised", and all options that are not automatic.
    std::string name() const;
};

struct Comparison {
    std::vector<CompareRow> rows = {};  ///< fastest first, then wrong results, then missing ones
    double floor_us = 0;                ///< a copy of exactly the useful bytes, sampled in turn; 0: unknown
    double fastest_us = 0;
};

/// `base`: id of the base of speed-ups. If it was not measured, the default base of the engine; otherwise the
/// fastest. Points into `report`.
Comparison compare(const Report& report, std::string_view base);

}  // namespace warpsieve::labs
