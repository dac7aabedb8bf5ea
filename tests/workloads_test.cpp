#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "tests/support/test_picture.hpp"
#include "workloads/stream_function.hpp"
#include "workloads/streams.hpp"

namespace {

using workloads::Item;
using workloads::make_stream;
using workloads::Pattern;
using workloads::widen;

constexpr std::uint64_t num_items = 1 << 20;

double kept_fraction(const std::vector<Item>& stream) {
    const auto kept = std::ranges::count_if(stream, [](Item item) { return item != 0; });
    return static_cast<double>(kept) / static_cast<double>(stream.size());
}

TEST(Workloads, NamesAreUniqueAndFound) {
    std::set<std::string_view> names;
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        EXPECT_TRUE(names.insert(info.name).second);
        EXPECT_EQ(workloads::find_pattern(info.name), info.pattern);
        EXPECT_EQ(workloads::info_of(info.pattern).name, info.name);
    }
    EXPECT_FALSE(workloads::find_pattern("no such pattern"));
}

TEST(Workloads, AreTheSameForTheSameSeedOnly) {
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        EXPECT_EQ(make_stream(info.pattern, 10'007, 0.5, 3), make_stream(info.pattern, 10'007, 0.5, 3))
            << info.name;
    }
    EXPECT_NE(make_stream(Pattern::random, 10'007, 0.5, 3), make_stream(Pattern::random, 10'007, 0.5, 4));
    EXPECT_NE(make_stream(Pattern::runs, 100'003, 0.5, 3), make_stream(Pattern::runs, 100'003, 0.5, 4));
}

TEST(Workloads, AreTheSameOnEveryPlatform) {
    // Computed independently: SplitMix64 of seed 1; the upper 32 bits decide, the lower 32 are the value.
    const std::vector<Item> expected{0U, 0U, 0U,         3997354251U, 3506550201U, 0U,
                                     0U, 0U, 897465768U, 0U,          22433633U,   0U};
    EXPECT_EQ(make_stream(Pattern::random, expected.size(), 0.5, 1), expected);
}

