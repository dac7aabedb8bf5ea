// Faults planted in small kernels: the checks of the simulated GPU must find each, and name the kernel, the
// block, the threads and the source lines; and the same kernels without the fault must pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <string>

#include "simulated/device.hpp"
#include "tests/simulated/included_kernel.hpp"
#include "tests/simulated/kernel_runs.hpp"

namespace compaction::simulated {
namespace {

constexpr unsigned all = ~0U;

/// "faults_test.cpp:12": the line of that file, by default this one, that ends with that comment.
std::string at(const std::string& comment, const std::string& name = "faults_test.cpp") {
    const std::string path = FAULTS_FILE;
    std::ifstream file(path.substr(0, path.find_last_of('/') + 1) + name);
    unsigned number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("// " + comment)) return name + ":" + std::to_string(number);
    }
    ADD_FAILURE() << "no line ends with // " << comment;
    return {};
}

class SimulatedFaults : public testing::Test {
  protected:
    void SetUp() override { set_checks({.accesses = true, .uninitialised = true}); }
    void TearDown() override { set_checks({}); }

    /// Runs the kernel with seeds of every order. Each report must contain all `parts`.
    template <typename... KernelAndArguments>
    static void expect_found(const std::vector<std::string>& parts, const LaunchShape& shape,
                             KernelAndArguments... rest) {
        for (const Order order : {Order::forward, Order::reverse, Order::random}) {
            const std::string text = failure(shape, seed_of(order, CopyTime::at_once, 2), rest...);
            expect_in("kernel failed on the simulated GPU: ", text);
            for (const std::string& part : parts) expect_in(part, text);
        }
    }
    template <typename... KernelAndArguments>
    static void expect_right(const LaunchShape& shape, KernelAndArguments... rest) {
        for (std::uint64_t seed = 0; seed < 144; ++seed) EXPECT_EQ(failure(shape, seed, rest...), "");
    }
};

// --- Out of bounds ---

void write_past_end(unsigned* out, unsigned size) {
    if (threadIdx.x <= size) out[threadIdx.x] = threadIdx.x;  // write past the end
}
void read_past_end(const unsigned* in, unsigned* out, unsigned size) {
    const unsigned value = threadIdx.x <= size ? in[threadIdx.x] : 0;  // read past the end
    if (threadIdx.x < size) out[threadIdx.x] = value;
}
void write_past_shared() {
    COMPACTION_SHARED(first, unsigned[32]);
    COMPACTION_SHARED(second, unsigned[32]);
    second[threadIdx.x] = 0;
    __syncthreads();
    first[threadIdx.x + 1] = 1;  // write past shared
}
void write_past_dynamic_shared() {
    COMPACTION_DYNAMIC_SHARED(words, 16, unsigned);
    words[threadIdx.x] = 1;  // write past dynamic shared
}

TEST_F(SimulatedFaults, OutOfBounds) {
    const Array<unsigned> in(60), out(60);
    expect_found({"out of bounds: a write of 4 bytes (" + at("write past the end") +
                      "), 0 bytes after the end of a buffer of 240 bytes",
                  "by block 0, thread 60"},
                 {.threads = 64}, write_past_end, out.data, 60U);
    expect_found({"out of bounds: a read of 4 bytes (" + at("read past the end"), "by block 0, thread 60"},
                 {.threads = 64}, read_past_end, in.data, out.data, 60U);
    expect_found({"out of bounds: a write of 4 bytes of shared memory (" + at("write past shared"),
                  "by block 0, thread 31"},
                 {.threads = 32}, write_past_shared);
    expect_found({"out of bounds: a write of 4 bytes of shared memory (" + at("write past dynamic shared"),
                  "by block 0, thread 32"},
                 {.threads = 33, .shared_bytes = 128}, write_past_dynamic_shared);
    expect_right({.threads = 60}, write_past_end, out.data, 60U);
    expect_right({.threads = 60}, read_past_end, in.data, out.data, 60U);
    expect_right({.threads = 31}, write_past_shared);
    expect_right({.threads = 32, .shared_bytes = 128}, write_past_dynamic_shared);
}

// --- Uninitialised ---

