// Runs your own kernel on the simulated GPU, in many orders, with checks of its accesses; needs no CUDA. Then
// does the same with a barrier left out, and prints the fault that the checks find.
//     simulate_my_kernel_example [FILE]     also writes a page that plays the lanes up to the fault
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "app/kernel_view/page.hpp"
#include "compaction/error.hpp"
#include "simulated/device.hpp"
#include "simulated/memory.hpp"
#include "simulated/record_lanes.hpp"

// The built-in names of CUDA.
using namespace compaction::simulated;

namespace {

constexpr unsigned block_items = 128;
constexpr unsigned blocks = 8;
constexpr std::size_t items_bytes = blocks * block_items * sizeof(unsigned);

/// Sums the items of each block: warps by shuffles, then the sums of the warps in shared memory.
/// in: [gridDim.x x block_items]; sums: [gridDim.x]
template <bool Waits>
__global__ void sum_blocks(const unsigned* in, unsigned* sums) {
    COMPACTION_SHARED(warp_sums, unsigned[block_items / 32]);
    unsigned sum = in[blockIdx.x * block_items + threadIdx.x];
    for (unsigned distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
    if (Waits) __syncthreads();  // all sums are written
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned warp = 0; warp < block_items / 32; ++warp) total += warp_sums[warp];
        sums[blockIdx.x] = total;
    }
}

/// Memory of the simulated GPU, which checks its bounds.
class Array {
  public:
    explicit Array(std::size_t size)
        : data_(static_cast<unsigned*>(allocate_global(size * sizeof(unsigned)))) {
        std::fill_n(data_, size, 0U);
    }
    ~Array() { free_global(data_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    unsigned* data() const { return data_; }

  private:
    unsigned* data_;
};

/// Runs the kernel with the schedule of that seed. Returns the fault that was found, or "".
std::string run(void (*kernel)(const unsigned*, unsigned*), std::uint64_t seed) {
    const Array in(blocks * block_items);
    const Array sums(blocks);
    std::iota(in.data(), in.data() + blocks * block_items, 0U);
    try {
        run_kernel("sum_blocks", {.blocks = blocks, .threads = block_items}, schedule_of(seed), kernel,
                   in.data(), sums.data());
    } catch (const compaction::Error& error) {
        return error.what();
    }
    for (unsigned b = 0; b < blocks; ++b) {
        const unsigned* const items = in.data() + b * block_items;
        if (sums.data()[b] != std::accumulate(items, items + block_items, 0U))
            return "The sum of block " + std::to_string(b) + " is wrong. Repeat with seed " +
                   std::to_string(seed) + ".";
    }
    return {};
}

/// The page of the kernel with the schedule of that seed.
std::string page_of(void (*kernel)(const unsigned*, unsigned*), std::uint64_t seed) {
    const Array in(blocks * block_items);
    const Array sums(blocks);
    std::iota(in.data(), in.data() + blocks * block_items, 0U);
    const std::vector<RecordedBuffer> buffers{{"in", in.data(), items_bytes},
                                              {"sums", sums.data(), blocks * sizeof(unsigned)}};
    const auto launch = [&] {
        run_kernel("sum_blocks", {.blocks = blocks, .threads = block_items}, schedule_of(seed), kernel,
                   in.data(), sums.data());
    };
    return warpsieve::kernel_view::page(record_lanes(buffers, launch), "sum_blocks");
}

}  // namespace

int main(int argc, char** argv) {
    set_checks({.accesses = true, .uninitialised = true});
    constexpr std::uint64_t num_seeds = 288;
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        const std::string found = run(sum_blocks<true>, seed);
        if (found.empty()) continue;
        std::fprintf(stderr, "%s\n", found.c_str());
        return 1;
    }
    std::printf("sum_blocks is right in %llu schedules.\n", static_cast<unsigned long long>(num_seeds));

    // In reverse order, the sums happen to be right: only the checks find the fault.
    const std::uint64_t reverse = seed_of(Order::reverse, CopyTime::at_once, 1);
    const std::string found = run(sum_blocks<false>, reverse);
    std::printf("Without the barrier: %s\n", found.c_str());
    if (argc > 1) std::ofstream(argv[1]) << page_of(sum_blocks<false>, reverse);
    return found.empty() ? 1 : 0;
}
