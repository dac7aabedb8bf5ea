// The simulated GPU on small kernels: correct ones, and ones with faults that it must find.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "simulated/device.hpp"
#include "simulated/toolkit/cuda_fp16.h"
#include "tests/simulated/kernel_runs.hpp"

namespace compaction::simulated {
namespace {

constexpr unsigned all = ~0U;

constexpr std::uint64_t num_seeds = 288;

// --- Functions of CUDA ---

TEST(SimulatedGpuFunctions, CountChooseAndReverseBits) {
    EXPECT_EQ(__clz(0), 32);
    EXPECT_EQ(__clzll(1), 63);
    EXPECT_EQ(__ffs(0), 0);
    EXPECT_EQ(__ffsll(1LL << 40), 41);
    EXPECT_EQ(__popcll(~0ULL), 64);
    EXPECT_EQ(__brev(0x80000001U), 0x80000001U);
    EXPECT_EQ(__brev(0x00000003U), 0xc0000000U);
    EXPECT_EQ(__byte_perm(0x33221100U, 0x77665544U, 0x0725), 0x00772255U);
    EXPECT_EQ(__funnelshift_l(0x80000000U, 1, 1), 3U);
    EXPECT_EQ(__funnelshift_r(0, 1, 4), 0x10000000U);
    EXPECT_EQ(__umulhi(1U << 31, 6), 3U);
    EXPECT_EQ(__mulhi(-(1 << 30), 8), -2);
    EXPECT_EQ(__mul24(-3, 5), -15);
    EXPECT_EQ(__sad(-2, 3, 10), 15U);
}

/// Converts to half precision all numbers of half precision, and those in the middle between two.
TEST(SimulatedGpuFunctions, RoundToHalfPrecision) {
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = float_of_half_bits(half);
        ASSERT_EQ(half_bits_of(value), half);
        ASSERT_EQ(half_bits_of(-value), half | 0x8000);
        const auto next = static_cast<std::uint16_t>(bits + 1);
        const float middle = bits == 0x7bff ? 65520.0F : (value + float_of_half_bits(next)) / 2;
        ASSERT_EQ(half_bits_of(middle), bits % 2 == 0 ? half : next);
        ASSERT_EQ(half_bits_of(std::nextafter(middle, 0.0F)), half);
        ASSERT_EQ(half_bits_of(std::nextafter(middle, 1e9F)), next);
    }
    EXPECT_EQ(half_bits_of(1e-9F), 0);
    EXPECT_EQ(half_bits_of(1e9F), 0x7c00);
    EXPECT_TRUE(std::isnan(float_of_half_bits(half_bits_of(std::nanf("")))));
}

/// Reads within groups of eight lanes, up to the edges of the groups.
void shuffle_in_groups(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    out[lane] = __shfl_sync(all, lane, 9, 8) == lane / 8 * 8 + 1 &&
                __shfl_up_sync(all, lane, 3, 8) == (lane % 8 < 3 ? lane : lane - 3) &&
                __shfl_down_sync(all, lane, 3, 8) == (lane % 8 > 4 ? lane : lane + 3) &&
                __shfl_xor_sync(all, lane, 9, 8) == (lane % 16 < 8 ? lane : lane ^ 9) &&
                __shfl_xor_sync(all, 0.5 * lane, 5, 16) == 0.5 * (lane ^ 5);
}
void reduce_in_warp(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int same = -1;
    const unsigned match = __match_all_sync(all, lane / 32, &same);
    const bool other = __match_all_sync(all, lane % 2, &same) == 0 && same == 0;
    out[lane] = match == all && other && __reduce_min_sync(all, lane - 5) == -5 &&
                __reduce_max_sync(all, lane - 40) == -9 && __reduce_max_sync(all, 1U << lane) == 1U << 31 &&
                __reduce_or_sync(all, 1U << lane) == all && __reduce_xor_sync(all, 1U << lane / 2) == 0 &&
                __reduce_and_sync(all, ~(1U << lane)) == 0 && __reduce_add_sync(all, -1) == -32;
}
TEST(SimulatedGpuFunctions, ExchangeValuesInAWarp) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const Array<int> out(32);
        EXPECT_EQ(failure({.threads = 32}, seed, shuffle_in_groups, out.data), "");
        EXPECT_EQ(out.values(), std::vector<int>(32, 1));
        EXPECT_EQ(failure({.threads = 32}, seed, reduce_in_warp, out.data), "");
        EXPECT_EQ(out.values(), std::vector<int>(32, 1));
    }
}
void shuffle_with_width(int* out, int width) {
    out[threadIdx.x] = __shfl_sync(all, 1, 0, width);
}