void sum_unwritten(unsigned* out, unsigned written) {
    COMPACTION_SHARED(values, unsigned[64]);
    if (threadIdx.x < written) values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x];  // read of an unwritten word
}

TEST_F(SimulatedFaults, Uninitialised) {
    const Array<unsigned> out(256);
    expect_found({"uninitialised: a read of 4 bytes of shared memory (" + at("read of an unwritten word"),
                  "that no lane of the block has written; a write is missing, or a barrier between",
                  "by block 0, thread 0"},
                 {.threads = 64}, sum_unwritten, out.data, 63U);
    expect_right({.blocks = 4, .threads = 64}, sum_unwritten, out.data, 64U);
}

// --- Races in shared memory ---

void reverse(const unsigned* in, unsigned* out, bool waits) {
    COMPACTION_SHARED(values, unsigned[64]);
    values[threadIdx.x] = in[threadIdx.x];  // write of a value
    if (waits) __syncthreads();
    out[threadIdx.x] = values[63 - threadIdx.x];  // read of another value
}
/// Shuffles and votes bring lanes together, but order no memory.
void exchange_in_warp(unsigned* out, bool waits) {
    COMPACTION_SHARED(values, unsigned[32]);
    values[threadIdx.x] = 0;
    __syncwarp();
    values[threadIdx.x] = threadIdx.x;  // write before the vote
    __ballot_sync(all, 1);
    if (waits) __syncwarp();
    out[threadIdx.x] = values[threadIdx.x ^ 1];  // read after the vote
}
/// Sums rounds of values; the second barrier of a round keeps the next round's writes away from its reads.
void sum_rounds(unsigned* out, bool waits) {
    COMPACTION_SHARED(values, unsigned[64]);
    unsigned sum = 0;
    for (unsigned round = 0; round < 4; ++round) {
        values[threadIdx.x] = round;  // write of the next round
        __syncthreads();
        sum += values[(threadIdx.x + 32) % 64];  // read of this round
        if (waits) __syncthreads();
    }
    out[threadIdx.x] = sum;
}

TEST_F(SimulatedFaults, RacesInSharedMemory) {
    set_checks({.accesses = true});
    const Array<unsigned> in(64), out(64);
    std::iota(in.data, in.data + 64, 0U);
    const std::string race = "data race in shared memory: ";
    expect_found(
        {race, at("write of a value"), at("read of another value"), "of 4 bytes by block 0, thread "},
        {.threads = 64}, reverse, in.data, out.data, false);
    expect_found({race, at("write before the vote"), at("read after the vote")}, {.threads = 32},
                 exchange_in_warp, out.data, false);
    expect_found({race, at("write of the next round"), at("read of this round")}, {.threads = 64}, sum_rounds,
                 out.data, false);
    const std::string forward = failure({.threads = 64}, 0, reverse, in.data, out.data, false);
    expect_in("kernel failed on the simulated GPU: " + race + "a write of 4 bytes by block 0, thread 32 (" +
                  at("write of a value") + ") and a read by block 0, thread 31 (" +
                  at("read of another value") + "), and nothing orders the two; by block 0, thread 32.\n",
              forward);
    expect_right({.threads = 64}, reverse, in.data, out.data, true);
    expect_right({.threads = 32}, exchange_in_warp, out.data, true);
    expect_right({.threads = 64}, sum_rounds, out.data, true);
}

// --- Races in global memory ---

void count_plainly(unsigned* count) {
    *count += 1;  // count without an atomic
}
void count_atomically(unsigned* count) {
    atomicAdd(count, 1U);
}
void mix(unsigned* count, unsigned* out) {
    atomicAdd(count, 1U);      // an atomic count
    out[blockIdx.x] = *count;  // a plain read of the count
}
void mix_within_words(std::uint8_t* bytes) {
    bytes[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // bytes of one word
}
/// Block 0 passes a value to block 1 by a flag. Only fences order the value.
void hand_over(unsigned* value, unsigned* flag, unsigned* out, bool fences) {
    if (blockIdx.x == 0) {
        *value = 7;  // writes the value that is handed over
        if (fences) __threadfence();
        atomicAdd(flag, 1U);
    } else {
        while (atomicAdd(flag, 0U) == 0) yield_lane();
        if (fences) __threadfence();
        *out = *value;  // reads the value that is handed over
    }
}
void hand_over_in_order(unsigned* value, unsigned* flag, unsigned* out) {
    const Site site = Site::current();
    if (blockIdx.x == 0) {
        *value = 7;
        store_word(flag, 1U, MemoryOrder::release, site);
    } else {
        while (load_word(flag, MemoryOrder::acquire, site) == 0) yield_lane();
        *out = *value;
    }
}
/// A lane sees what a barrier of another block ordered, through a chain of blocks.
void pass_on(unsigned* values, unsigned* turn, unsigned* out) {
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            while (load_word(turn, MemoryOrder::acquire, Site::current()) != blockIdx.x) yield_lane();
        __syncthreads();
    }
    unsigned sum = threadIdx.x;
    for (unsigned i = 0; i < blockIdx.x * blockDim.x; ++i) sum += values[i];
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) store_word(turn, blockIdx.x + 1, MemoryOrder::release, Site::current());
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

