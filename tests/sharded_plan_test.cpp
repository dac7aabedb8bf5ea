// Transfers between ranks: known cases, and random ones against a plain gather of all kept items.
#include "compaction/sharded_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace compaction;

using Counts = std::vector<std::uint64_t>;

constexpr ShardedResult all_results[] = {ShardedResult::sharded, ShardedResult::balanced,
                                         ShardedResult::gathered};

/// A case, and its plan.
struct Case {
    Counts counts;
    std::vector<std::uint64_t> offsets;
    ShardedPlan plan;

    Case(ShardedResult result, Counts kept, unsigned root = 0)
        : counts(std::move(kept)),
          offsets(offsets_of(counts)),
          plan{result, static_cast<unsigned>(counts.size()), root, offsets.data()} {}
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;

    std::string words() const {
        std::string text(name_of(plan.result));
        text += ", root " + std::to_string(plan.root) + ", kept";
        for (const std::uint64_t count : counts) text += ' ' + std::to_string(count);
        return text;
    }
};

std::vector<std::uint64_t> stored_sizes(const Case& tried) {
    std::vector<std::uint64_t> sizes;
    for (unsigned rank = 0; rank < tried.plan.num_ranks; ++rank) {
        sizes.push_back(tried.plan.stored_by(rank).size());
    }
    return sizes;
}

/// Counts with empty ranks, ranks that keep everything, and lengths that differ widely.
Counts random_counts(std::mt19937_64& random, std::uint64_t max_count) {
    Counts counts(1 + random() % 9);
    for (std::uint64_t& count : counts) {
        const std::uint64_t kind = random() % 4;
        count = kind == 0 ? 0 : kind == 1 ? random() % 4 : random() % (max_count + 1);
    }
    if (random() % 8 == 0) {
        const std::size_t only = random() % counts.size();
        for (std::size_t rank = 0; rank < counts.size(); ++rank) counts[rank] *= rank == only;
    }
    return counts;
}

/// Moves items as the transfers say. An item is its global index; outputs begin with `unwritten`.
constexpr std::uint64_t unwritten = ~std::uint64_t{0};

std::vector<std::vector<std::uint64_t>> moved(const Case& tried) {
    std::vector<std::vector<std::uint64_t>> outputs;
    for (const std::uint64_t size : stored_sizes(tried)) outputs.emplace_back(size, unwritten);
    const auto apply = [&](const Transfer& transfer) {
        ASSERT_LE(transfer.first_selected + transfer.num_items, tried.counts.at(transfer.source));
        std::vector<std::uint64_t>& output = outputs.at(transfer.destination);
        ASSERT_LE(transfer.first_stored + transfer.num_items, output.size()) << "past the end of an output";
        for (std::uint64_t item = 0; item < transfer.num_items; ++item) {
            std::uint64_t& stored = output[transfer.first_stored + item];
            EXPECT_EQ(stored, unwritten) << "a position is written twice";
            stored = tried.offsets[transfer.source] + transfer.first_selected + item;
        }
    };
    for (unsigned rank = 0; rank < tried.plan.num_ranks; ++rank) {
        const RankTransfers transfers = transfers_of(tried.plan, rank);
        for (const Transfer& sent : transfers.sends) apply(sent);
        apply(transfers.staying);
    }
    return outputs;
}

void expect_global_order(const Case& tried) {
    SCOPED_TRACE(tried.words());
    std::uint64_t next = 0;
    for (const std::vector<std::uint64_t>& output : moved(tried)) {
        for (const std::uint64_t item : output) ASSERT_EQ(item, next++);
    }
    EXPECT_EQ(next, tried.plan.total());
}

bool same(const Transfer& a, const Transfer& b) {
    return a.source == b.source && a.destination == b.destination && a.first_selected == b.first_selected &&
           a.first_stored == b.first_stored && a.num_items == b.num_items;
}

/// Grouped sends and receives deadlock unless both sides plan the same.
void expect_sends_match_receives(const Case& tried) {
    SCOPED_TRACE(tried.words());
    std::vector<RankTransfers> all;
    for (unsigned rank = 0; rank < tried.plan.num_ranks; ++rank) {
        all.push_back(transfers_of(tried.plan, rank));
    }
    std::size_t num_sends = 0;
    std::size_t num_receives = 0;
    for (unsigned rank = 0; rank < tried.plan.num_ranks; ++rank) {
        num_receives += all[rank].receives.size();
        num_sends += all[rank].sends.size();
        for (const Transfer& sent : all[rank].sends) {
            ASSERT_NE(sent.destination, rank);
            ASSERT_GT(sent.num_items, 0U);
            const std::vector<Transfer>& there = all[sent.destination].receives;
            EXPECT_EQ(
                std::count_if(there.begin(), there.end(), [&](const Transfer& t) { return same(t, sent); }),
                1);
        }
    }
    EXPECT_EQ(num_sends, num_receives);
}

