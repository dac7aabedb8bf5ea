#pragma once

#include <cstdint>

#include "compaction/cuda/memory.hpp"
#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/traffic.hpp"
#include "cuda/primitives/scans.hpp"
#include "cuda/support/layout.cuh"

/// Exclusive scans of 32-bit words modulo 2^32, each with its storage. `reserve` allocates, `enqueue` does
/// not. A scan is made of a layout without automatic values, as its `with_defaults` returns it.
namespace compaction::cuda {

/// A block of any size that the scans can be told to use: they have no use for whole warps.
inline LegalRange every_scan_block_size() {
    return {Option::threads_per_block, min_scan_threads, max_threads_per_block,
            LegalRange::Spacing::multiples, min_scan_threads};
}

/// Why a scan of whole arrays has no parts.
inline constexpr const char* every_item_for_itself =
    "There are no parts: the scan gives every single item a count and a place of its own.";

/// The naive scan, a launch for each level.
class NaiveScan {
  public:
    static LegalRange forms() { return variants({"trimmed", "all_threads"}); }

    /// 256 threads is what Qian found best.
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
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream) {
        enqueue_naive_scan(in, num_items, out, scratch_.data(), launched_, threads_, stream);
    }

  private:
    static constexpr std::uint32_t trimmed = 1;

    unsigned threads_;
    LevelThreads launched_;
    DeviceBuffer<std::uint32_t> scratch_;
};

/// The work-efficient scan, a launch for each level or by tiles in shared memory.
class WorkEfficientScan {
  public:
    static LegalRange forms() { return variants({"trimmed", "all_threads", "shared_memory"}); }

    /// 128 threads is what Gilbert and Qian use.
    static Options with_defaults(const Options& asked) {
        return with_default(with_default(asked, Option::threads_per_block, 128), Option::variant, trimmed);
    }

    static double moved_bytes(const StreamShape& shape) {
        const Options layout = with_defaults(shape.layout);
        if (layout[Option::variant] != shared_memory) {
            return 4.0 * static_cast<double>(words_of_tree_scan(shape.num_items));
        }
        // Each tile is read and written, and again to add what is before it where there are several.
        const bool several = shape.num_items > tile_items_of(layout[Option::threads_per_block]);
        return shape.word_bytes() * (several ? 4 : 2);
    }

    explicit WorkEfficientScan(const Options& layout)
        : threads_(layout[Option::threads_per_block]), form_(layout[Option::variant]) {}

    Partition partition(std::uint64_t num_items) const {
        if (form_ != shared_memory) return unknown_partition(num_items, every_item_for_itself);
        return equal_parts(PartKind::tile, num_items, tile_items_of(threads_));
    }

    void reserve(std::uint64_t max_items) {
        if (max_items == 0) return;
        scratch_.grow_to(form_ == shared_memory ? TileLevels(max_items, tile_items_of(threads_)).num_sums
                                                : num_leaves(max_items));
    }

    /// in, out: [num_items], not overlapping.
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream) {
        if (form_ == shared_memory) {
            enqueue_tile_scan(in, num_items, out, scratch_.data(), threads_, stream);
        } else {
            const auto launched = form_ == trimmed ? LevelThreads::working : LevelThreads::all;
            enqueue_work_efficient_scan(in, num_items, out, scratch_.data(), launched, threads_, stream);
        }
    }

  private:
    static constexpr std::uint32_t trimmed = 1;
    static constexpr std::uint32_t shared_memory = 3;

    unsigned threads_;
    std::uint32_t form_;
    DeviceBuffer<std::uint32_t> scratch_;  ///< the tree, or the sums of tiles
};

}  // namespace compaction::cuda
