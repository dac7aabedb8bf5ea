// The contract of every algorithm of the catalogue besides its results: what it refuses, allocates and
// describes.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/conformance.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/option_sets.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace testing_support;
using workloads::make_stream;
using workloads::Pattern;

/// The promises of every algorithm, for items of each size.
class Contract : public Conformance {
  protected:
    /// Calls `body` with `item_size_` set to each size in turn.
    void for_each_item_size(const std::function<void()>& body) {
        for (const ItemSize size : algorithm_->item_sizes) {
            SCOPED_TRACE(std::to_string(bytes_of(size)) + " bytes");
            item_size_ = size;
            bench_->use(*algorithm_, size);
            body();
        }
    }
};
/// Algorithms that promise more.
class ContractOfWaitless : public Contract {};
class ContractOfParts : public Contract {};
class ContractOfLongest : public Contract {};
class ContractOfVectors : public Contract {};

TEST_P(ContractOfWaitless, EnqueueNeitherAllocatesNorSynchronises) {
    for_each_item_size([this] {
        const std::uint64_t max_length = algorithm_->engine == EngineId::simulated ? 65'537 : prime;
        const Buffer in = engine_->allocate(max_length * bytes_of(item_size_));
        const Buffer out = engine_->allocate(max_length * bytes_of(item_size_));
        const Buffer num_selected = engine_->allocate(sizeof(std::uint64_t));
        const std::vector<Item> stream = make_stream(Pattern::random, max_length, 0.5, seed);
        engine_->upload(in.as<void>(), workloads::widen(stream, item_size_, seed).data(), in.size_bytes());
        const auto compactor = reserved_compactor(automatic_options(), max_length);
        const EngineCounters before = engine_->counters();
        for (const std::uint64_t length : {max_length, std::uint64_t{5'000}, std::uint64_t{0}, max_length}) {
            compactor->enqueue(in.as<void>(), length, out.as<void>(), num_selected.as<std::uint64_t>(),
                               keep_non_zero(), nullptr);
        }
        const EngineCounters after = engine_->counters();
        engine_->synchronise();
        EXPECT_EQ(after.allocations, before.allocations);
        EXPECT_EQ(after.synchronisations, before.synchronisations);
    });
}

TEST_P(Contract, RefusesMoreThanReserved) {
    for_each_item_size([this] {
        const Buffer memory = engine_->allocate(3 * 4'096);
        auto* const in = memory.as<char>();
        const auto compactor = reserved_compactor({}, 100);
        try {
            compactor->enqueue(in, 101, in + 4'096, reinterpret_cast<std::uint64_t*>(in + 8'192),
                               keep_non_zero(), nullptr);
            FAIL() << "101 items were accepted where 100 were reserved";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        }
    });
}

TEST_P(Contract, RefusesMisalignedMemoryAndACountAmongTheItems) {
    for_each_item_size([this] {
        const Buffer memory = engine_->allocate(3 * 4'096);
        auto* const in = memory.as<char>();
        char* const out = in + 4'096;
        char* const count = in + 8'192;
        const auto compactor = reserved_compactor({}, 100);
        const auto expect_refused = [&](const char* in_address, char* out_address, char* count_address) {
            try {
                compactor->enqueue(in_address, 100, out_address,
                                   reinterpret_cast<std::uint64_t*>(count_address), keep_non_zero(), nullptr);
                ADD_FAILURE() << "in + " << in_address - in << ", out + " << out_address - out << ", count + "
                              << count_address - count;
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
            }
        };
        const std::size_t half_item = bytes_of(item_size_) / 2;
        expect_refused(in + half_item, out, count);
        if (algorithm_->operation != Operation::count) expect_refused(in, out + half_item, count);
        if (algorithm_->operation == Operation::compaction || algorithm_->operation == Operation::count) {
            expect_refused(in, out, count + 4);
            expect_refused(in, out, in + 8);
        }
        if (algorithm_->operation == Operation::compaction) expect_refused(in, out, out + 8);
        engine_->synchronise();
    });
}

TEST_P(Contract, ResolvedOptionsHaveNoAutomaticValues) {
    for_each_item_size([this] {
        const auto compactor = engine_->make_compactor(*algorithm_, {}, item_size_);
        for (const std::uint64_t length : all_lengths) {
            const Options options = compactor->resolved_options(length);
            for (const Option option : all_options) {
                const LegalRange* range = algorithm_->range_of(option);
                if (range) {
                    EXPECT_TRUE(range->contains(options[option]))
                        << name_of(option) << " = " << options[option];
                } else {
                    EXPECT_EQ(options[option], automatic) << name_of(option);
                }
            }
        }
    });
}

testing::AssertionResult tiles_the_stream(const Partition& parts) {
    if (parts.num_parts == 0 || parts.begin(0) != 0) return testing::AssertionFailure() << "no first part";
    std::uint64_t position = 0;
    for (std::uint64_t part = 0; part < parts.num_parts; ++part) {
        if (parts.begin(part) != position || parts.end(part) < position) {
            return testing::AssertionFailure() << "a gap before part " << part << " of " << parts.num_parts;
        }
        position = parts.end(part);
        const bool holds_its_ends = parts.size(part) == 0 || (parts.part_of(parts.begin(part)) == part &&
                                                              parts.part_of(position - 1) == part);
        if (!holds_its_ends)
            return testing::AssertionFailure() << "part " << part << " does not contain its own items";
    }
    if (position != parts.num_items) return testing::AssertionFailure() << "the parts end at " << position;
    return testing::AssertionSuccess();
}

/// The parts that a compaction describes tile the stream and agree with its options.
TEST_P(ContractOfParts, PartsTileTheStreamAndAgreeWithTheOptions) {
    for_each_item_size([this] {
        for (const Options& requested : testing_support::many_option_sets(*algorithm_, item_size_)) {
            const auto compactor = engine_->make_compactor(*algorithm_, requested, item_size_);
            for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33},
                                               std::uint64_t{4'096}, std::uint64_t{65'537}, prime, longest}) {
                SCOPED_TRACE(testing_support::describe(requested) + "; " + std::to_string(length) + " items");
                const Partition parts = compactor->partition(length);
                ASSERT_EQ(parts.num_items, length);
                if (!parts.known()) {
                    EXPECT_EQ(parts.unknown_because.back(), '.') << "a sentence";
                    EXPECT_EQ(parts.unknown_because.find("does not describe"), std::string::npos)
                        << "an algorithm lacks a partition";
                    continue;
                }
                ASSERT_TRUE(tiles_the_stream(parts));
                const LegalRange* sequences = algorithm_->range_of(Option::sequences);
                if (sequences) {
                    EXPECT_EQ(parts.kind, PartKind::sequence);
                    EXPECT_EQ(parts.num_parts, compactor->resolved_options(length)[Option::sequences]);
                }
            }
        }
    });
}

