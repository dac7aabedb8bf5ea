// The ratio of two times measured in turn: which frames make pairs, and the verdict.
#include "experiments/paired_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace experiments {
namespace {

FrameSample sample(std::uint64_t frame, float total_us) {
    FrameSample sample;
    sample.frame = frame;
    sample.total_us = total_us;
    return sample;
}

Timeline timeline(const std::vector<FrameSample>& samples) {
    Timeline timeline(16);
    for (const FrameSample& each : samples) timeline.push(each);
    return timeline;
}

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

std::vector<float> around(float middle, float spread, std::size_t count = 60) {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(middle + spread * (static_cast<float>(i % 11) / 5 - 1));
    return values;
}

TEST(PairsOf, AreTwoFramesInARowNewestFirst) {
    const Timeline a = timeline({sample(1, 9), sample(2, 10), sample(3, 20), sample(4, 30), sample(5, 50)});
    const Timeline b = timeline({sample(1, 9), sample(2, 10), sample(3, 10), sample(4, 20), sample(5, 20)});
    EXPECT_EQ(ratios(pairs_of(a, b, 0, 100)), (std::vector<float>{80.0F / 40, 30.0F / 20}));
}

TEST(PairsOf, CancelTheCostOfRunningFirst) {
    // Equal speeds, but the first to run (A in even frames) takes 50 % longer.
    std::vector<FrameSample> of_a, of_b;
    for (std::uint64_t frame = 0; frame < 10; ++frame) {
        of_a.push_back(sample(frame, frame % 2 == 0 ? 15 : 10));
        of_b.push_back(sample(frame, frame % 2 == 0 ? 10 : 15));
    }
    const auto pairs = pairs_of(timeline(of_a), timeline(of_b), 0, 100);
    ASSERT_EQ(pairs.size(), 5U);
    for (const float ratio : ratios(pairs)) EXPECT_EQ(ratio, 1);
}

TEST(PairsOf, LeaveOutFramesThatOneOfThemLacks) {
    const Timeline a =
        timeline({sample(0, 1), sample(1, 1), sample(2, 1), sample(3, 1), sample(6, 1), sample(7, 1)});
    const Timeline b =
        timeline({sample(0, 1), sample(1, 1), sample(3, 1), sample(4, 1), sample(6, 1), sample(7, 1)});
    EXPECT_EQ(pairs_of(a, b, 0, 100).size(), 2U) << "frames 6, 7 and 0, 1";
    EXPECT_TRUE(pairs_of(a, Timeline(), 0, 100).empty());
}

TEST(PairsOf, TakeTheNearestFrameInWhichTheOtherRanFirst) {
    // A lacks every third frame and B the next one, so no two frames of both follow each other.
    std::vector<FrameSample> of_a, of_b;
    for (std::uint64_t frame = 0; frame < 12; ++frame) {
        if (frame % 3 != 0) of_a.push_back(sample(frame, static_cast<float>(frame)));
        if (frame % 3 != 1) of_b.push_back(sample(frame, 1));
    }
    EXPECT_EQ(ratios(pairs_of(timeline(of_a), timeline(of_b), 0, 100)),
              (std::vector<float>{(11.0F + 8.0F) / 2, (5.0F + 2.0F) / 2}));
}

TEST(PairsOf, AreNeverTwoFramesInWhichTheSameRanFirst) {
    const Timeline even = timeline({sample(0, 1), sample(2, 1), sample(4, 1), sample(6, 1)});
    EXPECT_TRUE(pairs_of(even, even, 0, 100).empty());
    const Timeline a = timeline({sample(0, 1), sample(2, 5), sample(5, 3), sample(7, 1)});
    const Timeline b = timeline({sample(0, 1), sample(2, 1), sample(5, 1), sample(7, 1)});
    EXPECT_EQ(ratios(pairs_of(a, b, 0, 100)), (std::vector<float>{4})) << "frames 5 and 2";
}

TEST(PairsOf, KeepToWhatIsAskedFor) {
    std::vector<FrameSample> samples;
    for (std::uint64_t frame = 0; frame < 12; ++frame) samples.push_back(sample(frame, 1));
    const Timeline both = timeline(samples);
    EXPECT_EQ(pairs_of(both, both, 0, 4).size(), 4U);
    EXPECT_EQ(pairs_of(both, both, 6, 100).size(), 3U);
    EXPECT_EQ(pairs_of(both, both, 7, 100).size(), 2U) << "half a pair does not count";
    EXPECT_TRUE(pairs_of(both, both, 12, 100).empty());
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

}  // namespace
}  // namespace experiments
