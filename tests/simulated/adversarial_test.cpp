// The kernels of the single pass in the adversarial order: whoever others wait for runs last, and warps are
// stopped at a few atomic accesses.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
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

}  // namespace
}  // namespace compaction