/// Moves received items around those that each rank kept, as begin_around_selected says, and checks the
/// result.
void expect_to_fit_around_selected(const Case& tried) {
    SCOPED_TRACE(tried.words());
    const std::uint64_t max_items = *std::ranges::max_element(tried.counts);
    for (unsigned rank = 0; rank < tried.plan.num_ranks; ++rank) {
        const ItemRange stored = tried.plan.stored_by(rank);
        const std::uint64_t begin = begin_around_selected(tried.plan, rank, max_items);
        ASSERT_LE(begin + stored.size(), 3 * max_items);
        const RankTransfers transfers = transfers_of(tried.plan, rank);
        if (transfers.staying.num_items) {
            EXPECT_EQ(begin + transfers.staying.first_stored, max_items + transfers.staying.first_selected);
        }
        for (const Transfer& received : transfers.receives) {
            const std::uint64_t first = begin + received.first_stored;
            EXPECT_TRUE(first + received.num_items <= max_items || first >= max_items + tried.counts[rank])
                << "items arrive over what others still fetch";
        }
    }
}

TEST(ShardedPlan, ShardedMovesNothing) {
    const Case tried(ShardedResult::sharded, {5, 0, 7});
    EXPECT_EQ(stored_sizes(tried), (Counts{5, 0, 7}));
    EXPECT_EQ(tried.plan.stored_by(2).begin, 5U);
    EXPECT_EQ(items_on_busiest_link(tried.plan), 0U);
    EXPECT_TRUE(transfers_of(tried.plan, 0).sends.empty());
}

TEST(ShardedPlan, BalancedGivesTheFirstRanksOneMore) {
    EXPECT_EQ(stored_sizes(Case(ShardedResult::balanced, {11, 0, 0, 0})), (Counts{3, 3, 3, 2}));
    EXPECT_EQ(stored_sizes(Case(ShardedResult::balanced, {0, 0, 3, 0})), (Counts{1, 1, 1, 0}));
    EXPECT_EQ(stored_sizes(Case(ShardedResult::balanced, {0, 0})), (Counts{0, 0}));
}

TEST(ShardedPlan, BalancedLeavesItemsThatAreInPlace) {
    const Case tried(ShardedResult::balanced, {5, 3});
    const RankTransfers first = transfers_of(tried.plan, 0);
    ASSERT_EQ(first.sends.size(), 1U);
    EXPECT_TRUE(same(first.sends[0], {0, 1, 4, 0, 1}));
    EXPECT_TRUE(same(first.staying, {0, 0, 0, 0, 4}));
    EXPECT_TRUE(same(transfers_of(tried.plan, 1).staying, {1, 1, 0, 1, 3}));
    EXPECT_EQ(items_on_busiest_link(tried.plan), 1U);
}

TEST(ShardedPlan, GatheredStoresAllOnTheRoot) {
    const Case tried(ShardedResult::gathered, {2, 3, 4}, 1);
    EXPECT_EQ(stored_sizes(tried), (Counts{0, 9, 0}));
    const RankTransfers root = transfers_of(tried.plan, 1);
    ASSERT_EQ(root.receives.size(), 2U);
    EXPECT_TRUE(same(root.receives[0], {0, 1, 0, 0, 2}));
    EXPECT_TRUE(same(root.receives[1], {2, 1, 0, 5, 4}));
    EXPECT_TRUE(same(root.staying, {1, 1, 0, 2, 3}));
    EXPECT_EQ(items_on_busiest_link(tried.plan), 6U);
}

TEST(ShardedPlan, OneRankKeepsItsItems) {
    for (const ShardedResult result : all_results) {
        const Case tried(result, {7});
        EXPECT_EQ(stored_sizes(tried), (Counts{7}));
        EXPECT_EQ(transfers_of(tried.plan, 0).staying.num_items, 7U);
        EXPECT_EQ(items_on_busiest_link(tried.plan), 0U);
    }
}

