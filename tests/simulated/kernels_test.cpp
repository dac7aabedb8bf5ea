// The library's CUDA algorithms on the simulated GPU, against a plain loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
#include "registration.hpp"
#include "tests/simulated/seeds.hpp"

namespace compaction {
namespace {

struct Ported {
    const char* id;
    Registration (*describe)();
};
const Ported ported[] = {{"sequence_wise", register_simulated_sequence_wise},
                         {"single_pass", register_simulated_single_pass}};

/// Compacts random items with the layout; returns the first difference from a plain loop, or "".
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

/// `planned_seed`: of the schedule, unless the environment variable names another.
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

/// Expects no difference from a plain loop; says how to repeat a run that has one. `difference(seed)` runs
/// it.
template <typename DifferenceT>
void expect_none(std::uint64_t planned_seed, DifferenceT difference) {
    const int seed = simulated_seeds::or_chosen(static_cast<int>(planned_seed));
    SCOPED_TRACE(simulated_seeds::repeat_line("simulated_kernels_test", seed));
    try {
        EXPECT_EQ(difference(static_cast<std::uint64_t>(seed)), "");
    } catch (const Error& error) {
        ADD_FAILURE() << error.what();
    }
}

/// Selects random items twice by `select(in, out, count, state)` of the header that CUDA programs include;
/// returns the first difference from a plain loop, or "".
template <typename PredicateT, typename SelectT>
std::string header_difference(std::size_t num_items, std::uint64_t seed, PredicateT predicate,
                              SelectT select) {
    simulated::CudaEngine engine(seed);
    const Buffer in = engine.allocate(num_items * sizeof(Item));
    std::mt19937 random(3);
    std::vector<Item> expected;
    for (std::size_t i = 0; i < num_items; ++i) {
        const Item item = in.as<Item>()[i] = static_cast<Item>(random());
        if (predicate(item)) expected.push_back(item);
    }
    for (int turn = 0; turn < 2; ++turn) {
        const Buffer out = engine.allocate(num_items * sizeof(Item));
        const Buffer count = engine.allocate(sizeof(std::uint64_t));
        if (select(engine, in.as<Item>(), out.as<Item>(), count.as<std::uint64_t>()) !=
            simulated::cudaSuccess)
            return "an error code";
        if (*count.as<std::uint64_t>() != expected.size())
            return "counted " + std::to_string(*count.as<std::uint64_t>());
        if (!std::equal(expected.begin(), expected.end(), out.as<Item>())) return "the items differ";
    }
    return {};
}

/// By one call, as users make it.
template <typename PredicateT>
std::string call_difference(std::size_t num_items, std::uint64_t seed, PredicateT predicate) {
    simulated::SelectState state;
    return header_difference(num_items, seed, predicate,
                             [&](auto&, const Item* in, Item* out, std::uint64_t* count) {
                                 if (const auto error = state.reserve<Item>(num_items)) return error;
                                 return simulated::select_if(state, in, out, count, num_items, predicate);
                             });
}

/// By the pipeline on so many blocks, which may be more than the card holds at once.
template <typename PredicateT>
std::string pipeline_difference(std::size_t num_items, std::uint64_t seed, unsigned blocks,
                                unsigned poll_limit, PredicateT predicate) {
    namespace detail = simulated::detail;
    std::optional<Buffer> state, tickets;
    return header_difference(
        num_items, seed, predicate, [&](auto& engine, const Item* in, Item* out, std::uint64_t* count) {
            const std::size_t ticket_bytes = detail::ticket_words<Item>(num_items) * sizeof(std::uint32_t);
            if (!state) {
                state = engine.allocate(sizeof(detail::TileState));
                std::memset(state->template as<void>(), 0, sizeof(detail::TileState));
                tickets = engine.allocate(ticket_bytes);
            }
            std::memset(tickets->template as<void>(), 0xee, ticket_bytes);
            detail::DeviceProperties device;
            if (const auto error = detail::query_current_device(device)) return error;
            const auto selection =
                detail::make_selection(in, out, count, num_items, detail::ByPredicate<PredicateT>{predicate});
            const detail::Plan plan{detail::Path::pipeline, {}, 0, 0, blocks};
            return selection.launch(device, plan, detail::Start::after_previous,
                                    state->template as<detail::TileState>(),
                                    tickets->template as<std::uint32_t>(), nullptr, {0, poll_limit});
        });
}

struct IsOdd {
    bool operator()(Item item) const { return item % 2 != 0; }
};

/// Keeps the items whose bit in a table is set. The pipeline has fewer slots for it.
struct IsInTable {
    const std::uint32_t* table;
    bool operator()(Item item) const { return (table[item / 32 % 64] >> item % 32 & 1U) != 0; }
};

/// A lane may test a phase late, when another one has begun. Without the __syncwarp after the look-back warp
/// has waited for the counts, seed 125 is a deadlock.
TEST(PipelineKernel, WaitsForSlowLanes) {
    for (std::uint64_t planned = 120; planned < 144; ++planned)
        expect_none(planned, [](std::uint64_t seed) { return call_difference(100'003, seed, IsOdd{}); });
}

TEST(PipelineKernel, CompactsByATable) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> table(64);
    for (std::uint32_t& word : table) word = static_cast<std::uint32_t>(random());
    const IsInTable predicate{table.data()};
    for (std::uint64_t planned = 0; planned < 144; planned += 5) {
        expect_none(planned, [&](std::uint64_t seed) { return call_difference(100'003, seed, predicate); });
    }
}

/// Fewer multiprocessors than blocks, each of which fills one: the blocks that run must not wait for the
/// others.
TEST(PipelineKernel, GoesOnByTicketsWhereItsBlocksAreNotAllResident) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> table(64);
    for (std::uint32_t& word : table) word = static_cast<std::uint32_t>(random());
    for (std::uint64_t planned = 0; planned < 144; planned += 5) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + 1 + planned % 4;
        const std::size_t num_items = 5'000 + planned * 1'003;
        expect_none(planned, [&](std::uint64_t seed) {
            return planned % 2 == 0
                       ? pipeline_difference(num_items, seed, blocks, 2, IsOdd{})
                       : pipeline_difference(num_items, seed, blocks, 2, IsInTable{table.data()});
        });
    }
}

/// A block that starts late publishes its first rounds before it learns that the launch goes by tickets.
/// Blocks that still wait go on for these rounds, and must leave the pipeline then.
TEST(PipelineKernel, LeavesInALaterRoundWhenABlockStartsLate) {
    using simulated::CopyTime;
    for (const auto& [copy_time, turn] : {std::pair{CopyTime::at_once, 3U}, std::pair{CopyTime::shuffled, 1U},
                                          std::pair{CopyTime::shuffled, 5U}}) {
        expect_none(simulated::seed_of(simulated::Order::reverse, copy_time, 3, turn),
                    [](std::uint64_t seed) {
                        return pipeline_difference(std::size_t{4} * 8'192 * 14, seed, 4, 3'000, IsOdd{});
                    });
    }
}

/// With blocks that give up at once, some launches go on by tickets although all blocks could run.
TEST(PipelineKernel, IsRightWhetherABlockArrivesBeforeOrAfterAnotherGivesUp) {
    for (std::uint64_t planned = 0; planned < 144; planned += 5) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors;
        expect_none(planned, [&](std::uint64_t seed) {
            return pipeline_difference(20'000 + planned * 1'003, seed, blocks, 1, IsOdd{});
        });
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

/// Sets the environment variable of the seed; the destructor restores it.
class ChosenSeed {
  public:
    explicit ChosenSeed(const char* value) {
        if (const char* const old = std::getenv(simulated_seeds::variable)) old_ = old;
        if (value != nullptr)
            setenv(simulated_seeds::variable, value, 1);
        else
            unsetenv(simulated_seeds::variable);
    }
    ~ChosenSeed() {
        if (old_)
            setenv(simulated_seeds::variable, old_->c_str(), 1);
        else
            unsetenv(simulated_seeds::variable);
    }
    ChosenSeed(const ChosenSeed&) = delete;
    ChosenSeed& operator=(const ChosenSeed&) = delete;

  private:
    std::optional<std::string> old_;
};

TEST(Seed, IsThePlannedOneUnlessTheEnvironmentNamesAnother) {
    {
        const ChosenSeed none(nullptr);
        EXPECT_EQ(simulated_seeds::or_chosen(8), 8);
    }
    const ChosenSeed chosen("47");
    EXPECT_EQ(simulated_seeds::or_chosen(8), 47);
}

TEST(Seed, OfTheEnvironmentMustBeAnInteger) {
    for (const char* const wrong : {"", "-1", "4x", " 4", "99999999999"}) {
        const ChosenSeed chosen(wrong);
        EXPECT_THROW((void)simulated_seeds::or_chosen(8), std::invalid_argument) << wrong;
    }
}

TEST(Seed, IsInTheLineThatRepeatsATest) {
    EXPECT_EQ(simulated_seeds::repeat_line("simulated_kernels_test", 8),
              "Repeat: WARPSIEVE_SIMULATED_SEED=8 simulated_kernels_test "
              "--gtest_filter='Seed.IsInTheLineThatRepeatsATest'");
}

/// Prints the time of the library's default layouts for 2^16 items.
TEST(Speed, OfTwoToThe16Items) {
    const auto time = [](const char* name, const Ported& algorithm, unsigned multiprocessors) {
        simulated::CudaEngine engine(
            simulated::seed_of(simulated::Order::forward, simulated::CopyTime::at_once, multiprocessors));
        constexpr std::uint64_t num_items = 1 << 16;
        const Buffer in = engine.allocate(num_items * 4), out = engine.allocate(num_items * 4),
                     count = engine.allocate(8);
        for (unsigned i = 0; i < num_items; ++i) in.as<Item>()[i] = i * 2654435761U >> 31;
        const auto compactor = algorithm.describe().make(engine, {}, ItemSize::bytes_4);
        compactor->reserve(num_items);
        double best = 1e9;
        for (int run = 0; run < 20; ++run) {
            const auto begin = std::chrono::steady_clock::now();
            compactor->enqueue(in.as<void>(), num_items, out.as<void>(), count.as<std::uint64_t>(),
                               keep_non_zero(), nullptr);
            best = std::min(
                best,
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        }
        std::printf("%s: %.1f ms, kept %llu\n", name, best,
                    static_cast<unsigned long long>(*count.as<std::uint64_t>()));
    };
    time("sequence_wise, 4 multiprocessors", ported[0], 4);
    time("single-wave kernel, 8 multiprocessors", ported[1], 8);
    time("pipeline kernel, 1 multiprocessor", ported[1], 1);
}

}  // namespace
}  // namespace compaction
