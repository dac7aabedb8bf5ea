#pragma once

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/scan_counts.cuh"
#include "compaction/cuda/stamps.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/ballot_rank.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/sequences.cuh"
#include "cuda/primitives/shared_memory_scan.cuh"
#include "cuda/support/stamps.hpp"
#include "cuda/support/working_buffers.hpp"
#include "registration.hpp"

/// Compaction by sequences in three phases, as Billeter, Olsson and Assarsson published it. A warp reads
/// one data block (32 lanes x a vector) at a time. It writes the kept items from a stage in shared memory, or
/// scatters each item directly.
///
/// The published variants add up and scan in shared memory, as the code of 2009 does, and write out the stage
/// after each data block. The others use ballots and shuffles, and write 32 staged items at a time.
///
/// Source: Billeter, Olsson, Assarsson 2009, "Efficient Stream Compaction on Wide SIMD Many-Core
/// Architectures", both variants of its third phase, staged and scattered; chag::pp, the library of the
/// authors, `compact_count`, `compact_prefix`, `compact_scatter` and `compact_stage`.
namespace compaction::cuda::warp_sequences {

inline constexpr unsigned threads_per_block = 128;
inline constexpr unsigned warps_in_block = threads_per_block / warp_size;
inline constexpr unsigned prefix_threads = 480;
/// The scan in shared memory needs a power of two: the next one after prefix_threads.
inline constexpr unsigned published_prefix_threads = 512;

/// Ranks the kept items of a data block.
template <typename ItemT, int Width>
__device__ WarpRank rank_in_data_block(const Batch<ItemT, Width, 1>& data_block, Predicate keep) {
    bool kept[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) kept[k] = keep(data_block.item[0][k]);
    return rank_in_warp(kept);
}

/// Move: copies the kept items of each sequence to its offset in the output, staged. offsets:
/// [num_warps()].
template <typename ItemT, int Width>
__global__ void __launch_bounds__(threads_per_block)
    move_staged(RowView<ItemT, Width> rows, EvenShare share, const std::uint64_t* offsets, ItemT* out,
                Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    // Up to 31 items from earlier data blocks, and one data block.
    constexpr unsigned stage_items = warp_size + RowView<ItemT, Width>::row_items;
    COMPACTION_SHARED(stages, ItemT[warps_in_block][stage_items]);
    ItemT* const stage = stages[warp_in_block()];
    const unsigned s = warp_in_grid();
    ItemT* to = out + offsets[s];
    unsigned num_staged = 0;
    const auto move = [&](const Batch<ItemT, Width, 1>& data_block) {
        // Scan
        const WarpRank rank = rank_in_data_block(data_block, keep);
        // Stage
        unsigned index = num_staged + rank.before;
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            if (keep(data_block.item[0][k])) stage[index++] = data_block.item[0][k];
        }
        num_staged += rank.total;
        if (num_staged < warp_size) return;
        // Write
        __syncwarp();  // all lanes have staged their items before any lane writes them out
        unsigned num_written = 0;
        for (; num_written + warp_size <= num_staged; num_written += warp_size) {
            to[num_written + lane_index()] = stage[num_written + lane_index()];
        }
        num_staged -= num_written;
        to += num_written;
        const ItemT rest = lane_index() < num_staged ? stage[num_written + lane_index()] : ItemT{};
        __syncwarp();  // the stage has been read before the rest or the next data block overwrites it
        if (lane_index() < num_staged) stage[lane_index()] = rest;
    };
    for_each_batch<ItemT, Width, 1>(rows, share.first_row(s), share.first_row(s + 1), move);
    __syncwarp();  // the remaining items are staged
    if (lane_index() < num_staged) to[lane_index()] = stage[lane_index()];
}

