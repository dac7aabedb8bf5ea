#pragma once

#include <cstdint>
#include <vector>

#include "compaction/cuda/memory.hpp"
#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/traffic.hpp"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/scans.hpp"
#include "cuda/support/working_buffers.hpp"

/// Exclusive scans of 32-bit words modulo 2^32, with their storage. `reserve` allocates, `enqueue` does
/// not. Construct a scan from the options that its `with_defaults` returns.
namespace compaction::cuda {

/// The block sizes of the scans, which need not be whole warps.
inline LegalRange every_scan_block_size() {
    return {Option::threads_per_block, min_scan_threads, max_threads_per_block,
            LegalRange::Spacing::multiples, min_scan_threads};
}

inline constexpr const char* no_parts_reason =
    "There are no parts: the scan computes the index of every single item.";

/// The naive scan: one launch for each level.
class NaiveScan {
  public:
    static LegalRange legal_variants() {
        return variants({"trimmed", "all_threads", "padded_all_threads", "padded_n_minus_d"});
    }

    /// 256 threads are the fastest according to Qian.
    static Options with_defaults(const Options& requested) {
        return with_default(with_default(requested, Option::threads_per_block, 256), Option::variant,
                            trimmed);
    }

    static double moved_bytes(const StreamShape& shape) {
        const std::uint32_t variant = with_defaults(shape.options)[Option::variant];
        return 4.0 * static_cast<double>(is_padded(variant)
                                             ? words_of_padded_naive_scan(shape.num_items)
                                             : words_of_naive_scan(shape.num_items, variant == trimmed));
    }

    explicit NaiveScan(const Options& options)
        : threads_(options[Option::threads_per_block]),
          padded_(is_padded(options[Option::variant])),
          launched_(options[Option::variant] == trimmed || options[Option::variant] == padded_n_minus_d
                        ? LevelThreads::working
                        : LevelThreads::all) {}

    Partition partition(std::uint64_t num_items) const {
        return unknown_partition(num_items, no_parts_reason);
    }

    std::vector<WorkingBuffer> working_buffers() const {
        return {working_buffer(BufferRole::sums, "sums of a level", scratch_)};
    }

    void reserve(std::uint64_t max_items) {
        scratch_.grow_to(padded_ && max_items > 0 ? 2 * num_leaves(max_items) : max_items);
    }

    /// in, out: [num_items], not overlapping.
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps& stamps) {
        const auto enqueue = padded_ ? enqueue_padded_naive_scan : enqueue_naive_scan;
        enqueue(in, num_items, out, scratch_.data(), launched_, threads_, stream, stamps);
    }

  private:
    static constexpr std::uint32_t trimmed = 1;
    static constexpr std::uint32_t padded_all_threads = 3;
    static constexpr std::uint32_t padded_n_minus_d = 4;

    static bool is_padded(std::uint32_t variant) { return variant >= padded_all_threads; }

    unsigned threads_;
    bool padded_;
    LevelThreads launched_;
    DeviceBuffer<std::uint32_t> scratch_;
};

/// The work-efficient scan: one launch for each level, or tiles in shared memory.
class WorkEfficientScan {
  public:
    /// The padded variants are the successive optimisations of Gilbert's project: all threads; trimmed;
    /// without device pow(); with the root cleared by a kernel.
    static LegalRange legal_variants() {
        return variants({"trimmed", "all_threads", "shared_memory", "padded_first", "padded_trimmed",
                         "padded_without_pow", "padded_last"});
    }

    /// Gilbert and Qian use 128 threads.
    static Options with_defaults(const Options& requested) {
        return with_default(with_default(requested, Option::threads_per_block, 128), Option::variant,
                            trimmed);
    }

    static double moved_bytes(const StreamShape& shape) {
        const Options options = with_defaults(shape.options);
        if (is_padded(options[Option::variant])) {
            const bool clears_root_on_host = options[Option::variant] != padded_last;
            return 4.0 * static_cast<double>(words_of_padded_tree_scan(shape.num_items) +
                                             (clears_root_on_host ? 2 * num_leaves(shape.num_items) : 0));
        }
        if (options[Option::variant] != shared_memory) {
            return 4.0 * static_cast<double>(words_of_tree_scan(shape.num_items));
        }
        // Each tile is read and written. Several tiles are read and written again, to add the sums before
        // them.
        const bool several = shape.num_items > tile_items_of(options[Option::threads_per_block]);
        return shape.word_bytes() * (several ? 4 : 2);
    }

    explicit WorkEfficientScan(const Options& options)
        : threads_(options[Option::threads_per_block]), variant_(options[Option::variant]) {}

    Partition partition(std::uint64_t num_items) const {
        if (variant_ != shared_memory) return unknown_partition(num_items, no_parts_reason);
        return equal_parts(PartKind::tile, num_items, tile_items_of(threads_));
    }

    std::vector<WorkingBuffer> working_buffers() const {
        const bool has_tree = variant_ != shared_memory;
        return {working_buffer(has_tree ? BufferRole::tree : BufferRole::sums,
                               has_tree ? "tree" : "sums of tiles", scratch_),
                working_buffer(BufferRole::tree, "tree on the host", host_)};
    }

    void reserve(std::uint64_t max_items) {
        if (max_items == 0) return;
        scratch_.grow_to(variant_ == shared_memory ? TileLevels(max_items, tile_items_of(threads_)).num_sums
                                                   : num_leaves(max_items));
        const bool clears_root_on_host = is_padded(variant_) && variant_ != padded_last;
        if (clears_root_on_host) host_.grow_to(num_leaves(max_items));
    }

    /// in, out: [num_items], not overlapping.
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps& stamps) {
        if (variant_ == shared_memory) {
            enqueue_tile_scan(in, num_items, out, scratch_.data(), threads_, stream, stamps);
        } else if (is_padded(variant_)) {
            const PaddedScanVariant variant{
                .launched = variant_ == padded_first ? LevelThreads::all : LevelThreads::working,
                .calls_pow = variant_ < padded_without_pow,
                .clears_root_on_host = variant_ != padded_last};
            enqueue_padded_work_efficient_scan(in, num_items, out, scratch_.data(), host_.data(), variant,
                                               threads_, stream, stamps);
        } else {
            const auto launched = variant_ == trimmed ? LevelThreads::working : LevelThreads::all;
            enqueue_work_efficient_scan(in, num_items, out, scratch_.data(), launched, threads_, stream,
                                        stamps);
        }
    }

  private:
    static constexpr std::uint32_t trimmed = 1;
    static constexpr std::uint32_t shared_memory = 3;
    static constexpr std::uint32_t padded_first = 4;
    static constexpr std::uint32_t padded_without_pow = 6;
    static constexpr std::uint32_t padded_last = 7;

    static bool is_padded(std::uint32_t variant) { return variant >= padded_first; }

    unsigned threads_;
    std::uint32_t variant_;
    DeviceBuffer<std::uint32_t> scratch_;  ///< the tree, or the sums of tiles
    PinnedBuffer<std::uint32_t> host_;     ///< the tree on the host, to clear its root
};

}  // namespace compaction::cuda