TEST(Workloads, FixedPatternsMatchTheirDescriptions) {
    EXPECT_EQ(make_stream(Pattern::structured, 7, 0.5, 1), (std::vector<Item>{1, 0, 3, 0, 5, 0, 7}));
    const std::vector<Item> structured = make_stream(Pattern::structured, 200'000, 0.5, 1);
    EXPECT_EQ(std::ranges::max(structured), 65'535U);
    EXPECT_EQ(kept_fraction(structured), 0.5);
    EXPECT_EQ(kept_fraction(make_stream(Pattern::empty, num_items, 1, 1)), 0);
    EXPECT_EQ(kept_fraction(make_stream(Pattern::full, num_items, 0, 1)), 1);
    const std::vector<Item> first = make_stream(Pattern::first_only, 1'000, 0, 1);
    EXPECT_NE(first.front(), 0U);
    EXPECT_EQ(std::ranges::count(first, 0U), 999);
    const std::vector<Item> last = make_stream(Pattern::last_only, 1'000, 0, 1);
    EXPECT_NE(last.back(), 0U);
    EXPECT_EQ(std::ranges::count(last, 0U), 999);
}

TEST(Workloads, RandomHasTheKeepFraction) {
    for (const double fraction : {0.0, 0.01, 0.5, 0.9, 1.0}) {
        // Five standard deviations of a binomial distribution.
        const double bound = 5 * std::sqrt(fraction * (1 - fraction) / static_cast<double>(num_items));
        EXPECT_NEAR(kept_fraction(make_stream(Pattern::random, num_items, fraction, 9)), fraction, bound);
    }
    EXPECT_EQ(kept_fraction(make_stream(Pattern::random, 1'000, std::numeric_limits<double>::quiet_NaN(), 9)),
              0);
    EXPECT_EQ(kept_fraction(make_stream(Pattern::random, 1'000, 7.0, 9)), 1);
}

TEST(Workloads, RunsAreLongAndHaveTheKeepFraction) {
    for (const double fraction : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        const std::vector<Item> stream = make_stream(Pattern::runs, 16 * num_items, fraction, 9);
        EXPECT_NEAR(kept_fraction(stream), fraction, 0.02) << fraction;
        std::uint64_t runs = 1;
        for (std::size_t i = 1; i < stream.size(); ++i) runs += (stream[i] == 0) != (stream[i - 1] == 0);
        const double mean_length = static_cast<double>(stream.size()) / static_cast<double>(runs);
        if (fraction == 0 || fraction == 1) continue;
        EXPECT_NEAR(mean_length, 4096, 400) << fraction;
    }
}

TEST(Workloads, RampRisesFromNothingToAll) {
    const std::vector<Item> stream = make_stream(Pattern::ramp, num_items, 0.5, 9);
    for (int part = 0; part < 8; ++part) {
        const auto begin = stream.begin() + part * (1 << 17);
        EXPECT_NEAR(kept_fraction({begin, begin + (1 << 17)}), (part + 0.5) / 8, 0.01) << part;
    }
}

TEST(StreamFunctions, MakeEveryItemOfEveryStreamByItself) {
    workloads::StreamFunctions functions;
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{100'003}}) {
            for (const double fraction : {-1.0, 0.0, 0.0001, 0.3, 0.5, 1.0, 7.0}) {
                const std::vector<Item> stream = make_stream(info.pattern, length, fraction, 5);
                const workloads::StreamFunction item_at = functions.make(info.pattern, length, fraction, 5);
                std::vector<Item> made(length);
                for (std::uint64_t i = 0; i < length; ++i) made[i] = item_at(i);
                EXPECT_EQ(made, stream) << info.name << ", length " << length << ", fraction " << fraction;
            }
        }
    }
}

TEST(Pictures, KeepTheirBrightPixels) {
    const auto picture = testing_support::test_picture();
    const std::vector<Item> stream = make_stream(Pattern::picture, picture->bright.size(), 0, 3, picture);
    for (std::size_t i = 0; i < stream.size(); ++i) ASSERT_EQ(stream[i] != 0, picture->bright[i] != 0) << i;
    EXPECT_EQ(workloads::picture_columns(*picture, picture->bright.size()), picture->width);
    EXPECT_NE(stream, make_stream(Pattern::picture, picture->bright.size(), 0, 4, picture)) << "the values";
    EXPECT_EQ(kept_fraction(make_stream(Pattern::picture, 1'000, 1, 3)), 0) << "no picture";
}

TEST(Pictures, AreStretchedOverTheItems) {
    const auto picture = testing_support::test_picture();
    const double bright = static_cast<double>(std::ranges::count(picture->bright, 1)) /
                          static_cast<double>(picture->bright.size());
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{13}, std::uint64_t{4'096},
                                       std::uint64_t{100'003}, std::uint64_t{1} << 20}) {
        const std::vector<Item> stream = make_stream(Pattern::picture, length, 0, 3, picture);
        if (length > 100) {
            EXPECT_NEAR(kept_fraction(stream), bright, 0.05) << length;
        }
        const std::uint64_t columns = workloads::picture_columns(*picture, length);
        const std::uint64_t rows = (length + columns - 1) / columns;
        for (std::uint64_t i = 0; i < length; i += 1 + length / 1'000) {
            const std::uint64_t x = (2 * (i % columns) + 1) * picture->width / (2 * columns);
            const std::uint64_t y = (2 * (i / columns) + 1) * picture->height / (2 * rows);
            ASSERT_EQ(stream[i] != 0, picture->bright[y * picture->width + x] != 0) << i << " of " << length;
        }
    }
}

TEST(Pictures, ReplaceOneAnother) {
    workloads::StreamFunctions functions;
    const auto disc = testing_support::test_picture();
    auto white = std::make_shared<workloads::Picture>(*disc);
    std::ranges::fill(white->bright, std::uint8_t{1});
    const auto kept = [&](const workloads::PicturePointer& picture) {
        std::vector<Item> stream(851);
        workloads::fill_part(stream, functions.make(Pattern::picture, stream.size(), 0, 1, picture), 0);
        return kept_fraction(stream);
    };
    const double of_disc = kept(disc);
    EXPECT_LT(of_disc, 1);
    EXPECT_EQ(kept(white), 1);
    EXPECT_EQ(kept(disc), of_disc);
    EXPECT_EQ(kept(nullptr), 0);
    EXPECT_EQ(kept(disc), of_disc);
}

TEST(StreamFunctions, PartsMakeTheWholeStream) {
    constexpr std::size_t length = 20'011;
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        workloads::StreamFunctions functions;
        const workloads::StreamFunction item_at = functions.make(info.pattern, length, 0.4, 5);
        std::vector<Item> stream(length);
        for (const std::size_t part : {std::size_t{1}, std::size_t{4096}, std::size_t{9973}}) {
            std::ranges::fill(stream, Item{7});
            for (std::size_t first = 0; first < length; first += part) {
                workloads::fill_part(std::span(stream).subspan(first, std::min(part, length - first)),
                                     item_at, first);
            }
            EXPECT_EQ(stream, make_stream(info.pattern, length, 0.4, 5))
                << info.name << ", parts of " << part;
        }
    }
}

TEST(Workloads, RunsAreTheSameOnEveryPlatform) {
    // The ends of the first runs of seed 9, computed independently.
    const std::vector<Item> stream = make_stream(Pattern::runs, 40'000, 0.25, 9);
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i < stream.size(); ++i) {
        if ((stream[i] == 0) != (stream[i - 1] == 0)) ends.push_back(i);
    }
    EXPECT_EQ(ends, (std::vector<std::size_t>{1'356, 2'554, 5'239, 14'886, 17'129, 21'092, 23'358, 34'175,
                                              37'857}));
}

TEST(Workloads, EmptyStreamsAreEmpty) {
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        EXPECT_TRUE(make_stream(info.pattern, 0, 0.5, 1).empty());
        EXPECT_EQ(make_stream(info.pattern, 1, 0.5, 1).size(), 1U);
    }
}

TEST(Widen, KeepsTheFlagWordAndIsReproducible) {
    const std::vector<Item> stream = make_stream(Pattern::random, 1'000, 0.5, 3);
    EXPECT_EQ(widen(stream, compaction::ItemSize::bytes_4, 1), stream);
    for (const compaction::ItemSize size : {compaction::ItemSize::bytes_8, compaction::ItemSize::bytes_16}) {
        const std::size_t words = words_of(size);
        const std::vector<Item> wide = widen(stream, size, 1);
        ASSERT_EQ(wide.size(), stream.size() * words);
        std::set<Item> payloads;
        for (std::size_t i = 0; i < wide.size(); ++i) {
            if (i % words == words - 1) {
                EXPECT_EQ(wide[i], stream[i / words]);
            } else {
                payloads.insert(wide[i]);
            }
        }
        EXPECT_GT(payloads.size(), stream.size() * (words - 1) * 9 / 10) << "the payload repeats";
        EXPECT_EQ(widen(stream, size, 1), wide);
        EXPECT_NE(widen(stream, size, 2), wide);
    }
}

}  // namespace
