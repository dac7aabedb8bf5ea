#pragma once

#include <cstdint>

#include "compaction/cuda/memory.hpp"
#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/traffic.hpp"
#include "cuda/primitives/scans.hpp"
#include "cuda/support/layout.cuh"

/// Exclusive scans of 32-bit words modulo 2^32, with their storage. `reserve` allocates, `enqueue` does
/// not. A scan is constructed from a layout without automatic values, as its `with_defaults` returns it.
namespace compaction::cuda {

/// The block sizes of the scans, which need no whole warps.
inline LegalRange every_scan_block_size() {
    return {Option::threads_per_block, min_scan_threads, max_threads_per_block,
            LegalRange::Spacing::multiples, min_scan_threads};
}

/// Why a scan of a whole array has no parts.
inline constexpr const char* every_item_for_itself =
    "There are no parts: the scan computes the place of every single item.";

/// The naive scan: one launch for each level.
class NaiveScan {
  public:
    static LegalRange legal_variants() { return variants({"trimmed", "all_threads"}); }

    /// 256 threads are the fastest according to Qian.
    static Options with_defaults(const Options& asked) {
        return with_default(with_default(asked, Option::threads_per_block, 256), Option::variant, trimmed);
    }

    static double moved_bytes(const StreamShape& shape) {
        const bool is_trimmed = with_defaults(shape.layout)[Option::variant] == trimmed;
        return 4.0 * static_cast<double>(words_of_naive_scan(shape.num_items, is_trimmed));
    }

    explicit NaiveScan(const Options& layout)
        : threads_(layout[Option::threads_per_block]),
          launched_(layout[Option::variant] == trimmed ? LevelThreads::working : LevelThreads::all) {}

    Partition partition(std::uint64_t num_items) const {
        return unknown_partition(num_items, every_item_for_itself);
    }

    void reserve(std::uint64_t max_items) { scratch_.grow_to(max_items); }

    /// in, out: [num_items], not overlapping.
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps& stamps) {
        enqueue_naive_scan(in, num_items, out, scratch_.data(), launched_, threads_, stream, stamps);
    }

  private:
    static constexpr std::uint32_t trimmed = 1;

    unsigned threads_;
    LevelThreads launched_;
    DeviceBuffer<std::uint32_t> scratch_;
};

/// The work-efficient scan: one launch for each level, or tiles in shared memory.
class WorkEfficientScan {
  public:
    static LegalRange legal_variants() { return variants({"trimmed", "all_threads", "shared_memory"}); }

    /// Gilbert and Qian use 128 threads.
    static Options with_defaults(const Options& asked) {
        return with_default(with_default(asked, Option::threads_per_block, 128), Option::variant, trimmed);
    }

    static double moved_bytes(const StreamShape& shape) {
        const Options layout = with_defaults(shape.layout);
        if (layout[Option::variant] != shared_memory) {
            return 4.0 * static_cast<double>(words_of_tree_scan(shape.num_items));
        }
        // Each tile is read and written; with several tiles once more, to add the sum before the tile.
        const bool several = shape.num_items > tile_items_of(layout[Option::threads_per_block]);
        return shape.word_bytes() * (several ? 4 : 2);
    }

    explicit WorkEfficientScan(const Options& layout)
        : threads_(layout[Option::threads_per_block]), variant_(layout[Option::variant]) {}

    Partition partition(std::uint64_t num_items) const {
        if (variant_ != shared_memory) return unknown_partition(num_items, every_item_for_itself);
        return equal_parts(PartKind::tile, num_items, tile_items_of(threads_));
    }

    void reserve(std::uint64_t max_items) {
        if (max_items == 0) return;
        scratch_.grow_to(variant_ == shared_memory ? TileLevels(max_items, tile_items_of(threads_)).num_sums
                                                   : num_leaves(max_items));
    }

    /// in, out: [num_items], not overlapping.
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps& stamps) {
        if (variant_ == shared_memory) {
            enqueue_tile_scan(in, num_items, out, scratch_.data(), threads_, stream, stamps);
        } else {
            const auto launched = variant_ == trimmed ? LevelThreads::working : LevelThreads::all;
            enqueue_work_efficient_scan(in, num_items, out, scratch_.data(), launched, threads_, stream,
                                        stamps);
        }
    }

  private:
    static constexpr std::uint32_t trimmed = 1;
    static constexpr std::uint32_t shared_memory = 3;

    unsigned threads_;
    std::uint32_t variant_;
    DeviceBuffer<std::uint32_t> scratch_;  ///< the tree, or the sums of tiles
};

}  // namespace compaction::cuda