TEST_F(SimulatedFaults, RacesInGlobalMemory) {
    const Array<unsigned> count(1), flag(1), out(256), values(256);
    const Array<std::uint8_t> bytes(64);
    const std::string race = "data race in global memory: ";
    expect_found({race, at("count without an atomic")}, {.threads = 2}, count_plainly, count.data);
    expect_found({race, at("count without an atomic"), "by block 0, thread 0", "by block 1, thread 0"},
                 {.blocks = 2, .threads = 1}, count_plainly, count.data);
    expect_found({race, at("an atomic count"), at("a plain read of the count")}, {.blocks = 2, .threads = 1},
                 mix, count.data, out.data);
    *flag.data = 0;
    expect_in(at("reads the value that is handed over"),
              failure({.blocks = 2, .threads = 1}, 0, hand_over, values.data, flag.data, out.data, false));
    expect_right({.blocks = 1, .threads = 1}, count_plainly, count.data);
    expect_right({.blocks = 2, .threads = 64}, count_atomically, count.data);
    expect_right({.blocks = 2, .threads = 32}, mix_within_words, bytes.data);
    for (std::uint64_t seed = 0; seed < 72; ++seed) {
        *flag.data = 0;
        EXPECT_EQ(
            failure({.blocks = 2, .threads = 1}, seed, hand_over, values.data, flag.data, out.data, true),
            "");
        *flag.data = 0;
        EXPECT_EQ(
            failure({.blocks = 2, .threads = 1}, seed, hand_over_in_order, values.data, flag.data, out.data),
            "");
        *flag.data = 0;
        EXPECT_EQ(failure({.blocks = 4, .threads = 64, .cooperative = true}, seed, pass_on, values.data,
                          flag.data, out.data),
                  "");
    }
}

// --- Races with bulk copies ---

struct BulkFaults {
    bool waits_for_init = true;
    bool waits_for_data = true;
    bool waits_for_lanes = true;
    bool waits_for_store = true;
    bool fences_init = true;
    bool fences_data = true;
};
/// Adds 1 to two tiles, each of which is copied in and out through the same shared memory.
void add_in_tile(const unsigned* in, unsigned* out, BulkFaults right) {
    COMPACTION_DYNAMIC_SHARED(tile, 16, unsigned);
    COMPACTION_SHARED(barrier, std::uint64_t);
    const std::uint32_t arrived = shared_address_of(&barrier);
    if (threadIdx.x == 0) {
        init_mbarrier(arrived, 1);  // init of the mbarrier
        if (right.fences_init) fence_mbarrier_init();
    }
    if (right.waits_for_init) __syncthreads();
    for (unsigned round = 0; round < 2; ++round) {
        if (threadIdx.x == 0) {
            arrive_at_mbarrier(arrived, 256, Site::current());
            copy_to_shared(shared_address_of(tile), in + 64 * round, 256, arrived);  // copy in
        }
        if (right.waits_for_data) wait_for_mbarrier(arrived, round, Site::current());  // wait for the copy
        tile[threadIdx.x] += 1;                                                        // change of the tile
        if (right.fences_data) fence_for_bulk_copies();
        if (right.waits_for_lanes) __syncthreads();
        if (threadIdx.x == 0) {
            copy_to_global(out + 64 * round, shared_address_of(tile), 256);  // copy out
            commit_copies();
            if (right.waits_for_store) wait_for_copies(0);
        }
        __syncthreads();
    }
}

