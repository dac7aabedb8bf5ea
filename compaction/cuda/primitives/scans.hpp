#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "compaction/cuda/stamps.hpp"
#include "cuda/primitives/scan_plan.hpp"

/// The exclusive scans of GPU Gems 3, chapter 39: out[k] = in[0] + ... + in[k - 1] modulo 2^32, enqueued on
/// `stream`. They neither allocate nor synchronise, and all their blocks record their times in `stamps`.
/// num_items: [0, max_scan_items]; for 0 nothing is launched. threads_per_block: a multiple of
/// min_scan_threads.
///
/// Source: Harris, Sengupta, Owens 2007, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39,
/// sections 39.2.1 (naive), 39.2.2 (work-efficient), 39.2.3 (padding against bank conflicts) and 39.2.4
/// (arrays of any size); Gilbert and Qian, "CUDA Stream Compaction" (CIS 565), for a launch per level and
/// for trimmed launches.
namespace compaction::cuda {

/// The threads that a level launches.
enum class LevelThreads {
    working,  ///< only threads that have work
    all,      ///< one for every item
};

/// out[k] = in[0] + ... + in[k - 1] modulo 2^32, by a launch for each power of two below `num_items`, and
/// one to shift. in, out, scratch: [num_items], none overlapping.
void enqueue_naive_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                        std::uint32_t* scratch, LevelThreads launched, unsigned threads_per_block,
                        cudaStream_t stream, const Stamps& stamps);

/// out[k] = in[0] + ... + in[k - 1] modulo 2^32, by two launches for each level of a tree over
/// num_leaves(num_items) leaves, and one to clear its root. The leaf levels read `in` and write `out`
/// directly, without copies into and out of the tree. in, out: [num_items]; tree: [num_leaves(num_items)];
/// none overlapping.
void enqueue_work_efficient_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                                 std::uint32_t* tree, LevelThreads launched, unsigned threads_per_block,
                                 cudaStream_t stream, const Stamps& stamps);

/// How a padded work-efficient scan works, after the optimisations of Gilbert's project.
struct PaddedScanVariant {
    LevelThreads launched;     ///< working: one for every addition of a level; all: one for every item
    bool calls_pow;            ///< every thread calls pow(2, level)
    bool clears_root_on_host;  ///< copies the tree to the host and back to clear its root
};

/// The naive scan over n = num_leaves(num_items) items: copies and pads the input, launches n threads for
/// each level or only the n - d that add an item at distance d = 2^level, and shifts. Each level also
/// launches a copy of the items before d that are not in both buffers yet, in either form. in, out:
/// [num_items]; scratch: [2 * n]; none overlapping.
void enqueue_padded_naive_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                               std::uint32_t* scratch, LevelThreads launched, unsigned threads_per_block,
                               cudaStream_t stream, const Stamps& stamps);

/// The work-efficient scan in place in a padded copy of the input. in, out: [num_items]; tree:
/// [num_leaves(num_items)]; none overlapping. host: [num_leaves(num_items)] pinned memory, only used with
/// clears_root_on_host.
void enqueue_padded_work_efficient_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                                        std::uint32_t* tree, std::uint32_t* host,
                                        const PaddedScanVariant& variant, unsigned threads_per_block,
                                        cudaStream_t stream, const Stamps& stamps);

/// out[k] = in[0] + ... + in[k - 1] modulo 2^32. in, out: [num_items]; sums: [TileLevels::num_sums]; none
/// overlapping.
void enqueue_tile_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                       std::uint32_t* sums, unsigned threads_per_block, cudaStream_t stream,
                       const Stamps& stamps);

}  // namespace compaction::cuda
