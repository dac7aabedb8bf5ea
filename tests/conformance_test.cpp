// What every algorithm of the catalogue must do, whatever its engine: the same tests run them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/layouts.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using testing_support::Workbench;
using workloads::make_stream;
using workloads::Pattern;

constexpr std::uint64_t million = 1 << 20;
constexpr std::uint64_t longest = million + 3;
constexpr std::uint64_t prime = 1'000'003;
constexpr std::uint64_t seed = 20'180'305;

constexpr std::uint64_t all_lengths[]{
    0,     1,           2,           31,          32,      33,          63,          64,     65,
    127,   128,         129,         4'095,       4'096,   4'097,       65'535,      65'536, 65'537,
    prime, million - 3, million - 2, million - 1, million, million + 1, million + 2, longest};

struct StreamKind {
    Pattern pattern;
    double keep_fraction;
};

constexpr StreamKind all_kinds[]{
    {Pattern::empty, 0},        {Pattern::full, 1},      {Pattern::first_only, 0}, {Pattern::last_only, 0},
    {Pattern::structured, 0.5}, {Pattern::random, 0.01}, {Pattern::random, 0.5},   {Pattern::random, 0.9},
    {Pattern::runs, 0.5},       {Pattern::ramp, 0.5}};

/// Long streams of wide items would tell nothing that those of 4-byte items do not.
std::vector<std::uint64_t> lengths_for(ItemSize item_size) {
    std::vector<std::uint64_t> lengths(std::begin(all_lengths), std::end(all_lengths));
    if (item_size != ItemSize::bytes_4) {
        std::erase_if(lengths, [](std::uint64_t length) { return length > 65'537; });
        lengths.push_back(300'007);
    }
    return lengths;
}

/// An algorithm, made for items of one size.
struct Subject {
    const Algorithm* algorithm;
    ItemSize item_size;
};

void PrintTo(const Subject& subject, std::ostream* os) {
    *os << subject.algorithm->id << " for items of " << bytes_of(subject.item_size) << " bytes";
}

class Conformance : public testing::TestWithParam<Subject> {
  protected:
    /// An engine and its memory, opened once for all the tests of a process.
    struct Place {
        std::unique_ptr<Engine> engine;
        std::unique_ptr<Workbench> bench;
    };

    void SetUp() override {
        algorithm_ = GetParam().algorithm;
        item_size_ = GetParam().item_size;
        const EngineStatus& status = compaction::status_of(algorithm_->engine);
        if (!status.available) GTEST_SKIP() << status.reason;
        Place& place = places()[algorithm_->engine];
        if (!place.engine) {
            place.engine = open_engine(algorithm_->engine);
            place.bench = std::make_unique<Workbench>(*place.engine, longest);
        }
        engine_ = place.engine.get();
        bench_ = place.bench.get();
        bench_->use(*algorithm_, item_size_);
    }

    static void TearDownTestSuite() { places().clear(); }

    std::unique_ptr<Compactor> reserved_compactor(const Options& options, std::uint64_t max_items) {
        auto compactor = engine_->make_compactor(*algorithm_, options, item_size_);
        compactor->reserve(max_items);
        return compactor;
    }

    std::vector<std::unique_ptr<Compactor>> reserved_compactors(const std::vector<Options>& layouts,
                                                                std::uint64_t max_items) {
        std::vector<std::unique_ptr<Compactor>> compactors;
        for (const Options& layout : layouts) compactors.push_back(reserved_compactor(layout, max_items));
        return compactors;
    }

    std::vector<Options> few_layouts() const { return testing_support::few_layouts(*algorithm_, item_size_); }

    const Algorithm* algorithm_ = nullptr;
    ItemSize item_size_ = ItemSize::bytes_4;
    Engine* engine_ = nullptr;
    Workbench* bench_ = nullptr;

  private:
    static std::map<EngineId, Place>& places() {
        static std::map<EngineId, Place> all;
        return all;
    }
};

std::string describe(const StreamKind& kind, std::uint64_t length) {
    return std::string(workloads::info_of(kind.pattern).name) + " " + std::to_string(kind.keep_fraction) +
           ", " + std::to_string(length) + " items";
}

TEST_P(Conformance, EveryLengthAndPattern) {
    const std::vector<Options> layouts = few_layouts();
    for (const std::uint64_t length : lengths_for(item_size_)) {
        // Reserved for this very length: the last item a compactor has room for is used, too.
        const auto compactors = reserved_compactors(layouts, length);
        for (const StreamKind& kind : all_kinds) {
            bench_->load(make_stream(kind.pattern, length, kind.keep_fraction, seed), keep_non_zero());
            for (std::size_t i = 0; i < layouts.size(); ++i) {
                ASSERT_TRUE(bench_->check(*compactors[i]))
                    << describe(kind, length) << "; " << testing_support::describe(layouts[i]);
            }
        }
    }
}

TEST_P(Conformance, EveryLayout) {
    constexpr StreamKind kinds[]{{Pattern::random, 0.5}, {Pattern::full, 1}, {Pattern::runs, 0.3}};
    // How a stream is laid out does not depend on the size of its items: one size is tried with every layout.
    const std::vector<Options> layouts = item_size_ == ItemSize::bytes_4
                                             ? testing_support::many_layouts(*algorithm_, item_size_)
                                             : few_layouts();
    for (const std::uint64_t length :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33}, std::uint64_t{129}, std::uint64_t{4'097},
          std::uint64_t{65'537}, prime}) {
        for (const StreamKind& kind : kinds) {
            if (length == prime && kind.pattern == Pattern::full) continue;
            bench_->load(make_stream(kind.pattern, length, kind.keep_fraction, seed + 1), keep_non_zero());
            for (const Options& layout : layouts) {
                ASSERT_TRUE(bench_->check(*reserved_compactor(layout, length)))
                    << describe(kind, length) << "; " << testing_support::describe(layout);
            }
        }
    }
}

TEST_P(Conformance, MisalignedViews) {
    const std::vector<Options> layouts = few_layouts();
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{33}, std::uint64_t{1'000},
                                       std::uint64_t{65'536}, std::uint64_t{65'537}, million - 3}) {
        const auto compactors = reserved_compactors(layouts, length);
        const std::vector<Item> stream = make_stream(Pattern::random, length, 0.5, seed + 2);
        for (const std::uint64_t in_shift : {0, 1, 2, 3}) {
            for (const std::uint64_t out_shift : {0, 1, 2, 3}) {
                bench_->load(stream, keep_non_zero(), in_shift, out_shift);
                for (std::size_t i = 0; i < layouts.size(); ++i) {
                    ASSERT_TRUE(bench_->check(*compactors[i]))
                        << length << " items, in + " << in_shift << ", out + " << out_shift << "; "
                        << testing_support::describe(layouts[i]);
                }
            }
        }
    }
}

/// Short streams on small grids, at every alignment: little enough work for tools that slow a kernel down a
/// thousandfold (compute-sanitizer's racecheck), and still every path through a batch, a line and a sequence.
TEST_P(Conformance, ShortStreamsOnSmallGrids) {
    std::vector<Options> layouts{Options{}};
    for (const std::uint32_t width : {1U, 2U, 4U}) {
        for (const std::uint32_t threads : {32U, 96U}) {
            Options layout;
            if (width > max_vector_width(item_size_)) continue;
            if (algorithm_->range_of(Option::vector_width)) layout[Option::vector_width] = width;
            if (algorithm_->range_of(Option::threads_per_block)) layout[Option::threads_per_block] = threads;
            if (algorithm_->range_of(Option::blocks)) layout[Option::blocks] = 2;
            if (algorithm_->range_of(Option::sequences)) layout[Option::sequences] = threads == 32 ? 5 : 3;
            if (std::ranges::find(layouts, layout) == layouts.end()) layouts.push_back(layout);
        }
    }
    const LegalRange* variants = algorithm_->range_of(Option::variant);
    for (const std::uint32_t variant : variants ? variants->values() : std::vector<std::uint32_t>{}) {
        layouts.push_back(layouts.front());
        layouts.back()[Option::variant] = variant;
    }
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{700}, std::uint64_t{4'097}}) {
        const auto compactors = reserved_compactors(layouts, length);
        const std::vector<Item> stream = make_stream(Pattern::random, length, 0.6, seed + 4);
        for (const std::uint64_t shift : {0, 1, 2, 3}) {
            bench_->load(stream, keep_non_zero(), shift, 3 - shift);
            for (std::size_t i = 0; i < layouts.size(); ++i) {
                ASSERT_TRUE(bench_->check(*compactors[i]))
                    << length << " items, in + " << shift << "; " << testing_support::describe(layouts[i]);
            }
        }
    }
}

TEST_P(Conformance, EveryPredicate) {
    constexpr Predicate predicates[]{keep_non_zero(),          keep_above(0x7fffffff),
                                     keep_above(0x80000000),   keep_above(0xfffffffe),
                                     keep_above(0xffffffff),   keep_any_bit(1),
                                     keep_any_bit(0x80000000), keep_any_bit(0),
                                     Predicate{0xff, 100},     Predicate{0xf0f0f0f0, 0x80808080}};
    const std::vector<Options> layouts = few_layouts();
    for (const std::uint64_t length : {std::uint64_t{33}, std::uint64_t{10'007}, std::uint64_t{65'537}}) {
        const auto compactors = reserved_compactors(layouts, length);
        std::vector<Item> stream = make_stream(Pattern::full, length, 1, seed + 3);
        stream[length / 2] = 0xffffffff;
        stream[length / 3] = 0x80000000;
        for (const Predicate& keep : predicates) {
            bench_->load(stream, keep);
            for (std::size_t i = 0; i < layouts.size(); ++i) {
                ASSERT_TRUE(bench_->check(*compactors[i]))
                    << length << " items, mask " << keep.mask << ", threshold " << keep.threshold << "; "
                    << testing_support::describe(layouts[i]);
            }
        }
    }
}

TEST_P(Conformance, OneCompactorManyLengths) {
    std::vector<std::uint64_t> lengths = lengths_for(item_size_);
    std::mt19937 shuffle_order(42);
    std::ranges::shuffle(lengths, shuffle_order);
    for (const Options& layout : few_layouts()) {
        const auto compactor = reserved_compactor(layout, longest);
        for (const std::uint64_t length : lengths) {
            bench_->load(make_stream(Pattern::random, length, 0.5, seed + length), keep_non_zero());
            ASSERT_TRUE(bench_->check(*compactor))
                << length << " items; " << testing_support::describe(layout);
            ASSERT_TRUE(bench_->check(*compactor))
                << length << " items again; " << testing_support::describe(layout);
        }
    }
}

/// State that is carried from run to run (tickets, epochs, status words) must serve any number of runs, of
/// any lengths, with nothing between them: more of them than a 16-bit counter counts.
TEST_P(Conformance, SeventyThousandRunsInARow) {
    if (algorithm_->synchronises) GTEST_SKIP() << "It waits for the device in every run: no queue to fill.";
    constexpr std::uint64_t lengths[]{33, 5'000, 2'049, 40'000, 1};
    constexpr std::uint64_t longest_here = 40'000;
    const Buffer in = engine_->allocate(longest_here * bytes_of(item_size_));
    const Buffer out = engine_->allocate(longest_here * bytes_of(item_size_));
    const Buffer num_selected = engine_->allocate(sizeof(std::uint64_t));
    const std::vector<Item> stream = make_stream(Pattern::random, longest_here, 0.5, seed + 5);
    engine_->upload(in.as<void>(), workloads::widen(stream, item_size_, seed).data(), in.size_bytes());
    const auto compactor = reserved_compactor({}, longest_here);
    for (int run = 0; run < 70'000; ++run) {
        // Short ones mostly: it is their number that counts.
        const std::uint64_t length = run % 100 == 0 ? lengths[run / 100 % std::size(lengths)] : 33;
        compactor->enqueue(in.as<void>(), length, out.as<void>(), num_selected.as<std::uint64_t>(),
                           keep_non_zero(), nullptr);
    }
    bench_->load(stream, keep_non_zero());
    EXPECT_TRUE(bench_->check(*compactor));
}

TEST_P(Conformance, EnqueueNeitherAllocatesNorSynchronises) {
    if (algorithm_->synchronises) GTEST_SKIP() << "It waits for the device, and its description says so.";
    const Buffer in = engine_->allocate(prime * bytes_of(item_size_));
    const Buffer out = engine_->allocate(prime * bytes_of(item_size_));
    const Buffer num_selected = engine_->allocate(sizeof(std::uint64_t));
    const std::vector<Item> stream = make_stream(Pattern::random, prime, 0.5, seed);
    engine_->upload(in.as<void>(), workloads::widen(stream, item_size_, seed).data(), in.size_bytes());
    const auto compactor = reserved_compactor({}, prime);
    const EngineCounters before = engine_->counters();
    for (const std::uint64_t length : {prime, std::uint64_t{5'000}, std::uint64_t{0}, prime}) {
        compactor->enqueue(in.as<void>(), length, out.as<void>(), num_selected.as<std::uint64_t>(),
                           keep_non_zero(), nullptr);
    }
    const EngineCounters after = engine_->counters();
    engine_->synchronise();
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(after.synchronisations, before.synchronisations);
}

TEST_P(Conformance, RefusesMoreThanWasReserved) {
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

TEST_P(Conformance, RefusesMisalignedMemoryAndACountAmongTheItems) {
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

TEST_P(Conformance, LayoutFillsInWhatIsAutomatic) {
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
        if (!holds_its_ends) return testing::AssertionFailure() << "part " << part << " is not found again";
    }
    if (place != parts.num_items) return testing::AssertionFailure() << "it ends at " << place;
    return testing::AssertionSuccess();
}

/// Whatever a compaction says of how it cuts a stream: the parts tile it, and agree with its layout.
TEST_P(Conformance, PartsTileTheStreamAndAgreeWithTheLayout) {
    if (algorithm_->operation != Operation::compaction) GTEST_SKIP() << "Steps do not describe their parts.";
    for (const Options& asked : testing_support::many_layouts(*algorithm_, item_size_)) {
        const auto compactor = engine_->make_compactor(*algorithm_, asked, item_size_);
        for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33},
                                           std::uint64_t{4'096}, std::uint64_t{65'537}, prime, longest}) {
            SCOPED_TRACE(testing_support::describe(asked) + "; " + std::to_string(length) + " items");
            const Partition parts = compactor->partition(length);
            ASSERT_EQ(parts.num_items, length);
            if (!parts.known()) {
                EXPECT_EQ(parts.unknown_because.back(), '.') << "a sentence";
                EXPECT_EQ(parts.unknown_because.find("not described"), std::string::npos)
                    << "every algorithm says how it cuts";
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

TEST_P(Conformance, RefusesMoreThanItCanEverTake) {
    if (algorithm_->max_items == Algorithm{}.max_items) GTEST_SKIP() << "Only memory limits its streams.";
    try {
        reserved_compactor({}, algorithm_->max_items + 1);
        FAIL() << algorithm_->max_items + 1 << " items were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
}

TEST_P(Conformance, RefusesVectorsWiderThanOneAccess) {
    if (!algorithm_->range_of(Option::vector_width) || item_size_ == ItemSize::bytes_4) {
        GTEST_SKIP() << "None of its vectors is too wide.";
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

std::vector<Subject> subjects(std::span<const Algorithm> algorithms) {
    std::vector<Subject> all;
    for (const Algorithm& algorithm : algorithms) {
        for (const ItemSize item_size : algorithm.item_sizes) all.push_back({&algorithm, item_size});
    }
    return all;
}

std::string subject_name(const testing::TestParamInfo<Subject>& info) {
    return info.param.algorithm->id + "_" + std::to_string(bytes_of(info.param.item_size)) + "_bytes";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Conformance, testing::ValuesIn(subjects(catalogue())), subject_name);
INSTANTIATE_TEST_SUITE_P(Steps, Conformance, testing::ValuesIn(subjects(steps())), subject_name);

}  // namespace