TEST_F(SimulatedFaults, RacesWithBulkCopies) {
    set_checks({.accesses = true});
    const Array<unsigned> in(128), out(128);
    const LaunchShape shape{.threads = 64, .shared_bytes = 256};
    const auto fault = [&](BulkFaults faults) {
        return failure(shape, 0, add_in_tile, in.data, out.data, faults);
    };
    expect_in(at("change of the tile"), fault({.waits_for_data = false}));
    expect_in(at("copy in"), fault({.waits_for_data = false}));
    expect_in(at("copy out"), fault({.waits_for_lanes = false}));
    expect_in("a bulk copy of block 0, warp 0 (" + at("copy out"), fault({.waits_for_store = false}));
    expect_in("no fence: a bulk copy may not see its mbarrier", fault({.fences_init = false}));
    expect_in(at("change of the tile"), fault({.fences_data = false}));
    expect_in("a proxy fence must come before the copy", fault({.fences_data = false}));
    expect_in(at("init of the mbarrier"), fault({.waits_for_init = false}));
    expect_in(at("wait for the copy"), fault({.waits_for_init = false}));
    expect_right(shape, add_in_tile, in.data, out.data, BulkFaults{});
}

// --- Barriers and masks ---

void half_a_barrier() {
    if (threadIdx.x % 2 == 0)
        __syncthreads();  // barrier of even lanes
    else
        __syncthreads();  // barrier of odd lanes
}
void vote_of_others() {
    __ballot_sync(0xffff, 1);  // vote without some lanes
}

TEST_F(SimulatedFaults, DivergentBarriersAndWrongMasks) {
    expect_found(
        {"divergent barrier", at("barrier of even lanes"), at("barrier of odd lanes"), "by block 0, thread "},
        {.threads = 64}, half_a_barrier);
    expect_found(
        {"wrong mask: the caller is not in it", at("vote without some lanes"), "by block 0, thread "},
        {.threads = 32}, vote_of_others);
}

/// Warps 0 and 1 wait at two barriers. A GPU counts both as one, by luck.
void barrier_for_each_warp() {
    if (threadIdx.x < 32)
        __syncthreads();  // barrier of the first warp
    else
        __syncthreads();  // barrier of the second warp
}

TEST_F(SimulatedFaults, WholeWarpsAtTwoBarriers) {
    expect_found({"divergent barrier: lanes of one block are at __syncthreads",
                  at("barrier of the first warp"), at("barrier of the second warp"), "by block 0, thread "},
                 {.threads = 64}, barrier_for_each_warp);
    expect_right({.threads = 32}, barrier_for_each_warp);
}

/// The same on one line: columns tell the calls apart.
void barriers_on_one_line() {
    threadIdx.x < 32 ? __syncthreads() : __syncthreads();  // two barriers
}

TEST_F(SimulatedFaults, TwoBarriersOnOneLine) {
    const std::string line = at("two barriers");
    expect_found({"divergent barrier: lanes of one block are at __syncthreads (" + line + ", column ",
                  "and at __syncthreads (" + line + ", column ", "by block 0, thread "},
                 {.threads = 64}, barriers_on_one_line);
    expect_right({.threads = 32}, barriers_on_one_line);
}

// --- Volatile words ---

/// Block 0 passes a value to block 1 by a volatile flag. Only fences order the value. No lane yields.
void hand_over_by_volatile(unsigned* value, volatile unsigned* flag, unsigned* out, bool fences) {
    if (blockIdx.x == 0) {
        *value = 7;  // write before the volatile flag
        if (fences) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        if (fences) __threadfence();
        *out = *value;  // read after the volatile flag
    }
}
/// One lane polls the words of all others in turn.
void wait_for_many(volatile unsigned* flags, unsigned* out) {
    if (threadIdx.x > 0) {
        flags[threadIdx.x] = 1;
        return;
    }
    for (bool all_are_set = false; !all_are_set;) {
        all_are_set = true;
        for (unsigned i = 1; i < blockDim.x; ++i) all_are_set = (flags[i] != 0) & all_are_set;
    }
    *out = 1;
}
/// Lanes count one after the other, each when the last one has unlocked.
void count_under_lock(unsigned* lock, unsigned* count) {
    while (atomicCAS_block(lock, 0U, 1U) != 0) {
    }
    __threadfence_block();
    *count += 1;
    __threadfence_block();
    atomicCAS_block(lock, 1U, 0U);
}

