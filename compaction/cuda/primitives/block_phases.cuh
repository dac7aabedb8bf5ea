#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/ballot_rank.cuh"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/scanned_counts.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

/// Block-wise compaction in three phases, after Spataro 2015: no loops, one vector of items per thread, one
/// count per block.
namespace compaction::cuda {

/// Where the move phase gets the items that it writes.
enum class ItemAccess {
    in_register,  ///< the register that was loaded for the ranking
    reload,       ///< memory: a kept item is loaded a second time
};

__device__ inline std::uint64_t row_of_warp() {
    return std::uint64_t{blockIdx.x} * warps_per_block() + warp_in_block();
}

/// Count: the number of kept items of each block. counts: [num_blocks].
template <typename ItemT, int Width>
__global__ void __launch_bounds__(max_threads_per_block)
    count_blocks(RowView<ItemT, Width> rows, std::uint32_t* counts, Predicate keep, Stamps stamps) {
    const Batch<ItemT, Width, 1> row = rows.load_row(row_of_warp());
    const BlockStamp stamp(stamps, BlockStart::at_once, BlockEnd::by_thread_0);
    unsigned num_kept = 0;
#pragma unroll
    for (int k = 0; k < Width; ++k) num_kept += __syncthreads_count(keep(row.item[0][k]));
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = num_kept;
        stamp.add_selected(num_kept);
        stamp.end();
    }
}

/// Move: each thread ranks its items within its block and writes the kept ones. counts, offsets:
/// [num_blocks].
template <typename ItemT, int Width, ItemAccess access>
__global__ void __launch_bounds__(max_threads_per_block)
    move_blocks(RowView<ItemT, Width> rows, const std::uint32_t* counts, const std::uint64_t* offsets,
                ItemT* out, std::uint64_t* num_selected, Predicate keep, Stamps stamps) {
    COMPACTION_SHARED(warp_starts, unsigned[warp_size]);
    const Batch<ItemT, Width, 1> row = rows.load_row(row_of_warp());
    const BlockStamp stamp(stamps);
    bool kept[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) kept[k] = keep(row.item[0][k]);
    ItemT* to = out + offsets[blockIdx.x] + block_rank(kept, warp_starts);
    const std::uint64_t first = row_of_warp() * RowView<ItemT, Width>::row_items + lane_index() * Width;
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        if (kept[k]) *to++ = access == ItemAccess::in_register ? row.item[0][k] : rows.base[first + k];
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        *num_selected = offsets[blockIdx.x] + counts[blockIdx.x];
    }
}

/// The launchers for one item size and vector width.
struct BlockKernels {
    unsigned width;
    void (*count)(unsigned blocks, unsigned threads, cudaStream_t stream, const void* in,
                  std::uint64_t num_items, std::uint32_t* counts, Predicate keep, const Stamps& stamps);
    void (*move)(unsigned blocks, unsigned threads, cudaStream_t stream, const void* in,
                 std::uint64_t num_items, const ScannedCounts& metadata, void* out,
                 std::uint64_t* num_selected, Predicate keep, const Stamps& stamps);
};

/// Describes which rows each block processes.
template <typename ItemT, int Width>
BlockParts parts_of_blocks(const RowView<ItemT, Width>& rows, unsigned threads, bool counts_selected) {
    return {.partition = equal_parts(PartKind::block, rows.end, std::uint64_t{threads} * Width),
            .lead = rows.begin,
            .counts_selected = counts_selected};
}