/// The lanes of a branch that reach the call together. Others may come later.
void elect_in_branch(int* leaders) {
    if (threadIdx.x % 2 == 0) return;
    const unsigned active = __activemask();
    if ((active & 0x55555555) == 0 && __ffs(static_cast<int>(active)) - 1 == static_cast<int>(threadIdx.x))
        atomicAdd(leaders, __popc(active));
}
TEST(SimulatedGpuFunctions, NameTheActiveLanes) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const Array<int> leaders(1);
        EXPECT_EQ(failure({.threads = 32}, seed, elect_in_branch, leaders.data), "");
        EXPECT_EQ(*leaders.data, 16);
    }
}

void note_position(unsigned* out, uint3 fails_at) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1;
    if (threadIdx.x == fails_at.x && threadIdx.y == fails_at.y && threadIdx.z == fails_at.z) __trap();
}
TEST(SimulatedGpuFunctions, GridsAndBlocksHaveThreeDimensions) {
    const LaunchShape shape = shape_of({2, 3, 4}, {4, 2, 5});
    const Array<unsigned> out(24 * 40);
    EXPECT_EQ(failure(shape, 0, note_position, out.data, uint3{9, 9, 9}), "");
    EXPECT_EQ(out.values(), std::vector<unsigned>(24 * 40, 1));
    expect_in("by block (0, 0, 0), thread (3, 1, 2)",
              failure(shape, 0, note_position, out.data, uint3{3, 1, 2}));
    expect_in("by block 0, thread (3, 1)",
              failure(shape_of(1, {4, 2}), 0, note_position, out.data, uint3{3, 1, 0}));
    expect_in("the GPU cannot hold such a block",
              failure(shape_of(1, {64, 32}), 0, note_position, out.data, uint3{}));
    expect_in("the GPU cannot hold such a block",
              failure(shape_of({1, 0}, 32), 0, note_position, out.data, uint3{}));
    const Array<int> values(32);
    expect_in("wrong width", failure({.threads = 32}, 0, shuffle_with_width, values.data, 12));
}

// --- Kernels that are right ---

