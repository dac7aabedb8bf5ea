// The contract of every algorithm of the catalogue besides its results: what it refuses, allocates and
// describes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/conformance.hpp"
#include "tests/support/layouts.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace testing_support;
using workloads::make_stream;
using workloads::Pattern;

/// What every algorithm promises, on the simulated GPU as well.
class Contract : public Conformance {};

TEST_P(Contract, EnqueueNeitherAllocatesNorSynchronises) {
    if (algorithm_->synchronises)
        GTEST_SKIP() << "The algorithm waits for the device, as its description says.";
    const std::uint64_t most = algorithm_->engine == EngineId::simulated ? 65'537 : prime;
    const Buffer in = engine_->allocate(most * bytes_of(item_size_));
    const Buffer out = engine_->allocate(most * bytes_of(item_size_));
    const Buffer num_selected = engine_->allocate(sizeof(std::uint64_t));
    const std::vector<Item> stream = make_stream(Pattern::random, most, 0.5, seed);
    engine_->upload(in.as<void>(), workloads::widen(stream, item_size_, seed).data(), in.size_bytes());
    const auto compactor = reserved_compactor({}, most);
    const EngineCounters before = engine_->counters();
    for (const std::uint64_t length : {most, std::uint64_t{5'000}, std::uint64_t{0}, most}) {
        compactor->enqueue(in.as<void>(), length, out.as<void>(), num_selected.as<std::uint64_t>(),
                           keep_non_zero(), nullptr);
    }
    const EngineCounters after = engine_->counters();
    engine_->synchronise();
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(after.synchronisations, before.synchronisations);
}

TEST_P(Contract, RefusesMoreThanReserved) {
    const Buffer memory = engine_->allocate(3 * 4'096);
    auto* const in = memory.as<char>();
    const auto compactor = reserved_compactor({}, 100);
    try {
        compactor->enqueue(in, 101, in + 4'096, reinterpret_cast<std::uint64_t*>(in + 8'192), keep_non_zero(),
                           nullptr);
        FAIL() << "101 items were accepted where 100 were reserved";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
}

TEST_P(Contract, RefusesMisalignedMemoryAndACountAmongTheItems) {
    const Buffer memory = engine_->allocate(3 * 4'096);
    auto* const in = memory.as<char>();
    char* const out = in + 4'096;
    char* const count = in + 8'192;
    const auto compactor = reserved_compactor({}, 100);
    const auto expect_refused = [&](const char* in_place, char* out_place, char* count_place) {
        try {
            compactor->enqueue(in_place, 100, out_place, reinterpret_cast<std::uint64_t*>(count_place),
                               keep_non_zero(), nullptr);
            ADD_FAILURE() << "in + " << in_place - in << ", out + " << out_place - out << ", count + "
                          << count_place - count;
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
}

TEST_P(Contract, LayoutReplacesAutomaticValues) {
    const auto compactor = engine_->make_compactor(*algorithm_, {}, item_size_);
    for (const std::uint64_t length : all_lengths) {
        const Options layout = compactor->layout(length);
        for (const Option option : all_options) {
            const LegalRange* range = algorithm_->range_of(option);
            if (range) {
                EXPECT_TRUE(range->contains(layout[option])) << name_of(option) << " = " << layout[option];
            } else {
                EXPECT_EQ(layout[option], automatic) << name_of(option);
            }
        }
    }
}

testing::AssertionResult tiles_the_stream(const Partition& parts) {
    if (parts.num_parts == 0 || parts.begin(0) != 0) return testing::AssertionFailure() << "no first part";
    std::uint64_t place = 0;
    for (std::uint64_t part = 0; part < parts.num_parts; ++part) {
        if (parts.begin(part) != place || parts.end(part) < place) {
            return testing::AssertionFailure() << "a gap before part " << part << " of " << parts.num_parts;
        }
        place = parts.end(part);
        const bool holds_its_ends = parts.size(part) == 0 || (parts.part_of(parts.begin(part)) == part &&
                                                              parts.part_of(place - 1) == part);
        if (!holds_its_ends)
            return testing::AssertionFailure() << "part " << part << " does not contain its own items";
    }
    if (place != parts.num_items) return testing::AssertionFailure() << "the parts end at " << place;
    return testing::AssertionSuccess();
}

/// The parts that a compaction describes tile the stream and agree with its layout.
TEST_P(Contract, PartsTileTheStreamAndAgreeWithTheLayout) {
    if (algorithm_->operation != Operation::compaction)
        GTEST_SKIP() << "Steps do not describe their partition.";
    for (const Options& requested : testing_support::many_layouts(*algorithm_, item_size_)) {
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
                EXPECT_EQ(parts.num_parts, compactor->layout(length)[Option::sequences]);
            }
        }
    }
}

/// The grid of the published winner and the numbers of its table.
TEST(TruncatingCopy, CoversWhatThePublicationCopied) {
    const EngineStatus& status = compaction::status_of(EngineId::cuda);
    if (!status.available) GTEST_SKIP() << status.reason;
    const auto engine = open_engine(EngineId::cuda);
    const Algorithm& copy = find_algorithm("copy_truncating");
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

TEST_P(Contract, RefusesMoreThanMaxItems) {
    if (algorithm_->max_items == Algorithm{}.max_items) GTEST_SKIP() << "Only memory limits the length.";
    try {
        reserved_compactor({}, algorithm_->max_items + 1);
        FAIL() << algorithm_->max_items + 1 << " items were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
}

TEST_P(Contract, RefusesVectorsWiderThanOneAccess) {
    if (!algorithm_->range_of(Option::vector_width) || item_size_ == ItemSize::bytes_4) {
        GTEST_SKIP() << "No vector is too wide.";
    }
    Options options;
    options[Option::vector_width] = 2 * max_vector_width(item_size_);
    try {
        engine_->make_compactor(*algorithm_, options, item_size_);
        FAIL() << "a vector of " << options[Option::vector_width] << " items was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Contract, testing::ValuesIn(subjects(catalogue())), subject_name);
INSTANTIATE_TEST_SUITE_P(Steps, Contract, testing::ValuesIn(subjects(steps())), subject_name);

}  // namespace
