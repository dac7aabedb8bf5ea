#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "compaction/cuda/select_workspace.cuh"
#include "tests/cuda/select_fixture.cuh"

/// Shared by the tests of the select family: lengths, outputs with a guard behind them, and every form of a
/// call.
namespace select_testing {

/// 0, 1, the borders of warps and tiles, and random lengths, from `seed`.
inline std::vector<std::size_t> lengths_to_test(std::uint32_t seed, std::size_t longest = 300'000) {
    std::vector<std::size_t> lengths{0, 1, 31, 32, 33, 511, 512, 513, 4095, 4096, 4097, 8192, 8193};
    std::mt19937 random(seed);
    longest = std::min(longest, longest_stream);
    for (int i = 0; i < 4; ++i) lengths.push_back(random() % longest);
    return lengths;
}

/// The lengths of lengths_to_test, and two that no GPU selects in a single wave.
inline std::vector<std::size_t> lengths_of_all_paths(std::uint32_t seed) {
    std::vector<std::size_t> lengths = lengths_to_test(seed);
    for (const std::size_t length : {std::size_t{6'500'123}, std::size_t{9'000'001}})
        if (length <= longest_stream) lengths.push_back(length);
    return lengths;
}

/// An item of any size that is aligned to one byte, or to what `AlignT` is.
template <std::size_t Bytes, typename AlignT = std::uint8_t>
struct alignas(AlignT) Bulk {
    std::uint8_t bytes[Bytes];
};

/// Items of random bytes.
template <typename ItemT>
std::vector<ItemT> random_items(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<ItemT> items(count);
    auto* const bytes = reinterpret_cast<unsigned char*>(items.data());
    for (std::size_t i = 0; i < count * sizeof(ItemT); ++i) bytes[i] = static_cast<unsigned char>(random());
    return items;
}

/// Answers like `PredicateT`, provided that both it and its item are copies that end with the call.
template <typename PredicateT>
struct Spoiling {
    PredicateT predicate;
    bool is_spoiled = false;

    template <typename ItemT>
    __host__ __device__ bool operator()(ItemT& item) {
        const bool keep = !is_spoiled && predicate(item);
        is_spoiled = true;
        item = 0;
        return keep;
    }
};
template <typename PredicateT>
Spoiling(PredicateT) -> Spoiling<PredicateT>;

/// Device memory for a given number of items, and a guard behind them.
template <typename ItemT>
class GuardedOutput {
  public:
    explicit GuardedOutput(std::size_t size) : bytes_(size * sizeof(ItemT)), memory_(bytes_ + guard_bytes) {
        memory_.fill(0xee);
    }
    ItemT* data() { return reinterpret_cast<ItemT*>(memory_.data()); }

    /// The first items are as expected, and nothing is written behind the array. Erases them.
    void expect(const std::vector<ItemT>& expected) {
        const std::vector<unsigned char> bytes = memory_.download();
        ASSERT_GE(bytes_, expected.size() * sizeof(ItemT));
        EXPECT_TRUE(expected.empty() ||
                    std::memcmp(bytes.data(), expected.data(), expected.size() * sizeof(ItemT)) == 0)
            << expected.size() << " items expected";
        for (std::size_t i = bytes_; i < bytes.size(); ++i) {
            ASSERT_EQ(bytes[i], 0xee) << "written " << i - bytes_ << " bytes behind the output";
        }
        memory_.fill(0xee);
    }

  private:
    static constexpr std::size_t guard_bytes = 256;
    std::size_t bytes_;
    DeviceArray<unsigned char> memory_;
};

/// The number of selected items.
class Count {
  public:
    Count() : memory_(1) { memory_.fill(0xee); }
    std::uint64_t* data() { return memory_.data(); }
    void expect(std::uint64_t expected) {
        ASSERT_EQ(memory_.download()[0], expected);
        memory_.fill(0xee);
    }

  private:
    DeviceArray<std::uint64_t> memory_;
};

/// Calls `call(workspace...)` with temporary storage of unknown content, with a state and with a memory
/// resource, and `check()` after each.
template <typename CallT, typename CheckT>
void with_every_workspace(CallT call, CheckT check) {
    constexpr std::size_t guard_bytes = 256;
    void* temp = nullptr;
    std::size_t bytes = 0;
    COMPACTION_CHECK(call(temp, bytes));
    DeviceArray<unsigned char> storage(bytes + guard_bytes);
    storage.fill(0x77);
    temp = storage.data();
    std::size_t allocated = bytes;
    COMPACTION_CHECK(call(temp, allocated));
    ASSERT_NO_FATAL_FAILURE(check()) << "with storage";
    const std::vector<unsigned char> after = storage.download();
    for (std::size_t i = bytes; i < after.size(); ++i) {
        ASSERT_EQ(after[i], 0x77) << "written behind the storage";
    }

    compaction::cuda::SelectState state;
    COMPACTION_CHECK(state.reserve<Record<4>>(1U << 20));
    const auto call_with_storage = [&](void* memory, std::size_t& size) { return call(memory, size); };
    COMPACTION_CHECK(state.reserve_for(call_with_storage));
    for (int i = 0; i < 2; ++i) {
        COMPACTION_CHECK(call(state));
        ASSERT_NO_FATAL_FAILURE(check()) << "with a state";
    }
    COMPACTION_CHECK(call(compaction::cuda::stream_ordered_memory));
    ASSERT_NO_FATAL_FAILURE(check()) << "with a memory resource";
}

}  // namespace select_testing