TEST_F(SimulatedFaults, FencesOrderVolatileFlags) {
    const Array<unsigned> value(1), flag(1), out(1);
    const auto run = [&](std::uint64_t seed, bool fences) {
        *flag.data = *out.data = 0;
        return failure({.blocks = 2, .threads = 1}, seed, hand_over_by_volatile, value.data, flag.data,
                       out.data, fences);
    };
    for (std::uint64_t seed = 0; seed < 288; ++seed) {
        EXPECT_EQ(run(seed, true), "");
        EXPECT_EQ(*out.data, 7U);
        const std::string text = run(seed, false);
        expect_in("data race in global memory: ", text);
        expect_in(at("write before the volatile flag"), text);
        expect_in(at("read after the volatile flag"), text);
    }
    set_checks({.accesses = true, .stale_values = true});
    for (std::uint64_t seed = 0; seed < 288; ++seed) EXPECT_EQ(run(seed, true), "");
    set_checks({});
    for (std::uint64_t seed = 0; seed < 288; ++seed) EXPECT_EQ(run(seed, true), "");
}

TEST_F(SimulatedFaults, ALanePollsManyWords) {
    const Array<unsigned> flags(64), out(1);
    for (const bool checked : {true, false}) {
        for (std::uint64_t seed = 0; seed < 288; ++seed) {
            std::fill_n(flags.data, 64, 0U);
            set_checks({.accesses = checked});
            EXPECT_EQ(failure({.threads = 64}, seed, wait_for_many, flags.data, out.data), "");
        }
    }
}

TEST_F(SimulatedFaults, LanesOfAWarpTakeALock) {
    const Array<unsigned> lock(1), count(1);
    for (const bool checked : {true, false}) {
        set_checks({.accesses = checked});
        for (std::uint64_t seed = 0; seed < 288; ++seed) {
            *lock.data = *count.data = 0;
            EXPECT_EQ(failure({.threads = 64}, seed, count_under_lock, lock.data, count.data), "");
            EXPECT_EQ(*count.data, 64U);
        }
    }
}

// --- Lanes that wait for ever ---

void poll_plain_word(const unsigned* word) {
    while (*word == 0) __threadfence();  // poll of a plain word
}
void poll_volatile_word(const volatile unsigned* word) {
    while (*word == 0) {  // poll of a volatile word
    }
}
void poll_two_words(const volatile unsigned* words) {
    while (words[0] == 0 || words[threadIdx.x % 2] == 0) {  // poll of two words
    }
}
void poll_by_atomics(unsigned* word) {
    while (atomicAdd(word, 0U) == 0) {  // poll by additions
    }
}
void poll_for_all(const volatile unsigned* word) {
    while (!__any_sync(3, *word)) {
    }
}
/// The lane that has the lock waits for lanes that wait for the lock.
void lock_in_warp(unsigned* lock) {
    while (atomicCAS_block(lock, 0U, 1U) != 0) {  // wait for the lock
    }
    __syncwarp();  // wait with the lock
    atomicCAS_block(lock, 1U, 0U);
}
/// The value is new each time.
void poll_and_change(unsigned* word) {
    while (atomicAdd(word, 2U) != 5) {  // poll that changes the word
    }
}
void poll_for_all_in_warp(const volatile unsigned* word) {
    while (!__any_sync(all, *word)) {
    }
}
void poll_and_change_together(unsigned* word) {
    while (__any_sync(3, atomicAdd(word, 2U) != 5)) {
    }
}
/// Each thread waits for all blocks, of which the GPU does not hold all.
void wait_for_grid(unsigned* arrived) {
    if (threadIdx.x == 0) atomicAdd(arrived, 1U);
    while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {  // poll of the whole grid
    }
}
void count_often(unsigned* count, unsigned times) {
    for (unsigned i = 0; i < times; ++i) atomicAdd(count, 1U);
}
void run_for_ever(unsigned* sums, unsigned size) {
    if (threadIdx.x != 5) return;
    for (unsigned i = 0;; i = (i + 1) % size) sums[i] += i;  // endless sums
}