/// The grid of the published winner and the numbers of its table.
class TruncatingCopy : public testing_support::OnEveryEngine {};

TEST_P(TruncatingCopy, CoversWhatThePublicationCopied) {
    const std::unique_ptr<Engine>& engine = engine_;
    const bool is_simulated = GetParam() == EngineId::simulated;
    const Algorithm& copy = find_algorithm(is_simulated ? "simulated_copy_truncating" : "copy_truncating");
    for (const std::uint32_t width : {2U, 4U}) {
        Options options;
        options[Option::vector_width] = width;
        options[Option::threads_per_block] = 256;
        options[Option::blocks] = 38'912;
        const auto compactor = engine->make_compactor(copy, options);
        EXPECT_EQ(compactor->partition(std::uint64_t{1} << 24).num_items, 16'187'392U);
    }
    Options sequences;
    sequences[Option::vector_width] = 1;
    sequences[Option::threads_per_block] = 128;
    sequences[Option::blocks] = 120;
    sequences[Option::sequences] = 512;
    EXPECT_EQ(engine->make_compactor(copy, sequences)->partition(std::uint64_t{1} << 24).num_items,
              15'728'640U);
}

INSTANTIATE_TEST_SUITE_P(Engines, TruncatingCopy, testing::Values(EngineId::cuda, EngineId::simulated),
                         testing_support::engine_test_name);

TEST_P(ContractOfLongest, RefusesMoreThanMaxItems) {
    for_each_item_size([this] {
        try {
            reserved_compactor({}, algorithm_->max_items + 1);
            FAIL() << algorithm_->max_items + 1 << " items were accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        }
    });
}

TEST_P(ContractOfVectors, RefusesVectorsWiderThanOneAccess) {
    for_each_item_size([this] {
        if (item_size_ == ItemSize::bytes_4) return;  // no vector is too wide
        Options options;
        options[Option::vector_width] = 2 * max_vector_width(item_size_);
        try {
            engine_->make_compactor(*algorithm_, options, item_size_);
            FAIL() << "a vector of " << options[Option::vector_width] << " items was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        }
    });
}

/// Each algorithm once, whatever its item sizes; `has` selects them.
std::vector<Subject> each_of(
    std::span<const Algorithm> algorithms,
    bool (*has)(const Algorithm&) = [](const Algorithm&) { return true; }) {
    std::vector<Subject> all;
    for (const Algorithm& algorithm : algorithms)
        if (has(algorithm) && !algorithm.item_sizes.empty()) all.push_back({&algorithm, ItemSize::bytes_4});
    return all;
}

std::string name_of_algorithm(const testing::TestParamInfo<Subject>& info) {
    return info.param.algorithm->id;
}

bool limits_the_length(const Algorithm& algorithm) {
    return algorithm.max_items != Algorithm{}.max_items;
}
bool has_vectors(const Algorithm& algorithm) {
    return algorithm.range_of(Option::vector_width) != nullptr && algorithm.item_sizes.size() > 1;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Contract, testing::ValuesIn(each_of(catalogue())), name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Steps, Contract, testing::ValuesIn(each_of(steps())), name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Catalogue, ContractOfWaitless, testing::ValuesIn(each_of(catalogue(), never_waits)),
                         name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Steps, ContractOfWaitless, testing::ValuesIn(each_of(steps(), never_waits)),
                         name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Catalogue, ContractOfParts, testing::ValuesIn(each_of(catalogue())),
                         name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Catalogue, ContractOfLongest,
                         testing::ValuesIn(each_of(catalogue(), limits_the_length)), name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Steps, ContractOfLongest, testing::ValuesIn(each_of(steps(), limits_the_length)),
                         name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Catalogue, ContractOfVectors, testing::ValuesIn(each_of(catalogue(), has_vectors)),
                         name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Steps, ContractOfVectors, testing::ValuesIn(each_of(steps(), has_vectors)),
                         name_of_algorithm);
// Without the CUDA engine and the simulated GPU, there may be no such algorithm.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ContractOfLongest);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ContractOfVectors);

}  // namespace
