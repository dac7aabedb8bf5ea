// Stale values in small programs whose outcomes the memory model allows or forbids. Every allowed outcome
// must occur, and no forbidden one. Source: Alglave, Maranget and Tautschnig 2014, "Herding Cats", which
// names the programs; NVIDIA 2025, "Parallel Thread Execution ISA", section "Memory Consistency Model".
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "simulated/device.hpp"
#include "tests/simulated/kernel_runs.hpp"

namespace compaction::simulated {
namespace {

constexpr MemoryOrder relaxed = MemoryOrder::relaxed;
constexpr MemoryOrder acquire = MemoryOrder::acquire;
constexpr MemoryOrder release = MemoryOrder::release;

unsigned load(const unsigned* word, MemoryOrder order = relaxed) {
    return load_word(word, order, Site::current());
}
void store(unsigned* word, unsigned value, MemoryOrder order = relaxed) {
    store_word(word, value, order, Site::current());
}

class SimulatedWeakMemory : public testing::Test {
  protected:
    void SetUp() override { set_checks({.accesses = true, .stale_values = true}); }
    void TearDown() override { set_checks({}); }

    /// The values that `kernel(words, seen)` leaves in `seen`, from several runs in each schedule.
    /// words: [4], at first 0; seen: [2]
    template <typename... ArgumentsT>
    static std::set<std::vector<unsigned>> outcomes(unsigned blocks,
                                                    void (*kernel)(unsigned*, unsigned*, ArgumentsT...),
                                                    ArgumentsT... arguments) {
        std::set<std::vector<unsigned>> all;
        for (std::uint64_t seed = 0; seed < 6 * 288; ++seed) {
            const Array<unsigned> words(4), seen(2);
            EXPECT_EQ(
                failure({.blocks = blocks, .threads = 1}, seed, kernel, words.data, seen.data, arguments...),
                "");
            all.insert(seen.values());
        }
        return all;
    }
};

struct Orders {
    MemoryOrder store = relaxed;
    MemoryOrder load = relaxed;
    bool fences = false;
};

/// MP: one block writes data and raises a flag; the other waits for the flag and reads the data.
void pass_message(unsigned* words, unsigned* seen, Orders orders) {
    if (blockIdx.x == 0) {
        store(words, 1);
        if (orders.fences) __threadfence();
        store(words + 1, 1, orders.store);
    } else {
        while (load(words + 1, orders.load) == 0) yield_lane();
        if (orders.fences) __threadfence();
        seen[0] = load(words);
    }
}

TEST_F(SimulatedWeakMemory, AMessageArrivesWithReleaseAndAcquire) {
    using Seen = std::set<std::vector<unsigned>>;
    EXPECT_EQ(outcomes(2, pass_message, Orders{}), (Seen{{0, 0}, {1, 0}}));
    EXPECT_EQ(outcomes(2, pass_message, Orders{release, relaxed}), (Seen{{0, 0}, {1, 0}}));
    EXPECT_EQ(outcomes(2, pass_message, Orders{relaxed, acquire}), (Seen{{0, 0}, {1, 0}}));
    EXPECT_EQ(outcomes(2, pass_message, Orders{release, acquire}), (Seen{{1, 0}}));
    EXPECT_EQ(outcomes(2, pass_message, Orders{relaxed, relaxed, true}), (Seen{{1, 0}}));
}

/// SB: each block writes its word and reads the other's.
void store_and_look(unsigned* words, unsigned* seen, bool fences) {
    store(words + blockIdx.x, 1);
    if (fences) __threadfence();
    seen[blockIdx.x] = load(words + 1 - blockIdx.x);
}

TEST_F(SimulatedWeakMemory, BothMissEachOtherUnlessFencesAreBetween) {
    using Seen = std::set<std::vector<unsigned>>;
    EXPECT_EQ(outcomes(2, store_and_look, false), (Seen{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_EQ(outcomes(2, store_and_look, true), (Seen{{0, 1}, {1, 0}, {1, 1}}));
}

/// CoRR: one block counts up; the other never sees the word go back.
void count_up(unsigned* words, unsigned* seen) {
    if (blockIdx.x == 0) {
        for (unsigned i = 1; i <= 8; ++i) {
            store(words, i);
            yield_lane();
        }
        return;
    }
    unsigned last = 0;
    for (unsigned i = 0; i < 40; ++i) {
        const unsigned value = load(words);
        seen[0] += value < last;
        last = std::max(last, value);
        yield_lane();
    }
}

TEST_F(SimulatedWeakMemory, AWordNeverGoesBackForALane) {
    EXPECT_EQ(outcomes(2, count_up), (std::set<std::vector<unsigned>>{{0, 0}}));
}

/// CoRR across lanes: a lane never reads an older value than a lane before it has read.
void read_in_turn(unsigned* words, unsigned* seen) {
    if (blockIdx.x == 0) return store(words, 1);
    if (blockIdx.x == 1) {
        seen[0] = load(words);
        return store(words + 1, 1, release);
    }
    while (load(words + 1, acquire) == 0) yield_lane();
    seen[1] = load(words);
}

TEST_F(SimulatedWeakMemory, WhatOneHasReadTheNextReadsToo) {
    EXPECT_EQ(outcomes(3, read_in_turn), (std::set<std::vector<unsigned>>{{0, 0}, {0, 1}, {1, 1}}));
}

/// An update continues the release sequence of a store before it; a relaxed store does not.
void release_through(unsigned* words, unsigned* seen, bool updates) {
    if (blockIdx.x == 0) {
        store(words, 1);
        store(words + 1, 1, release);
    } else if (blockIdx.x == 1) {
        while (load(words + 1) == 0) yield_lane();
        if (updates)
            atomicAdd(words + 1, 1);
        else
            store(words + 1, 2);
    } else {
        while (load(words + 1, acquire) != 2) yield_lane();
        seen[0] = load(words);
    }
}

TEST_F(SimulatedWeakMemory, AnUpdateGoesOnWithARelease) {
    using Seen = std::set<std::vector<unsigned>>;
    EXPECT_EQ(outcomes(3, release_through, true), (Seen{{1, 0}}));
    EXPECT_EQ(outcomes(3, release_through, false), (Seen{{0, 0}, {1, 0}}));
}

/// Two threads of one block, or of two blocks, pass a message with fences of block scope.
void pass_message_in_block(unsigned* words, unsigned* seen, bool plain) {
    const unsigned thread = blockIdx.x + threadIdx.x;
    if (thread == 0) {
        if (plain)
            words[0] = 1;  // nothing orders it for other blocks
        else
            store(words, 1);
        __threadfence_block();
        store(words + 1, 1);
    } else {
        while (load(words + 1) == 0) yield_lane();
        __threadfence_block();
        seen[0] = plain ? words[0] : load(words);
    }
}

TEST_F(SimulatedWeakMemory, AFenceOfBlockScopeIsNoneForOtherBlocks) {
    using Seen = std::set<std::vector<unsigned>>;
    EXPECT_EQ(outcomes(2, pass_message_in_block, false), (Seen{{0, 0}, {1, 0}}));
    Seen in_block;
    for (std::uint64_t seed = 0; seed < 288; ++seed) {
        for (const bool plain : {false, true}) {
            const Array<unsigned> words(4), seen(2);
            EXPECT_EQ(failure({.threads = 2}, seed, pass_message_in_block, words.data, seen.data, plain), "");
            in_block.insert(seen.values());
        }
    }
    EXPECT_EQ(in_block, (Seen{{1, 0}}));
    const Array<unsigned> words(4), seen(2);
    expect_in("data race in global memory",
              failure({.blocks = 2, .threads = 1}, 0, pass_message_in_block, words.data, seen.data, true));
}

void count_in_block_scope(unsigned* words, unsigned*) {
    atomicAdd_block(words, 1);  // by several blocks
}

TEST_F(SimulatedWeakMemory, AnAtomicOfBlockScopeIsNoneForOtherBlocks) {
    const Array<unsigned> words(4), seen(2);
    EXPECT_EQ(failure({.threads = 64}, 2, count_in_block_scope, words.data, seen.data), "");
    const std::string text =
        failure({.blocks = 2, .threads = 1}, 2, count_in_block_scope, words.data, seen.data);
    expect_in("data race in global memory: an atomic write of block scope of 4 bytes by block", text);
    expect_in("weak_memory_test.cpp:", text);
}

/// Lane 1 writes, all lanes of its block fence, and after the barrier lane 0 raises the flag.
void fence_before_barrier(unsigned* words, unsigned* seen, bool reader_fences) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 1) words[0] = 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) store(words + 1, 1);
    } else if (threadIdx.x == 0) {
        while (load(words + 1, acquire) == 0) yield_lane();
        if (reader_fences) __threadfence();
        seen[0] = words[0];
    }
}

TEST_F(SimulatedWeakMemory, AFenceBeforeABarrierOrdersForFencesOnly) {
    for (std::uint64_t seed = 0; seed < 288; ++seed) {
        const LaunchShape shape{.blocks = 2, .threads = 2};
        const Array<unsigned> words(4), others(4), seen(2);
        EXPECT_EQ(failure(shape, seed, fence_before_barrier, words.data, seen.data, true), "");
        EXPECT_EQ(seen.data[0], 1U);
        expect_in("data race in global memory: a read of 4 bytes by block 1, thread 0",
                  failure(shape, seed, fence_before_barrier, others.data, seen.data, false));
    }
}

/// Block 0 updates a word, block 1 updates or stores it, block 2 updates it and then writes it plainly.
void write_after_updates(unsigned* words, unsigned*, bool updates) {
    if (blockIdx.x > 0) {
        while (load(words + blockIdx.x) == 0) yield_lane();
    }
    if (blockIdx.x == 1 && !updates)
        store(words, 2);
    else
        atomicAdd(words, 1);
    if (blockIdx.x < 2)
        store(words + blockIdx.x + 1, 1);
    else
        words[0] = 0;
}

TEST_F(SimulatedWeakMemory, AnUpdateComesAfterTheWritesThatItContinues) {
    for (std::uint64_t seed = 0; seed < 288; ++seed) {
        const LaunchShape shape{.blocks = 3, .threads = 1};
        const Array<unsigned> words(4), others(4), seen(2);
        EXPECT_EQ(failure(shape, seed, write_after_updates, words.data, seen.data, true), "");
        expect_in("data race in global memory: a write of 4 bytes by block 2, thread 0",
                  failure(shape, seed, write_after_updates, others.data, seen.data, false));
    }
}

enum class Writer { updates, updates_later, stores };

/// Block 0 updates a word, and block 1 writes it. Block 2 waits for what it needs by loads, and then reads
/// and writes the word plainly.
void access_after_loads(unsigned* words, unsigned* seen, Writer second) {
    unsigned* const may_write = words + 1;
    unsigned* const has_written = words + 2;
    if (blockIdx.x == 0) {
        atomicAdd(words, 1);
    } else if (blockIdx.x == 1) {
        while (second == Writer::updates_later && load(may_write) == 0) yield_lane();
        while (second == Writer::stores && load(words) == 0) yield_lane();
        if (second == Writer::stores)
            store(words, 2);
        else
            atomicAdd(words, 1);
        store(has_written, 1);
    } else {
        while (load(words) < (second == Writer::updates_later ? 1 : 2)) yield_lane();
        store(may_write, 1);
        while (load(has_written) == 0) yield_lane();
        seen[0] = words[0];
        words[0] = 0;
    }
}

TEST_F(SimulatedWeakMemory, ALoadComesAfterTheUpdatesThatItReads) {
    for (std::uint64_t seed = 0; seed < 288; ++seed) {
        const LaunchShape shape{.blocks = 3, .threads = 1};
        const Array<unsigned> words(4), others(4), stored(4), seen(2);
        EXPECT_EQ(failure(shape, seed, access_after_loads, words.data, seen.data, Writer::updates), "");
        EXPECT_EQ(seen.data[0], 2U);
        expect_in("data race in global memory: a read of 4 bytes by block 2, thread 0",
                  failure(shape, seed, access_after_loads, others.data, seen.data, Writer::updates_later));
        expect_in("an atomic write by block 0, thread 0",
                  failure(shape, seed, access_after_loads, stored.data, seen.data, Writer::stores));
    }
}

TEST_F(SimulatedWeakMemory, ValuesAreNewUnlessAsked) {
    set_checks({.accesses = true});
    EXPECT_EQ(outcomes(2, pass_message, Orders{}), (std::set<std::vector<unsigned>>{{1, 0}}));
}

}  // namespace
}  // namespace compaction::simulated
