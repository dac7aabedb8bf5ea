// Two passes over the stream, the second of them partial. The first pass stores its decisions as one bit
// per item. The second reads the bits and only those lines of the stream that contain a kept item. A warp
// processes a chunk of 32 rows of 32 items: each lane holds the mask of one row. For short streams one block
// scans the counts, and the three launches overlap. For long streams the library scans them.
//
// Source: Bakunas-Milanowski, Rego, Sang and Yu 2017, "Efficient Algorithms for Stream Compaction on GPUs",
// for ballots kept between the passes; Fett, Kober, Schwarz, Habich and Lehner 2022, "Accelerating Parallel
// Operation for Compacting Selected Elements on GPUs" (SPACE), for three passes over chunks of a bit mask.
#include <algorithm>

#include "compaction/cuda/detail/launch.cuh"
#include "compaction/cuda/scan_counts.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/scanned_counts.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned rows_per_chunk = warp_size;
constexpr unsigned chunk_items = rows_per_chunk * warp_size;
constexpr unsigned scan_counts_per_thread = 8;
/// One block scans at most this many counts, in a single pass. The library scans more counts faster.
constexpr unsigned scan_counts_per_block = max_threads_per_block * scan_counts_per_thread;

/// Mask: the bits of the kept items, and the count of each chunk. The launch of the scan may overlap.
/// masks: [num_chunks * rows_per_chunk], counts: [num_chunks].
template <typename ItemT>
__global__ void __launch_bounds__(max_threads_per_block)
    mask_kernel(RowView<ItemT, 1> rows, std::uint64_t num_chunks, std::uint32_t* masks, std::uint32_t* counts,
                Predicate keep, Stamps stamps) {
    const std::uint64_t chunk = warp_in_grid();
    const BlockStamp stamp(stamps);  // if it came first, nvcc 13.0 would load a batch in two steps
    detail::trigger_dependent_launch();
    if (chunk < num_chunks) {
        const std::uint64_t first_row = chunk * rows_per_chunk;
        const std::uint64_t end_row = min(first_row + rows_per_chunk, rows.num_rows());
        unsigned mask_of_row = 0;  // the mask of this lane's row
        unsigned row = 0;
        for_each_batch(rows, first_row, end_row, [&](const Batch<ItemT, 1>& batch) {
#pragma unroll
            for (int r = 0; r < batch.num_rows; ++r, ++row) {
                const unsigned mask = __ballot_sync(all_lanes, keep(batch.item[r][0]));
                if (lane_index() == row) mask_of_row = mask;
            }
        });
        masks[chunk * rows_per_chunk + lane_index()] = mask_of_row;
        const unsigned num_kept = warp_sum(__popc(mask_of_row));
        if (lane_index() == 0) {
            counts[chunk] = num_kept;
            stamp.add_selected(num_kept);
        }
    }
}

/// Gather: copies the items whose bit is set to their positions in the output. The launch may overlap the
/// scan by one block. That scan itself waits for the masks, so after the wait for the scan the results of
/// both are visible. offsets: [num_chunks].
template <typename ItemT>
__global__ void __launch_bounds__(max_threads_per_block)
    gather_kernel(const ItemT* in, std::uint64_t num_chunks, const std::uint32_t* masks,
                  const std::uint64_t* offsets, ItemT* out, std::uint64_t* num_selected, Stamps stamps) {
    constexpr unsigned rows_in_flight = 8;
    const BlockStamp stamp(stamps, BlockStart::after_wait);
    const std::uint64_t chunk = warp_in_grid();
    detail::wait_for_previous_launch();
    const unsigned long long begin = stamp.begin_time();
    const unsigned mask_of_row = chunk < num_chunks ? masks[chunk * rows_per_chunk + lane_index()] : 0;
    stamp.note_begin(begin);
    if (chunk < num_chunks) {
        // Scan: the start of this lane's row in the output of the chunk.
        const unsigned end_of_row = warp_inclusive_scan(static_cast<unsigned>(__popc(mask_of_row)));
        const unsigned start_of_row = end_of_row - __popc(mask_of_row);
        const ItemT* column = in + chunk * chunk_items + lane_index();
        ItemT* to = out + offsets[chunk];
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
                if (mask[r] >> lane_index() & 1) to[rank] = item[r];
            }
        }
        if (chunk == num_chunks - 1 && lane_index() == warp_size - 1)
            *num_selected = offsets[chunk] + end_of_row;
    }
}

/// At least one, to write the count of an empty stream.
std::uint64_t chunks_of(std::uint64_t num_items) {
    return std::max<std::uint64_t>(1, (num_items + chunk_items - 1) / chunk_items);
}

