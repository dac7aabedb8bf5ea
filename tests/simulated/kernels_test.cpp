// The library's CUDA algorithms on the simulated GPU, against a plain loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/cuda/detail/stamped.cuh"
#include "compaction/cuda/select.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
#include "registration.hpp"
#include "tests/simulated/seeds.hpp"
#include "tests/simulated/select_runs.hpp"

namespace compaction {
namespace {

using namespace simulated_select;

struct Ported {
    const char* id;
    Registration (*describe)();
};
const Ported ported[] = {{"sequence_wise", register_simulated_sequence_wise},
                         {"single_pass", register_simulated_single_pass}};

/// Compacts random items with the options; returns the first difference from a plain loop, or "".
std::string difference(const Ported& algorithm, ItemSize size, std::uint64_t num_items, unsigned percent,
                       std::uint64_t seed, const Options& options = {}) {
    simulated::CudaEngine engine(seed);
    const std::size_t words = words_of(size);
    std::mt19937 random(static_cast<unsigned>(num_items + seed));
    std::vector<Item> items(num_items * words);
    for (std::uint64_t i = 0; i < num_items; ++i) {
        for (std::size_t w = 0; w < words; ++w) items[i * words + w] = static_cast<Item>(random() | 1U);
        if (random() % 100 >= percent) items[i * words + words - 1] = 0;
    }
    std::vector<Item> expected;
    for (std::uint64_t i = 0; i < num_items; ++i) {
        if (items[(i + 1) * words - 1] != 0)
            expected.insert(expected.end(), items.begin() + static_cast<std::ptrdiff_t>(i * words),
                            items.begin() + static_cast<std::ptrdiff_t>((i + 1) * words));
    }
    const Buffer in = engine.allocate(std::max<std::size_t>(1, items.size()) * sizeof(Item));
    const Buffer out = engine.allocate(std::max<std::size_t>(1, items.size()) * sizeof(Item));
    const Buffer count = engine.allocate(sizeof(std::uint64_t));
    if (!items.empty()) engine.upload(in.as<void>(), items.data(), items.size() * sizeof(Item));
    const auto compactor = algorithm.describe().make(engine, options, size);
    compactor->reserve(num_items);
    compactor->enqueue(in.as<void>(), num_items, out.as<void>(), count.as<std::uint64_t>(), keep_non_zero(),
                       nullptr);
    const std::uint64_t kept = *count.as<std::uint64_t>();
    if (kept != expected.size() / words)
        return "counted " + std::to_string(kept) + " instead of " + std::to_string(expected.size() / words);
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (out.as<Item>()[i] != expected[i]) return "word " + std::to_string(i) + " differs";
    return {};
}

/// `planned_seed` is the seed of the schedule, unless the environment variable names another.
void expect_right(const Ported& algorithm, ItemSize size, std::uint64_t num_items, unsigned percent,
                  std::uint64_t planned_seed, const Options& options = {}) {
    const int seed = simulated_seeds::or_chosen(static_cast<int>(planned_seed));
    SCOPED_TRACE(simulated_seeds::repeat_line("simulated_kernels_test", seed));
    try {
        EXPECT_EQ(difference(algorithm, size, num_items, percent, static_cast<std::uint64_t>(seed), options),
                  "")
            << "length " << num_items;
    } catch (const Error& error) {
        ADD_FAILURE() << error.what();
    }
}

constexpr std::uint64_t lengths[] = {0, 1, 31, 33, 127, 128, 129, 1023, 1025, 4095, 4096, 4097};

class Kernels : public testing::TestWithParam<std::tuple<int, ItemSize>> {};

TEST_P(Kernels, CompactInEveryOrder) {
    const auto [algorithm, size] = GetParam();
    for (const simulated::Order order :
         {simulated::Order::forward, simulated::Order::reverse, simulated::Order::random}) {
        for (const std::uint64_t length : lengths) {
            const std::uint64_t seed = simulated::seed_of(order, simulated::CopyTime::at_once, 2);
            expect_right(ported[algorithm], size, length, 50, seed);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, Kernels,
                         testing::Combine(testing::Range(0, 2), testing::ValuesIn(all_item_sizes)),
                         [](const auto& test) {
                             return std::string(ported[std::get<0>(test.param)].id) + "_" +
                                    std::to_string(bytes_of(std::get<1>(test.param)));
                         });

/// Longer than single-wave tiles on one multiprocessor, so that the pipeline runs.
TEST(PipelineKernel, CompactsInEveryOrderWithEveryCopyTime) {
    for (std::uint64_t seed = 0; seed < 72; ++seed)
        expect_right(ported[1], ItemSize::bytes_4, 100'003, 30, seed);
}

/// A lane may test a phase late, when the next one has begun. Without the __syncwarp after the wait of the
/// look-back warp for the counts, seed 125 ends in a deadlock.
TEST(PipelineKernel, WaitsForSlowLanes) {
    for (std::uint64_t planned = 120; planned < 144; ++planned)
        expect_none("simulated_kernels_test", planned,
                    [](std::uint64_t seed) { return call_difference(100'003, seed, IsOdd{}); });
}

TEST(PipelineKernel, CompactsChunksThatKeepFewItemsAndMany) {
    for (std::uint64_t planned = 0; planned < 288; planned += 7)
        expect_none("simulated_kernels_test", planned,
                    [](std::uint64_t seed) { return call_difference(200'003, seed, IsEighth{}); });
}

TEST(PipelineKernel, CompactsByATable) {
    const std::vector<std::uint32_t> table = random_table();
    const IsInTable predicate{table.data()};
    for (std::uint64_t planned = 0; planned < 144; planned += 5) {
        expect_none("simulated_kernels_test", planned,
                    [&](std::uint64_t seed) { return call_difference(100'003, seed, predicate); });
    }
}

/// There are fewer multiprocessors than blocks, and each block fills one. Running blocks must not wait for
/// the others.
TEST(PipelineKernel, GoesOnByTicketsWhereItsBlocksAreNotAllResident) {
    const std::vector<std::uint32_t> table = random_table();
    for (std::uint64_t planned = 0; planned < 144; planned += 5) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + 1 + planned % 4;
        const std::size_t num_items = 5'000 + planned * 1'003;
        expect_none("simulated_kernels_test", planned, [&](std::uint64_t seed) {
            return planned % 2 == 0
                       ? pipeline_difference(num_items, seed, blocks, 2, IsOdd{})
                       : pipeline_difference(num_items, seed, blocks, 2, IsInTable{table.data()});
        });
    }
}

/// A block that starts late publishes its first rounds before it learns that the launch has fallen back to
/// tickets. Blocks that still wait process these rounds and must then leave the pipeline.
TEST(PipelineKernel, LeavesInALaterRoundWhenABlockStartsLate) {
    using simulated::CopyTime;
    for (const auto& [copy_time, turn] : {std::pair{CopyTime::at_once, 3U}, std::pair{CopyTime::shuffled, 1U},
                                          std::pair{CopyTime::shuffled, 5U}}) {
        expect_none("simulated_kernels_test",
                    simulated::seed_of(simulated::Order::reverse, copy_time, 3, turn),
                    [](std::uint64_t seed) {
                        return pipeline_difference(std::size_t{4} * 8'192 * 14, seed, 4, 3'000, IsOdd{});
                    });
    }
}

/// Tags of the host and of the counter of a captured launch, in a tile state of any content.
TEST(PipelineKernel, NeedsNoResetOfItsState) {
    for (std::uint64_t planned = 0; planned < 144; planned += 17) {
        for (const TagSource source : {TagSource::host, TagSource::graph_counter}) {
            const unsigned blocks = simulated::schedule_of(planned).multiprocessors + unsigned(planned % 3);
            expect_none("simulated_kernels_test", planned, [&](std::uint64_t seed) {
                return pipeline_difference(20'000 + planned * 303, seed, blocks, 1 + unsigned(planned % 70),
                                           IsOdd{}, source);
            });
        }
    }
}

/// With blocks that give up at once, some launches continue by tickets although all blocks could run.
TEST(PipelineKernel, IsRightWhetherABlockArrivesBeforeOrAfterAnotherGivesUp) {
    for (std::uint64_t planned = 0; planned < 144; planned += 5) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors;
        expect_none("simulated_kernels_test", planned, [&](std::uint64_t seed) {
            return pipeline_difference(20'000 + planned * 1'003, seed, blocks, 1, IsOdd{});
        });
    }
}

/// The records of a traced pipeline, and the selection that makes them.
struct TracedPipeline {
    std::size_t num_items;
    unsigned blocks;
    unsigned polls;  ///< before a block checks which blocks have arrived
    simulated::TracedLaunches traced = {};
    std::uint64_t num_selected = 0;
    std::optional<Buffer> state = {}, tickets = {}, times = {}, roles = {};

    template <typename EngineT>
    auto operator()(EngineT& engine, const Item* in, Item* out, std::uint64_t* count) {
        namespace detail = simulated::detail;
        num_selected = static_cast<std::uint64_t>(std::count_if(in, in + num_items, IsOdd{}));
        state = engine.allocate(sizeof(detail::TileState));
        std::memset(state->template as<void>(), 0, sizeof(detail::TileState));
        tickets = engine.allocate(detail::ticket_words<Item>(num_items) * sizeof(std::uint32_t));
        times = engine.allocate(simulated::Stamps::num_entries * sizeof(simulated::BlockTimes));
        roles = engine.allocate(sizeof(simulated::RoleRecords));
        std::memset(roles->template as<void>(), 0, sizeof(simulated::RoleRecords));
        traced = {.times = times->template as<simulated::BlockTimes>(),
                  .capacity = simulated::Stamps::num_entries};
        std::fill_n(traced.times, simulated::Stamps::num_entries, simulated::BlockTimes{});
        const simulated::Stamps stamps{.first_blocks = blocks,
                                       .times = traced.times,
                                       .roles_block = 1,
                                       .roles = roles->template as<simulated::RoleRecords>(),
                                       .last_threads = 2'048 * blocks,
                                       .traced = &traced};
        using Selector = detail::Stamped<detail::ByPredicate<IsOdd>>;
        const auto selection = detail::make_selection(in, out, count, num_items, Selector{{IsOdd{}}, stamps});
        detail::DeviceProperties device;
        if (const auto error = detail::query_current_device(device)) return error;
        const detail::Plan plan{detail::Path::pipeline, {}, 0, 0, blocks};
        return selection.launch(device, plan, detail::Start::after_previous,
                                state->template as<detail::TileState>(),
                                tickets->template as<std::uint32_t>(), nullptr, {0, polls});
    }
};

/// The kept counts of the blocks add up, or the trace says that they took other tiles, by ticket.
TEST(PipelineKernel, ATraceForgetsThePartsOfBlocksThatFallBack) {
    unsigned fell_back = 0;
    unsigned stayed = 0;
    for (std::uint64_t seed = 0; seed < 144; seed += 5) {
        TracedPipeline select{20'000 + seed * 1'003, simulated::schedule_of(seed).multiprocessors, 1};
        ASSERT_EQ(header_difference(select.num_items, seed, IsOdd{}, std::ref(select)), "") << seed;
        std::uint64_t num_selected = 0;
        bool forgotten = false;
        for (unsigned b = 0; b < select.blocks; ++b) {
            num_selected += select.traced.times[b].num_selected;
            forgotten = forgotten || select.traced.times[b].num_selected == simulated::BlockTimes::unknown;
        }
        ++(forgotten ? fell_back : stayed);
        EXPECT_TRUE(forgotten || num_selected == select.num_selected) << seed;
    }
    EXPECT_GT(fell_back, 0U);
    EXPECT_GT(stayed, 0U);
}

/// Every role of every tile of the traced block has its own record.
TEST(PipelineKernel, NotesTheRolesOfATracedBlock) {
    constexpr unsigned blocks = 2;
    constexpr unsigned rounds = 5;
    TracedPipeline select{std::size_t{blocks} * 8'192 * rounds, blocks, 100'000};
    EXPECT_EQ(header_difference(select.num_items, 0, IsOdd{}, std::ref(select)), "");

    const auto& list = *select.roles->as<simulated::RoleRecords>();
    const simulated::TracedLaunches& traced = select.traced;
    ASSERT_EQ(traced.num_entries, blocks);
    for (unsigned b = 0; b < blocks; ++b) EXPECT_LE(traced.times[b].begin, traced.times[b].end);
    EXPECT_EQ(traced.times[blocks].end, 0U);
    EXPECT_EQ(list.left_out, 0U);
    std::map<WarpRole, std::multiset<unsigned>> rounds_of;
    for (const simulated::RoleRecord& record : list.roles) {
        if (record.begin == 0) continue;
        rounds_of[record.role].insert(record.round);
    }
    EXPECT_EQ(rounds_of[WarpRole::look_back], (std::multiset<unsigned>{0, 1, 2, 3, 4}));
    // One warp counts a chunk of a tile, and one scatters it.
    EXPECT_EQ(rounds_of[WarpRole::count], rounds_of[WarpRole::scatter]);
    for (unsigned round = 0; round < rounds; ++round) {
        EXPECT_EQ(rounds_of[WarpRole::count].count(round), rounds_of[WarpRole::count].size() / rounds);
        EXPECT_GT(rounds_of[WarpRole::count].count(round), 1U);
    }
}

TEST(TicketedKernel, CompactsInEveryOrder) {
    Options options;
    options[Option::blocks] = 3;
    for (std::uint64_t seed = 0; seed < 9; ++seed)
        expect_right(ported[1], ItemSize::bytes_4, 20'001, 30, seed, options);
}

/// More sequences than one block scans at a time.
TEST(ScanInOneBlock, TakesSeveralTurns) {
    Options options;
    options[Option::blocks] = 2;
    options[Option::sequences] = 20'000;
    for (std::uint64_t seed = 0; seed < 9; ++seed)
        expect_right(ported[0], ItemSize::bytes_4, 70'001, 50, seed, options);
}

}  // namespace
}  // namespace compaction
