// The parts of the blocks of a trace: where a launch reads the stream, they cover each item exactly once, and
// the kept counts of the blocks are those of their parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/option_sets.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

/// Algorithms of CUB and Thrust, whose kernels record no times.
bool is_library(const Algorithm& algorithm) {
    return algorithm.engine != EngineId::cpu && algorithm.phases.size() == 1 &&
           !algorithm.phases[0].moved_bytes;
}

class TraceCover : public testing_support::OnEveryEngine {
  protected:
    /// The stream of each run begins with item `first` of the memory.
    void make_stream(std::uint64_t num_items, std::size_t first) {
        num_items_ = num_items;
        first_ = first;
        const auto items = workloads::make_stream(workloads::Pattern::random, num_items + first, 0.5, 1);
        ranks_.assign(1, 0);
        for (std::uint64_t i = 0; i < num_items; ++i)
            ranks_.push_back(ranks_.back() + (keep_non_zero()(items[first + i]) ? 1 : 0));
        in_ = uploaded(items);
        out_ = uploaded(std::vector<Item>(num_items));
        num_selected_ = engine_->allocate(sizeof(std::uint64_t));
    }

    RunTrace trace(const Algorithm& algorithm, const Options& options) {
        const auto compactor = engine_->make_compactor(algorithm, options);
        compactor->reserve(num_items_);
        partition_ = compactor->partition(num_items_);
        recorder_->request_trace(0);
        {
            const ScopedRun scope{recorder_.get(), 1};
            compactor->enqueue(in_.as<Item>() + first_, num_items_, out_.as<Item>(),
                               num_selected_.as<std::uint64_t>(), keep_non_zero(), recorder_.get());
        }
        recorder_->collect();
        engine_->synchronise();
        std::vector<RunTiming> finished;
        recorder_->poll(finished);
        return recorder_->poll_trace().value();
    }

    /// The kept items of each block of a launch, by its parts, which cover the stream.
    std::vector<std::uint64_t> expected_kept(const LaunchTrace& launch) const {
        std::vector<std::uint64_t> kept(launch.blocks);
        const BlockParts& parts = *launch.parts;
        // Where blocks count, they count by the parts of Compactor::partition, which hold for aligned
        // streams.
        const bool comparable = parts.counts_selected && first_ == 0 && partition_.known();
        EXPECT_TRUE(!comparable || parts.partition.num_parts == partition_.num_parts);
        std::uint64_t covered = 0;
        for (std::uint64_t part = 0; part < parts.partition.num_parts; ++part) {
            EXPECT_EQ(parts.begin(part), covered);
            EXPECT_TRUE(!comparable || parts.begin(part) == partition_.begin(part)) << "part " << part;
            EXPECT_GE(parts.end(part), covered);
            covered = parts.end(part);
            const std::optional<std::uint64_t> block = parts.block_of_part(part);
            EXPECT_TRUE(block && *block < launch.blocks) << "part " << part;
            if (block && *block < launch.blocks) kept[*block] += ranks_[covered] - ranks_[parts.begin(part)];
        }
        EXPECT_EQ(covered, num_items_);
        return kept;
    }

    /// Each block of a launch belongs to one span, with the kept items of its parts.
    void expect_spans(const RunTrace& trace, std::uint32_t index) const {
        const LaunchTrace& launch = trace.launches[index];
        std::vector<std::uint64_t> kept(launch.blocks);
        if (launch.parts) kept = expected_kept(launch);
        std::vector<std::uint32_t> spans(launch.blocks);
        std::vector<WorkSpan> span_of_block(launch.blocks);
        for (const WorkSpan& span : trace.spans) {
            if (span.launch != index || span.role != WarpRole::all) continue;
            ASSERT_GE(span.blocks, 1U);
            ASSERT_LE(std::uint64_t{span.block} + span.blocks, launch.blocks);
            EXPECT_EQ(span.phase, launch.phase);
            EXPECT_LE(span.begin_us, span.end_us);
            std::uint64_t of_blocks = 0;
            for (std::uint32_t b = span.block; b < span.block + span.blocks; ++b) {
                ++spans[b];
                of_blocks += kept[b];
                span_of_block[b] = span;
            }
            const bool counts = launch.parts && launch.parts->counts_selected;
            EXPECT_EQ(span.num_selected, counts ? of_blocks : 0) << "block " << span.block;
        }
        for (const std::uint32_t num_spans : spans) EXPECT_EQ(num_spans, 1U);
        expect_waits(launch, span_of_block);
        if (launch.parts && launch.parts->appends) expect_appends(launch, kept);
    }

