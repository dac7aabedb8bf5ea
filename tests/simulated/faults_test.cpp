// Faults planted in small kernels: the checks of the simulated GPU must find each, and name the kernel, the
// block, the threads and the source lines; and the same kernels without the fault must pass.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>

#include "simulated/device.hpp"
#include "tests/simulated/kernel_runs.hpp"

namespace compaction::simulated {
namespace {

constexpr unsigned all = ~0U;

/// "faults_test.cpp:12": the line of this file that ends with that comment.
std::string at(const std::string& comment) {
    std::ifstream file(FAULTS_FILE);
    unsigned number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("// " + comment)) return "faults_test.cpp:" + std::to_string(number);
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
                  "that no lane of the block has written", "by block 0, thread 0"},
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
