// In-kernel stream compaction: one kernel that needs no metadata from an earlier one. Blocks rank their
// items with ballots, compact them into a buffer and arrive. The last block of a section of 32 to arrive is
// its controller. It waits for the end of the previous section's output, publishes the end of its own, and
// copies the section.
//
// Source: Hughes, Lim, Jones, Knoll and Spencer 2013, "InK-Compact: In-Kernel Stream Compaction and Its
// Application to Multi-Kernel Data Visualization on General-Purpose GPUs", the order-preserving variant.
//
// Two things differ from the publication. First, blocks take their position in the stream from a ticket. The
// published blocks take it from blockIdx. They hang if waiting controllers occupy the GPU and a block that
// they wait for cannot start. With tickets, the blocks of all earlier sections have started. Those that are
// not controllers wait for nothing, so by induction over the sections every controller receives its offset.
//
// Second, the memory order: the published kernel signals with plain loads and stores, and stores a flag and
// an offset to the same word one after the other. Here every signal is one atomic access.
#include <algorithm>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stamps.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/ballot_rank.cuh"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/words.hpp"
#include "cuda/support/stamps.hpp"
#include "cuda/support/working_buffers.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned blocks_per_section = warp_size;

/// The signals between blocks, all zero when the kernel starts.
struct Signals {
    std::uint64_t* tickets;   ///< [1] how many blocks have started
    std::uint64_t* arrivals;  ///< [num_sections] how many blocks have arrived
    std::uint64_t* ends;      ///< [num_sections] 1 + the end of the section's output; 0 until that is known
};

/// The results of blocks, for their controller. items: [num_blocks * blockDim.x]; each block fills the
/// front of its part.
template <typename ItemT>
struct Compacted {
    ItemT* items;
    std::uint32_t* counts;  ///< [num_blocks]
};

/// Arrives for this block. Returns true to all threads of the block that completes its section. Memory order:
/// the first barrier orders the writes of all threads of the block before the release in thread 0's
/// increment. Increments of one counter form a release sequence, so the last one, which is also an acquire,
/// comes after the writes of every block of the section. The second barrier extends that to all threads of
/// the controller.
__device__ bool arrive_at_section(std::uint64_t& arrivals, unsigned blocks_in_section) {
    COMPACTION_SHARED(is_last, bool);
    __syncthreads();  // the block's items and its count are written
    if (threadIdx.x == 0) {
        const std::uint64_t earlier = detail::fetch_add_acq_rel(&arrivals, 1);
        is_last = earlier + 1 == blocks_in_section;
    }
    __syncthreads();  // is_last is written, and the writes of the other blocks are visible
    return is_last;
}

/// Waits for the start of the section's output and publishes its end. One thread calls. Memory order:
/// relaxed is enough, because only the offset itself is passed on. The flag and the value are one word that
/// is written once, and no reader uses it to find what another section wrote. A fence would add its latency
/// to every link of this serial chain.
__device__ std::uint64_t hand_over(Signals signals, std::uint64_t section, unsigned num_kept) {
    std::uint64_t start_plus_1 = 1;
    if (section > 0) {
        while ((start_plus_1 = detail::load_relaxed(signals.ends + section - 1)) == 0) {
        }
    }
    detail::store_relaxed(signals.ends + section, start_plus_1 + num_kept);
    return start_plus_1 - 1;
}

/// Fused: the whole compaction. `Traced`: each block records its ticket and its wait.
template <typename ItemT, bool Traced>
__global__ void __launch_bounds__(max_threads_per_block)
    ink_kernel(RowView<ItemT, 1> rows, Signals signals, Compacted<ItemT> compacted, ItemT* out,
               std::uint64_t* num_selected, Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    COMPACTION_SHARED(ticket, std::uint64_t);
    COMPACTION_SHARED(warp_starts, unsigned[warp_size]);
    COMPACTION_SHARED(counts, unsigned[blocks_per_section]);
    COMPACTION_SHARED(starts, unsigned[blocks_per_section]);
    COMPACTION_SHARED(section_start, std::uint64_t);
    // Ticket
    if (threadIdx.x == 0) ticket = detail::fetch_add_relaxed(signals.tickets, 1);
    __syncthreads();  // the ticket is written
    const std::uint64_t block = ticket;
    const std::uint64_t section = block / blocks_per_section;
    const std::uint64_t first_block = section * blocks_per_section;
    const auto blocks_in_section =
        static_cast<unsigned>(min(std::uint64_t{blocks_per_section}, gridDim.x - first_block));
    // Rank
    const ItemT item = rows.load_row(block * warps_per_block() + warp_in_block()).item[0][0];
    const bool kept[1] = {keep(item)};
    const unsigned rank = block_rank(kept, warp_starts);
    if (kept[0]) compacted.items[block * blockDim.x + rank] = item;
    // The rank of the last thread is the block's count without its own item.
    if (threadIdx.x == blockDim.x - 1) {
        compacted.counts[block] = rank + kept[0];
        if constexpr (Traced) stamp.add_ticket(block, rank + kept[0]);
    }
    const bool is_controller = arrive_at_section(signals.arrivals[section], blocks_in_section);
    if constexpr (Traced) {
        if (threadIdx.x == 0) stamp.note_posted(block);
    }
    if (!is_controller) return;
    // Scan: the controller's first warp scans the counts of its section.
    if (warp_in_block() == 0) {
        const unsigned count =
            lane_index() < blocks_in_section ? compacted.counts[first_block + lane_index()] : 0;
        const unsigned start = ballot_exclusive_scan<max_threads_per_block>(count);
        counts[lane_index()] = count;
        starts[lane_index()] = start;
        const unsigned kept_by_section = from_last_lane(start + count);
        if (lane_index() == 0) {
            section_start = hand_over(signals, section, kept_by_section);
            if constexpr (Traced) stamp.note_summed(block);
            if (first_block + blocks_in_section == gridDim.x) *num_selected = section_start + kept_by_section;
        }
    }
    __syncthreads();  // the offsets of the section and of its blocks are written
    // Copy
    for (unsigned b = 0; b < blocks_in_section; ++b) {
        if (threadIdx.x >= counts[b]) continue;
        out[section_start + starts[b] + threadIdx.x] =
            compacted.items[(first_block + b) * blockDim.x + threadIdx.x];
    }
}

