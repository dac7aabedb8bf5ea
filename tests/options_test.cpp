#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "compaction/compaction.hpp"

namespace {

using namespace compaction;

constexpr LegalRange widths{Option::vector_width, 1, 4, LegalRange::Spacing::powers_of_two};
constexpr LegalRange warps{Option::threads_per_block, 32, 1024, LegalRange::Spacing::multiples, 32};
constexpr LegalRange many_sequences{Option::sequences, 1, 65'536};
constexpr LegalRange ragged_ends{Option::blocks, 10, 50, LegalRange::Spacing::multiples, 8};

Algorithm algorithm_with(std::vector<LegalRange> options) {
    Algorithm algorithm;
    algorithm.id = "some_algorithm";
    algorithm.options = std::move(options);
    return algorithm;
}

std::string refusal(const Algorithm& algorithm, Option option, std::uint32_t value) {
    Options options;
    options[option] = value;
    try {
        validate(algorithm, options);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(LegalRange, ValuesAreExactlyWhatItContains) {
    for (const LegalRange& range : {widths, warps, ragged_ends}) {
        const std::vector<std::uint32_t> values = range.values(100'000);
        for (std::uint32_t value = 0; value <= range.maximum + 100; ++value) {
            EXPECT_EQ(range.contains(value), std::ranges::count(values, value) == 1)
                << value << " of " << range.describe();
        }
    }
}

TEST(LegalRange, SamplesHoldBothEndsRiseAndAreLegal) {
    for (const LegalRange& range : {widths, warps, many_sequences, ragged_ends}) {
        const std::vector<std::uint32_t> all = range.values(100'000);
        const std::vector<std::uint32_t> sample = range.values(5);
        EXPECT_LE(sample.size(), 6U);
        EXPECT_EQ(sample.front(), all.front());
        EXPECT_EQ(sample.back(), all.back());
        EXPECT_TRUE(std::ranges::is_sorted(sample, std::less_equal<>{}));
        for (const std::uint32_t value : sample) EXPECT_TRUE(range.contains(value)) << value;
    }
}

TEST(LegalRange, DescribesItself) {
    EXPECT_EQ(widths.describe(), "1 (scalar), 2 (pair) or 4 (quad)");
    EXPECT_EQ(warps.describe(), "32 to 1024 in steps of 32");
    EXPECT_EQ(many_sequences.describe(), "1 to 65536");
}

TEST(Validate, AcceptsAutomaticAndLegalValues) {
    const Algorithm algorithm = algorithm_with({widths, warps});
    EXPECT_NO_THROW(validate(algorithm, Options{}));
    EXPECT_EQ(refusal(algorithm, Option::vector_width, 4), "");
    EXPECT_EQ(refusal(algorithm, Option::threads_per_block, 1024), "");
}

TEST(Validate, NamesTheOptionAndItsLegalValues) {
    const std::string message = refusal(algorithm_with({widths, warps}), Option::threads_per_block, 100);
    EXPECT_TRUE(contains(message, "threads per block")) << message;
    EXPECT_TRUE(contains(message, "100")) << message;
    EXPECT_TRUE(contains(message, warps.describe())) << message;
    EXPECT_TRUE(contains(message, "some_algorithm")) << message;
}

TEST(Validate, NamesTheOptionsThereAreWhereOneIsNot) {
    const std::string message = refusal(algorithm_with({widths, warps}), Option::blocks, 8);
    EXPECT_TRUE(contains(message, "blocks")) << message;
    EXPECT_TRUE(contains(message, "vector width, threads per block")) << message;
    EXPECT_TRUE(contains(refusal(algorithm_with({}), Option::blocks, 8), "none"));
}

TEST(Options, EveryOptionHasItsOwnNameAndFlag) {
    std::set<std::string_view> names;
    std::set<std::string_view> flags;
    for (const Option option : all_options) {
        EXPECT_FALSE(name_of(option).empty());
        EXPECT_FALSE(flag_of(option).empty());
        EXPECT_FALSE(contains(std::string(flag_of(option)), " "));
        names.insert(name_of(option));
        flags.insert(flag_of(option));
    }
    EXPECT_EQ(names.size(), all_options.size());
    EXPECT_EQ(flags.size(), all_options.size());
}

TEST(Catalogue, IdsAreUniqueAndFound) {
    std::set<std::string> ids;
    for (const Algorithm& algorithm : catalogue()) {
        EXPECT_TRUE(ids.insert(algorithm.id).second) << algorithm.id << " is listed twice";
        EXPECT_FALSE(algorithm.name.empty());
        EXPECT_EQ(&find_algorithm(algorithm.id), &algorithm);
    }
    for (const EngineStatus& status : engine_statuses())
        EXPECT_EQ(default_algorithm(status.id).engine, status.id);
}

TEST(Catalogue, AnUnknownIdIsAnsweredWithThoseThereAre) {
    try {
        find_algorithm("bubble_sort");
        FAIL() << "bubble_sort was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_TRUE(contains(error.what(), "bubble_sort"));
        for (const Algorithm& algorithm : catalogue()) EXPECT_TRUE(contains(error.what(), algorithm.id));
    }
}

TEST(Catalogue, AlgorithmsOfBuiltEnginesTellAboutThemselves) {
    for (const Algorithm& algorithm : catalogue()) {
        // An engine that was not built in lists its algorithms by id and name alone.
        if (algorithm.phases.empty() && algorithm.engine == EngineId::cuda) continue;
        EXPECT_FALSE(algorithm.phases.empty()) << algorithm.id;
        EXPECT_LE(algorithm.phases.size(), max_phases) << algorithm.id;
        for (const Phase& phase : algorithm.phases) {
            EXPECT_FALSE(phase.name.empty()) << algorithm.id;
            EXPECT_FALSE(phase.meaning.empty()) << algorithm.id;
        }
        EXPECT_FALSE(algorithm.authors.empty()) << algorithm.id;
        EXPECT_FALSE(algorithm.source.empty()) << algorithm.id;
        EXPECT_FALSE(algorithm.summary.empty()) << algorithm.id;
        EXPECT_GT(algorithm.year, 1960) << algorithm.id;
        for (const LegalRange& range : algorithm.options) {
            EXPECT_FALSE(range.values().empty()) << algorithm.id << ": " << name_of(range.option);
            EXPECT_FALSE(range.contains(automatic)) << algorithm.id << ": " << name_of(range.option);
        }
    }
}

}  // namespace