    /// A part posts its count after its block began, has all counts after that, and then its block ends.
    static void expect_waits(const LaunchTrace& launch, const std::vector<WorkSpan>& span_of_block) {
        if (!launch.parts || !launch.parts->waits) {
            EXPECT_TRUE(launch.waits.empty());
            return;
        }
        ASSERT_EQ(launch.waits.size(), launch.parts->partition.num_parts);
        std::vector<std::uint32_t> parts_of_block(launch.blocks);
        for (std::uint64_t part = 0; part < launch.waits.size(); ++part)
            ++parts_of_block[launch.parts->block_of_part(part).value()];
        for (std::uint64_t part = 0; part < launch.waits.size(); ++part) {
            const PartWait& wait = launch.waits[part];
            const std::uint64_t block = launch.parts->block_of_part(part).value();
            const WorkSpan& span = span_of_block[block];
            ASSERT_TRUE(wait.posted_us) << "part " << part;
            EXPECT_TRUE(span.blocks > 1 || span.begin_us <= *wait.posted_us) << "part " << part;
            EXPECT_LE(*wait.posted_us, wait.summed_us.value_or(*wait.posted_us)) << "part " << part;
            EXPECT_LE(wait.summed_us.value_or(*wait.posted_us), span.end_us) << "part " << part;
            const bool has_one = parts_of_block[block] == 1 && span.blocks == 1;
            EXPECT_EQ(span.wait.posted_us, has_one ? wait.posted_us : std::nullopt);
            EXPECT_EQ(span.wait.summed_us, has_one ? wait.summed_us : std::nullopt);
        }
    }

    /// The appended items of all warps are the output, without gaps.
    void expect_appends(const LaunchTrace& launch, std::vector<std::uint64_t> kept) const {
        EXPECT_EQ(launch.appends_left_out, 0U);
        std::vector<Append> appends = launch.appends;
        for (const Append& append : appends) {
            ASSERT_LT(append.block, launch.blocks);
            EXPECT_LT(append.warp, launch.threads / 32);
            EXPECT_GT(append.count, 0U);
            kept[append.block] -= append.count;
        }
        for (const std::uint64_t rest : kept) EXPECT_EQ(rest, 0U);
        EXPECT_TRUE(std::ranges::is_sorted(
            appends, {}, [](const Append& append) { return std::pair(append.block, append.warp); }));
        std::ranges::sort(appends, {}, &Append::index);
        std::uint64_t next = 0;
        for (const Append& append : appends) {
            EXPECT_EQ(append.index, next);
            next += append.count;
        }
        EXPECT_EQ(next, ranks_.back());
    }

    /// One launch of each phase that reads the stream does so. Its blocks are known, also where they take
    /// tiles by ticket.
    RunTrace expect_all_covered(const Algorithm& algorithm, const Options& options) {
        SCOPED_TRACE(algorithm.id + ", " + testing_support::describe(options) + ", " +
                     std::to_string(num_items_) + " items from " + std::to_string(first_));
        const RunTrace traced = trace(algorithm, options);
        std::vector<std::uint32_t> reads(algorithm.phases.size());
        for (std::uint32_t i = 0; i < traced.launches.size(); ++i) {
            const LaunchTrace& launch = traced.launches[i];
            EXPECT_LT(launch.phase, algorithm.phases.size());
            EXPECT_TRUE(i == 0 || traced.launches[i - 1].phase <= launch.phase);
            if (launch.parts) ++reads[launch.phase];
            expect_spans(traced, i);
        }
        for (std::size_t phase = 0; phase < reads.size(); ++phase) {
            const bool reads_stream = algorithm.phases[phase].role != PhaseRole::prefix;
            EXPECT_EQ(reads[phase] > 0, reads_stream) << phase;
            EXPECT_LE(reads[phase], 1U) << phase;
        }
        for (const WorkSpan& span : traced.spans) EXPECT_LT(span.launch, traced.launches.size());
        EXPECT_EQ(traced.launches_left_out, 0U);
        EXPECT_EQ(traced.spans_left_out, 0U);
        EXPECT_EQ(traced.schedule_seed.has_value(), GetParam() == EngineId::simulated);
        return traced;
    }

    template <typename Check>
    void for_each_algorithm(Check check) {
        recorder_ = engine_->make_recorder(4);
        for (const Algorithm& algorithm : catalogue()) {
            if (algorithm.engine == GetParam() && algorithm.is_available() && !is_library(algorithm))
                check(algorithm);
        }
    }

  private:
    std::uint64_t num_items_ = 0;
    std::size_t first_ = 0;
    Partition partition_;               ///< of the traced compactor
    std::vector<std::uint64_t> ranks_;  ///< [num_items_ + 1] kept items before each item
    Buffer in_;
    Buffer out_;
    Buffer num_selected_;
    std::unique_ptr<PhaseRecorder> recorder_;
};