/// Move: copies each kept item of each sequence directly to its position in the output. offsets:
/// [num_warps()]. The launch bounds limit registers so that a multiprocessor holds eight blocks, which is
/// what billeter_scaled launches. A limit for more blocks would spill registers.
template <typename ItemT, int Width>
__global__ void __launch_bounds__(threads_per_block, 8)
    move_scattered(RowView<ItemT, Width> rows, EvenShare share, const std::uint64_t* offsets, ItemT* out,
                   Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const unsigned s = warp_in_grid();
    ItemT* to = out + offsets[s];
    const auto move = [&](const Batch<ItemT, Width, 1>& data_block) {
        // Scan
        const WarpRank rank = rank_in_data_block(data_block, keep);
        // Scatter
        unsigned index = rank.before;
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            if (keep(data_block.item[0][k])) to[index++] = data_block.item[0][k];
        }
        to += rank.total;
    };
    for_each_batch<ItemT, Width, 1>(rows, share.first_row(s), share.first_row(s + 1), move);
}

/// Move of 2009: scans the data blocks in shared memory and writes the kept items of each at once. offsets:
/// [num_warps()].
template <typename ItemT, int Width, bool Staged>
__global__ void __launch_bounds__(threads_per_block)
    move_as_published(RowView<ItemT, Width> rows, EvenShare share, const std::uint64_t* offsets, ItemT* out,
                      Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    COMPACTION_SHARED(scans, unsigned[warps_in_block][scan_words<WarpUnit>]);
    COMPACTION_SHARED(stages, ItemT[warps_in_block][Staged ? RowView<ItemT, Width>::row_items : 1]);
    unsigned* const words = scans[warp_in_block()];
    ItemT* const stage = stages[warp_in_block()];
    const unsigned s = warp_in_grid();
    ItemT* to = out + offsets[s];
    const auto move = [&](const Batch<ItemT, Width, 1>& data_block) {
        unsigned num_kept = 0;
#pragma unroll
        for (int k = 0; k < Width; ++k) num_kept += keep(data_block.item[0][k]);
        // Scan
        const auto sum = scan_in_shared_memory<WarpUnit>(num_kept, words);
        // Scatter, or stage
        ItemT* target = (Staged ? stage : to) + sum.before;
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            if (keep(data_block.item[0][k])) *target++ = data_block.item[0][k];
        }
        if constexpr (Staged) {
            // Write
            __syncwarp();  // all lanes have staged their items before any lane writes them out
            for (unsigned i = lane_index(); i < sum.total; i += warp_size) to[i] = stage[i];
            __syncwarp();  // the stage has been read before the next data block overwrites it
        }
        to += sum.total;
    };
    for_each_batch<ItemT, Width, 1>(rows, share.first_row(s), share.first_row(s + 1), move);
}

/// The values of Option::variant: how kept items are ranked and written.
enum Output : std::uint32_t { staged = 1, scattered = 2, published_staged = 3, published_scattered = 4 };

template <typename ItemT, int Width>
auto move_kernel(std::uint32_t output) {
    switch (output) {
        case published_staged:
            return move_as_published<ItemT, Width, true>;
        case published_scattered:
            return move_as_published<ItemT, Width, false>;
        case scattered:
            return move_scattered<ItemT, Width>;
        default:
            return move_staged<ItemT, Width>;
    }
}

/// One compaction and its metadata. counts, offsets: [blocks * warps_in_block].
struct Run {
    unsigned blocks;
    std::uint32_t output;
    std::uint32_t* counts;
    std::uint64_t* offsets;
    cudaStream_t stream;
    PhaseRecorder* recorder;
};

