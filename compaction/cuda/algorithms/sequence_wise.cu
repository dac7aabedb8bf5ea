// Sequence-wise stream compaction with vectorised memory access, in three phases: count, prefix, move.
//
// The stream is cut into sequences: ordered, contiguous, non-overlapping parts, one to a warp, read with a
// warp stride. Source: Billeter, Olsson and Assarsson 2009, "Efficient Stream Compaction on Wide SIMD
// Many-Core Architectures", for the sequences; the blog series "Parallel Stream Compaction", part 5 (2018),
// for shuffles in place of shared-memory scans and for vectors of up to four items. What is ours: any length
// and any layout, and output staged into whole lines.
#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "arguments.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/batch_rank.cuh"
#include "cuda/primitives/sequences.cuh"
#include "cuda/primitives/staged_writer.cuh"
#include "cuda/primitives/warp.cuh"
#include "cuda/support/memory.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned max_blocks = 65'536;
constexpr unsigned max_sequences = 65'536;

/// Puts the kept items of a batch into the writer's slots in the order of the stream.
template <int Width>
__device__ void append_kept(StagedWriter<Width>& writer, const Batch<Width>& batch, Keep keep) {
    const auto ranks = rank_batch(batch, keep);
    place_kept(batch, ranks, keep, [&](unsigned rank, Item item) { writer.slot(rank) = item; });
    writer.append(ranks.total);
}

/// Move: copies the kept items of each sequence to its offset in the output. Dynamic shared memory: one stage
/// per warp.
template <int Width>
__global__ void __launch_bounds__(max_threads_per_block, 1)
    move_kernel(RowView<Width> rows, Cut cut, unsigned num_sequences, const std::uint64_t* offsets, Item* out,
                Keep keep) {
    extern __shared__ uint4 stages[];
    Item* stage = reinterpret_cast<Item*>(stages) + warp_in_block() * StagedWriter<Width>::stage_items;
    for (unsigned s = warp_in_grid(); s < num_sequences; s += num_warps()) {
        StagedWriter<Width> writer(stage, out + offsets[s]);
        for_each_batch(rows, cut.first_row(s), cut.first_row(s + 1),
                       [&](const Batch<Width>& batch) { append_kept(writer, batch, keep); });
        writer.finish();
    }
}

constexpr std::size_t stage_bytes(unsigned threads_per_block) {
    return threads_per_block / warp_size * StagedWriter<1>::stage_items * sizeof(Item);
}

/// Where a compaction's metadata goes and how it is laid out.
struct Run {
    Options layout;
    std::uint32_t* counts;
    std::uint64_t* offsets;
    cudaStream_t stream;
    PhaseRecorder* recorder;
};

template <int Width>
void launch(const Run& run, const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected,
            Keep keep) {
    const unsigned threads = run.layout[Option::threads_per_block];
    const unsigned blocks = run.layout[Option::blocks];
    const unsigned num_sequences = run.layout[Option::sequences];
    const RowView<Width> rows = make_row_view<Width>(in, num_items);
    const Cut cut{rows.num_rows(), num_sequences};
    {
        const ScopedPhase phase{run.recorder};
        count_sequences<Width, rows_per_batch<Width>>
            <<<blocks, threads, 0, run.stream>>>(rows, cut, num_sequences, run.counts, keep);
        check_launch("count_sequences");
    }
    {
        const ScopedPhase phase{run.recorder};
        // Eight counts a thread: one turn of the block holds the sequences of every card that is filled once.
        scan_in_one_block<max_threads_per_block, 8><<<1, max_threads_per_block, 0, run.stream>>>(
            run.counts, num_sequences, run.offsets, num_selected);
        check_launch("scan_in_one_block");
    }
    {
        const ScopedPhase phase{run.recorder};
        move_kernel<Width><<<blocks, threads, stage_bytes(threads), run.stream>>>(rows, cut, num_sequences,
                                                                                  run.offsets, out, keep);
        check_launch("move_kernel");
    }
}

/// The kernels of one vector width.
struct Variant {
    unsigned width;
    void (*launch)(const Run&, const Item*, std::uint64_t, Item*, std::uint64_t*, Keep);
    const void* move_kernel;
};

template <int Width>
Variant variant() {
    return {Width, launch<Width>, reinterpret_cast<const void*>(move_kernel<Width>)};
}

