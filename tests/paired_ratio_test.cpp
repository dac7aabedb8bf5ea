// The ratio of two times measured in turn: which frames make pairs, and the verdict.
#include "experiments/paired_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace experiments {
namespace {

std::vector<float> ratios(const std::vector<Pair>& pairs) {
    std::vector<float> ratios;
    for (const Pair& pair : pairs) ratios.push_back(pair.a_us / pair.b_us);
    return ratios;
}

/// Pairs whose ratios are these.
std::vector<Pair> pairs_with(const std::vector<float>& ratios) {
    std::vector<Pair> pairs;
    for (const float ratio : ratios) pairs.push_back({10 * ratio, 10});
    return pairs;
}

/// Values around the middle, in an order in which none resembles the one before.
std::vector<float> around(float middle, float spread, std::size_t count = 60) {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(middle + spread * (static_cast<float>(i * 6 % 11) / 5 - 1));
    return values;
}

using Times = std::vector<RoundTime>;

TEST(PairsOf, AreTwoRoundsInARowNewestFirst) {
    const Times a{{1, 9}, {2, 10}, {3, 20}, {4, 30}, {5, 50}};
    const Times b{{1, 9}, {2, 10}, {3, 10}, {4, 20}, {5, 20}};
    EXPECT_EQ(ratios(pairs_of(a, b)), (std::vector<float>{80.0F / 40, 30.0F / 20}));
    EXPECT_EQ(pairs_of(a, b).front().a_us, 40) << "the mean of both rounds";
}

TEST(PairsOf, CancelTheCostOfRunningFirst) {
    // Equal speeds, but the first to run takes 50 % longer.
    Times a, b;
    for (std::uint64_t round = 0; round < 10; ++round) {
        a.push_back({round, runs_in_reverse(round) ? 10.0F : 15.0F});
        b.push_back({round, runs_in_reverse(round) ? 15.0F : 10.0F});
    }
    const auto pairs = pairs_of(a, b);
    ASSERT_EQ(pairs.size(), 5U);
    for (const float ratio : ratios(pairs)) EXPECT_EQ(ratio, 1);
    const Summary summary = summarise_pairs(a);
    EXPECT_EQ(summary.median, 12.5);
    EXPECT_EQ(summary.noise(), 0) << "the order is no noise";
    EXPECT_EQ(summary.n, 10U);
}

TEST(PairsOf, LeaveOutRoundsThatOneOfThemLacks) {
    const Times a{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {6, 1}, {7, 1}};
    const Times b{{0, 1}, {1, 1}, {3, 1}, {4, 1}, {6, 1}, {7, 1}};
    EXPECT_EQ(pairs_of(a, b).size(), 2U) << "rounds 6, 7 and 0, 1";
    EXPECT_TRUE(pairs_of(a, {}).empty());
}

/// The first `count` rounds from this one that run in reverse, or that do not.
std::vector<std::uint64_t> rounds_from(std::uint64_t round, bool in_reverse, std::size_t count) {
    std::vector<std::uint64_t> rounds;
    for (; rounds.size() < count; ++round)
        if (runs_in_reverse(round) == in_reverse) rounds.push_back(round);
    return rounds;
}

TEST(PairsOf, TakeTheNearestRoundInWhichTheOtherRanFirst) {
    const std::vector<std::uint64_t> ahead = rounds_from(0, /*in_reverse=*/false, 2);
    const std::vector<std::uint64_t> reverse = rounds_from(ahead[1] + 1, /*in_reverse=*/true, 2);
    const Times a{{ahead[0], 1}, {ahead[1], 5}, {reverse[0], 3}, {reverse[1], 100}};
    const Times b{{ahead[0], 1}, {ahead[1], 1}, {reverse[0], 1}};
    EXPECT_EQ(ratios(pairs_of(a, b)), (std::vector<float>{4})) << "the two in the middle";
}

TEST(PairsOf, AreNeverTwoRoundsInWhichTheSameRanFirst) {
    for (const bool in_reverse : {false, true}) {
        Times same_order;
        for (const std::uint64_t round : rounds_from(0, in_reverse, 20)) same_order.push_back({round, 1});
        EXPECT_TRUE(pairs_of(same_order, same_order).empty());
    }
}

TEST(RunsInReverse, IsOneOfEveryTwoRoundsChosenAtRandom) {
    // Whatever repeats after some rounds meets both orders about equally often.
    for (const std::uint64_t period : {2, 3, 4, 5, 6, 8, 10, 12, 60}) {
        constexpr int meetings = 1000;
        int reverse = 0;
        for (std::uint64_t meeting = 0; meeting < meetings; ++meeting)
            reverse += runs_in_reverse(meeting * period) ? 1 : 0;
        EXPECT_NEAR(reverse, meetings / 2, 50) << "every " << period << " rounds";
    }
    for (std::uint64_t round = 0; round < 1000; round += 2)
        EXPECT_NE(runs_in_reverse(round), runs_in_reverse(round + 1)) << round;
}

TEST(PairsOf, AreTheNewest) {
    Times times;
    for (std::uint64_t round = 0; round < 2 * max_pairs + 10; ++round)
        times.push_back({round, static_cast<float>(round)});
    EXPECT_EQ(pairs_of(times, times).size(), max_pairs);
    EXPECT_EQ(pairs_of(times, times).back().a_us, 10.5F) << "rounds 10 and 11";
    times.resize(5);
    EXPECT_EQ(pairs_of(times, times).size(), 2U) << "half a pair does not count";
}

TEST(ComparePairs, SaysWhichIsFasterAndByHowMuch) {
    const PairedRatio b_faster = compare_pairs(pairs_with(around(1.34F, 0.04F)));
    EXPECT_EQ(b_faster.comparison, Comparison::b_faster);
    EXPECT_NEAR(b_faster.median, 1.34, 0.01);
    EXPECT_LE(b_faster.interval.low, b_faster.median);
    EXPECT_GE(b_faster.interval.high, b_faster.median);
    EXPECT_TRUE(b_faster.interval.trusted());
    EXPECT_EQ(verdict_of(b_faster), "B 1.34× faster");
}

TEST(ComparePairs, IsSymmetric) {
    std::vector<Pair> turned;
    for (const Pair& pair : pairs_with(around(1.34F, 0.04F))) turned.push_back({pair.b_us, pair.a_us});
    const PairedRatio a_faster = compare_pairs(turned);
    EXPECT_EQ(a_faster.comparison, Comparison::a_faster);
    EXPECT_EQ(verdict_of(a_faster), "A 1.34× faster");
    EXPECT_EQ(interval_of(a_faster), interval_of(compare_pairs(pairs_with(around(1.34F, 0.04F)))));
}

TEST(ComparePairs, IsAmbiguousWhereTheIntervalContainsOne) {
    const PairedRatio ratio = compare_pairs(pairs_with(around(1.0F, 0.5F, 40)));
    EXPECT_EQ(ratio.comparison, Comparison::ambiguous);
    EXPECT_EQ(verdict_of(ratio), "no significant difference");
    EXPECT_LT(ratio.interval.low, 1);
    EXPECT_GT(ratio.interval.high, 1);
    EXPECT_EQ(interval_of(ratio).front(), '[');
}

TEST(ComparePairs, ADifferenceBelowOnePercentIsNone) {
    EXPECT_EQ(compare_pairs(pairs_with(around(1.004F, 0.001F))).comparison, Comparison::same);
    EXPECT_EQ(compare_pairs(pairs_with(around(1.0F, 0.0F))).comparison, Comparison::same);
    EXPECT_EQ(compare_pairs(pairs_with(around(1.02F, 0.001F))).comparison, Comparison::b_faster);
}

TEST(ComparePairs, SaysNothingBeforeThereAreEnough) {
    const PairedRatio early = compare_pairs(pairs_with(around(2.0F, 0.1F, min_pairs - 1)));
    EXPECT_EQ(early.comparison, Comparison::warming_up);
    EXPECT_EQ(verdict_of(early), "warming up: 29 of 30 pairs");
    EXPECT_EQ(interval_of(early), "");
    EXPECT_EQ(verdict_of(compare_pairs({})), "warming up: 0 of 30 pairs");
    EXPECT_EQ(compare_pairs(pairs_with(around(2.0F, 0.1F, min_pairs))).comparison, Comparison::b_faster);
}

TEST(ComparePairs, LeavesOutWhatIsNoTime) {
    std::vector<Pair> pairs = pairs_with(around(1.5F, 0.01F, min_pairs));
    const PairedRatio clean = compare_pairs(pairs);
    for (const float nonsense :
         {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        pairs.push_back({nonsense, 10});
        pairs.push_back({10, nonsense});
    }
    const PairedRatio ratio = compare_pairs(pairs);
    EXPECT_EQ(ratio.pairs, min_pairs);
    EXPECT_EQ(ratio.median, clean.median);
    EXPECT_TRUE(std::isfinite(ratio.interval.low) && std::isfinite(ratio.interval.high));
    const std::vector<Pair> none(100, Pair{0, 0});
    EXPECT_EQ(compare_pairs(none).comparison, Comparison::warming_up);
}

TEST(ApplyRatio, MakesTheMediansSayWhatTheRatioSays) {
    const PairedRatio ratio{Comparison::b_faster, 100, 1.2, {1.1, 1.3, 0.95}};
    Summary a_us{.median = 13, .q1 = 12.9, .q3 = 13.1}, b_us{.median = 10, .q1 = 9.9, .q3 = 10.1};
    apply_ratio(ratio, a_us, b_us);
    EXPECT_EQ(b_us.median, 10) << "the faster one stays";
    EXPECT_DOUBLE_EQ(a_us.median / b_us.median, ratio.median);
    EXPECT_LT(a_us.q1, a_us.median);
    EXPECT_NEAR(a_us.noise(), 0.2 / 13, 1e-12);
    Summary of_a_us{.median = 10}, of_b_us{.median = 13};
    apply_ratio({Comparison::a_faster, 100, 0.8, {0.7, 0.9, 0.95}}, of_a_us, of_b_us);
    EXPECT_EQ(of_a_us.median, 10);
    EXPECT_DOUBLE_EQ(of_a_us.median / of_b_us.median, 0.8);
    apply_ratio({}, of_a_us, of_b_us);
    EXPECT_EQ(of_a_us.median, 10) << "unknown";
}

/// How the times of two algorithms vary, as shares of a time.
struct Variation {
    std::string name;
    double first = 0;          ///< what the first to run takes longer
    double drift = 0;          ///< of both, from the first round to the last
    double shared = 0;         ///< standard deviation of what both have in common
    double own = 0.03;         ///< standard deviation of each by itself
    double correlation = 0;    ///< of one round with the next, of all deviations
    double interruptions = 0;  ///< share of times that are up to four times as long
    double other_work = 0;     ///< what the first to run takes longer in every second round
};

std::vector<Variation> variations() {
    return {{.name = "independent"},
            {.name = "the first is slower", .first = 0.5},
            {.name = "drift", .first = 0.5, .drift = 0.3},
            {.name = "autocorrelation", .first = 0.5, .shared = 0.05, .correlation = 0.5},
            {.name = "strong autocorrelation", .first = 0.2, .correlation = 0.6},
            {.name = "interruptions",
             .first = 0.5,
             .drift = 0.05,
             .shared = 0.05,
             .correlation = 0.3,
             .interruptions = 0.1},
            {.name = "other work in every second round", .first = 0.5, .other_work = 0.1},
            {.name = "heavy noise", .first = 0.4, .shared = 0.1, .own = 0.2, .correlation = 0.3}};
}

/// A deviation that resembles the one before.
class Deviation {
  public:
    Deviation(double correlation, std::mt19937_64& random)
        : correlation_(correlation), random_(random), value_(normal_(random)) {}
    double next() {
        value_ = correlation_ * value_ + std::sqrt(1 - correlation_ * correlation_) * normal_(random_);
        return value_;
    }

  private:
    double correlation_;
    std::mt19937_64& random_;
    std::normal_distribution<double> normal_;
    double value_;
};

/// What a run finds about A, which takes `slower` times as long as B.
PairedRatio simulated(const Variation& how, std::size_t rounds, double slower, std::mt19937_64& random) {
    Deviation shared(how.correlation, random), of_a(how.correlation, random), of_b(how.correlation, random);
    std::uniform_real_distribution<double> uniform(0, 1);
    Times a, b;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const double drift = 1 + how.drift * static_cast<double>(round) / static_cast<double>(rounds);
        const double both_us = 30 * drift * std::exp(how.shared * shared.next());
        const auto time = [&](Deviation& own, bool is_first) {
            const double interruption = uniform(random) < how.interruptions ? 1 + 3 * uniform(random) : 1;
            return static_cast<float>(both_us * std::exp(how.own * own.next()) * interruption *
                                      (is_first ? 1 + how.first + (round % 2 == 0 ? how.other_work : 0) : 1));
        };
        a.push_back({round, time(of_a, !runs_in_reverse(round)) * static_cast<float>(slower)});
        b.push_back({round, time(of_b, runs_in_reverse(round))});
    }
    return compare_pairs(pairs_of(a, b));
}

TEST(ComparePairs, CallsEqualAlgorithmsDifferentInAtMostFivePercentOfRuns) {
    constexpr int runs = 1000;
    for (const Variation& how : variations()) {
        for (const std::size_t rounds : {2 * min_pairs, 4 * min_pairs, 2 * max_pairs}) {
            std::mt19937_64 random(rounds);
            int different = 0;
            for (int run = 0; run < runs; ++run) {
                const Comparison found = simulated(how, rounds, 1, random).comparison;
                different += found == Comparison::a_faster || found == Comparison::b_faster;
            }
            EXPECT_LE(different, runs / 20) << how.name << ", " << rounds << " rounds";
        }
    }
}

TEST(ComparePairs, FindsADifferenceOfFivePercentInNearlyAllRuns) {
    for (const Variation& how : variations()) {
        if (how.own > 0.1) continue;
        std::mt19937_64 random(1);
        int found = 0;
        for (int run = 0; run < 100; ++run)
            found += simulated(how, 2 * max_pairs, 1.05, random).comparison == Comparison::b_faster;
        EXPECT_GE(found, 95) << how.name;
    }
}

}  // namespace
}  // namespace experiments
