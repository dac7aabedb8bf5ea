#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/published/results.hpp"
#include "experiments/statistics.hpp"

/// Answers to the publications' questions, from measurements on this machine.
namespace published {

/// Kendall's rank correlation of two lists of the same length, corrected for ties: 1 for the same order, -1
/// for opposite orders. Empty if a list has no order (fewer than 2 values, or all equal). Source: Kendall
/// (1945), "The treatment of ties in ranking problems", tau-b.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// An entry of a ranking; smaller is faster.
struct Ranked {
    std::string name;
    double published = 0;  ///< published time in microseconds, or rank if only the order is published
    MeasuredTime measured;
};

/// Two entries whose order differs from the published one.
struct Swap {
    std::string faster_published;
    std::string faster_measured;
    bool certain = false;  ///< the intervals of their medians do not overlap
};

/// The order of the entries in one column or row of a table, published and measured here.
struct Ranking {
    std::string table;            ///< id
    std::string group;            ///< "Structured data", "2^12"
    std::vector<Ranked> entries;  ///< entries with a published and a measured time
    std::optional<double> tau;
    std::vector<Swap> swaps;
    std::string title = {};               ///< title of the table
    bool measures_launches = false;       ///< a loop of calls measured launches for one of its times
    bool has_times = true;                ///< false if only the order is published
    std::vector<Ranked> unmeasured = {};  ///< entries with a published time only

    /// Whether all entries were measured and no swap is certain.
    bool preserved() const;
};
/// A ranking of the entries, with its tau and its swaps.
Ranking rank(std::string table, std::string group, std::vector<Ranked> entries);

/// The ratio of two algorithms' times at each length, published and measured here.
struct RatioAnswer {
    RatioSource source;
    struct Gpu {
        std::string name;
        double mean = 0;
        double sd = 0;
    };
    std::vector<Gpu> published;
    std::vector<RatioPoint> measured;
    std::optional<Spread> spread;       ///< all lengths in `measured`
    std::optional<Spread> spread_long;  ///< only lengths from launch_bound_below on

    std::string table = {};  ///< id

    /// The published GPU with the largest deviation relative to its mean. A ratio here is constant if it
    /// varies no more.
    const Gpu* most_varying() const;
};

/// The times of one algorithm by vector width.
struct VectorGain {
    std::string series;
    std::string algorithm;  ///< id
    struct Width {
        std::string name;  ///< "scalar", "pair", "quad"
        std::optional<double> published_us;
        std::optional<MeasuredTime> measured;
    };
    std::vector<Width> widths;

    /// Speed-up over scalar. Empty if either time is unknown.
    std::optional<double> published_gain(const std::string& width) const;
    std::optional<Factor> measured_gain(const std::string& width) const;
    const Width* find(const std::string& width) const;
    std::string table = {};   ///< id of the first table
    std::string name = {};    ///< name of the algorithm, for readers
    std::string column = {};  ///< name of the first column
};

/// How a phase was timed.
enum class Timing { published, stamps, subtraction };
constexpr std::size_t index_of(Timing timing) {
    return static_cast<std::size_t>(timing);
}

/// The phases of one entry, in microseconds.
struct PhaseProfile {
    std::string name;
    struct Time {
        compaction::PhaseRole role;
        std::array<std::optional<double>, 3> us;             ///< by Timing
        std::array<experiments::Interval, 3> interval = {};  ///< by Timing; coverage 0 if unknown
    };
    std::vector<Time> phases;
};

/// The phases of an entry compared with those of the first entry of the table.
struct PhaseComparison {
    std::string table;
    PhaseProfile base;
    PhaseProfile other;
    std::string title = {};  ///< title of the table

    struct Difference {
        compaction::PhaseRole role;
        double us = 0;                        ///< other minus base
        double share = 0;                     ///< part of the sum of all absolute differences
        experiments::Interval interval = {};  ///< of `us`; coverage 0 if unknown

        /// Whether the interval contains 0.
        bool unclear() const { return interval.coverage > 0 && interval.low <= 0 && interval.high >= 0; }
    };
    /// One per phase. Empty unless all phases of both are known.
    std::vector<Difference> differences(Timing timing) const;
};

struct Answers {
    std::vector<Ranking> rankings;  ///< of two entries or more, measured or not
    std::vector<RatioAnswer> ratios;
    std::vector<VectorGain> vector_gains;
    std::vector<PhaseComparison> phases;
};

/// The answers that the results of one run give for the tables.
Answers answer(std::span<const TableRef> tables, const Results& results);

}  // namespace published