/// Reverses the values of each block in shared memory.
void reverse_in_block(const unsigned* in, unsigned* out) {
    COMPACTION_SHARED(values, unsigned[256]);
    values[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();  // all values are written
    out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

/// Sums in a warp in all possible ways; writes the number of ways that agree.
void sum_in_warp(unsigned* agreeing) {
    const unsigned lane = threadIdx.x % 32;
    unsigned scanned = lane;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned before = __shfl_up_sync(all, scanned, distance);
        if (lane >= distance) scanned += before;
    }
    unsigned reduced = lane;
    for (unsigned lanes = 16; lanes > 0; lanes /= 2) reduced += __shfl_xor_sync(all, reduced, lanes);
    const unsigned odd = __ballot_sync(all, lane % 2);
    const unsigned half = lane < 16 ? __reduce_add_sync(0xffff, 1) : __reduce_add_sync(0xffff0000, 2);
    const unsigned ways = (__shfl_sync(all, scanned, 31) == 496) + (reduced == 496) +
                          (__reduce_add_sync(all, lane) == 496) + (odd == 0xaaaaaaaa) +
                          (half == (lane < 16 ? 16 : 32)) +
                          (__match_any_sync(all, lane / 16) == (lane < 16 ? 0xffffU : 0xffff0000U)) +
                          (__syncthreads_count(lane < 3) == static_cast<int>(blockDim.x / 32 * 3));
    agreeing[blockIdx.x * blockDim.x + threadIdx.x] = ways;
}

/// Every block waits for the one before it.
void chain_blocks(unsigned* words) {
    if (threadIdx.x == 0 && blockIdx.x > 0) {
        volatile unsigned* const before = words + blockIdx.x - 1;
        while (*before == 0) yield_lane();
    }
    __syncthreads();  // the block before is done
    if (threadIdx.x == 0) words[blockIdx.x] = 1 + (blockIdx.x == 0 ? 0 : words[blockIdx.x - 1]);
}

/// Copies a tile of 64 words in and out through shared memory, twice, so that the mbarrier has two phases.
void copy_in_bulk(const unsigned* in, unsigned* out) {
    COMPACTION_DYNAMIC_SHARED(tile, 16, unsigned);
    COMPACTION_SHARED(barrier, std::uint64_t);
    const std::uint32_t at = shared_address_of(&barrier);
    if (threadIdx.x == 0) {
        init_mbarrier(at, 1);
        fence_mbarrier_init();
    }
    __syncthreads();  // the barrier is initialised
    for (unsigned round = 0; round < 2; ++round) {
        if (threadIdx.x == 0) {
            arrive_at_mbarrier(at, 256, Site::current());
            copy_to_shared(shared_address_of(tile), in + 64 * round, 256, at);
        }
        wait_for_mbarrier(at, round, Site::current());
        tile[threadIdx.x] += 1;
        fence_for_bulk_copies();
        __syncthreads();  // the tile is complete
        if (threadIdx.x == 0) {
            copy_to_global(out + 64 * round, shared_address_of(tile), 256);
            commit_copies();
            wait_for_copies(0);
        }
        __syncthreads();  // the tile has been read
    }
}

TEST(SimulatedGpu, BarriersAndSharedMemory) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const Array<unsigned> in(1024), out(1024);
        std::iota(in.data, in.data + 1024, 0U);
        run_kernel("reverse", {.blocks = 4, .threads = 256}, schedule_of(seed), reverse_in_block, in.data,
                   out.data);
        for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(out.data[i], i / 256 * 256 + 255 - i % 256) << seed;
    }
}

TEST(SimulatedGpu, CollectiveOperationsOfWarps) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const Array<unsigned> agreeing(256);
        run_kernel("sum", {.blocks = 2, .threads = 128}, schedule_of(seed), sum_in_warp, agreeing.data);
        EXPECT_EQ(agreeing.values(), std::vector<unsigned>(256, 7)) << seed;
    }
}

TEST(SimulatedGpu, ResidentBlocksWaitForEachOther) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const Array<unsigned> words(8);
        run_kernel("chain", {.blocks = 8, .threads = 64, .cooperative = true}, schedule_of(seed),
                   chain_blocks, words.data);
        EXPECT_EQ(words.data[7], 8U) << seed;
    }
}

TEST(SimulatedGpu, BulkCopies) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const Array<unsigned> in(128), out(128);
        std::iota(in.data, in.data + 128, 0U);
        run_kernel("copy", {.blocks = 1, .threads = 64, .shared_bytes = 256}, schedule_of(seed), copy_in_bulk,
                   in.data, out.data);
        for (unsigned i = 0; i < 128; ++i) ASSERT_EQ(out.data[i], i + 1) << seed;
    }
}

TEST(SimulatedGpu, CooperativeLaunchesMustFit) {
    const Array<unsigned> words(4096);
    expect_in("at once",
              failure({.blocks = 4096, .threads = 1024, .cooperative = true}, 0, chain_blocks, words.data));
}

TEST(SimulatedGpu, SeedsNameSchedules) {
    for (const Order order : {Order::forward, Order::reverse, Order::random}) {
        for (unsigned multiprocessors = 1; multiprocessors <= Schedule::max_multiprocessors;
             ++multiprocessors) {
            const Schedule schedule = schedule_of(seed_of(order, CopyTime::late, multiprocessors, 3));
            EXPECT_EQ(schedule.order, order);
            EXPECT_EQ(schedule.copy_time, CopyTime::late);
            EXPECT_EQ(schedule.multiprocessors, multiprocessors);
        }
    }
}