template <typename ItemT>
class InkCompact final : public Compactor {
  public:
    InkCompact(Engine& engine, const Options& requested)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(requested, Option::threads_per_block, 512)) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    Partition partition(std::uint64_t num_items) const override {
        return equal_parts(PartKind::block, num_items, threads());
    }

    std::vector<WorkingBuffer> working_buffers() const override {
        return {working_buffer(BufferRole::counter, "tickets, arrivals and ends of sections", signals_),
                working_buffer(BufferRole::counts, "counts of blocks", counts_),
                working_buffer(BufferRole::items, "compacted blocks", items_)};
    }

    void do_reserve(std::uint64_t max_items) override {
        const std::uint64_t num_blocks = blocks_for(max_items);
        signals_.grow_to(1 + 2 * sections_for(num_blocks));
        items_.grow_to(num_blocks * threads());
        counts_.grow_to(num_blocks);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const TimedPhase phase{recorder};
        const std::uint64_t num_blocks = blocks_for(num_items);
        const std::uint64_t num_sections = sections_for(num_blocks);
        std::uint64_t* const words = signals_.data();
        const bool is_traced = phase.stamps().traced != nullptr;
        LaunchStamps stamps(phase.stamps());
        enqueue_clear(words, /*num_words=*/1 + 2 * num_sections, engine_.stream(), stamps.next());
        const auto parts = [&] {
            return BlockParts{.partition = partition(num_items),
                              .by_ticket = true,
                              .counts_selected = true,
                              .waits = num_blocks > 1};
        };
        check(detail::launch(is_traced ? ink_kernel<ItemT, true> : ink_kernel<ItemT, false>,
                             {static_cast<unsigned>(num_blocks), threads(), 0, engine_.stream()},
                             make_row_view<ItemT, 1>(static_cast<const ItemT*>(in), num_items),
                             Signals{words, words + 1, words + 1 + num_sections},
                             Compacted<ItemT>{items_.data(), counts_.data()}, static_cast<ItemT*>(out),
                             num_selected, keep, with_parts(stamps.last(), parts)),
              "ink_kernel");
    }

  private:
    unsigned threads() const { return options_[Option::threads_per_block]; }

    /// At least one, to write the count of an empty stream.
    std::uint64_t blocks_for(std::uint64_t num_items) const {
        return std::max<std::uint64_t>(1, (num_items + threads() - 1) / threads());
    }

    static std::uint64_t sections_for(std::uint64_t num_blocks) {
        return (num_blocks + blocks_per_section - 1) / blocks_per_section;
    }

    CudaEngine& engine_;
    Options options_;
    DeviceBuffer<std::uint64_t> signals_;
    DeviceBuffer<ItemT> items_;
    DeviceBuffer<std::uint32_t> counts_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_ink_compact() {
    Registration registration;
    registration.algorithm.authors = "Hughes, Lim, Jones, Knoll and Spencer";
    registration.algorithm.year = 2013;
    registration.algorithm.source =
        "Hughes, Lim, Jones, Knoll, Spencer 2013, InK-Compact: In-Kernel Stream Compaction and Its "
        "Application to Multi-Kernel Data Visualization on General-Purpose GPUs, Computer Graphics Forum "
        "32(6)";
    registration.algorithm.summary =
        "Compacts at the end of the kernel that made the items: blocks rank with ballots, and sections of 32 "
        "blocks pass the offset of the output from one to the next. That chain is serial and limits long "
        "streams.";
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Ranking, hand-over and copying in one kernel; blocks overlap, so there is nothing to split.",
         [](const StreamShape& shape) { return shape.stream_bytes() + 3 * shape.selected_bytes(); }}};
    registration.algorithm.max_items = std::uint64_t{cuda::max_blocks_per_grid} * cuda::warp_size;
    registration.algorithm.options = {cuda::every_block_size()};
    registration.make = make_for_item_size<cuda::InkCompact>;
    return registration;
}

}  // namespace compaction
