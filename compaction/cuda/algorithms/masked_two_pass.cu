// Two passes over the stream, the second of them partial. The first pass stores its decisions as one bit
// per item. The second reads the bits and only those lines of the stream that contain a kept item. A warp's
// chunk is 32 rows of 32 items, so that each lane holds the mask of one row. Each block counts what it
// keeps, and one block scans these counts.
//
// Source: Bakunas-Milanowski, Rego, Sang and Yu 2017, "Efficient Algorithms for Stream Compaction on GPUs",
// for ballots kept between the passes; Fett, Kober, Schwarz, Habich and Lehner 2022, "Accelerating Parallel
// Operation for Compacting Selected Elements on GPUs" (SPACE), for three passes over chunks of a bit mask.
#include <algorithm>
#include <memory>
#include <type_traits>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/scan_counts.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/support/layout.cuh"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned rows_per_chunk = warp_size;
constexpr unsigned chunk_items = rows_per_chunk * warp_size;

/// Mask: the bits of the kept items of each chunk, and how many each block keeps. The scan may be launched
/// overlapping. masks: [num_warps() * rows_per_chunk], counts: [num_blocks].
template <typename ItemT>
__global__ void __launch_bounds__(max_threads_per_block)
    mask_kernel(RowView<ItemT, 1> rows, std::uint32_t* masks, std::uint32_t* counts, Predicate keep,
                Stamps stamps) {
    COMPACTION_SHARED(kept_by_warp, unsigned[warp_size]);
    const std::uint64_t chunk = warp_in_grid();
    // If it came first, nvcc 13.0 would load a batch in two steps.
    const BlockStamp stamp(stamps, BlockStart::at_once, BlockEnd::by_thread_0);
    detail::trigger_dependent_launch();
    const std::uint64_t first_row = chunk * rows_per_chunk;
    const std::uint64_t last_row = min(first_row + rows_per_chunk, rows.num_rows());
    unsigned mask_of_row = 0;  // of this lane's row
    unsigned row = 0;
    for_each_batch(rows, first_row, last_row, [&](const Batch<ItemT, 1>& batch) {
#pragma unroll
        for (int r = 0; r < batch.num_rows; ++r, ++row) {
            const unsigned mask = __ballot_sync(all_lanes, keep(batch.item[r][0]));
            if (lane_index() == row) mask_of_row = mask;
        }
    });
    masks[chunk * rows_per_chunk + lane_index()] = mask_of_row;
    const unsigned kept_by_chunk = warp_reduce_add(__popc(mask_of_row));
    if (lane_index() == 0) kept_by_warp[warp_in_block()] = kept_by_chunk;
    __syncthreads();  // every warp has written its count
    if (warp_in_block() > 0) return;
    const unsigned kept = warp_reduce_add(lane_index() < warps_per_block() ? kept_by_warp[lane_index()] : 0);
    if (lane_index() == 0) {
        counts[blockIdx.x] = kept;
        stamp.add_kept(kept);
        stamp.end();
    }
}

/// Gather: copies the items whose bit is set to their places. It may be launched overlapping the scan. The
/// scan has waited for the masks, so after one wait the results of both are visible. offsets: [num_blocks].
template <typename ItemT>
__global__ void __launch_bounds__(max_threads_per_block)
    gather_kernel(const ItemT* in, const std::uint32_t* masks, const std::uint64_t* offsets, ItemT* out,
                  Stamps stamps) {
    COMPACTION_SHARED(kept_by_warp, unsigned[warp_size]);
    constexpr unsigned rows_in_flight = 8;
    const BlockStamp stamp(stamps, BlockStart::after_wait);
    const std::uint64_t chunk = warp_in_grid();
    detail::wait_for_previous_launch();
    const unsigned long long begin = stamp.begins();
    const unsigned mask_of_row = masks[chunk * rows_per_chunk + lane_index()];
    ItemT* place = out + offsets[blockIdx.x];
    stamp.note_begin(begin);
    // Scan: the start of this lane's row in the output of the block.
    const unsigned end_in_chunk = warp_inclusive_scan(static_cast<unsigned>(__popc(mask_of_row)));
    if (lane_index() == warp_size - 1) kept_by_warp[warp_in_block()] = end_in_chunk;
    __syncthreads();  // every warp has written its count
    const unsigned before_chunk =
        warp_reduce_add(lane_index() < warp_in_block() ? kept_by_warp[lane_index()] : 0);
    const unsigned start_of_row = before_chunk + end_in_chunk - __popc(mask_of_row);
    const ItemT* column = in + chunk * chunk_items + lane_index();
#pragma unroll
    for (unsigned first = 0; first < rows_per_chunk; first += rows_in_flight) {
        unsigned mask[rows_in_flight];
        ItemT item[rows_in_flight];
        // Read: a row without a kept item needs no memory access.
#pragma unroll
        for (unsigned r = 0; r < rows_in_flight; ++r) {
            mask[r] = __shfl_sync(all_lanes, mask_of_row, first + r);
            const bool kept = mask[r] >> lane_index() & 1;
            item[r] = kept ? load_read_only(column + (first + r) * warp_size) : ItemT{};
        }
        // Scatter
#pragma unroll
        for (unsigned r = 0; r < rows_in_flight; ++r) {
            const unsigned rank =
                __shfl_sync(all_lanes, start_of_row, first + r) + __popc(mask[r] & lanes_below());
            if (mask[r] >> lane_index() & 1) place[rank] = item[r];
        }
    }
}

