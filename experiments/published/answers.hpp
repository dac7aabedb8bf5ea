#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/published/reproduction.hpp"
#include "experiments/statistics.hpp"

/// The publications' questions, answered by numbers from what was measured here.
namespace published {

/// Kendall's rank correlation of two lists of the same length, corrected for ties: 1 where both are in the
/// same order, -1 where in opposite orders, nothing where either list has no order (under 2 values, or all
/// the same). Source: Kendall (1945), "The treatment of ties in ranking problems", tau-b.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// One that takes part in a ranking; less is faster.
struct Ranked {
    std::string name;
    double published = 0;            ///< microseconds, or a place where only the order is published
    double here = 0;                 ///< microseconds
    experiments::Interval interval;  ///< of `here`
};

/// Two that change places.
struct Swap {
    std::string faster_published;
    std::string faster_here;
    bool certain = false;  ///< the intervals of their medians are apart
};

/// Question 1, for one column or row of a table.
struct Ranking {
    std::string table;
    std::string group;            ///< "Structured data", "2^12"
    std::vector<Ranked> entries;  ///< those with both a published and a measured time
    std::optional<double> tau;
    std::vector<Swap> swaps;

    /// No two change places for certain.
    bool preserved() const;
};
Ranking rank(std::string table, std::string group, std::vector<Ranked> entries);

/// Question 2.
struct RatioAnswer {
    RatioSource source;
    struct Card {
        std::string name;
        double mean = 0;
        double sd = 0;
    };
    std::vector<Card> published;
    std::vector<Reproduction::RatioPoint> here;
    std::optional<Spread> spread;  ///< of `here`
};

/// Question 3, for one algorithm: times by vector width.
struct VectorGain {
    std::string series;
    std::string algorithm;
    struct Width {
        std::string name;  ///< "scalar", "pair", "quad"
        std::optional<double> published_us;
        std::optional<double> here_us;
        experiments::Interval interval_us;  ///< of `here_us`
    };
    std::vector<Width> widths;

    /// How many times faster than scalar; nothing where one of both is not known.
    std::optional<double> published_gain(const std::string& width) const;
    std::optional<double> gain_here(const std::string& width) const;
    /// What the intervals here say of the width against scalar.
    experiments::Change change_here(const std::string& width) const;
    const Width* find(const std::string& width) const;
};

/// How a phase was timed.
enum class Timing { published, events, subtraction };

/// Question 4: the phases of one contestant, in microseconds.
struct PhaseProfile {
    std::string name;
    struct Time {
        compaction::PhaseRole role;
        std::array<std::optional<double>, 3> us;  ///< by Timing
    };
    std::vector<Time> phases;
};

/// One contestant's phases against the first one's of a table.
struct PhaseComparison {
    std::string table;
    PhaseProfile base;
    PhaseProfile other;

    struct Difference {
        compaction::PhaseRole role;
        double us = 0;     ///< other less base
        double share = 0;  ///< of the differences of all phases, taken without sign
    };
    /// Of every phase; empty unless all phases of both are known.
    std::vector<Difference> differences(Timing timing) const;
};

struct Answers {
    std::vector<Ranking> rankings;
    std::vector<RatioAnswer> ratios;
    std::vector<VectorGain> vector_gains;
    std::vector<PhaseComparison> phases;
};

Answers answer(const Reproduction& reproduction);

/// An answer in words, for every report.
struct AnswerText {
    std::string question;
    std::vector<std::string> sentences;
};
std::vector<AnswerText> describe(const Answers& answers);

/// "count", "prefix", "move", "fused".
std::string_view name_of(compaction::PhaseRole role);

}  // namespace published
