// Scans the numbers of a block in shared memory, once as they lie and once with a gap after each 32 words,
// and counts the passes over the banks on the simulated GPU; needs no CUDA. Source: Harris, Sengupta and
// Owens 2007, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, section 39.2.3.
//     padded_scan_example [PLAIN PADDED]     also writes pages that play the lanes
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "app/kernel_view/page.hpp"
#include "app/kernel_view/replay.hpp"
#include "app/kernel_view/warp_view.hpp"
#include "compaction/error.hpp"
#include "simulated/device.hpp"
#include "simulated/memory.hpp"
#include "simulated/record_lanes.hpp"

// The built-in names of CUDA.
using namespace compaction::simulated;

namespace {

constexpr unsigned threads = 256;
constexpr unsigned items = 2 * threads;
constexpr unsigned banks = 32;

/// Where item i is in shared memory.
template <bool Padded>
__device__ unsigned place_of(unsigned i) {
    return Padded ? i + i / banks : i;
}

/// Exclusive scan with a balanced tree (Blelloch 1990). in, out: [items]. One block of `threads` threads.
template <bool Padded>
__global__ void scan_block(const unsigned* in, unsigned* out) {
    COMPACTION_SHARED(tree, unsigned[items + items / banks]);
    const unsigned thread = threadIdx.x;
    tree[place_of<Padded>(thread)] = in[thread];
    tree[place_of<Padded>(thread + threads)] = in[thread + threads];
    for (unsigned distance = 1; distance < items; distance *= 2) {  // up: sums of pairs
        __syncthreads();
        const unsigned right = 2 * distance * (thread + 1) - 1;
        if (right < items) tree[place_of<Padded>(right)] += tree[place_of<Padded>(right - distance)];
    }
    if (thread == 0) tree[place_of<Padded>(items - 1)] = 0;
    for (unsigned distance = items / 2; distance > 0; distance /= 2) {  // down: prefixes of pairs
        __syncthreads();
        const unsigned right = 2 * distance * (thread + 1) - 1;
        if (right >= items) continue;
        const unsigned left_sum = tree[place_of<Padded>(right - distance)];
        tree[place_of<Padded>(right - distance)] = tree[place_of<Padded>(right)];
        tree[place_of<Padded>(right)] += left_sum;
    }
    __syncthreads();
    out[thread] = tree[place_of<Padded>(thread)];
    out[thread + threads] = tree[place_of<Padded>(thread + threads)];
}

using Kernel = void (*)(const unsigned*, unsigned*);

/// Memory of the simulated GPU.
struct Arrays {
    unsigned* in = static_cast<unsigned*>(allocate_global(items * sizeof(unsigned)));
    unsigned* out = static_cast<unsigned*>(allocate_global(items * sizeof(unsigned)));

    Arrays() {
        for (unsigned i = 0; i < items; ++i) in[i] = i % 7;
        std::fill_n(out, items, 0U);
    }
    ~Arrays() {
        free_global(in);
        free_global(out);
    }
    Arrays(const Arrays&) = delete;
    Arrays& operator=(const Arrays&) = delete;
};

compaction::LaneTrace trace_of(Kernel kernel) {
    const Arrays arrays;
    compaction::LaneTrace trace = record_lanes(
        {{"in", arrays.in, items * sizeof(unsigned)}, {"out", arrays.out, items * sizeof(unsigned)}}, [&] {
            run_kernel("scan_block", {.blocks = 1, .threads = threads}, schedule_of(0), kernel, arrays.in,
                       arrays.out);
        });
    std::vector<unsigned> prefixes(items);
    std::exclusive_scan(arrays.in, arrays.in + items, prefixes.begin(), 0U);
    if (trace.fault.empty() && !std::equal(prefixes.begin(), prefixes.end(), arrays.out))
        trace.fault = "The prefixes are wrong.";
    return trace;
}

/// The requests for shared memory, and how often the busiest bank of each serves a word.
struct Cost {
    std::uint64_t requests = 0;
    std::uint64_t passes = 0;
};
Cost cost_of(const compaction::LaneTrace& trace) {
    namespace view = warpsieve::kernel_view;
    view::Replay replay(trace);
    const view::Steps& steps = replay.steps(view::Order::warps);
    Cost cost;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const std::vector<view::MemoryRow> rows =
            view::accessed_rows(replay.events(), replay.at(view::Order::warps, step), steps[step]);
        if (rows.empty() || rows.front().space != compaction::MemorySpace::shared) continue;
        ++cost.requests;
        cost.passes += std::ranges::max(view::words_of_banks(rows).of_lane);
    }
    return cost;
}

}  // namespace

int main(int argc, char** argv) {
    int page = 1;
    for (const auto& [name, kernel] : {std::pair<const char*, Kernel>("plain", scan_block<false>),
                                       std::pair<const char*, Kernel>("padded", scan_block<true>)}) {
        compaction::LaneTrace trace = trace_of(kernel);
        if (!trace.fault.empty()) {
            std::fprintf(stderr, "%s: %s\n", name, trace.fault.c_str());
            return 1;
        }
        const Cost cost = cost_of(trace);
        std::printf("%s: %llu requests for shared memory, %llu passes over the banks\n", name,
                    static_cast<unsigned long long>(cost.requests),
                    static_cast<unsigned long long>(cost.passes));
        if (argc == 3)
            std::ofstream(argv[page++])
                << warpsieve::kernel_view::page(std::move(trace), std::string("scan_block, ") + name);
    }
}
