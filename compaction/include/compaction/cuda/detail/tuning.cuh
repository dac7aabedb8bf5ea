#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/cuda/warp.cuh"

/// Every tuning number of select.cuh, with the measurement that chose it.
///
/// All were measured on an H200 with random 4-byte items. Numbers in brackets are the entries of
/// bench/results/nvidia-h200/experiments.csv; docs/notes/single_pass_on_h200.md holds results on an H100, for
/// other item sizes and for other keep fractions. Correctness depends on none of these numbers beyond the
/// static assertions beside their use.
namespace compaction::cuda::detail {

// --- Single-wave kernel: short streams, one tile per block ---

/// How the single-wave kernel divides a stream into tiles and writes them.
template <unsigned Threads, int Rows, unsigned WordsPerThread, bool Staged,
          unsigned TilesPerTwoMultiprocessors>
struct TilePolicy {
    static constexpr unsigned threads = Threads;  ///< per block
    static constexpr unsigned warps = threads / warp_size;
    static constexpr int rows = Rows;  ///< vectors per thread
    /// The most status words that a thread reads.
    static constexpr unsigned words_per_thread = WordsPerThread;
    static constexpr unsigned max_blocks = threads * words_per_thread;
    /// Whether a tile is gathered in shared memory first and written in whole lines.
    static constexpr bool staged = Staged;
    /// The longest stream that the policy compacts, in tiles. Each policy is the fastest up to its limit, and
    /// the last one is faster than the pipeline up to its own [13, 18, 21], unless the predicate reads
    /// memory.
    static constexpr unsigned tiles_per_two_multiprocessors = TilesPerTwoMultiprocessors;
};

/// 256 threads instead of 512: 2.44 to 2.12 us at 2^14; 128 threads are worse above 2^15, 1024 everywhere
/// [18]. Not staged: -0.1 us up to 2^17, but +1.2 us at 2^20 with 90 % kept [19].
using SmallTile = TilePolicy<256, 2, 1, false, 1>;
/// The smallest staged tile: takes over from the small one where writing starts to dominate [19].
using MediumTile = TilePolicy<512, 2, 1, true, 2>;
/// 4 vectors per thread for 1.1 to 2.2 M items: -0.6 us at 2^21 [13].
using LargeTile = TilePolicy<512, 4, 1, true, 6>;
/// 256 x 8 instead of the pipeline up to 5.4 M items, the most that are resident: 10.2 us to between 9.4 and
/// 9.7 at 2^22 [21], 16.6 to 15.7 at 5.25 M on an H100 [47]. Three words per thread are enough for that; four
/// where one is enough cost 0.1 us [23].
using LargestTile = TilePolicy<256, 8, 3, true, 10>;

enum class TileSize : std::uint8_t { small, medium, large, largest };
inline constexpr TileSize tile_sizes[]{TileSize::small, TileSize::medium, TileSize::large, TileSize::largest};

/// The policy for tiles of a size.
template <TileSize Size>
using PolicyOf = std::conditional_t<
    Size == TileSize::small, SmallTile,
    std::conditional_t<Size == TileSize::medium, MediumTile,
                       std::conditional_t<Size == TileSize::large, LargeTile, LargestTile>>>;

/// Policies with at least this many rows trigger the next launch right after their wait, so that its prefetch
/// has time: 3.76 to 3.4 us at 2^20, 10.3 to 9.2 at 2^22. Policies with fewer rows trigger it after they have
/// published: 1.91 us instead of 2.21 at 2^16 [22, 31].
inline constexpr int min_rows_for_early_trigger = 4;

/// How often a status word is read before the block counts that tile itself: about 50 ms. GPUs start blocks
/// in order, so this does not happen in practice, but CUDA does not guarantee it.
inline constexpr unsigned default_spin_limit = 1U << 16;

// --- Tile state ---

/// Copies of every status word. Blocks that all poll the same words queue for them, and delay the loads and
/// stores of the stream: 390 us at 2^28 with one, 385 with two, 381 with four; more gain nothing [10].
inline constexpr unsigned tile_state_copies = 4;

/// Threads per block of the kernel that resets the tile state. It costs 0.6 us, a memset 2.1 us [15].
inline constexpr unsigned reset_threads = 512;

// --- Persistent pipeline: long streams on Hopper and later ---

/// Chunks of a tile, and stages of each chunk. Together they nearly fill the shared memory: 390 us at 2^28
/// with 8 x 6, 400 with 7 x 7, 416 with 6 x 8, 440 with 5 x 9 [4].
inline constexpr int pipeline_chunks = 8;
inline constexpr int pipeline_stages = 6;
/// Bytes of a chunk of items of 4, 8 or 16 bytes. Chunks of items of 1 or 2 bytes have as many items as those
/// of 4 bytes; chunks of other items have as many rows as fit.
inline constexpr unsigned max_chunk_bytes = 4096;

/// Chunks and stages if the predicate reads device memory, which leave more L1 cache. Shared memory comes in
/// steps: 7 x 3 fit the step of 100 KB, which leaves a cache of 156 KB, 8 x 3 leave 124 KB, and 8 x 6 leave
/// 28 KB. With a table of 128 KB, 2^26 items take 171 us with 7 x 3, 256 with 8 x 3 and 187 with 10 x 2. If
/// the guess `reads_memory` is wrong, a 64-bit limit takes 135 us as with 8 x 3, and a divergent loop 435
/// instead of 383.
inline constexpr int few_pipeline_chunks = 7;
inline constexpr int few_pipeline_stages = 3;

/// Rows of a chunk per iteration of the counting loop, where the compiler does not unroll it: 67.9 to 64.4 us
/// at 2^24 with a 16-round hash; with four, 67.0.
inline constexpr int counted_rows = 2;

/// Scatter warps of a chunk. A single one limits the speed with a small keep fraction: 291 us at 2^28 with 1
/// % kept, 258 with two [4].
inline constexpr int scatter_warps_per_chunk = 2;

/// Rounds requested at the start: enough to keep the memory busy. Further requests would only queue and delay
/// the status words of the first rounds: 32.2 to 29.8 us at 2^24. One and three take 383 us at 2^28, two 381
/// [9].
inline constexpr unsigned initial_rounds = 2;

/// The part of each chunk of round 0 that a block prefetches before it waits for the previous launch: a half.
/// With whole chunks, the first round arrives so early that the next ones queue [46].
inline constexpr unsigned prefetched_divisor = 2;

/// How long a block waits after its first requests before it reads the status words of others, 0.4 us: 17.9
/// to 16.9 us with 5.5 M items on an H100. An earlier read finds no counts yet, and the second load queues
/// behind chunks. With twice the time, 13.4 us instead of 13.1 where half of round 0 was prefetched [34, 35,
/// 46].
inline constexpr unsigned cycles_before_look_back = 800;

/// A chunk that keeps fewer than 1 / 8 of its items is packed before the start of its output is known, and
/// written by plain stores: 24.5 to 23.7 us at 2^24 with 1 % kept. The next chunk is loaded with the
/// evict-first policy, because items that have been read are not needed in the L2 cache. Where more is kept,
/// early eviction slows the writes [4].
inline constexpr unsigned sparse_divisor = 8;

/// Polls of the status words of other blocks, about 1 us each, between checks whether all blocks have
/// arrived; at least 1.
inline constexpr unsigned default_poll_limit = 64;

/// The next launch may start early if every block has its first counts after fewer polls than this; otherwise
/// other work delays some blocks. Blocks of the next launch would crowd that work onto a few multiprocessors,
/// which then become free later: 43 to 54 us at 2^24 on a busy GPU. Without any trigger, 5.5 M items take
/// 13.4 us instead of 12.3, and with one at the start 13.1 [46].
inline constexpr unsigned prompt_polls = 8;

// --- Ticketed kernel: long streams on older GPUs ---

/// The last warp takes tickets, publishes and looks back; the others rank and move: 457 to 403 us at 2^28
/// [ticketed 1, 4]. Other block sizes are 5 to 25 % slower [ticketed 6].
inline constexpr unsigned ticketed_threads = 512;
inline constexpr int ticketed_blocks_per_multiprocessor = 2;

/// Stages of a block; each holds the output of a tile. With two, a tile is written out one tile later, and
/// sometimes all blocks wait for each other: 1.5 to 4.9 ms with 16-byte items and 2^32 bytes, and 1.5 with
/// three.
inline constexpr unsigned num_ticketed_stages = 3;

/// Rows of a tile. Four rows by default: two blocks then have room for three stages each. Two rows if there
/// are so few tiles that half the blocks would have none, and where shared memory is small. With two rows up
/// to 24 tiles for each multiprocessor, 2^26 bytes take 42 to 45 us instead of 36 to 38.
inline constexpr int few_rows = 2;
inline constexpr int many_rows = 4;
inline constexpr unsigned few_tiles_per_multiprocessor = 2;

/// Status words that a lane loads before it tests the first, so that the loads overlap. They cover the tiles
/// that the other blocks take meanwhile, 263 on an H200; with fewer, look-back needs a second load.
inline constexpr int look_back_loads = 12;

// --- Selection over a sharded array (sharded_copies.cuh) ---

/// How much longer an item takes over a link between GPUs than within the memory of one: 365 GB/s on NVLink
/// against 2.1 TB/s, which are read and written.
inline constexpr unsigned link_divisor = 6;
/// Blocks of 256 threads for each multiprocessor that keep a link busy: 2 MB in flight.
inline constexpr unsigned link_blocks = 2;

// --- Output ---

/// Items that a thread loads from the stage before it stores them: -0.07 to -0.5 us [20].
inline constexpr unsigned line_loads = 4;

// --- Selection by a mask (mask.cuh); only the last two numbers were chosen by a measurement ---

inline constexpr unsigned mask_threads = 256;
/// Words of 32 items per tile: a tile of 4096 items keeps the scan of the counts short, and its positions fit
/// 16 bits.
inline constexpr unsigned mask_tile_words = 128;
/// Bytes in flight for each thread, and the most items or parts of items in flight while moving.
inline constexpr unsigned mask_batch_bytes = 64;
inline constexpr unsigned mask_move_batch = 4;
inline constexpr unsigned mask_move_parts = 16;
inline constexpr unsigned mask_scan_threads = 1024;
inline constexpr unsigned mask_scan_counts_per_thread = 8;
inline constexpr unsigned max_fill_blocks = 1024;
/// Up to this number of tiles, each block that moves items adds up the counts before its own, so that no
/// kernel scans them: 11.8 to 9.4 us at 2^20 with 64-bit positions of 32-bit items.
inline constexpr unsigned mask_summed_tiles = 1024;
/// From this number of keys on, unique_by_key selects by a mask instead of by CUB: 1.29 times as fast at 2^20
/// and 1.6 times at 2^22 with keys and values of 4 bytes. Short inputs gain nothing.
inline constexpr std::uint64_t min_masked_keys = std::uint64_t{1} << 20;

}  // namespace compaction::cuda::detail