class SequenceWise final : public Compactor {
  public:
    SequenceWise(CudaEngine& engine, const Options& asked) : engine_(engine), asked_(asked) {
        const unsigned width = asked[Option::vector_width] == automatic ? 4 : asked[Option::vector_width];
        for (const Variant& each : {variant<1>(), variant<2>(), variant<4>()}) {
            if (each.width == width) variant_ = each;
        }
        threads_ = asked[Option::threads_per_block] == automatic ? 256 : asked[Option::threads_per_block];
        // A limit of the kernel, not of this object: always the largest block's, or another object's blocks
        // may not launch.
        check(cudaFuncSetAttribute(variant_.move_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(stage_bytes(max_threads_per_block))),
              "cudaFuncSetAttribute");
        int blocks_per_multiprocessor = 0;
        check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, variant_.move_kernel,
                                                          static_cast<int>(threads_), stage_bytes(threads_)),
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        resident_blocks_ =
            static_cast<unsigned>(std::max(1, blocks_per_multiprocessor * engine.num_multiprocessors()));
    }

    Options layout(std::uint64_t num_items) const override {
        const unsigned warps_per_block = threads_ / warp_size;
        Options layout = asked_;
        layout[Option::vector_width] = variant_.width;
        layout[Option::threads_per_block] = threads_;
        if (asked_[Option::blocks] == automatic) {
            // Fill the card once, unless there are fewer sequences, or batches to make sequences of, than
            // that takes.
            const std::uint64_t num_batches = (num_items + items_per_batch - 1) / items_per_batch;
            const std::uint64_t useful_warps =
                asked_[Option::sequences] == automatic ? num_batches : asked_[Option::sequences];
            const std::uint64_t useful_blocks = (useful_warps + warps_per_block - 1) / warps_per_block;
            layout[Option::blocks] =
                static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful_blocks, 1, resident_blocks_));
        }
        if (asked_[Option::sequences] == automatic) {
            layout[Option::sequences] = std::min(layout[Option::blocks] * warps_per_block, max_sequences);
        }
        return layout;
    }

    void reserve(std::uint64_t max_items) override {
        const std::size_t num_sequences = layout(max_items)[Option::sequences];
        counts_.grow_to(num_sequences);
        offsets_.grow_to(num_sequences);
        reserved_items_ = std::max(reserved_items_, max_items);
    }

    void enqueue(const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, reserved_items_);
        const Run run{layout(num_items), counts_.data(), offsets_.data(), engine_.stream(), recorder};
        variant_.launch(run, in, num_items, out, num_selected, keep);
    }

  private:
    CudaEngine& engine_;
    Options asked_;
    Variant variant_{};
    unsigned threads_ = 0;
    unsigned resident_blocks_ = 0;
    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
    std::uint64_t reserved_items_ = 0;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_sequence_wise() {
    using cuda::max_blocks, cuda::max_sequences, cuda::max_threads_per_block, cuda::warp_size;
    Registration registration;
    registration.algorithm.authors =
        "Billeter, Olsson and Assarsson; after the series \"Parallel Stream Compaction\"";
    registration.algorithm.year = 2018;
    registration.algorithm.source =
        "Billeter, Olsson, Assarsson 2009, Efficient Stream Compaction on Wide SIMD Many-Core Architectures; "
        "Parallel Stream Compaction, part 5 (2018)";
    registration.algorithm.summary =
        "Cuts the stream into sequences, one to a warp, read with a warp stride in vectors of up to four "
        "items. "
        "Counts what each keeps, scans the counts in one block, then moves the kept items to their places.";
    registration.algorithm.phases = {
        {PhaseRole::count, "count",
         "Each warp counts the kept items of its sequence and adds up its lanes by shuffles."},
        {PhaseRole::prefix, "prefix",
         "One block turns the counts into the place in the output where each sequence starts."},
        {PhaseRole::move, "move",
         "Each warp reads its sequence again, ranks the kept items and writes them in whole lines."}};
    registration.algorithm.options = {{Option::vector_width, 1, 4, LegalRange::Spacing::powers_of_two},
                                      {Option::threads_per_block, warp_size, max_threads_per_block,
                                       LegalRange::Spacing::multiples, warp_size},
                                      {Option::blocks, 1, max_blocks},
                                      {Option::sequences, 1, max_sequences}};
    registration.make = [](Engine& engine, const Options& options) -> std::unique_ptr<Compactor> {
        return std::make_unique<cuda::SequenceWise>(static_cast<cuda::CudaEngine&>(engine), options);
    };
    return registration;
}

}  // namespace compaction
