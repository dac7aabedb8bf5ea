#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "compaction/item.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/scanners.cuh"
#include "cuda/support/stamps.hpp"
#include "cuda/support/working_buffers.hpp"
#include "registration.hpp"

/// Compaction in three phases over whole arrays: map items to flags, scan the flags, scatter by the sums.
///
/// Source: Harris, Sengupta, Owens 2007, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39,
/// section 39.3.1 (stream compaction).
namespace compaction::cuda {

/// Sums of flags have 32 bits. The largest sum of an exclusive scan is one less than the length.
inline constexpr std::uint64_t max_flags = std::uint64_t{1} << 32;

/// Map: writes 1 for an item that is kept, 0 for any other. flags: [num_items].
template <typename ItemT>
__global__ void map_to_flags(const ItemT* in, std::uint64_t num_items, std::uint32_t* flags, Predicate keep,
                             Stamps stamps) {
    const std::uint64_t i = thread_in_grid();
    const ItemT item = i < num_items ? in[i] : ItemT{};
    const BlockStamp stamp(stamps);
    if (i < num_items) flags[i] = keep(item);
}

/// Scatter: copies each kept item to its rank. ranks: [num_items], the exclusive scan of flags. The thread
/// of the last item writes the count.
template <typename ItemT>
__global__ void scatter(const ItemT* in, std::uint64_t num_items, const std::uint32_t* flags,
                        const std::uint32_t* ranks, ItemT* out, std::uint64_t* num_selected, Stamps stamps) {
    const std::uint64_t i = thread_in_grid();
    const std::uint32_t flag = i < num_items ? flags[i] : 0;
    const std::uint32_t rank = i < num_items ? ranks[i] : 0;
    const BlockStamp stamp(stamps);
    if (num_items == 0 && i == 0) *num_selected = 0;
    if (i < num_items) {
        if (flag) out[rank] = in[i];
        if (i + 1 == num_items) *num_selected = std::uint64_t{rank} + flag;
    }
}

/// The host side. Scan: NaiveScan or WorkEfficientScan.
template <typename ItemT, typename Scan>
class ScanCompaction final : public Compactor {
  public:
    ScanCompaction(Engine& engine, const Options& requested)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(Scan::with_defaults(requested)),
          scan_(options_) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    Partition partition(std::uint64_t num_items) const override { return scan_.partition(num_items); }

    std::vector<WorkingBuffer> working_buffers() const override {
        std::vector<WorkingBuffer> buffers = scan_.working_buffers();
        buffers.push_back(working_buffer(BufferRole::flags, "flags", flags_));
        buffers.push_back(working_buffer(BufferRole::offsets, "ranks", ranks_));
        return buffers;
    }

    void do_reserve(std::uint64_t max_items) override {
        flags_.grow_to(max_items);
        ranks_.grow_to(max_items);
        scan_.reserve(max_items);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const auto* const items = static_cast<const ItemT*>(in);
        const unsigned threads = options_[Option::threads_per_block];
        // An empty stream also needs a thread, to write its count.
        const unsigned blocks = std::max(1U, blocks_for(num_items, threads));
        const cudaStream_t stream = engine_.stream();
        const auto parts = [&] {
            return BlockParts{.partition = equal_parts(PartKind::block, num_items, threads)};
        };
        {
            // The scan of an empty stream launches nothing.
            const TimedPhase phase{
                recorder, num_items > 0 ? PhaseEnd::start_of_next_phase : PhaseEnd::end_of_last_block};
            check(detail::launch(map_to_flags<ItemT>, {blocks, threads, 0, stream}, items, num_items,
                                 flags_.data(), keep, with_parts(phase.stamps(), parts)),
                  "map_to_flags");
        }
        {
            const TimedPhase phase{recorder, PhaseEnd::start_of_next_phase};
            scan_.enqueue(flags_.data(), num_items, ranks_.data(), stream, phase.stamps());
        }
        {
            const TimedPhase phase{recorder};
            check(detail::launch(scatter<ItemT>, {blocks, threads, 0, stream}, items, num_items,
                                 flags_.data(), ranks_.data(), static_cast<ItemT*>(out), num_selected,
                                 with_parts(phase.stamps(), parts)),
                  "scatter");
        }
    }

  private:
    CudaEngine& engine_;
    Options options_;
    Scan scan_;
    DeviceBuffer<std::uint32_t> flags_;
    DeviceBuffer<std::uint32_t> ranks_;
};

/// The registration of a ScanCompaction without its source.
template <typename Scan>
Registration scan_compaction_registration(std::string meaning_of_scan) {
    Registration registration;
    registration.algorithm.max_items = max_flags;
    registration.algorithm.phases = {
        {PhaseRole::count, "map", "Each thread turns an item into a flag: 1 if it is kept, else 0.",
         [](const StreamShape& shape) { return shape.stream_bytes() + shape.word_bytes(); }},
        {PhaseRole::prefix, "scan", std::move(meaning_of_scan), Scan::moved_bytes},
        {PhaseRole::scatter, "scatter",
         "Each thread whose item is kept copies it to the index that the scan gives.",
         [](const StreamShape& shape) { return 2 * shape.word_bytes() + 2 * shape.selected_bytes(); }}};
    registration.algorithm.options = {every_scan_block_size(), Scan::legal_variants()};
    registration.make = make_for_item_size<ScanCompaction, Scan>;
    return registration;
}

}  // namespace compaction::cuda
