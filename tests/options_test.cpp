#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"

namespace {

using namespace compaction;

const LegalRange widths = every_vector_width();
const LegalRange forms = variants({"trimmed", "all_threads"});
const LegalRange warps{Option::threads_per_block, 32, 1024, LegalRange::Spacing::multiples, 32};
const LegalRange many_sequences{Option::sequences, 1, 65'536};
const LegalRange ragged_ends{Option::blocks, 10, 50, LegalRange::Spacing::multiples, 8};

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
    for (const LegalRange& range : {widths, warps, ragged_ends, forms}) {
        const std::vector<std::uint32_t> values = range.values(100'000);
        for (std::uint32_t value = 0; value <= range.maximum + 100; ++value) {
            EXPECT_EQ(range.contains(value), std::ranges::count(values, value) == 1)
                << value << " of " << range.describe();
        }
    }
}

TEST(LegalRange, SamplesAreAscendingLegalAndIncludeBothEnds) {
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
    EXPECT_EQ(forms.describe(), "1 (trimmed) or 2 (all_threads)");
}

TEST(LegalRange, TextsOfValuesParseBack) {
    for (const LegalRange& range : {widths, warps, ragged_ends, forms}) {
        for (const std::uint32_t value : range.values(100'000)) {
            EXPECT_EQ(range.parse(range.text_of(value)), value) << range.describe();
            EXPECT_EQ(range.parse(std::to_string(value)), value) << range.describe();
        }
        EXPECT_EQ(range.parse(range.text_of(automatic)), automatic);
        EXPECT_EQ(range.parse("2^5"), 32U);
        for (const char* none : {"", "many", "2^", "2^32", "3x", "-1", "4294967296"}) {
            EXPECT_EQ(range.parse(none), std::nullopt) << none;
        }
    }
    EXPECT_EQ(widths.text_of(4), "quad");
    EXPECT_EQ(forms.text_of(1), "trimmed");
}

TEST(ParseOption, SaysWhatIsLegal) {
    const Algorithm algorithm = algorithm_with({widths, warps, forms});
    EXPECT_EQ(parse_option(algorithm, Option::vector_width, "pair"), 2U);
    EXPECT_EQ(parse_option(algorithm, Option::variant, "all_threads"), 2U);
    EXPECT_EQ(parse_option(algorithm, Option::threads_per_block, "2^7"), 128U);
    EXPECT_EQ(parse_option(algorithm, Option::threads_per_block, "automatic"), automatic);
    for (const char* illegal : {"tripple", "3", "5"}) {
        try {
            parse_option(algorithm, Option::variant, illegal);
            ADD_FAILURE() << illegal << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
            EXPECT_TRUE(contains(error.what(), forms.describe())) << error.what();
            EXPECT_TRUE(contains(error.what(), illegal)) << error.what();
        }
    }
    EXPECT_THROW(parse_option(algorithm, Option::blocks, "8"), Error);
}

TEST(Validate, AVectorFitsOneAccess) {
    const Algorithm algorithm = algorithm_with({widths});
    Options quad;
    quad[Option::vector_width] = 4;
    EXPECT_NO_THROW(validate(algorithm, quad, ItemSize::bytes_4));
    EXPECT_THROW(validate(algorithm, quad, ItemSize::bytes_8), Error);
    Options pair;
    pair[Option::vector_width] = 2;
    EXPECT_NO_THROW(validate(algorithm, pair, ItemSize::bytes_8));
    EXPECT_THROW(validate(algorithm, pair, ItemSize::bytes_16), Error);
}

TEST(Validate, RefusesUnsupportedItemSizes) {
    Algorithm algorithm = algorithm_with({});
    algorithm.item_sizes = {ItemSize::bytes_4};
    EXPECT_NO_THROW(validate(algorithm, {}, ItemSize::bytes_4));
    try {
        validate(algorithm, {}, ItemSize::bytes_16);
        FAIL() << "16-byte items were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_TRUE(contains(error.what(), "16 bytes")) << error.what();
    }
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

TEST(Validate, NamesTheExistingOptionsForAMissingOne) {
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

std::vector<Algorithm> all_described() {
    std::vector<Algorithm> all(catalogue().begin(), catalogue().end());
    all.insert(all.end(), steps().begin(), steps().end());
    return all;
}

TEST(Catalogue, HoldsCompactionsAndStepsAreNone) {
    for (const Algorithm& algorithm : catalogue()) {
        EXPECT_EQ(algorithm.operation, Operation::compaction) << algorithm.id;
    }
    for (const Algorithm& step : steps()) {
        // Steps of an engine that is not in this build have only id and name.
        if (step.phases.empty()) continue;
        EXPECT_NE(step.operation, Operation::compaction) << step.id;
    }
}

TEST(Catalogue, IdsAreUniqueAndFound) {
    std::set<std::string> ids;
    for (const Algorithm& algorithm : all_described()) {
        EXPECT_TRUE(ids.insert(algorithm.id).second) << algorithm.id << " is listed twice";
        EXPECT_FALSE(algorithm.name.empty());
        EXPECT_EQ(find_algorithm(algorithm.id).name, algorithm.name);
    }
    for (const EngineStatus& status : engine_statuses())
        EXPECT_EQ(default_algorithm(status.id).engine, status.id);
}

TEST(Catalogue, AnUnknownIdListsTheKnownOnes) {
    try {
        find_algorithm("bubble_sort");
        FAIL() << "bubble_sort was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_TRUE(contains(error.what(), "bubble_sort"));
        for (const Algorithm& each : all_described()) EXPECT_TRUE(contains(error.what(), each.id));
    }
}

TEST(Catalogue, AnUnknownIdListsOnlyTheSearchedOnes) {
    EXPECT_EQ(find_algorithm("cpu_loop", catalogue()).id, "cpu_loop");
    for (const std::string unknown : {"bubble_sort", "cpu_copy"}) {
        try {
            find_algorithm(unknown, catalogue());
            FAIL() << unknown << " was found";
        } catch (const Error& error) {
            const std::string listed = std::string(error.what()).substr(std::string(error.what()).find('.'));
            for (const Algorithm& each : catalogue()) EXPECT_TRUE(contains(listed, each.id));
            EXPECT_FALSE(contains(listed, "cpu_copy")) << "steps were not searched";
        }
    }
}

TEST(Catalogue, AnUnavailableAlgorithmIsRefusedWithTheReason) {
    Algorithm algorithm;
    algorithm.id = "left_out";
    algorithm.unavailable_reason = "Not in this build: its library was not found.";
    try {
        validate(algorithm, {});
        FAIL() << "it was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::unavailable);
        EXPECT_TRUE(contains(error.what(), algorithm.id));
        EXPECT_TRUE(contains(error.what(), algorithm.unavailable_reason));
    }
}

TEST(Catalogue, AlgorithmsOfBuiltEnginesDescribeThemselves) {
    for (const Algorithm& algorithm : all_described()) {
        // Algorithms of an engine that is not in this build have only id and name.
        if (algorithm.phases.empty() && algorithm.is_available() && algorithm.engine != EngineId::cpu)
            continue;
        // An algorithm whose library was not found says so and supports no item size.
        if (!algorithm.is_available()) {
            EXPECT_TRUE(contains(algorithm.unavailable_reason, "Not in this build")) << algorithm.id;
            EXPECT_TRUE(algorithm.item_sizes.empty()) << algorithm.id;
            continue;
        }
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

/// The minimum that an algorithm of the operation moves: items read once, results written once.
double min_bytes(Operation operation, const StreamShape& shape) {
    switch (operation) {
        case Operation::compaction:
            return shape.stream_bytes() + shape.selected_bytes();
        case Operation::copy:
        case Operation::scan:
            return 2 * shape.stream_bytes();
        case Operation::count:
            break;
    }
    return shape.stream_bytes();
}

TEST(Traffic, IsNeverLessThanTheOperationNeeds) {
    const StreamShape shape{std::uint64_t{1} << 20, 300'000, 4, {}};
    std::size_t known = 0;
    for (const std::span<const Algorithm> list : {catalogue(), steps()}) {
        for (const Algorithm& algorithm : list) {
            const std::optional<double> bytes = moved_bytes(algorithm, shape);
            if (!bytes) continue;
            ++known;
            EXPECT_GE(*bytes, min_bytes(algorithm.operation, shape)) << algorithm.id;
        }
    }
    EXPECT_GE(known, 8U);
}

TEST(Traffic, CountsThePassesOfAnAlgorithm) {
    const StreamShape shape{1000, 250, 8, {}};
    EXPECT_EQ(moved_bytes(find_algorithm("cpu_simd"), shape), 10'000);
    EXPECT_EQ(moved_bytes(find_algorithm("cpu_sequence_wise"), shape), 18'000);
    // Map writes flags; scan reads them and writes sums; scatter reads flags, and sums and items of kept
    // ones.
    EXPECT_EQ(moved_bytes(find_algorithm("cpu_scan_scatter"), shape),
              (8000 + 4000) + (4000 + 4000) + (4000 + 250 * (4 + 8 + 8)));
}

TEST(Traffic, IsUnknownIfAPhaseIs) {
    EXPECT_FALSE(moved_bytes(find_algorithm("thrust_copy_if_tbb"), {1000, 250, 4, {}}));
    Algorithm algorithm;
    EXPECT_FALSE(moved_bytes(algorithm, {1000, 250, 4, {}}));
    algorithm.phases = {{PhaseRole::count, "count", "", traffic::reads_all},
                        {PhaseRole::scatter, "move", ""}};
    EXPECT_FALSE(moved_bytes(algorithm, {1000, 250, 4, {}}));
}

}  // namespace