TEST(SimulatedGpu, SeedsNameAdversarialSchedules) {
    for (unsigned multiprocessors = 1; multiprocessors <= Schedule::max_multiprocessors; ++multiprocessors) {
        for (std::uint64_t turn = 0; turn < 4; ++turn) {
            const Schedule schedule =
                schedule_of(seed_of(Order::adversarial, CopyTime::shuffled, multiprocessors, turn));
            EXPECT_EQ(schedule.order, Order::adversarial);
            EXPECT_EQ(schedule.copy_time, CopyTime::shuffled);
            EXPECT_EQ(schedule.multiprocessors, multiprocessors);
            EXPECT_EQ(schedule.slow_lanes, turn % 2 == 1);
            EXPECT_EQ(schedule.preemptions, 1U);
        }
    }
    for (std::uint64_t seed = 0; seed < 144; ++seed) EXPECT_EQ(schedule_of(seed).preemptions, 0U);
    EXPECT_EQ(schedule_of(146).preemptions, 16U);
}

void note_order(unsigned* order, unsigned* next) {
    order[(*next)++] = blockIdx.x * blockDim.x + threadIdx.x;
}

TEST(SimulatedGpu, SeedsRepeat) {
    const auto order_of = [](std::uint64_t seed) {
        const Array<unsigned> order(256), next(1);
        run_kernel("note", {.blocks = 4, .threads = 64}, schedule_of(seed), note_order, order.data,
                   next.data);
        return order.values();
    };
    const std::uint64_t random = seed_of(Order::random, CopyTime::at_once, 4);
    EXPECT_EQ(order_of(random), order_of(random));
    EXPECT_NE(order_of(random), order_of(random + 72));
    EXPECT_NE(order_of(seed_of(Order::forward, CopyTime::at_once, 4)),
              order_of(seed_of(Order::reverse, CopyTime::at_once, 4)));
}

// --- Faults ---

void reverse_without_barrier(const unsigned* in, unsigned* out) {
    COMPACTION_SHARED(values, unsigned[256]);
    values[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

TEST(SimulatedGpuFinds, MissingBarrier) {
    for (const Order order : {Order::forward, Order::reverse, Order::random}) {
        const Array<unsigned> in(256), out(256);
        std::iota(in.data, in.data + 256, 0U);
        run_kernel("reverse", {.blocks = 1, .threads = 256},
                   schedule_of(seed_of(order, CopyTime::at_once, 1)), reverse_without_barrier, in.data,
                   out.data);
        unsigned wrong = 0;
        for (unsigned i = 0; i < 256; ++i) wrong += out.data[i] != 255 - i;
        EXPECT_GT(wrong, 0U) << static_cast<int>(order);
    }
}

void vote_with_missing_lanes() {
    if (threadIdx.x < 16)
        __ballot_sync(all, 1);
    else
        __syncthreads();
}
void vote_without_caller() {
    __ballot_sync(0xffff, 1);
}
void vote_with_ended_lanes() {
    if (threadIdx.x >= 16) return;
    __syncwarp(0xffff);
    __ballot_sync(all, 1);
}

TEST(SimulatedGpuFinds, WrongMasks) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const std::string waiters = failure({.threads = 32}, seed, vote_with_missing_lanes);
        expect_in("lanes 0-15 wait at a vote", waiters);
        expect_in("lanes 16-31 wait at __syncthreads", waiters);
        expect_in("Repeat with seed " + std::to_string(seed) + ".", waiters);
        expect_in("wrong mask", failure({.threads = 32}, seed, vote_without_caller));
        const std::string ended = failure({.threads = 32}, seed, vote_with_ended_lanes);
        EXPECT_TRUE(ended.find("wrong mask") != std::string::npos ||
                    ended.find("deadlock") != std::string::npos)
            << ended;
    }
}

void divergent_barrier() {
    if (threadIdx.x % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
}
void barrier_after_return() {
    if (threadIdx.x >= 40) return;
    __syncthreads();
}

TEST(SimulatedGpuFinds, DivergentBarriers) {
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        expect_in("divergent barrier", failure({.threads = 64}, seed, divergent_barrier));
        expect_in("divergent barrier", failure({.threads = 64}, seed, barrier_after_return));
    }
}