TEST_F(SimulatedFaults, EndlessPolling) {
    const Array<unsigned> words(2);
    const auto expect_waiting = [&](const std::string& lanes, const std::string& comment, unsigned threads,
                                    auto kernel) {
        const std::string text = failure({.threads = threads}, 0, kernel, words.data);
        expect_in("no progress: lanes poll for a value that nobody writes", text);
        expect_in(lanes + " for a word of global memory that holds 0 (" + at(comment) + ")", text);
    };
    expect_waiting("lane 0 waits", "poll of a plain word", 1, poll_plain_word);
    for (const bool checked : {true, false}) {
        set_checks({.accesses = checked});
        expect_waiting("lane 0 waits", "poll of a volatile word", 1, poll_volatile_word);
        expect_waiting("lane 0 waits", "poll by additions", 1, poll_by_atomics);
    }
    words.data[0] = 1;
    expect_waiting("lanes 1, 3 wait", "poll of two words", 4, poll_two_words);
}

/// The processor time that a hang may take with a fifth of the patience, on a slow machine.
constexpr double max_hang_s = 5;

template <typename... ArgumentsT>
std::string timely_failure(ArgumentsT... arguments) {
    set_checks({.accesses = true, .patience = 0.2});
    const std::clock_t begin = std::clock();
    std::string text = failure(arguments...);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, max_hang_s);
    return text;
}

TEST_F(SimulatedFaults, EndlessPollingOfWordsThatChange) {
    const Array<unsigned> word(1);
    const std::string polls = "no progress: lanes poll for a value that nobody writes; find who should write";
    for (const LaunchShape& shape :
         {LaunchShape{.threads = 1}, LaunchShape{.threads = 32}, LaunchShape{.blocks = 2, .threads = 32}}) {
        const std::string text = timely_failure(shape, 0, poll_and_change, word.data);
        expect_in(polls, text);
        expect_in(at("poll that changes the word"), text);
    }
    *word.data = 0;
    const std::string text =
        timely_failure(LaunchShape{.blocks = 400, .threads = 256}, 0, wait_for_grid, word.data);
    expect_in(polls, text);
    expect_in(at("poll of the whole grid"), text);
}

