// Appending by atomics: each warp reserves room for its kept items with one atomic addition to the output's
// counter, and writes them there. Warps run in any order, so the output is unordered.
//
// Source: Adinetz 2014, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics". New here: lanes
// read vectors of items; each warp still makes one addition.
#include <cstdint>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/words.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

/// num_selected: 0 before the launch; the number of kept items after it.
/// `Traced`: each warp records its addition.
template <typename ItemT, int Width, bool Traced>
__global__ void __launch_bounds__(max_threads_per_block)
    append_kept(RowView<ItemT, Width> rows, ItemT* out, unsigned long long* num_selected, Predicate keep,
                Stamps stamps) {
    // Load
    const Batch<ItemT, Width, 1> row = rows.load_row(thread_in_grid() / warp_size);
    const BlockStamp stamp(stamps);
    // Rank
    unsigned votes[Width];
    unsigned warp_count = 0;
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        votes[k] = __ballot_sync(all_lanes, keep(row.item[0][k]));
        warp_count += __popc(votes[k]);
    }
    if (warp_count > 0) {
        // Reserve
        unsigned long long position = 0;
        if (lane_index() == 0) position = atomicAdd(num_selected, warp_count);
        if constexpr (Traced) {
            if (lane_index() == 0) stamp.add_append(warp_in_grid(), position, warp_count);
        }
        position = __shfl_sync(all_lanes, position, 0);
        // Write
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            const unsigned rank = __popc(votes[k] & lanes_below());
            if (votes[k] >> lane_index() & 1U) out[position + rank] = row.item[0][k];
            position += __popc(votes[k]);
        }
    }
}

using Launch = void (*)(const Options& options, cudaStream_t stream, const void* in, std::uint64_t num_items,
                        void* out, std::uint64_t* num_selected, Predicate keep, const Stamps& stamps);

template <typename ItemT, int Width>
void launch(const Options& options, cudaStream_t stream, const void* in, std::uint64_t num_items, void* out,
            std::uint64_t* num_selected, Predicate keep, const Stamps& stamps) {
    const auto rows = make_row_view<ItemT, Width>(static_cast<const ItemT*>(in), num_items);
    const unsigned threads = options[Option::threads_per_block];
    const auto parts = [&] {
        return BlockParts{.partition = equal_parts(PartKind::chunk, rows.end, rows.row_items),
                          .lead = rows.begin,
                          .parts_per_block = threads / warp_size,
                          .counts_selected = true,
                          .appends = true};
    };
    static_assert(sizeof(*num_selected) == sizeof(unsigned long long));
    check(detail::launch(stamps.traced ? append_kept<ItemT, Width, true> : append_kept<ItemT, Width, false>,
                         {blocks_for(rows.num_rows() * warp_size, threads), threads, 0, stream}, rows,
                         static_cast<ItemT*>(out), reinterpret_cast<unsigned long long*>(num_selected), keep,
                         with_parts(stamps, parts)),
          "append_kept");
}

class AtomicAppend final : public Compactor {
  public:
    AtomicAppend(Engine& engine, const Options& requested, ItemSize item_size)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(with_default_width(requested, 4, item_size), Option::threads_per_block, 256)),
          launch_(visit_vectors(item_size, options_[Option::vector_width],
                                []<typename ItemT, int Width>(Vectors<ItemT, Width>) -> Launch {
                                    return launch<ItemT, Width>;
                                })) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    /// The items that one warp appends stay together.
    Partition partition(std::uint64_t num_items) const override {
        return equal_parts(PartKind::chunk, num_items, warp_size * options_[Option::vector_width]);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const TimedPhase phase{recorder};
        LaunchStamps stamps(phase.stamps());
        if (num_items == 0)
            return enqueue_clear(num_selected, /*num_words=*/1, engine_.stream(), stamps.last());
        enqueue_clear(num_selected, /*num_words=*/1, engine_.stream(), stamps.next());
        launch_(options_, engine_.stream(), in, num_items, out, num_selected, keep, stamps.last());
    }

  private:
    CudaEngine& engine_;
    Options options_;
    Launch launch_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_atomic_append() {
    Registration registration;
    registration.algorithm.authors = "Adinetz";
    registration.algorithm.year = 2014;
    registration.algorithm.source =
        "Adinetz 2014, CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics, NVIDIA Developer Blog";
    registration.algorithm.summary =
        "Each warp reserves room at the end of the output by one atomic addition and writes its kept items "
        "there. The output is unordered, and its order differs from run to run.";
    registration.algorithm.stable = false;
    // With one item per thread, in the smallest blocks.
    registration.algorithm.max_items = std::uint64_t{cuda::max_blocks_per_grid} * cuda::warp_size;
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Count, offsets and move in one sweep, after the counter is cleared; there is nothing to split.",
         traffic::reads_all_writes_selected}};
    registration.algorithm.options = {every_vector_width(), cuda::every_block_size()};
    registration.make = make_with_item_size<cuda::AtomicAppend>;
    return registration;
}

}  // namespace compaction