template <typename ItemT, int Width>
void launch(const Run& run, const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
            Predicate keep) {
    const unsigned num_sequences = run.blocks * warps_in_block;
    const auto rows = make_row_view<ItemT, Width>(static_cast<const ItemT*>(in), num_items);
    const EvenShare share{rows.num_rows(), num_sequences};
    const auto parts_of_phase = [&](bool counts_selected) {
        return share.block_parts(rows, num_sequences, warps_in_block, counts_selected);
    };
    const bool published = run.output == published_staged || run.output == published_scattered;
    {
        const TimedPhase phase{run.recorder, PhaseEnd::start_of_next_phase};
        const auto count = published ? count_sequences<ItemT, Width, 1, false, LaneSum::in_shared_memory>
                                     : count_sequences<ItemT, Width, 1>;
        check(
            detail::launch(
                count, {run.blocks, threads_per_block, 0, run.stream}, rows, share, num_sequences, run.counts,
                keep, with_parts(phase.stamps(), [&] { return parts_of_phase(/*counts_selected=*/true); })),
            "count_sequences");
    }
    {
        const TimedPhase phase{run.recorder, PhaseEnd::start_of_next_phase};
        const auto scan = published ? scan_counts_in_shared_memory<published_prefix_threads>
                                    : scan_in_one_block<prefix_threads, 1>;
        const unsigned threads = published ? published_prefix_threads : prefix_threads;
        check(detail::launch(scan, {1, threads, 0, run.stream}, run.counts, num_sequences, run.offsets,
                             num_selected, phase.stamps()),
              "scan of the counts");
    }
    {
        const TimedPhase phase{run.recorder};
        check(detail::launch(
                  move_kernel<ItemT, Width>(run.output), {run.blocks, threads_per_block, 0, run.stream}, rows,
                  share, run.offsets, static_cast<ItemT*>(out), keep,
                  with_parts(phase.stamps(), [&] { return parts_of_phase(/*counts_selected=*/false); })),
              "move");
    }
}

/// The host side. The grid has `blocks` blocks, whatever the length.
class WarpSequences final : public Compactor {
  public:
    WarpSequences(CudaEngine& engine, const Options& requested, ItemSize item_size, unsigned blocks)
        : engine_(engine),
          options_(with_default(with_default_width(requested, 2, item_size), Option::variant, staged)),
          blocks_(blocks),
          launch_(visit_vectors(
              item_size, options_[Option::vector_width],
              []<typename ItemT, int Width>(Vectors<ItemT, Width>) { return &launch<ItemT, Width>; })) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    Partition partition(std::uint64_t num_items) const override {
        const unsigned num_sequences = blocks_ * warps_in_block;
        const unsigned row_items = warp_size * options_[Option::vector_width];
        return EvenShare{(num_items + row_items - 1) / row_items, num_sequences}.partition(
            num_items, num_sequences, row_items);
    }

    std::vector<WorkingBuffer> working_buffers() const override {
        return count_buffers("sequences", counts_, offsets_);
    }

    void do_reserve(std::uint64_t) override {
        counts_.grow_to(blocks_ * warps_in_block);
        offsets_.grow_to(blocks_ * warps_in_block);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const Run run{blocks_,         options_[Option::variant], counts_.data(),
                      offsets_.data(), engine_.stream(),          recorder};
        launch_(run, in, num_items, out, num_selected, keep);
    }

  private:
    CudaEngine& engine_;
    Options options_;  ///< only options that the algorithm lacks are `automatic`
    unsigned blocks_;
    void (*launch_)(const Run&, const void*, std::uint64_t, void*, std::uint64_t*, Predicate);
    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
};

/// The catalogue entry without its summary.
inline Algorithm describe() {
    Algorithm algorithm;
    algorithm.authors = "Billeter, Olsson and Assarsson";
    algorithm.year = 2009;
    algorithm.source =
        "Billeter, Olsson, Assarsson 2009, Efficient Stream Compaction on Wide SIMD Many-Core Architectures, "
        "High Performance Graphics";
    algorithm.phases = {
        {PhaseRole::count, "count", "Each warp reads its sequence, 32 lanes wide, and counts the kept items.",
         traffic::reads_all},
        {PhaseRole::prefix, "prefix",
         "One block of 480 threads (published variants: 512) turns the counts into the offsets of the "
         "outputs of the sequences.",
         traffic::metadata_alone},
        {PhaseRole::scatter, "move",
         "Each warp reads its sequence again and writes the kept items: staged, through shared memory; "
         "scattered, each item directly.",
         traffic::reads_all_writes_selected}};
    algorithm.options = {every_vector_width(),
                         variants({"staged", "scattered", "published_staged", "published_scattered"})};
    return algorithm;
}

}  // namespace compaction::cuda::warp_sequences