template <typename ItemT>
class MaskedTwoPass final : public Compactor {
  public:
    MaskedTwoPass(CudaEngine& engine, const Options& layout) : engine_(engine), layout_(layout) {
        check(detail::query_compiled_for_hopper(reinterpret_cast<const void*>(gather_kernel<ItemT>),
                                                can_overlap_),
              "cudaFuncGetAttributes");
    }

    Options layout(std::uint64_t) const override { return layout_; }

    Partition partition(std::uint64_t num_items) const override {
        return equal_parts(PartKind::chunk, num_items, chunk_items);
    }

    void do_reserve(std::uint64_t max_items) override {
        const std::size_t blocks = num_blocks(max_items);
        masks_.grow_to(blocks * layout_[Option::threads_per_block]);
        counts_.grow_to(blocks);
        offsets_.grow_to(blocks);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const auto* const items = static_cast<const ItemT*>(in);
        const unsigned threads = layout_[Option::threads_per_block];
        const unsigned blocks = num_blocks(num_items);
        {
            const TimedPhase phase{recorder, PhaseEnd::next_phase};
            check(detail::launch(mask_kernel<ItemT>, {blocks, threads, 0, engine_.stream()},
                                 make_row_view<ItemT, 1>(items, num_items), masks_.data(), counts_.data(),
                                 keep, phase.stamps()),
                  "mask_kernel");
        }
        {
            const TimedPhase phase{recorder, PhaseEnd::next_phase};
            check(detail::launch(scan_in_one_block<max_threads_per_block, 8>,
                                 {1, max_threads_per_block, 0, engine_.stream(), can_overlap_},
                                 counts_.data(), blocks, offsets_.data(), num_selected, phase.stamps()),
                  "scan_in_one_block");
        }
        {
            const TimedPhase phase{recorder};
            check(detail::launch(gather_kernel<ItemT>, {blocks, threads, 0, engine_.stream(), can_overlap_},
                                 items, masks_.data(), offsets_.data(), static_cast<ItemT*>(out),
                                 phase.stamps()),
                  "gather_kernel");
        }
    }

  private:
    /// At least one, to write the count of an empty stream.
    unsigned num_blocks(std::uint64_t num_items) const {
        const std::uint64_t block_items = std::uint64_t{layout_[Option::threads_per_block]} * rows_per_chunk;
        return static_cast<unsigned>(std::max<std::uint64_t>(1, (num_items + block_items - 1) / block_items));
    }

    CudaEngine& engine_;
    Options layout_;
    bool can_overlap_ = false;
    DeviceBuffer<std::uint32_t> masks_;  ///< [threads of the grid]: one for each row
    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_masked_two_pass() {
    Registration registration;
    registration.algorithm.authors =
        "Bakunas-Milanowski, Rego, Sang and Yu; Fett, Kober, Schwarz, Habich and Lehner";
    registration.algorithm.year = 2022;
    registration.algorithm.source =
        "Bakunas-Milanowski et al. 2017, Efficient Algorithms for Stream Compaction on GPUs; Fett et al. "
        "2022, Accelerating Parallel Operation for Compacting Selected Elements on GPUs (SPACE)";
    registration.algorithm.summary =
        "The first pass stores one bit per item, so that the second pass does not evaluate the predicate "
        "again "
        "and reads only the lines that contain a kept item. The smaller the keep fraction, the more of the "
        "second "
        "read it saves.";
    registration.algorithm.phases = {
        {PhaseRole::count, "mask",
         "Each warp reads 1,024 items and stores a mask of the kept ones per 32. Each block counts them.",
         [](const StreamShape& shape) { return shape.stream_bytes() + shape.word_bytes() / 32; }},
        {PhaseRole::prefix, "prefix",
         "One block turns the counts into the offsets of the outputs of the blocks.",
         traffic::metadata_alone},
        {PhaseRole::move, "gather", "Each warp reads its 32 masks and only the items whose bit is set."}};
    registration.algorithm.options = {cuda::every_block_size()};
    registration.make = [](Engine& engine, const Options& options,
                           ItemSize item_size) -> std::unique_ptr<Compactor> {
        auto& cuda_engine = static_cast<cuda::CudaEngine&>(engine);
        const Options layout = cuda::with_default(options, Option::threads_per_block, 256);
        return visit_item_type(item_size,
                               [&]<typename ItemT>(std::type_identity<ItemT>) -> std::unique_ptr<Compactor> {
                                   return std::make_unique<cuda::MaskedTwoPass<ItemT>>(cuda_engine, layout);
                               });
    };
    return registration;
}

}  // namespace compaction
