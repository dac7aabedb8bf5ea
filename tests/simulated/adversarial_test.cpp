// The kernels of the single pass in the adversarial order: lanes that others wait for run last, and warps are
// stopped at a few atomic accesses.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
#include "simulated/gpu.hpp"
#include "tests/simulated/seeds.hpp"

namespace compaction {
namespace {

struct IsEven {
    __device__ bool operator()(Item item) const { return item % 2 == 0; }
};

/// Selects random items; returns the first difference from a plain loop, or "".
std::string difference_of_select(std::size_t num_items, std::uint64_t seed) try {
    simulated::CudaEngine engine(seed);
    const Buffer in = engine.allocate(num_items * sizeof(Item));
    const Buffer out = engine.allocate(num_items * sizeof(Item));
    const Buffer count = engine.allocate(sizeof(std::uint64_t));
    std::mt19937 random(11);
    std::vector<Item> expected;
    for (std::size_t i = 0; i < num_items; ++i) {
        const Item item = in.as<Item>()[i] = static_cast<Item>(random());
        if (IsEven{}(item)) expected.push_back(item);
    }
    simulated::SelectState state;
    if (state.reserve<Item>(num_items) != simulated::cudaSuccess ||
        simulated::select_if(state, in.as<Item>(), out.as<Item>(), count.as<std::uint64_t>(), num_items,
                             IsEven{}) != simulated::cudaSuccess)
        return "an error code";
    if (*count.as<std::uint64_t>() != expected.size())
        return "counted " + std::to_string(*count.as<std::uint64_t>());
    return std::equal(expected.begin(), expected.end(), out.as<Item>()) ? "" : "the items differ";
} catch (const Error& error) {
    return error.what();
}

class AdversarialOrder : public testing::TestWithParam<std::size_t> {};

TEST_P(AdversarialOrder, Compacts) {
    const int chosen = simulated_seeds::or_chosen(-1);
    for (int seed = 144; seed < 288; seed += 2) {
        const int tried = chosen < 0 ? seed : chosen;
        SCOPED_TRACE(simulated_seeds::repeat_line("simulated_kernels_test", tried));
        ASSERT_EQ(difference_of_select(GetParam(), static_cast<std::uint64_t>(tried)), "");
    }
}
INSTANTIATE_TEST_SUITE_P(All, AdversarialOrder, testing::Values(1'000, 9'001, 50'003));

/// Counts calls with a value that is no item.
struct IsOddItem {
    static constexpr Item end = 64;  ///< items are smaller
    unsigned* strangers;
    __device__ bool operator()(Item item) const {
        *strangers += item >= end;
        return item % 2 != 0;
    }
};

/// A block that starts after another has closed the launch leaves the pipeline in round 0, with chunks that
/// nobody has requested. A stream that begins between two vectors leaves items in a buffer unwritten.
TEST(PipelineKernel, AsksThePredicateForItemsAlone) {
    namespace detail = simulated::detail;
    for (std::uint64_t seed = 0; seed < 288; seed += 11) {
        SCOPED_TRACE(seed);
        const unsigned blocks = simulated::schedule_of(seed).multiprocessors + 1;
        const std::size_t num_items = std::size_t{blocks} * 7 * 1'024 * 12;
        simulated::CudaEngine engine(seed);
        const Buffer items = engine.allocate((num_items + 1) * sizeof(Item));
        const Buffer out = engine.allocate(num_items * sizeof(Item));
        const Buffer count = engine.allocate(sizeof(std::uint64_t));
        const Buffer state = engine.allocate(sizeof(detail::TileState));
        const Buffer tickets = engine.allocate(detail::ticket_words<Item>(num_items) * sizeof(std::uint32_t));
        std::memset(state.as<void>(), 0, state.size_bytes());
        Item* const in = items.as<Item>() + 1;
        std::mt19937 random(13);
        std::uint64_t expected = 0;
        for (std::size_t i = 0; i < num_items; ++i) {
            in[i] = static_cast<Item>(random()) % IsOddItem::end;
            expected += in[i] % 2;
        }
        unsigned strangers = 0;
        detail::DeviceProperties device;
        ASSERT_EQ(detail::query_current_device(device), simulated::cudaSuccess);
        const auto selection =
            detail::make_selection(in, out.as<Item>(), count.as<std::uint64_t>(), num_items,
                                   detail::ByPredicate<IsOddItem>{{&strangers}});
        const detail::Plan plan{detail::Path::pipeline, {}, 0, 0, blocks};
        ASSERT_EQ(selection.launch(device, plan, detail::Start::after_previous, state.as<detail::TileState>(),
                                   tickets.as<std::uint32_t>(), nullptr, {0, 2}, {}),
                  simulated::cudaSuccess);
        EXPECT_EQ(*count.as<std::uint64_t>(), expected);
        EXPECT_EQ(strangers, 0U);
    }
}

}  // namespace
}  // namespace compaction