template <typename ItemT>
class MaskedTwoPass final : public Compactor {
  public:
    MaskedTwoPass(Engine& engine, const Options& requested)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(requested, Option::threads_per_block, 256)) {
        check(detail::query_compiled_for_hopper(reinterpret_cast<const void*>(gather_kernel<ItemT>),
                                                can_overlap_),
              "cudaFuncGetAttributes");
    }

    Options resolved_options(std::uint64_t) const override { return options_; }

    Partition partition(std::uint64_t num_items) const override {
        return equal_parts(PartKind::chunk, num_items, chunk_items);
    }

    std::vector<WorkingBuffer> working_buffers() const override {
        std::vector<WorkingBuffer> buffers = metadata_.working_buffers("chunks");
        buffers.push_back(working_buffer(BufferRole::flags, "masks", masks_, {.is_mask = true}));
        return buffers;
    }

    void do_reserve(std::uint64_t max_items) override {
        const std::uint64_t num_chunks = chunks_of(max_items);
        masks_.grow_to(num_chunks * rows_per_chunk);
        metadata_.reserve(num_chunks + 1);  // one more, for the total of scan_in_one_block
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const auto* const items = static_cast<const ItemT*>(in);
        const unsigned threads = options_[Option::threads_per_block];
        const unsigned chunks_per_block = threads / warp_size;
        const std::uint64_t num_chunks = chunks_of(num_items);
        const auto blocks = static_cast<unsigned>((num_chunks + chunks_per_block - 1) / chunks_per_block);
        const bool scans_in_one_block = num_chunks <= scan_counts_per_block;
        const auto parts = [&](bool counts_selected) {
            return BlockParts{.partition = partition(num_items),
                              .parts_per_block = chunks_per_block,
                              .counts_selected = counts_selected};
        };
        {
            const TimedPhase phase{
                recorder, scans_in_one_block ? PhaseEnd::start_of_next_phase : PhaseEnd::end_of_last_block};
            check(detail::launch(mask_kernel<ItemT>, {blocks, threads, 0, engine_.stream()},
                                 make_row_view<ItemT, 1>(items, num_items), num_chunks, masks_.data(),
                                 metadata_.counts(), keep,
                                 with_parts(phase.stamps(), [&] { return parts(/*counts_selected=*/true); })),
                  "mask_kernel");
        }
        if (scans_in_one_block) {
            // The total is stored after the offsets: the gather writes num_selected.
            const TimedPhase phase{recorder, PhaseEnd::start_of_next_phase};
            check(detail::launch(scan_in_one_block<max_threads_per_block, scan_counts_per_thread>,
                                 {1, max_threads_per_block, 0, engine_.stream(), can_overlap_},
                                 metadata_.counts(), static_cast<unsigned>(num_chunks), metadata_.offsets(),
                                 metadata_.offsets() + num_chunks, phase.stamps()),
                  "scan_in_one_block");
        } else {
            const TimedPhase phase{recorder};
            metadata_.enqueue_scan(num_chunks, engine_.stream());
        }
        {
            const TimedPhase phase{recorder};
            check(detail::launch(
                      gather_kernel<ItemT>,
                      {blocks, threads, 0, engine_.stream(), scans_in_one_block && can_overlap_}, items,
                      num_chunks, masks_.data(), metadata_.offsets(), static_cast<ItemT*>(out), num_selected,
                      with_parts(phase.stamps(), [&] { return parts(/*counts_selected=*/false); })),
                  "gather_kernel");
        }
    }

  private:
    CudaEngine& engine_;
    Options options_;
    bool can_overlap_ = false;
    DeviceBuffer<std::uint32_t> masks_;
    ScannedCounts metadata_;
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
        "again and reads only the lines that contain a kept item. The smaller the keep fraction, the more of "
        "the second read it saves.";
    registration.algorithm.phases = {
        {PhaseRole::count, "mask",
         "Each warp reads 1,024 items, stores a mask of the kept ones per 32, and counts them.",
         [](const StreamShape& shape) { return shape.stream_bytes() + shape.word_bytes() / 32; }},
        {PhaseRole::prefix, "prefix",
         "One block turns the counts into the output offsets of each 1,024 items. A library scan does so for "
         "more than 8,192 counts.",
         traffic::metadata_alone},
        {PhaseRole::scatter, "gather", "Each warp reads its 32 masks and only the items whose bit is set."}};
    registration.algorithm.options = {cuda::every_block_size()};
    registration.make = make_for_item_size<cuda::MaskedTwoPass>;
    return registration;
}

}  // namespace compaction
