#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/text.hpp"
#include "experiments/format/ticks.hpp"
#include "tests/support/special_values.hpp"

namespace {

using namespace experiments::format;
using testing_support::infinity;
using testing_support::nan;

TEST(Significant, KeepsDigitsAndNeverPrintsNan) {
    EXPECT_EQ(significant(1234.5, 3), "1230");
    EXPECT_EQ(significant(12.345, 3), "12.3");
    EXPECT_EQ(significant(9.996, 3), "10.0");
    EXPECT_EQ(significant(0.12345, 3), "0.123");
    EXPECT_EQ(significant(0.00099999, 3), "0.00100");
    EXPECT_EQ(significant(-4.5678, 2), "-4.6");
    EXPECT_EQ(significant(0, 3), "0");
    EXPECT_EQ(significant(0.0 / 0.0, 3), "");
    EXPECT_EQ(significant(1 / 0.0, 3), "");
}

TEST(Numbers, AreShortFixedAndGrouped) {
    EXPECT_EQ(shortest(0.25), "0.25");
    EXPECT_EQ(shortest(0.1 + 0.2, 10), "0.3");
    EXPECT_EQ(fixed(2.5, 2), "2.50");
    EXPECT_EQ(fixed(nan, 2), "");
    EXPECT_EQ(grouped(262'144), "262,144");
    EXPECT_EQ(group_thousands("-1234.5678"), "-1,234.5678");
    EXPECT_EQ(memory_size(std::uint64_t{3} << 29), "1.50 GiB");
    EXPECT_EQ(memory_size(std::uint64_t{60} << 20), "60.0 MiB");
    EXPECT_EQ(parse_number<double>("1.5"), 1.5);
    EXPECT_FALSE(parse_number<double>("1.5x"));
    EXPECT_FALSE(parse_number<int>(""));
}

TEST(Counts, AreReadInEveryForm) {
    EXPECT_EQ(count_text(std::uint64_t{1} << 20), "2^20");
    EXPECT_EQ(count_text(512), "512");
    EXPECT_EQ(count_text(4097), "4097");
    EXPECT_EQ(parse_count("2^22 - 3"), (1U << 22U) - 3);
    EXPECT_EQ(parse_count("2^12+1"), 4097U);
    EXPECT_EQ(parse_count(" 262,144"), 262'144U);
    EXPECT_EQ(parse_count("2^62"), std::uint64_t{1} << 62U);
    for (const char* wrong : {"", "2^", "2^63", "-1", "2^2 - 4", "1e6", "2^x", "abc"})
        EXPECT_FALSE(parse_count(wrong)) << wrong;
}

TEST(RoughDuration, HasOneOrTwoUnits) {
    EXPECT_EQ(rough_duration(-1), "0 s");
    EXPECT_EQ(rough_duration(39.2), "40 s");
    EXPECT_EQ(rough_duration(180), "3 min");
    EXPECT_EQ(rough_duration(7200), "2 h");
    EXPECT_EQ(rough_duration(7500), "2 h 5 min");
}

TEST(Ticks, AreRoundAndFew) {
    for (const double top : {0.003, 0.7, 1.0, 12.0, 37.5, 99.9, 100.0, 1234.5, 5e6}) {
        for (const std::size_t max_ticks : {2UL, 4UL, 6UL}) {
            const Ticks ticks = choose_ticks(top, max_ticks);
            EXPECT_GE(ticks.count, 2U) << top << ": 0 alone says nothing of an axis";
            EXPECT_LE(ticks.count, max_ticks) << top;
            EXPECT_LE(ticks.step * static_cast<double>(ticks.count - 1), top * (1 + 1e-6));
            const double leading = ticks.step / std::pow(10.0, std::floor(std::log10(ticks.step) + 1e-9));
            EXPECT_TRUE(ticks.count == 2 || std::abs(leading - 1) < 1e-6 || std::abs(leading - 2) < 1e-6 ||
                        std::abs(leading - 5) < 1e-6)
                << leading;
        }
    }
    EXPECT_EQ(choose_ticks(10, 6).step, 2);
    EXPECT_EQ(tick_label(2.5, 1), "2.5");
    EXPECT_EQ(tick_label(1500, 0), "1,500");
}

TEST(Ticks, SurviveAnAxisOfNothing) {
    for (const double top : {0.0, -1.0, double{nan}, double{infinity}})
        EXPECT_EQ(choose_ticks(top, 5).count, 1U);
}

TEST(LogTicks, AreRoundRisingAndWithinTheRange) {
    EXPECT_EQ(choose_log_ticks(1, 100, 9), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
    EXPECT_EQ(choose_log_ticks(1, 100, 3), (std::vector<double>{1, 10, 100}));
    for (const double low : {1e-9, 0.03, 1.0, 700.0}) {
        for (const double factor : {1.0, 3.0, 1e4, 1e15}) {
            for (const std::size_t max_ticks : {1UL, 2UL, 5UL, 12UL}) {
                const auto ticks = choose_log_ticks(low, low * factor, max_ticks);
                EXPECT_LE(ticks.size(), max_ticks);
                EXPECT_TRUE(std::ranges::is_sorted(ticks));
                for (const double tick : ticks) {
                    EXPECT_GE(tick, low * (1 - 1e-6));
                    EXPECT_LE(tick, low * factor * (1 + 1e-6));
                }
            }
        }
    }
}

TEST(LogTicks, OfNoRangeAreNone) {
    EXPECT_TRUE(choose_log_ticks(0, 10, 5).empty());
    EXPECT_TRUE(choose_log_ticks(-1, 10, 5).empty());
    EXPECT_TRUE(choose_log_ticks(nan, 10, 5).empty());
    EXPECT_TRUE(choose_log_ticks(1, infinity, 5).empty());
    EXPECT_TRUE(choose_log_ticks(10, 1, 5).empty());
}

TEST(PowersOfTwo, AreThinnedOut) {
    EXPECT_EQ(powers_of_two(3, 33, 9), (std::vector<double>{4, 8, 16, 32}));
    EXPECT_EQ(powers_of_two(1, 64, 4), (std::vector<double>{1, 4, 16, 64}));
}

TEST(MultiplesOf, CoverTheRangeWithItsEnds) {
    EXPECT_EQ(multiples_of(0.5, 0.9, 2, 9), (std::vector<double>{1, 1.5, 2}));
    EXPECT_EQ(multiples_of(1, 0, 100, 2), (std::vector<double>{0, 1}));
}

}  // namespace
