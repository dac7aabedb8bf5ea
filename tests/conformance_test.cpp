// The results of every algorithm of the catalogue, on every engine. conformance_contract_test.cpp holds the
// rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/conformance.hpp"
#include "tests/support/layouts.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace testing_support;
using workloads::make_stream;
using workloads::Pattern;

struct StreamKind {
    Pattern pattern;
    double keep_fraction;
};

constexpr StreamKind all_kinds[]{
    {Pattern::empty, 0},        {Pattern::full, 1},      {Pattern::first_only, 0}, {Pattern::last_only, 0},
    {Pattern::structured, 0.5}, {Pattern::random, 0.01}, {Pattern::random, 0.5},   {Pattern::random, 0.9},
    {Pattern::runs, 0.5},       {Pattern::ramp, 0.5}};

/// Wide items get no long streams: 4-byte items cover these.
std::vector<std::uint64_t> lengths_for(ItemSize item_size) {
    std::vector<std::uint64_t> lengths(std::begin(all_lengths), std::end(all_lengths));
    if (item_size != ItemSize::bytes_4) {
        std::erase_if(lengths, [](std::uint64_t length) { return length > 65'537; });
        lengths.push_back(300'007);
    }
    return lengths;
}

std::string describe(const StreamKind& kind, std::uint64_t length) {
    return std::string(workloads::info_of(kind.pattern).name) + " " + std::to_string(kind.keep_fraction) +
           ", " + std::to_string(length) + " items";
}

TEST_P(Conformance, EveryLengthAndPattern) {
    const std::vector<Options> layouts = few_layouts();
    for (const std::uint64_t length : lengths_for(item_size_)) {
        // Reserve exactly this length, so that the last reserved item is used.
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
    // The layout does not depend on the item size, so only one size runs every layout.
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

/// Short streams on small grids, at every alignment: every path through a batch, a line and a sequence, with
/// little enough work for tools that slow a kernel down a thousandfold (compute-sanitizer's racecheck).
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

/// State that persists between runs (tickets, epochs, status words) must serve any number of runs of any
/// length: here more than a 16-bit counter holds.
TEST_P(Conformance, SeventyThousandRunsInARow) {
    if (algorithm_->synchronises) GTEST_SKIP() << "Every run waits for the device.";
    constexpr std::uint64_t lengths[]{33, 5'000, 2'049, 40'000, 1};
    constexpr std::uint64_t longest_here = 40'000;
    const Buffer in = engine_->allocate(longest_here * bytes_of(item_size_));
    const Buffer out = engine_->allocate(longest_here * bytes_of(item_size_));
    const Buffer num_selected = engine_->allocate(sizeof(std::uint64_t));
    const std::vector<Item> stream = make_stream(Pattern::random, longest_here, 0.5, seed + 5);
    engine_->upload(in.as<void>(), workloads::widen(stream, item_size_, seed).data(), in.size_bytes());
    const auto compactor = reserved_compactor({}, longest_here);
    for (int run = 0; run < 70'000; ++run) {
        // Mostly short runs: their number matters.
        const std::uint64_t length = run % 100 == 0 ? lengths[run / 100 % std::size(lengths)] : 33;
        compactor->enqueue(in.as<void>(), length, out.as<void>(), num_selected.as<std::uint64_t>(),
                           keep_non_zero(), nullptr);
    }
    bench_->load(stream, keep_non_zero());
    EXPECT_TRUE(bench_->check(*compactor));
}

/// simulated/conformance_test.cpp has the simulated GPU's, with less work.
std::vector<Subject> without_simulated(std::vector<Subject> all) {
    std::erase_if(all, [](const Subject& each) { return each.algorithm->engine == EngineId::simulated; });
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Conformance, testing::ValuesIn(without_simulated(subjects(catalogue()))),
                         subject_name);
INSTANTIATE_TEST_SUITE_P(Steps, Conformance, testing::ValuesIn(without_simulated(subjects(steps()))),
                         subject_name);

}  // namespace