TEST_F(SimulatedFaults, ManyAtomicsAreNoHang) {
    const Array<unsigned> count(1);
    EXPECT_EQ(failure({.blocks = 8, .threads = 256}, 0, count_often, count.data, 1000U), "");
    EXPECT_EQ(failure({.threads = 1}, 0, count_often, count.data, 2'000'000U), "");
    EXPECT_EQ(failure({.threads = 64}, 0, count_often, count.data, 50'000U), "");
    set_checks({.accesses = true, .patience = 0.1});
    expect_in("set WARPSIEVE_SIMULATED_PATIENCE=10, or Checks::patience",
              failure({.threads = 64}, 0, count_often, count.data, 50'000U));
}

TEST_F(SimulatedFaults, EndlessPollingWithCollectives) {
    const Array<unsigned> word(1);
    expect_in("no progress: lanes repeat what they have done before",
              timely_failure(LaunchShape{.threads = 2}, 0, poll_and_change_together, word.data));
    *word.data = 0;
    expect_in("no progress: lanes repeat what they have done before",
              timely_failure(LaunchShape{.threads = 1024}, 0, poll_for_all_in_warp, word.data));
    set_checks({.accesses = true});
    expect_in("no progress: lanes repeat what they have done before",
              failure({.threads = 2}, 0, poll_for_all, word.data));
}

TEST_F(SimulatedFaults, DeadlocksByALock) {
    const Array<unsigned> lock(1);
    for (const bool checked : {true, false}) {
        set_checks({.accesses = checked});
        const std::string text = failure({.threads = 32}, 0, lock_in_warp, lock.data);
        expect_in("no progress", text);
        expect_in("lane 0 waits at __syncwarp (" + at("wait with the lock"), text);
        expect_in("lanes 1-31 wait for a word of global memory that holds 1 (" + at("wait for the lock"),
                  text);
        *lock.data = 0;
    }
}

TEST_F(SimulatedFaults, EndlessLoops) {
    const Array<unsigned> sums(64);
    for (const bool checked : {true, false}) {
        set_checks({.accesses = checked, .max_turn_s = 0.1});
        const std::string text = failure({.threads = 32}, 0, run_for_ever, sums.data, 64U);
        expect_in("endless loop: ", text);
        expect_in(at("endless sums"), text);
        expect_in("by block 0, thread 5", text);
    }
}

// --- Faults of the processor ---

void write_far(unsigned* out, std::int64_t index) {
    if (threadIdx.x == 3) out[index] = 1;  // write far away
}
void write_far_in_shared(unsigned index) {
    COMPACTION_SHARED(words, unsigned[32]);
    words[threadIdx.x] = index;
    __syncthreads();
    words[words[0]] = 1;  // write far in shared memory
}
void read_null(const unsigned* const* in, unsigned* out) {
    out[threadIdx.x] = *in[0];  // read of null
}
void read_null_member(const unsigned* in, unsigned* out) {
    *out = in[100];  // read behind null
}
void add_misaligned(std::uint8_t* bytes) {
    atomicAdd(reinterpret_cast<unsigned*>(bytes + 2), 1U);  // misaligned addition
}
void fill_local_array(unsigned* out) {
    volatile unsigned local[25'000];
    for (unsigned i = 0; i < 25'000; ++i) local[i] = i;
    out[threadIdx.x] = local[threadIdx.x];
}
void divide(const unsigned* in, unsigned* out) {
    out[threadIdx.x] = 7 / in[threadIdx.x];  // division
}
unsigned recurse(volatile unsigned* out, unsigned depth) {
    volatile unsigned local[64] = {depth};
    return depth == 0 ? out[0] : recurse(out, depth - 1) + local[0];
}
void recurse_far(unsigned* out) {
    out[threadIdx.x] = recurse(out, 1'000'000);
}

TEST_F(SimulatedFaults, FarOutOfBounds) {
    const Array<unsigned> out(60);
    const std::int64_t last = 0xffff'ffff;
    for (const bool checked : {true, false}) {
        set_checks({.accesses = checked});
        for (const std::int64_t index : {last, -last, std::int64_t{1} << 20, -(std::int64_t{1} << 20)}) {
            const std::string where =
                index > 0 ? std::to_string(4 * (index - 60)) + " bytes after the end of a buffer"
                          : std::to_string(-4 * index) + " bytes before a buffer";
            expect_found({"out of bounds: ", at("write far away"), where + " of 240 bytes", "by block ",
                          ", thread 3."},
                         {.blocks = 2, .threads = 32}, write_far, out.data, index);
        }
        expect_found({"out of bounds: ", at("write far in shared memory")}, {.threads = 32},
                     write_far_in_shared, 0xdddd'ddddU);
        expect_found({"out of bounds: ", at("write far away")}, {.threads = 32}, write_far, out.data,
                     std::int64_t{1} << 60);
        const Array<const unsigned*> null(1);
        expect_found({"out of bounds: ", at("read of null"), "null pointer"}, {.threads = 32}, read_null,
                     null.data, out.data);
    }
}

TEST_F(SimulatedFaults, AFaultOfTheOnlyThread) {
    const Array<unsigned> out(1);
    const unsigned* null = nullptr;
    for (const unsigned threads : {1, 2}) {
        expect_found(
            {"out of bounds: an access (" + at("read behind null"), "400 bytes after a null pointer"},
            {.threads = threads}, read_null_member, null, out.data);
    }
}

TEST_F(SimulatedFaults, MisalignedAtomics) {
    const Array<std::uint8_t> bytes(8);
    expect_found(
        {"misaligned: an atomic access of 4 bytes (" + at("misaligned addition"), "no multiple of 4"},
        {.threads = 1}, add_misaligned, bytes.data);
}

TEST_F(SimulatedFaults, LargeLocalArrays) {
    const Array<unsigned> out(64);
    expect_found({"the stack of a lane overflowed (faults_test.cpp:", "KiB of local variables and calls",
                  "raise LaunchShape::stack_bytes", "by block 0, thread 0"},
                 {.threads = 1}, fill_local_array, out.data);
    EXPECT_EQ(failure({.threads = 64, .stack_bytes = std::size_t{256} << 10}, 0, fill_local_array, out.data),
              "");
}

TEST_F(SimulatedFaults, OtherFaultsOfTheProcessor) {
    const Array<unsigned> zeros(32), out(32);
#ifdef __x86_64__  // elsewhere the quotient is 0
    expect_found({"division of an integer by zero (" + at("division"), "by block 0, thread "},
                 {.threads = 32}, divide, zeros.data, out.data);
#endif
    expect_found({"the stack of a lane overflowed"}, {.threads = 32}, recurse_far, out.data);
    EXPECT_EQ(failure({.threads = 32}, 0, write_far, out.data, std::int64_t{0}), "");
}

// --- Kernels in files that are included ---

TEST_F(SimulatedFaults, NameIncludedFiles) {
    const Array<unsigned> count(1), out(32);
    const std::string file = "included_kernel.hpp";
    expect_found({"data race in global memory: a read of 4 bytes", "(" + at("included read", file),
                  "(" + at("included write", file)},
                 {.threads = 32}, number_lanes, count.data, out.data);
    const std::string text = failure({.threads = 2}, 0, take_larger, out.data, count.data);
    expect_in(at("included maximum", file), text);
    expect_in(at("included swap", file), text);
    expect_found({"wrong mask", at("included vote", file)}, {.threads = 32}, vote_in_included_file, out.data);
}

/// No program is started for a line, since a launch may need the name of its kernel.
TEST_F(SimulatedFaults, NameLinesWithoutOtherPrograms) {
    const std::string path = std::getenv("PATH");
    setenv("PATH", "", 1);
    const Array<unsigned> count(1);
    const std::string text = failure({.threads = 2}, 0, count_plainly, count.data);
    setenv("PATH", path.c_str(), 1);
    expect_in(at("count without an atomic"), text);
}

// --- Launches that overlap ---

void write_numbers(unsigned* numbers) {
    numbers[threadIdx.x] = threadIdx.x;  // by the launch before
}
void read_numbers(unsigned* numbers, unsigned* sum, bool waits) {
    if (waits) wait_for_launch();
    atomicAdd(sum, numbers[threadIdx.x]);  // in an overlapping launch
}

TEST_F(SimulatedFaults, RacesWithTheLaunchBefore) {
    const Array<unsigned> numbers(32), sum(1);
    const auto read = [&](bool overlaps, bool waits) {
        EXPECT_EQ(failure({.threads = 32}, 0, write_numbers, numbers.data), "");
        return failure({.threads = 32, .overlapping = overlaps}, 0, read_numbers, numbers.data, sum.data,
                       waits);
    };
    EXPECT_EQ(read(false, false), "");
    EXPECT_EQ(read(true, true), "");
    const std::string text = read(true, false);
    expect_in("data race in global memory: a read of 4 bytes (" + at("in an overlapping launch"), text);
    expect_in("by the launch before (" + at("by the launch before") + "), which may still run", text);
    EXPECT_EQ(failure({.threads = 32}, 0, write_numbers, numbers.data), "");
    end_overlap();
    EXPECT_EQ(failure({.threads = 32, .overlapping = true}, 0, read_numbers, numbers.data, sum.data, false),
              "");
}

TEST_F(SimulatedFaults, AreNotSoughtUnlessAsked) {
    set_checks({});
    const Array<unsigned> in(64), out(64);
    EXPECT_EQ(failure({.threads = 64}, 0, reverse, in.data, out.data, false), "");
    EXPECT_EQ(failure({.threads = 64}, 0, sum_unwritten, out.data, 63U), "");
}

/// A launch of CUDA code passes no name, so reports take it from the symbols of the program.
TEST_F(SimulatedFaults, NameTheKernelOfALaunch) {
    const Array<unsigned> count(1);
    std::string text;
    try {
        run_kernel(KernelName{.code = reinterpret_cast<const void*>(count_plainly)}, {.threads = 2},
                   schedule_of(0), count_plainly, count.data);
    } catch (const Error& error) {
        text = error.what();
    }
    expect_in("count_plainly failed on the simulated GPU: data race in global memory", text);
}

}  // namespace
}  // namespace compaction::simulated
