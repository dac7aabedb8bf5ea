#pragma once

#include <cstdint>

#include "cuda/primitives/batch.cuh"

namespace compaction::cuda {

/// Writes a growing run of items of one warp to global memory in whole 128-byte lines. Items are staged in
/// shared memory at the same offset within a line as in the output, so that lines are stored at full width.
template <typename ItemT, int Width>
class StagedWriter {
  public:
    static constexpr unsigned line_items = detail::line_bytes / sizeof(ItemT);
    /// Shared memory per warp, in items: an incomplete line, and a batch.
    static constexpr unsigned stage_items = line_items + items_per_batch<ItemT>;

    /// The run starts at `out`, which need not be aligned. The items before it in its line belong to
    /// another warp.
    __device__ StagedWriter(ItemT* stage, ItemT* out)
        : stage_(stage),
          before_run_(detail::words_into_line<sizeof(ItemT)>(out)),
          line_(out - before_run_),
          fill_(before_run_) {}

    /// The stage's element for the item with that rank, counted from the current end of the run.
    __device__ ItemT& item(unsigned rank) { return stage_[fill_ + rank]; }

    /// Extends the run by `count` items, which the lanes have written to `item(rank)`, and stores all full
    /// lines.
    __device__ void append(unsigned count) {
        fill_ += count;
        if (fill_ < line_items) return;
        const unsigned full_items = fill_ / line_items * line_items;
        __syncwarp();  // all lanes have staged their items before any lane reads a line
        if (before_run_ > 0) {
            store_range(before_run_, full_items);
            before_run_ = 0;
        } else {
            store_lines(full_items);
        }
        fill_ -= full_items;
        line_ += full_items;
        // With wide items, a line has fewer items than the warp has lanes: the modulo keeps the reads within
        // the stage.
        const ItemT rest = stage_[full_items + lane_index() % line_items];
        __syncwarp();  // the lines have been read before the rest or the next batch overwrites them
        if (lane_index() < fill_) stage_[lane_index()] = rest;
    }

    /// Stores the last, incomplete line.
    __device__ void finish() {
        __syncwarp();  // all items since the last full line are staged
        store_range(before_run_, fill_);
        __syncwarp();  // the stage has been read before the next run uses it
    }

  private:
    __device__ void store_lines(unsigned num_items) {
        using VectorType = VectorOf<ItemT, Width>;
        for (unsigned i = lane_index() * Width; i < num_items; i += warp_size * Width) {
            *reinterpret_cast<VectorType*>(line_ + i) = *reinterpret_cast<const VectorType*>(stage_ + i);
        }
    }

    __device__ void store_range(unsigned begin, unsigned end) {
        for (unsigned i = begin + lane_index(); i < end; i += warp_size) line_[i] = stage_[i];
    }

    ItemT* stage_;
    unsigned before_run_;  ///< items of the current line that precede the run; 0 after the first line
    ItemT* line_;          ///< global address of stage_[0], aligned to a line
    unsigned fill_;        ///< items in the stage
};

}  // namespace compaction::cuda
