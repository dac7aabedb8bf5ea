#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "experiments/statistics.hpp"
#include "experiments/stopping.hpp"

namespace {

using namespace experiments;

/// 1 to n, from both ends in turn, so that no value resembles the one before.
std::vector<float> one_to(int n) {
    std::vector<float> sample;
    for (int i = 0; i < n; ++i) sample.push_back(static_cast<float>(i % 2 == 0 ? 1 + i / 2 : n - i / 2));
    return sample;
}

struct KnownInterval {
    int n;
    double low;
    double high;
    double coverage;
};

/// Ranks and coverages from tables of the sign test, such as Conover's table A3.
TEST(MedianInterval, HasTheRanksOfTheTables) {
    for (const KnownInterval& known :
         {KnownInterval{6, 1, 6, 0.96875}, KnownInterval{7, 1, 7, 0.984375},
          KnownInterval{9, 2, 8, 0.9609375}, KnownInterval{10, 2, 9, 0.978515625},
          KnownInterval{20, 6, 15, 0.958611}, KnownInterval{100, 40, 61, 0.964800}}) {
        const Interval interval = median_interval(one_to(known.n));
        EXPECT_EQ(interval.low, known.low) << known.n;
        EXPECT_EQ(interval.high, known.high) << known.n;
        EXPECT_NEAR(interval.coverage, known.coverage, 1e-6) << known.n;
        EXPECT_TRUE(interval.trusted());
    }
}

TEST(MedianInterval, OfFewSamplesIsTheirRangeAndNotTrusted) {
    for (const int n : {1, 2, 3, 4, 5}) {
        const Interval interval = median_interval(one_to(n));
        EXPECT_EQ(interval.low, 1);
        EXPECT_EQ(interval.high, n);
        EXPECT_LE(interval.coverage, 1 - 2 * std::pow(0.5, n) + 1e-9);
        EXPECT_FALSE(interval.trusted());
    }
    EXPECT_EQ(median_interval({}).coverage, 0);
}

TEST(MedianInterval, WorksForMoreSamplesThanADoubleHasPowersOfTwo) {
    const Interval interval = median_interval(one_to(5001));
    EXPECT_NEAR(interval.coverage, 0.95, 0.003);
    // The normal approximation: n / 2 -+ 0.98 sqrt(n).
    EXPECT_NEAR(interval.low, 2500.5 - 0.98 * std::sqrt(5001), 2);
    EXPECT_NEAR(interval.high, 2501.5 + 0.98 * std::sqrt(5001), 2);
}

/// 32 bits from a counter, mixed well enough to sample with.
double uniform(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

TEST(MedianInterval, CoversTheMedianOfASkewedDistributionAsOftenAsItClaims) {
    // The median of the exponential distribution is ln 2. With 25 samples the interval covers 0.9567.
    constexpr int experiments = 4000;
    int held = 0;
    for (int experiment = 0; experiment < experiments; ++experiment) {
        std::vector<float> sample;
        for (int i = 0; i < 25; ++i) {
            const double u = uniform(static_cast<std::uint64_t>(experiment * 25 + i + 1));
            sample.push_back(static_cast<float>(-std::log1p(-u)));
        }
        const Interval interval = median_interval(sample);
        held += interval.low <= std::numbers::ln2 && std::numbers::ln2 <= interval.high;
    }
    // Three standard deviations either way; more where samples resemble each other by chance.
    EXPECT_GE(static_cast<double>(held) / experiments, 0.9567 - 0.0097);
    EXPECT_LE(static_cast<double>(held) / experiments, 0.99);
}

/// A series whose neighbours have this correlation, around 100.
std::vector<float> correlated(double correlation, std::size_t n, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::vector<float> series;
    double value = normal(random);
    for (std::size_t i = 0; i < n; ++i) {
        series.push_back(static_cast<float>(100 + value));
        value = correlation * value + std::sqrt(1 - correlation * correlation) * normal(random);
    }
    return series;
}

double coverage_of(double correlation, std::size_t n) {
    constexpr int experiments = 1000;
    std::mt19937_64 random(n);
    int held = 0;
    for (int experiment = 0; experiment < experiments; ++experiment) {
        const Interval interval = median_interval(correlated(correlation, n, random));
        held += interval.low <= 100 && 100 <= interval.high;
    }
    return static_cast<double>(held) / experiments;
}

TEST(MedianInterval, CoversTheMedianOfAnAutocorrelatedSeriesAsOftenAsItClaims) {
    for (const double correlation : {0.0, 0.2, 0.3, 0.5}) {
        for (const std::size_t n : {60U, 100U, 300U, 1000U}) {
            EXPECT_GE(coverage_of(correlation, n), 0.93) << correlation << ", " << n;
            EXPECT_LE(coverage_of(correlation, n), 0.995) << correlation << ", " << n;
        }
    }
    EXPECT_GE(coverage_of(0.8, 300), 0.92);
    EXPECT_GE(coverage_of(0.8, 1000), 0.93);
    EXPECT_GE(coverage_of(0.9, 1000), 0.92);
}

TEST(MedianInterval, OfASeriesThatOnlyDriftsIsNotTrusted) {
    std::vector<float> drifting;
    for (int i = 0; i < 200; ++i) drifting.push_back(static_cast<float>(i));
    const Interval interval = median_interval(drifting);
    EXPECT_FALSE(interval.trusted());
    EXPECT_EQ(interval.low, 0);
    EXPECT_EQ(interval.high, 199);
}

TEST(AutocorrelationTime, IsThatOfTheProcess) {
    // Of an autoregressive process: (1 + rho) / (1 - rho).
    for (const double correlation : {0.0, 0.3, 0.5, 0.8}) {
        std::mt19937_64 random(7);
        const std::vector<float> series = correlated(correlation, 100'000, random);
        const std::vector<double> values(series.begin(), series.end());
        const double expected = (1 + correlation) / (1 - correlation);
        EXPECT_NEAR(autocorrelation_time(values), expected, 0.1 * expected) << correlation;
    }
    EXPECT_EQ(autocorrelation_time(std::vector<double>{1, -1, 1, -1, 1, -1}), 1);
    EXPECT_EQ(autocorrelation_time(std::vector<double>(10, 3.0)), 1);
    EXPECT_EQ(autocorrelation_time({}), 1);
}

TEST(AutocorrelationTime, OfALongDriftTakesMilliseconds) {
    std::vector<double> drifting(200'000);
    std::iota(drifting.begin(), drifting.end(), 0.0);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_GT(autocorrelation_time(drifting), 50'000);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

Interval between(double low, double high, double coverage = 0.96) {
    return {low, high, coverage};
}

TEST(Compare, GoesByTheIntervals) {
    EXPECT_EQ(compare(between(100, 102), between(80, 82)), Change::faster);
    EXPECT_EQ(compare(between(100, 102), between(120, 122)), Change::slower);
    EXPECT_EQ(compare(between(100, 110), between(105, 120)), Change::ambiguous);
    EXPECT_EQ(compare(between(99, 101), between(90, 110)), Change::ambiguous);
}

TEST(Compare, CallsTimesWithinOnePercentTheSame) {
    EXPECT_EQ(compare(between(100, 100.2), between(100.1, 100.3)), Change::same);
    // The intervals do not overlap, but the difference is below 1 %.
    EXPECT_EQ(compare(between(100, 100.1), between(100.5, 100.6)), Change::same);
    EXPECT_EQ(compare(between(100.5, 100.6), between(100, 100.1)), Change::same);
    // The intervals do not overlap, and the difference may exceed 1 %.
    EXPECT_EQ(compare(between(100, 100.1), between(100.9, 101.5)), Change::slower);
    EXPECT_EQ(compare(between(100, 100.1), between(100.5, 100.6), 0.001), Change::slower);
}

TEST(Compare, IsTheSameBothWaysRound) {
    const std::vector<Interval> intervals{between(90, 91), between(90.2, 90.3), between(90, 100),
                                          between(99.1, 99.2), between(100, 100)};
    for (const Interval& a : intervals) {
        for (const Interval& b : intervals) {
            const Change there = compare(a, b);
            const Change back = compare(b, a);
            const Change mirrored = there == Change::faster   ? Change::slower
                                    : there == Change::slower ? Change::faster
                                                              : there;
            EXPECT_EQ(back, mirrored) << a.low << ' ' << b.low;
        }
    }
}

TEST(Compare, ClaimsNothingFromTooFewSamples) {
    EXPECT_EQ(compare(between(100, 101, 0.9375), between(10, 11)), Change::ambiguous);
    EXPECT_EQ(compare(between(100, 101), between(10, 11, 0.9375)), Change::ambiguous);
    EXPECT_EQ(compare({}, between(10, 11)), Change::ambiguous);
}

TEST(WarmUp, GoesOnWhileTheMedianDrifts) {
    Policy policy;
    WarmUp warm_up(policy, 1);
    double now_s = 10;
    EXPECT_FALSE(warm_up.done(now_s));
    // A clock that rises by 5 % every quarter of a second, and is steady after one second.
    for (; now_s < 11; now_s += 0.01) {
        const int quarter = static_cast<int>((now_s - 10) * 4);
        warm_up.add(0, now_s, 100 * std::pow(0.95F, static_cast<float>(quarter)));
        EXPECT_FALSE(warm_up.done(now_s)) << now_s;
    }
    while (!warm_up.done(now_s) && now_s < 20) warm_up.add(0, now_s += 0.01, 81.45F);
    // Once most samples of the earlier half are also steady.
    EXPECT_GT(now_s, 11.0);
    EXPECT_LT(now_s, 11.5);
}

TEST(WarmUp, TakesAtLeastItsWindowAndAtMostTheTimeLimit) {
    Policy policy;
    WarmUp steady(policy, 1);
    double now_s = 0;
    while (!steady.done(now_s)) steady.add(0, now_s += 0.01, 100);
    EXPECT_NEAR(now_s, policy.warm_up_s, 0.03);

    WarmUp restless(policy, 1);
    now_s = 0;
    for (float us = 100; !restless.done(now_s); us *= 1.01F) restless.add(0, now_s += 0.01, us);
    EXPECT_NEAR(now_s, policy.time_limit_s, 0.03);
}

TEST(WarmUp, WaitsForEverySeries) {
    WarmUp warm_up(Policy{}, 2);
    double now_s = 0;
    float drifting = 100;
    while (now_s < 1.5) {
        warm_up.add(0, now_s += 0.01, 50);
        warm_up.add(1, now_s, drifting *= 1.01F);
        EXPECT_FALSE(warm_up.done(now_s));
    }
}

TEST(Enough, NeedsSamplesAndTimeAndANarrowInterval) {
    const Policy policy;
    const std::vector<float> nine(9, 100);
    const std::vector<float> ten(10, 100);
    std::vector<float> noisy(10, 100);
    for (std::size_t i = 0; i < noisy.size(); i += 2) noisy[i] = 103;
    EXPECT_FALSE(enough(policy, nine, 1, 1));
    EXPECT_FALSE(enough(policy, ten, 0.4, 0.4));
    EXPECT_TRUE(enough(policy, ten, 0.5, 0.5));
    EXPECT_FALSE(enough(policy, noisy, 1, 1));
    EXPECT_TRUE(enough(policy, noisy, 1, 2)) << "at the time limit";
    EXPECT_FALSE(enough(policy, nine, 3, 3)) << "min_samples apply regardless";
}

TEST(Enough, NeedsMoreSamplesOfAnAutocorrelatedSeries) {
    Policy policy;
    // Single samples deviate by 1 %.
    policy.noise = 0.002;
    std::mt19937_64 random(3);
    const auto needed = [&](const std::vector<float>& series) {
        std::size_t n = policy.min_samples;
        while (n < series.size() && !enough(policy, std::span(series).first(n), 1, 1)) ++n;
        return n;
    };
    const std::size_t independent = needed(correlated(0, 5000, random));
    const std::size_t dependent = needed(correlated(0.6, 5000, random));
    EXPECT_LT(independent, 400U);
    EXPECT_GT(dependent, 2 * independent);
}

TEST(SecondsLeft, FollowFromTheNoiseUpToTheLimit) {
    const Policy policy;
    const std::vector<float> few(3, 100);
    EXPECT_DOUBLE_EQ(seconds_left(policy, few, 0.1, 0.5), policy.time_limit_s - 0.5);
    // Without noise only the minimum time counts: a quarter of a second of half a second is sampled.
    const std::vector<float> quiet(10, 100);
    EXPECT_NEAR(seconds_left(policy, quiet, 0.25, 0.3), 0.3, 1e-9);
    EXPECT_EQ(seconds_left(policy, quiet, 0.5, 0.6), 0);
    // Known to 1 %, required to 0.5 %: four times the samples.
    std::vector<float> noisy(10, 99);
    for (std::size_t i = 0; i < noisy.size(); i += 2) noisy[i] = 101;
    EXPECT_NEAR(seconds_left(policy, noisy, 0.5, 0.4), 1.2, 1e-6);
    EXPECT_DOUBLE_EQ(seconds_left(policy, noisy, 0.5, 1.9), policy.time_limit_s - 1.9);
}

TEST(Policy, ShrinksWithItsTimeLimit) {
    const Policy shorter = Policy::within(0.2);
    EXPECT_DOUBLE_EQ(shorter.time_limit_s, 0.2);
    EXPECT_DOUBLE_EQ(shorter.min_time_s, 0.05);
    EXPECT_DOUBLE_EQ(shorter.warm_up_s, 0.05);
    EXPECT_DOUBLE_EQ(Policy::within(20).min_time_s, Policy{}.min_time_s);
}

}  // namespace
