#pragma once

#include <algorithm>
#include <cstdint>

#include "arguments.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/sequences.cuh"
#include "cuda/support/memory.hpp"
#include "registration.hpp"

/// Compaction by sequences in three phases as Billeter, Olsson and Assarsson published it: a warp reads one
/// data block (32 lanes x a vector) at a time, and writes 32 kept items at a time from a stage in shared
/// memory. Shuffles stand in for their shared-memory reductions and scans, which predate them.
///
/// Source: Billeter, Olsson, Assarsson 2009, "Efficient Stream Compaction on Wide SIMD Many-Core
/// Architectures", the staged variant of its third phase.
namespace compaction::cuda::warp_sequences {

inline constexpr unsigned threads_per_block = 128;
inline constexpr unsigned warps_in_block = threads_per_block / warp_size;
inline constexpr unsigned prefix_threads = 480;

/// Move: copies the kept items of each sequence to its offset in the output, staged. offsets: [num_warps()].
template <int Width>
__global__ void __launch_bounds__(threads_per_block)
    move_staged(RowView<Width> rows, Cut cut, const std::uint64_t* offsets, Item* out, Keep keep) {
    // Less than 32 items left from before, and a data block.
    constexpr unsigned stage_items = warp_size + RowView<Width>::row_items;
    __shared__ Item stages[warps_in_block][stage_items];
    Item* const stage = stages[warp_in_block()];
    const unsigned s = warp_in_grid();
    Item* place = out + offsets[s];
    unsigned num_staged = 0;
    for_each_batch<Width, 1>(rows, cut.first_row(s), cut.first_row(s + 1), [&](const Batch<Width, 1>& row) {
        // Scan: the rank of this lane's kept items in the data block.
        unsigned kept = 0;
#pragma unroll
        for (int k = 0; k < Width; ++k) kept += keep(row.item[0][k]);
        const unsigned inclusive = warp_inclusive_scan(kept);
        // Stage
        unsigned slot = num_staged + inclusive - kept;
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            if (keep(row.item[0][k])) stage[slot++] = row.item[0][k];
        }
        num_staged += from_last_lane(inclusive);
        if (num_staged < warp_size) return;
        // Write
        __syncwarp();  // every lane's items are in the stage before any lane writes them out
        unsigned num_written = 0;
        for (; num_written + warp_size <= num_staged; num_written += warp_size) {
            place[num_written + lane_index()] = stage[num_written + lane_index()];
        }
        num_staged -= num_written;
        place += num_written;
        const Item rest = lane_index() < num_staged ? stage[num_written + lane_index()] : 0;
        __syncwarp();  // the stage has been read before the rest, or the next data block, overwrites it
        if (lane_index() < num_staged) stage[lane_index()] = rest;
    });
    __syncwarp();  // what is left is in the stage
    if (lane_index() < num_staged) place[lane_index()] = stage[lane_index()];
}

/// Where a compaction's metadata goes. counts, offsets: [blocks * warps_in_block].
struct Run {
    unsigned blocks;
    std::uint32_t* counts;
    std::uint64_t* offsets;
    cudaStream_t stream;
    PhaseRecorder* recorder;
};

template <int Width>
void launch(const Run& run, const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected,
            Keep keep) {
    const unsigned num_sequences = run.blocks * warps_in_block;
    const RowView<Width> rows = make_row_view<Width>(in, num_items);
    const Cut cut{rows.num_rows(), num_sequences};
    {
        const ScopedPhase phase{run.recorder};
        count_sequences<Width, 1>
            <<<run.blocks, threads_per_block, 0, run.stream>>>(rows, cut, num_sequences, run.counts, keep);
        check_launch("count_sequences");
    }
    {
        const ScopedPhase phase{run.recorder};
        scan_in_one_block<prefix_threads, 1>
            <<<1, prefix_threads, 0, run.stream>>>(run.counts, num_sequences, run.offsets, num_selected);
        check_launch("scan_in_one_block");
    }
    {
        const ScopedPhase phase{run.recorder};
        move_staged<Width>
            <<<run.blocks, threads_per_block, 0, run.stream>>>(rows, cut, run.offsets, out, keep);
        check_launch("move_staged");
    }
}

/// The host's side, for a grid of `blocks` blocks whatever the length. `layout` has no automatic value but
/// for options that the algorithm lacks.
class WarpSequences final : public Compactor {
  public:
    WarpSequences(CudaEngine& engine, const Options& layout, unsigned blocks)
        : engine_(engine), layout_(layout), blocks_(blocks) {}

    Options layout(std::uint64_t) const override { return layout_; }

    void reserve(std::uint64_t max_items) override {
        counts_.grow_to(blocks_ * warps_in_block);
        offsets_.grow_to(blocks_ * warps_in_block);
        reserved_items_ = std::max(reserved_items_, max_items);
    }

    void enqueue(const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, reserved_items_);
        const unsigned width = layout_[Option::vector_width];
        const auto launch_width = width == 1 ? launch<1> : width == 2 ? launch<2> : launch<4>;
        launch_width({blocks_, counts_.data(), offsets_.data(), engine_.stream(), recorder}, in, num_items,
                     out, num_selected, keep);
    }

  private:
    CudaEngine& engine_;
    Options layout_;
    unsigned blocks_;
    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
    std::uint64_t reserved_items_ = 0;
};

/// What the catalogue says of the algorithm whatever its grid.
inline Algorithm describe() {
    Algorithm algorithm;
    algorithm.authors = "Billeter, Olsson and Assarsson";
    algorithm.year = 2009;
    algorithm.source =
        "Billeter, Olsson, Assarsson 2009, Efficient Stream Compaction on Wide SIMD Many-Core Architectures, "
        "High Performance Graphics";
    algorithm.phases = {
        {PhaseRole::count, "count",
         "Each warp walks its sequence, 32 lanes wide, and adds up what its lanes would keep."},
        {PhaseRole::prefix, "prefix",
         "One block of 480 threads turns the counts into the place where each sequence's output starts."},
        {PhaseRole::move, "move",
         "Each warp walks its sequence again, gathers kept items in shared memory and writes them 32 at a "
         "time."}};
    algorithm.options = {{Option::vector_width, 1, 4, LegalRange::Spacing::powers_of_two}};
    return algorithm;
}

}  // namespace compaction::cuda::warp_sequences