template <typename ItemT, int Width, ItemAccess access>
BlockKernels block_kernels() {
    return {
        Width,
        [](unsigned blocks, unsigned threads, cudaStream_t stream, const void* in, std::uint64_t num_items,
           std::uint32_t* counts, Predicate keep, const Stamps& stamps) {
            const auto rows = make_row_view<ItemT, Width>(static_cast<const ItemT*>(in), num_items);
            check(detail::launch(
                      count_blocks<ItemT, Width>, {blocks, threads, 0, stream}, rows, counts, keep,
                      with_parts(stamps,
                                 [&] { return parts_of_blocks(rows, threads, /*counts_selected=*/true); })),
                  "count_blocks");
        },
        [](unsigned blocks, unsigned threads, cudaStream_t stream, const void* in, std::uint64_t num_items,
           const ScannedCounts& metadata, void* out, std::uint64_t* num_selected, Predicate keep,
           const Stamps& stamps) {
            const auto rows = make_row_view<ItemT, Width>(static_cast<const ItemT*>(in), num_items);
            check(detail::launch(
                      move_blocks<ItemT, Width, access>, {blocks, threads, 0, stream}, rows,
                      metadata.counts(), metadata.offsets(), static_cast<ItemT*>(out), num_selected, keep,
                      with_parts(stamps,
                                 [&] { return parts_of_blocks(rows, threads, /*counts_selected=*/false); })),
                  "move_blocks");
        }};
}

/// The host side: metadata and launches. No option that the algorithm has may be `automatic` in `options`.
class BlockPhases final : public Compactor {
  public:
    BlockPhases(Engine& engine, const Options& options, const BlockKernels& kernels)
        : engine_(static_cast<CudaEngine&>(engine)), options_(options), kernels_(kernels) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    /// Excludes the extra block that an unaligned stream may need.
    Partition partition(std::uint64_t num_items) const override {
        return equal_parts(PartKind::block, num_items, block_items());
    }

    std::vector<WorkingBuffer> working_buffers() const override {
        return metadata_.working_buffers("blocks");
    }

    void do_reserve(std::uint64_t max_items) override { metadata_.reserve(num_blocks(max_items)); }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const unsigned threads = options_[Option::threads_per_block];
        const unsigned blocks = num_blocks(num_items);
        {
            const TimedPhase phase{recorder};
            kernels_.count(blocks, threads, engine_.stream(), in, num_items, metadata_.counts(), keep,
                           phase.stamps());
        }
        {
            const TimedPhase phase{recorder};
            metadata_.enqueue_scan(blocks, engine_.stream());
        }
        {
            const TimedPhase phase{recorder};
            kernels_.move(blocks, threads, engine_.stream(), in, num_items, metadata_, out, num_selected,
                          keep, phase.stamps());
        }
    }

  private:
    std::uint64_t block_items() const {
        return std::uint64_t{options_[Option::threads_per_block]} * kernels_.width;
    }

    /// At least one, to write the count of an empty stream. Enough for any alignment: the first vector may
    /// begin up to `width` - 1 items before the stream.
    unsigned num_blocks(std::uint64_t num_items) const {
        const std::uint64_t items_from_vector = num_items + kernels_.width - 1;
        return static_cast<unsigned>(
            std::max<std::uint64_t>(1, (items_from_vector + block_items() - 1) / block_items()));
    }

    CudaEngine& engine_;
    Options options_;
    BlockKernels kernels_;
    ScannedCounts metadata_;
};

/// Registration::make for one item per thread.
template <ItemAccess access>
std::unique_ptr<Compactor> make_block_phases(Engine& engine, const Options& requested, ItemSize item_size) {
    return std::make_unique<BlockPhases>(
        engine, with_default(requested, Option::threads_per_block, 1024),
        visit_item_type(item_size, []<typename ItemT>(std::type_identity<ItemT>) {
            return block_kernels<ItemT, 1, access>();
        }));
}

/// The catalogue entry that these algorithms share.
inline Algorithm describe_block_phases() {
    Algorithm algorithm;
    algorithm.phases = {
        {PhaseRole::count, "count",
         "Each thread reads its items, and the block counts the kept ones with a barrier that counts votes, "
         "__syncthreads_count.",
         traffic::reads_all},
        {PhaseRole::prefix, "prefix",
         "A library scan turns the counts of the blocks into the offsets of their outputs.",
         traffic::metadata_alone},
        {PhaseRole::scatter, "move",
         "Each thread reads its items again, ranks the kept ones within the block by ballots and writes them "
         "to their indices.",
         traffic::reads_all_writes_selected}};
    algorithm.max_items = std::uint64_t{max_blocks_per_grid} * warp_size;
    algorithm.options = {every_block_size()};
    return algorithm;
}

}  // namespace compaction::cuda