TEST_P(TraceCover, OfEachItemOnce) {
    std::vector<std::uint64_t> lengths{1 << 14, 1 << 16};
    if (GetParam() != EngineId::simulated) lengths = {1 << 14, 1 << 20, 1 << 24};
    for (const std::uint64_t num_items : lengths) {
        make_stream(num_items, 0);
        for_each_algorithm([&](const Algorithm& algorithm) { expect_all_covered(algorithm, {}); });
    }
}

TEST_P(TraceCover, OfEachItemOnceWithAnyOptions) {
    for (const std::size_t first : {0, 1}) {
        make_stream((1 << 12) + 3, first);
        for_each_algorithm([&](const Algorithm& algorithm) {
            for (const Options& options : testing_support::few_option_sets(algorithm, ItemSize::bytes_4))
                expect_all_covered(algorithm, options);
        });
    }
}

/// The single pass takes one tile for each block, tiles in rounds, and tiles by ticket.
TEST_P(TraceCover, OfTheSinglePassOnEachOfItsPaths) {
    if (GetParam() == EngineId::cpu) return;  // it has other paths
    bool has_one_tile = false;
    bool has_rounds = false;
    bool has_tickets = false;
    for_each_algorithm([&](const Algorithm& algorithm) {
        if (!algorithm.id.ends_with("single_pass")) return;
        for (const std::uint64_t num_items : {1 << 14, 1 << 18, 1 << 23}) {
            if (GetParam() == EngineId::simulated && num_items > 1 << 18) continue;
            make_stream(num_items, 1);
            for (const std::uint32_t blocks : {automatic, 3U}) {
                Options options;
                options[Option::blocks] = blocks;
                const RunTrace traced = expect_all_covered(algorithm, options);
                const BlockParts& parts = traced.launches.back().parts.value();
                const bool several = parts.partition.num_parts > parts.num_blocks;
                has_one_tile |= !several && !parts.by_ticket;
                has_rounds |= several && !parts.by_ticket;
                has_tickets |= several && parts.by_ticket;
                EXPECT_EQ(traced.launches.size(), parts.by_ticket ? 2U : 1U) << "a kernel resets the tickets";
            }
        }
    });
    EXPECT_TRUE(has_one_tile);
    EXPECT_TRUE(has_rounds) << "only from Hopper on";
    EXPECT_TRUE(has_tickets);
}

/// Where the blocks of an algorithm wait for counts, all waits are known. In ink_compact, only the controller
/// of a section of blocks waits.
TEST_P(TraceCover, HasTheWaitsForCounts) {
    for (const std::uint64_t num_items : {1 << 14, 1 << 18}) {
        make_stream(num_items, 0);
        for_each_algorithm([&](const Algorithm& algorithm) {
            const bool is_single_pass = algorithm.id.ends_with("single_pass");
            const bool is_ink = algorithm.id.ends_with("ink_compact");
            if (!is_single_pass && !is_ink) return;
            Options options;
            if (GetParam() == EngineId::cpu) options[Option::sequences] = 16;
            const RunTrace traced = expect_all_covered(algorithm, options);
            const LaunchTrace& launch = traced.launches.back();
            ASSERT_FALSE(launch.waits.empty()) << algorithm.id;
            const auto num_summed = std::ranges::count_if(
                launch.waits, [](const PartWait& wait) { return wait.summed_us.has_value(); });
            const std::size_t waiting = is_ink ? (launch.waits.size() + 31) / 32 : launch.waits.size();
            EXPECT_EQ(static_cast<std::size_t>(num_summed), waiting) << algorithm.id;
        });
    }
}

/// Each level of a scan is a launch, and so is the last one, which shifts the sums.
TEST_P(TraceCover, HasTheLevelsOfAScan) {
    make_stream(1 << 10, 0);
    for_each_algorithm([&](const Algorithm& algorithm) {
        if (!algorithm.id.ends_with("naive_scan")) return;
        const RunTrace traced = expect_all_covered(algorithm, {});
        EXPECT_EQ(std::ranges::count(traced.launches, 1, &LaunchTrace::phase), 11);
        for (const LaunchTrace& launch : traced.launches) EXPECT_EQ(launch.threads, 256U);
    });
}

TEST_P(TraceCover, OfAnEmptyStreamIsNothing) {
    make_stream(0, 0);
    for_each_algorithm([&](const Algorithm& algorithm) {
        const RunTrace traced = trace(algorithm, {});
        for (const WorkSpan& span : traced.spans) EXPECT_EQ(span.num_selected, 0U) << algorithm.id;
    });
}

INSTANTIATE_TEST_SUITE_P(Engines, TraceCover, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);

}  // namespace