TEST(ShardedPlan, RandomCasesKeepTheGlobalOrder) {
    std::mt19937_64 random(20);
    for (int run = 0; run < 2'000 && !testing::Test::HasFailure(); ++run) {
        const Counts counts = random_counts(random, 60);
        const auto root = static_cast<unsigned>(random() % counts.size());
        for (const ShardedResult result : all_results) {
            const Case tried(result, counts, root);
            expect_global_order(tried);
            expect_sends_match_receives(tried);
            if (tried.plan.result == ShardedResult::balanced) expect_to_fit_around_selected(tried);
        }
    }
}

// 64-bit totals: the largest selections, on more ranks than any machine has.
TEST(ShardedPlan, RandomTotalsBeyond32BitsAddUp) {
    std::mt19937_64 random(21);
    for (int run = 0; run < 2'000 && !testing::Test::HasFailure(); ++run) {
        const Counts counts = random_counts(random, std::uint64_t{1} << 40);
        const auto root = static_cast<unsigned>(random() % counts.size());
        for (const ShardedResult result : all_results) {
            const Case tried(result, counts, root);
            expect_sends_match_receives(tried);
            if (tried.plan.result == ShardedResult::balanced) expect_to_fit_around_selected(tried);
            const std::vector<std::uint64_t> sizes = stored_sizes(tried);
            EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}), tried.plan.total());
            for (unsigned rank = 0; rank < tried.plan.num_ranks; ++rank) {
                const RankTransfers transfers = transfers_of(tried.plan, rank);
                std::uint64_t sent = transfers.staying.num_items;
                std::uint64_t received = transfers.staying.num_items;
                for (const Transfer& transfer : transfers.sends) sent += transfer.num_items;
                for (const Transfer& transfer : transfers.receives) received += transfer.num_items;
                EXPECT_EQ(sent, counts[rank]) << tried.words();
                EXPECT_EQ(received, sizes[rank]) << tried.words();
                EXPECT_LE(sent - transfers.staying.num_items, items_on_busiest_link(tried.plan));
                EXPECT_LE(received - transfers.staying.num_items, items_on_busiest_link(tried.plan));
            }
            if (result == ShardedResult::balanced) {
                const auto [shortest, longest] = std::minmax_element(sizes.begin(), sizes.end());
                EXPECT_LE(*longest - *shortest, 1U) << tried.words();
            }
        }
    }
}

TEST(ShardedPlan, NamesTheFirstOutputThatIsTooShort) {
    const Case tried(ShardedResult::balanced, {8, 0, 0});
    const Counts enough{3, 3, 2};
    const Counts too_little{3, 2, 1};
    EXPECT_EQ(first_short_output(tried.plan, enough.data()), 3U);
    EXPECT_EQ(first_short_output(tried.plan, too_little.data()), 1U);
}

TEST(ShardedPlan, ResultsHaveNames) {
    EXPECT_EQ(name_of(ShardedResult::sharded), "sharded");
    EXPECT_EQ(name_of(ShardedResult::balanced), "balanced");
    EXPECT_EQ(name_of(ShardedResult::gathered), "gathered");
}

constexpr CommunicatorFacts within_one_host{4, 4, 22809, 22809, true};

TEST(ExchangePath, PeersThatReachEachOtherWriteDirectly) {
    const ChosenPath chosen = choose_path(within_one_host);
    EXPECT_EQ(chosen.path, ExchangePath::peer_memory);
    EXPECT_TRUE(chosen.because.empty());
}

TEST(ExchangePath, TheNetworkSaysWhy) {
    CommunicatorFacts hosts = within_one_host;
    hosts.num_reachable = 2;
    EXPECT_EQ(choose_path(hosts).path, ExchangePath::network);
    EXPECT_EQ(choose_path(hosts).because, "Not all GPUs of the communicator reach each other's memory.");
    CommunicatorFacts version = within_one_host;
    version.running_version = 22903;
    EXPECT_EQ(choose_path(version).path, ExchangePath::network);
    EXPECT_EQ(choose_path(version).because,
              "The NCCL library and the headers of this build differ in version.");
    CommunicatorFacts windows = within_one_host;
    windows.symmetric_memory = false;
    EXPECT_EQ(choose_path(windows).path, ExchangePath::network);
    EXPECT_FALSE(choose_path(windows).because.empty());
}

}  // namespace