void write_past_the_end(unsigned* out, unsigned size) {
    if (threadIdx.x <= size) out[threadIdx.x] = threadIdx.x;
}
void write_before_the_start(unsigned* out) {
    *(out - 1) = 7;
}
void read_past_the_end(const unsigned* in, unsigned* out) {
    out[threadIdx.x] = __ldg(in + threadIdx.x);
}
void load_misaligned(const unsigned* in, unsigned* out) {
    out[0] = __ldg(reinterpret_cast<const uint4*>(in + 1)).x;
}

TEST(SimulatedGpuFinds, WrongAccesses) {
    const Array<unsigned> buffer(60), out(64);
    expect_in("out of bounds", failure({.threads = 64}, 0, write_past_the_end, buffer.data, 60U));
    expect_in("out of bounds", failure({}, 0, write_before_the_start, buffer.data));
    expect_in("out of bounds: a load of 4 bytes",
              failure({.threads = 64}, 0, read_past_the_end, buffer.data, out.data));
    expect_in("misaligned: a load of 16 bytes", failure({}, 0, load_misaligned, buffer.data, out.data));
    EXPECT_EQ(failure({.threads = 60}, 0, read_past_the_end, buffer.data, out.data), "");
}

void copy_without_wait(const unsigned* in, unsigned* out) {
    COMPACTION_DYNAMIC_SHARED(tile, 16, unsigned);
    COMPACTION_SHARED(barrier, std::uint64_t);
    const std::uint32_t at = shared_address_of(&barrier);
    if (threadIdx.x == 0) {
        init_mbarrier(at, 1);
        fence_mbarrier_init();
        arrive_at_mbarrier(at, 256, Site::current());
        copy_to_shared(shared_address_of(tile), in, 256, at);
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
void wait_for_too_many_bytes(const unsigned* in) {
    COMPACTION_DYNAMIC_SHARED(tile, 16, unsigned);
    COMPACTION_SHARED(barrier, std::uint64_t);
    const std::uint32_t at = shared_address_of(&barrier);
    init_mbarrier(at, 1);
    fence_mbarrier_init();
    arrive_at_mbarrier(at, 272, Site::current());
    copy_to_shared(shared_address_of(tile), in, 256, at);
    wait_for_mbarrier(at, 0, Site::current());
}
void poll_for_ever(const unsigned* word) {
    while (*const_cast<const volatile unsigned*>(word) == 0) yield_lane();
}

TEST(SimulatedGpuFinds, CopiesThatNobodyWaitsFor) {
    const Array<unsigned> in(64, 5), out(64);
    const std::uint64_t late = seed_of(Order::forward, CopyTime::late, 1);
    EXPECT_EQ(failure({.threads = 64, .shared_bytes = 256}, late, copy_without_wait, in.data, out.data), "");
    EXPECT_NE(out.values(), in.values());
    expect_in("lane 0 waits at mbarrier",
              failure({.shared_bytes = 256}, late, wait_for_too_many_bytes, in.data));
}

/// Counts without an atomic addition: another lane may count between the load and the store.
void count_in_two_steps(unsigned* count) {
    const unsigned before = load_word(count, MemoryOrder::relaxed, Site::current());
    store_word(count, before + 1, MemoryOrder::relaxed, Site::current());
}

/// A fault that shows only if a lane is stopped at a bad moment: found by slow lanes and in the adversarial
/// order, and with the same seeds each time.
TEST(SimulatedGpuFinds, BadMoments) {
    const auto seeds_that_lose = [](std::uint64_t first) {
        std::vector<std::uint64_t> losing;
        for (std::uint64_t seed = first; seed < first + 72; ++seed) {
            const Array<unsigned> count(1);
            run_kernel("count", {.threads = 256}, schedule_of(seed), count_in_two_steps, count.data);
            if (*count.data != 256) losing.push_back(seed);
        }
        return losing;
    };
    EXPECT_TRUE(seeds_that_lose(0).empty());
    EXPECT_GT(seeds_that_lose(72).size(), 10U);
    EXPECT_GT(seeds_that_lose(144).size(), 10U);
    EXPECT_EQ(seeds_that_lose(144), seeds_that_lose(144));
}

TEST(SimulatedGpuFinds, EndlessPolling) {
    const Array<unsigned> word(1);
    expect_in("no progress", failure({}, 0, poll_for_ever, word.data));
}

}  // namespace
}  // namespace compaction::simulated
