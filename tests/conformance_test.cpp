// The results of every algorithm of the catalogue, on every engine. conformance_contract_test.cpp holds the
// rest. The simulated GPU runs fewer and shorter streams, in every order.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/conformance.hpp"
#include "tests/support/option_sets.hpp"
#include "tests/support/test_picture.hpp"
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
    {Pattern::runs, 0.5},       {Pattern::ramp, 0.5},    {Pattern::picture, 0}};

/// Wide items are not tested with long streams; 4-byte items are.
std::vector<std::uint64_t> lengths_for(ItemSize item_size) {
    std::vector<std::uint64_t> lengths(std::begin(all_lengths), std::end(all_lengths));
    if (item_size != ItemSize::bytes_4) {
        std::erase_if(lengths, [](std::uint64_t length) { return length > 65'537; });
        lengths.push_back(300'007);
    }
    return lengths;
}

struct Shifts {
    std::uint64_t in;
    std::uint64_t out;
};

/// How much of a test an engine runs.
struct Effort {
    /// Seeds of the simulated GPU; one element on other engines.
    std::vector<int> schedules{0};
    std::vector<std::uint64_t> lengths;
    std::vector<StreamKind> kinds{std::begin(all_kinds), std::end(all_kinds)};
    std::vector<std::uint64_t>
        lengths_with_all_kinds;  ///< other lengths are tested with a random stream only
    std::vector<std::uint64_t> lengths_of_option_sets;
    std::vector<StreamKind> kinds_of_option_sets{
        {Pattern::random, 0.5}, {Pattern::full, 1}, {Pattern::runs, 0.3}};
    std::vector<std::uint64_t> misaligned_lengths;
    /// The simulated GPU runs one of them per schedule.
    std::vector<Shifts> shifts;
    std::vector<std::uint64_t> lengths_on_small_grids{1, 700, 4'097};
    std::vector<std::uint64_t> lengths_of_predicates{33, 10'007, 65'537};
    int runs_in_a_row = 70'000;
};

Effort full_effort(EngineId engine, ItemSize item_size) {
    Effort effort;
    effort.lengths = effort.lengths_with_all_kinds = lengths_for(item_size);
    effort.lengths_of_option_sets = {0, 1, 33, 129, 4'097, 65'537, prime};
    effort.misaligned_lengths = {1, 33, 1'000, 65'536, 65'537, million - 3};
    // A CPU takes long for a million items.
    if (engine == EngineId::cpu) {
        std::erase_if(effort.lengths_with_all_kinds, [](std::uint64_t length) {
            return length > 65'537 && length != 300'007 && length != prime;
        });
        effort.misaligned_lengths.back() = 300'007;
    }
    for (const std::uint64_t in : {0, 1, 2, 3})
        for (const std::uint64_t out : {0, 1, 2, 3}) effort.shifts.push_back({in, out});
    return effort;
}

Effort simulated_effort() {
    Effort effort;
    effort.schedules = {45,    // forward, at once, 1 multiprocessor
                        0,     // forward, at once, 4
                        4,     // reverse, late, 4
                        8,     // random, shuffled, 4
                        47,    // random, at once, 1
                        189,   // adversarial, at once, 1, 1 preemption
                        152};  // adversarial, shuffled, 4, 16 preemptions
    effort.lengths = {0, 1, 2, 31, 32, 33, 64, 65, 127, 128, 129, 1'000, 4'095, 4'096, 4'097};
    effort.lengths_with_all_kinds = {33, 4'097};
    effort.lengths_of_option_sets = {20'011, 65'537};
    effort.kinds_of_option_sets = {{Pattern::random, 0.4}};
    effort.misaligned_lengths = {1'001, 4'097};
    effort.shifts = {{0, 0}, {1, 3}, {2, 2}, {3, 1}};
    effort.lengths_on_small_grids = {1, 700};
    effort.lengths_of_predicates = {33, 4'099};
    effort.runs_in_a_row = 100;
    return effort;
}

std::string describe(const StreamKind& kind, std::uint64_t length) {
    return std::string(workloads::info_of(kind.pattern).name) + " " + std::to_string(kind.keep_fraction) +
           ", " + std::to_string(length) + " items";
}

/// The amount of work that the engine does in a short time.
Effort effort_for(const Subject& subject) {
    const EngineId engine = subject.algorithm->engine;
    return engine == EngineId::simulated ? simulated_effort() : full_effort(engine, subject.item_size);
}

TEST_P(Conformance, EveryLengthAndPattern) {
    const Effort effort = effort_for(GetParam());
    const std::vector<Options> option_sets = few_option_sets();
    use_schedule(effort.schedules.front());
    for (const std::uint64_t length : effort.lengths) {
        // Reserve exactly this length, so that the last reserved item is used.
        const auto compactors = reserved_compactors(option_sets, length);
        const bool all =
            std::ranges::find(effort.lengths_with_all_kinds, length) != effort.lengths_with_all_kinds.end();
        for (const StreamKind& kind : all ? effort.kinds : std::vector<StreamKind>{{Pattern::random, 0.5}}) {
            bench_->load(make_stream(kind.pattern, length, kind.keep_fraction, seed, test_picture()),
                         keep_non_zero());
            for (std::size_t i = 0; i < option_sets.size(); ++i) {
                ASSERT_TRUE(check(*compactors[i]))
                    << describe(kind, length) << "; " << testing_support::describe(option_sets[i]);
            }
        }
    }
}

/// Runs every set of options of the algorithms that have options, and on the simulated GPU runs all
/// algorithms in every order.
class ConformanceOfOptions : public Conformance {};

TEST_P(ConformanceOfOptions, EveryOptionSet) {
    const Effort effort = effort_for(GetParam());
    // The options do not depend on the item size, so only one size runs every set.
    const std::vector<Options> every_option_set =
        !is_simulated() && item_size_ == ItemSize::bytes_4
            ? testing_support::many_option_sets(*algorithm_, item_size_)
            : few_option_sets();
    for (std::size_t s = 0; s < effort.schedules.size(); ++s) {
        use_schedule(effort.schedules[s]);
        // The other orders run the automatic options only.
        const std::vector<Options> option_sets =
            s == 0 ? every_option_set : std::vector<Options>{automatic_options()};
        for (const std::uint64_t length : effort.lengths_of_option_sets) {
            for (const StreamKind& kind : effort.kinds_of_option_sets) {
                if (length == prime && kind.pattern == Pattern::full) continue;
                bench_->load(make_stream(kind.pattern, length, kind.keep_fraction, seed + 1),
                             keep_non_zero());
                for (const Options& options : option_sets) {
                    ASSERT_TRUE(check(*reserved_compactor(options, length)))
                        << describe(kind, length) << "; " << testing_support::describe(options);
                }
            }
        }
    }
}

TEST_P(Conformance, MisalignedViews) {
    const Effort effort = effort_for(GetParam());
    const std::vector<Options> option_sets = few_option_sets();
    for (std::size_t s = 0; s < effort.schedules.size(); ++s) {
        use_schedule(effort.schedules[s]);
        const Shifts one = effort.shifts[s % effort.shifts.size()];
        for (const std::uint64_t length : effort.misaligned_lengths) {
            const auto compactors = reserved_compactors(option_sets, length);
            const std::vector<Item> stream = make_stream(Pattern::random, length, 0.5, seed + 2);
            for (const Shifts& shift : is_simulated() ? std::vector<Shifts>{one} : effort.shifts) {
                bench_->load(stream, keep_non_zero(), shift.in, shift.out);
                for (std::size_t i = 0; i < option_sets.size(); ++i) {
                    ASSERT_TRUE(check(*compactors[i]))
                        << length << " items, in + " << shift.in << ", out + " << shift.out << "; "
                        << testing_support::describe(option_sets[i]);
                }
            }
        }
    }
}

/// Short streams on small grids, at every alignment: every path through a batch, a line and a sequence, with
/// little enough work for tools that slow a kernel down a thousandfold (compute-sanitizer's racecheck).
TEST_P(Conformance, ShortStreamsOnSmallGrids) {
    std::vector<Options> option_sets{automatic_options()};
    for (const std::uint32_t width : {1U, 2U, 4U}) {
        for (const std::uint32_t threads : {32U, 96U}) {
            Options options;
            if (width > max_vector_width(item_size_)) continue;
            if (algorithm_->range_of(Option::vector_width)) options[Option::vector_width] = width;
            if (algorithm_->range_of(Option::threads_per_block)) options[Option::threads_per_block] = threads;
            if (algorithm_->range_of(Option::blocks)) options[Option::blocks] = 2;
            if (algorithm_->range_of(Option::sequences)) options[Option::sequences] = threads == 32 ? 5 : 3;
            if (std::ranges::find(option_sets, options) == option_sets.end()) option_sets.push_back(options);
        }
    }
    const LegalRange* threads = algorithm_->range_of(Option::threads_per_block);
    if (threads && algorithm_->engine == EngineId::cpu) {
        option_sets.push_back(option_sets.front());
        option_sets.back()[Option::threads_per_block] = threads->maximum;
    }
    const LegalRange* variants = algorithm_->range_of(Option::variant);
    for (const std::uint32_t variant : variants ? variants->values() : std::vector<std::uint32_t>{}) {
        option_sets.push_back(option_sets.front());
        option_sets.back()[Option::variant] = variant;
    }
    for (const std::uint64_t length : effort_for(GetParam()).lengths_on_small_grids) {
        const auto compactors = reserved_compactors(option_sets, length);
        const std::vector<Item> stream = make_stream(Pattern::random, length, 0.6, seed + 4);
        for (const std::uint64_t shift : {0, 1, 2, 3}) {
            bench_->load(stream, keep_non_zero(), shift, 3 - shift);
            for (std::size_t i = 0; i < option_sets.size(); ++i) {
                ASSERT_TRUE(check(*compactors[i])) << length << " items, in + " << shift << "; "
                                                   << testing_support::describe(option_sets[i]);
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
    const Effort effort = effort_for(GetParam());
    use_schedule(effort.schedules.back());
    const std::vector<Options> option_sets =
        is_simulated() ? std::vector<Options>{automatic_options()} : few_option_sets();
    for (const std::uint64_t length : effort.lengths_of_predicates) {
        const auto compactors = reserved_compactors(option_sets, length);
        std::vector<Item> stream = make_stream(Pattern::full, length, 1, seed + 3);
        stream[length / 2] = 0xffffffff;
        stream[length / 3] = 0x80000000;
        for (const Predicate& keep : predicates) {
            bench_->load(stream, keep);
            for (std::size_t i = 0; i < option_sets.size(); ++i) {
                ASSERT_TRUE(check(*compactors[i]))
                    << length << " items, mask " << keep.mask << ", threshold " << keep.threshold << "; "
                    << testing_support::describe(option_sets[i]);
            }
        }
    }
}

TEST_P(Conformance, OneCompactorManyLengths) {
    const Effort effort = effort_for(GetParam());
    use_schedule(effort.schedules.back());
    std::vector<std::uint64_t> lengths = effort.lengths;
    std::mt19937 shuffle_order(42);
    std::ranges::shuffle(lengths, shuffle_order);
    for (const Options& options :
         is_simulated() ? std::vector<Options>{automatic_options()} : few_option_sets()) {
        const auto compactor = reserved_compactor(options, max_items());
        for (const std::uint64_t length : lengths) {
            bench_->load(make_stream(Pattern::random, length, 0.5, seed + length), keep_non_zero());
            ASSERT_TRUE(check(*compactor)) << length << " items; " << testing_support::describe(options);
            ASSERT_TRUE(check(*compactor))
                << length << " items again; " << testing_support::describe(options);
        }
    }
}

/// State that persists between runs (tickets, epochs, status words) must serve any number of runs of any
/// length: here more than a 16-bit counter holds.
class ConformanceOfRuns : public Conformance {};

TEST_P(ConformanceOfRuns, ManyRunsInARow) {
    constexpr std::uint64_t lengths[]{33, 5'000, 2'049, 40'000, 1};
    constexpr std::uint64_t longest_here = 40'000;
    const Buffer in = engine_->allocate(longest_here * bytes_of(item_size_));
    const Buffer out = engine_->allocate(longest_here * bytes_of(item_size_));
    const Buffer num_selected = engine_->allocate(sizeof(std::uint64_t));
    const std::vector<Item> stream = make_stream(Pattern::random, longest_here, 0.5, seed + 5);
    engine_->upload(in.as<void>(), workloads::widen(stream, item_size_, seed).data(), in.size_bytes());
    const auto compactor = reserved_compactor(automatic_options(), longest_here);
    const int runs = effort_for(GetParam()).runs_in_a_row;
    for (int run = 0; run < runs; ++run) {
        // Mostly short runs: their number matters.
        const std::uint64_t length = run % 100 == 0 ? lengths[run / 100 % std::size(lengths)] : 33;
        compactor->enqueue(in.as<void>(), length, out.as<void>(), num_selected.as<std::uint64_t>(),
                           keep_non_zero(), nullptr);
    }
    bench_->load(stream, keep_non_zero());
    EXPECT_TRUE(check(*compactor));
}

/// masked_two_pass on both sides of the change of its scan: 8,192 counts, which one block scans, and 8,193,
/// which the library scans.
class ConformanceOfLongStreams : public Conformance {};

TEST_P(ConformanceOfLongStreams, AreCompactedWithEitherScan) {
    constexpr std::uint64_t max_in_one_block = 8'388'608;
    Workbench bench(*engine_, max_in_one_block + 1);
    bench.use(*algorithm_, item_size_);
    bench_ = &bench;
    for (const std::uint64_t length : {max_in_one_block, max_in_one_block + 1}) {
        bench_->load(make_stream(Pattern::random, length, 0.5, seed + 6), keep_non_zero());
        EXPECT_TRUE(check(*reserved_compactor(automatic_options(), length))) << length << " items";
    }
}

std::vector<Subject> only(bool (*kept)(const Algorithm&), std::vector<Subject> all) {
    std::erase_if(all, [&](const Subject& each) { return !kept(*each.algorithm); });
    return all;
}

std::vector<Subject> with_either_scan() {
    std::vector<Subject> all = subjects(catalogue());
    std::erase_if(all, [](const Subject& each) {
        return !each.algorithm->id.ends_with("masked_two_pass") || each.item_size != ItemSize::bytes_4;
    });
    return all;
}

bool has_option_sets(const Algorithm& algorithm) {
    return !algorithm.options.empty() || algorithm.engine == EngineId::simulated;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Conformance, testing::ValuesIn(subjects(catalogue())), subject_name);
INSTANTIATE_TEST_SUITE_P(Steps, Conformance, testing::ValuesIn(subjects(steps())), subject_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, ConformanceOfOptions,
                         testing::ValuesIn(only(has_option_sets, subjects(catalogue()))), subject_name);
INSTANTIATE_TEST_SUITE_P(Steps, ConformanceOfOptions,
                         testing::ValuesIn(only(has_option_sets, subjects(steps()))), subject_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, ConformanceOfRuns,
                         testing::ValuesIn(only(never_waits, subjects(catalogue()))), subject_name);
INSTANTIATE_TEST_SUITE_P(Catalogue, ConformanceOfLongStreams, testing::ValuesIn(with_either_scan()),
                         subject_name);
INSTANTIATE_TEST_SUITE_P(Steps, ConformanceOfRuns, testing::ValuesIn(only(never_waits, subjects(steps()))),
                         subject_name);

}  // namespace
