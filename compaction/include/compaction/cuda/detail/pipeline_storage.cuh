#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/cuda/detail/arrivals.cuh"
#include "compaction/cuda/detail/rows.cuh"
#include "compaction/cuda/detail/tile_state.cuh"
#include "compaction/cuda/detail/tuning.cuh"

/// What the warps of a pipeline block share (pipeline.cuh).
namespace compaction::cuda::detail {

inline constexpr int chunk_rows = chunk_bytes / (warp_size * vector_bytes);
static_assert(chunk_rows % counted_rows == 0);
/// A slot has room for a whole chunk that begins anywhere within a line.
inline constexpr unsigned slot_bytes = chunk_bytes + line_bytes;
static_assert(initial_rounds % scatter_warps_per_chunk == 0,
              "otherwise a scatter warp waits for a phase that only it can complete");

template <typename ItemT>
inline constexpr unsigned chunk_items = chunk_bytes / sizeof(ItemT);

/// How the tiles of a stream are assigned to blocks: whole rounds, then one round of the rest. Its tiles have
/// fewer chunks, not shorter ones: the code that counts whole chunks is in the instruction cache by then.
struct TileSchedule {
    unsigned num_rounds;
    unsigned last_chunks;  ///< per tile of the last round
};

/// Shared memory of a block. A tile uses slot round % Slots.
template <int Chunks, int Slots>
struct PipelineStorage {
    static constexpr unsigned chunks = Chunks;
    static constexpr unsigned slots_per_chunk = Slots;
    static constexpr unsigned num_threads = ((scatter_warps_per_chunk + 1) * Chunks + 1) * warp_size;

    alignas(128) std::byte slots[Chunks][Slots][slot_bytes];
    unsigned kept[Slots][Chunks][warp_size];  ///< by the count warps: one bit for each item
    /// By the count warps. Twice as deep as the rest: a count warp may count the next chunk of a slot
    /// before all scatter warps have added up the counts of the tile that was in it.
    unsigned chunk_count[2 * Slots][Chunks];
    unsigned next_to_count[Chunks];   ///< the first round of the chunk that no warp has taken to count
    unsigned tally[Slots];            ///< arrived count warps in the upper half, their counts in the lower
    unsigned tile_count[Slots];       ///< by the last count warp
    std::uint64_t tile_start[Slots];  ///< by the look-back warp: where the tile's output begins
    std::uint64_t filled[Chunks][Slots];  ///< barrier: the chunk has arrived
    std::uint64_t counted[Slots];         ///< barrier: all chunks of the tile are counted
    std::uint64_t placed[Slots];          ///< barrier: tile_start is written
    std::uint64_t started;                ///< barrier: first_tag is written
    Tag first_tag;                        ///< of round 0
    Course course;                        ///< by the look-back warp
    unsigned left_in;                     ///< by the look-back warp: the round in which it leaves
};

/// The parameters of a launch beside its stream.
struct PipelineOptions {
    std::uint32_t* tickets;  ///< the words of a TicketState for the stream, of any content
    LaunchTags tags;
    unsigned poll_limit = default_poll_limit;
};

/// Instead of the round in which the block leaves the pipeline; a few more are no overflow.
inline constexpr unsigned leaves_never = 1U << 31;
/// Instead of where a tile's output begins.
inline constexpr std::uint64_t leave_pipeline = ~std::uint64_t{0};
/// More counts than any tile has.
inline constexpr unsigned tally_never_complete = 1U << 31;

}  // namespace compaction::cuda::detail
