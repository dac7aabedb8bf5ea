#pragma once

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/unstamped.cuh"
#include "compaction/cuda/stamps.hpp"

/// The blocks of a kernel record when they run.
namespace compaction::cuda {

/// Whether a block may begin at once, or waits for the previous launch and then calls begin().
using BlockStart = detail::BlockStart;
/// Whether a block ends with the destructor, or its thread 0 calls end(), after its last barrier.
enum class BlockEnd { destructor, by_thread_0 };

/// Records when a block runs: from construction to destruction, at the end of the kernel. All threads of the
/// block construct it, and none leaves the kernel before the others: the destructor is a barrier if the block
/// records its end. A kernel of short blocks constructs it after it has requested its first items,
/// so that they are in flight while the start is recorded.
///
/// Blocks start in the order of their index. So the first blocks, one for each multiprocessor, record the
/// start of the launch. All blocks record its end if they can be resident together, because any of them may
/// end last; in a larger grid only the last blocks do, half as many as can be resident. Each stores to its
/// own entry and waits for nothing: an atomic, or reading the index of the multiprocessor, takes longer than
/// reading the timer. In a grid with more blocks than entries, the last blocks share entries; the latest
/// store remains.
///
/// In a traced launch, all blocks record both times by the same instructions. There, successive blocks may
/// share an entry; the first of them records the start and the multiprocessor.
///
/// bench_phase_stamps measures the cost. The first warp of every block reads the timer. If only the first
/// blocks did, they would receive their items last, and the others would wait for them when they look back.
/// The next launch waits for the code between the last barrier of a block and the store of its end, so that
/// code is short.
///
/// Whole warps must reach the end of the block: it has a barrier, and a warp of which some threads have
/// returned early would reach the barrier in two parts and never pass it.
class BlockStamp {
  public:
    /// Records the start of the block, unless it has to wait first.
    __device__ explicit BlockStamp(const Stamps& stamps, BlockStart start = BlockStart::at_once,
                                   BlockEnd end = BlockEnd::destructor)
        : stamps_(stamps),
          end_(end),
          notes_begin_(stamps.first_blocks > 0 && threadIdx.x < 32),
          begin_word_(notes_begin_ ? &times().begin : nullptr) {
        if (!notes_begin_) return;
        if (start == BlockStart::at_once) {
            begin();
        } else {
            detail::store_relaxed_if(stores_begin(), &times().arrived, detail::timer_ns());
        }
    }
    __device__ ~BlockStamp() {
        if (end_ == BlockEnd::by_thread_0 || !is_last()) return;
        __syncthreads();  // the last warp of the block is done
        if (threadIdx.x == 0) note_end();
    }
    BlockStamp(const BlockStamp&) = delete;
    BlockStamp& operator=(const BlockStamp&) = delete;

    /// Records the start after a wait: the previous launch is complete. All threads call.
    __device__ void begin() const { note_begin(begin_time()); }

    /// The first step of begin(): the time, which is read when the previous launch is complete; 0 in warps
    /// that do not record it. The kernel issues its first loads before the second step, because a store
    /// waits for the timer.
    __device__ unsigned long long begin_time() const { return notes_begin_ ? detail::timer_ns() : 0; }
    /// The second step: records that time. Branch-free, so the warp stays converged.
    __device__ void note_begin(unsigned long long now) const {
        if (notes_begin_) detail::store_relaxed_if(stores_begin(), begin_word_, now);
    }

    /// Records the end. Thread 0 calls when it has nothing more to do and the others have passed the last
    /// barrier.
    __device__ void end() const {
        if (is_last()) note_end();
    }

    /// Adds to the number of items that the block keeps, if the launch is traced.
    __device__ void add_selected(unsigned count) const {
        if (is_traced() && count > 0) atomicAdd(&times().num_selected, count);
    }

    /// Records that the block took part `ticket`, of which it keeps `num_selected` items, if the launch is
    /// traced. One thread calls.
    __device__ void add_ticket(std::uint64_t ticket, unsigned num_selected) const {
        if (!is_traced()) return;
        if (ticket < stamps_.num_records) records<PartRecord>()[ticket].taken_by = 1 + blockIdx.x;
        add_selected(num_selected);
    }

    /// Records that the count of a part is posted for other blocks, if the launch is traced. One thread
    /// calls, after posting.
    __device__ void note_posted(std::uint64_t part) const {
        if (has_record(part)) records<PartRecord>()[part].posted = detail::timer_ns();
    }
    /// Records that the part's own count and all others that it needs are summed, if the launch is traced.
    /// One thread calls.
    __device__ void note_summed(std::uint64_t part) const {
        if (has_record(part)) records<PartRecord>()[part].summed = detail::timer_ns();
    }

    /// Records where a warp appends `count` items, if the launch is traced. `warp`: its index in the grid.
    /// One thread of the warp calls. The host adds up the records; a warp without one adds its count here.
    __device__ void add_append(std::uint64_t warp, std::uint64_t index, unsigned count) const {
        if (has_record(warp))
            records<AppendRecord>()[warp].index_and_count = index << AppendRecord::count_bits | count;
        else
            add_selected(count);
    }

    /// Records that the block processes other parts than its own, if the launch is traced. All threads call,
    /// after the last add_selected.
    __device__ void forget_parts() const {
        if (is_traced() && threadIdx.x == 0) times().num_selected = BlockTimes::unknown;
    }

    /// The time at which a warp begins its role for a tile, for note_role_end; 0 if the block does not record
    /// roles.
    __device__ unsigned long long role_begin_time() const { return notes_roles() ? detail::timer_ns() : 0; }

    /// Records that this warp has completed its role for tile `round` of the block. A whole warp calls. The
    /// caller passes a unique index among the block's roles: other blocks wait for this one, and an atomic
    /// counter would take longer.
    __device__ void note_role_end(WarpRole role, unsigned round, unsigned index,
                                  unsigned long long begin) const {
        if (!notes_roles()) return;
        const auto duration = static_cast<std::uint32_t>(detail::timer_ns() - begin);
        if (threadIdx.x % 32 != 0) return;
        if (index < RoleRecords::max_roles) {
            stamps_.roles->roles[index] = {begin, duration, static_cast<std::uint16_t>(round),
                                           static_cast<std::uint8_t>(stamps_.phase), role};
        } else {
            atomicAdd(&stamps_.roles->left_out, 1ULL);
        }
    }

  private:
    __device__ bool stores_begin() const {
        return threadIdx.x == 0 && blockIdx.x < stamps_.first_blocks && is_first_of_entry();
    }
    __device__ bool is_first_of_entry() const { return (blockIdx.x & ~(~0U << stamps_.entry_shift)) == 0; }
    __device__ bool is_last() const { return blockIdx.x >= stamps_.last_from; }
    __device__ bool is_traced() const { return __builtin_expect(stamps_.is_traced(), 0); }
    __device__ bool notes_roles() const { return blockIdx.x == stamps_.roles_block; }
    /// No launch without a trace has records.
    __device__ bool has_record(std::uint64_t part) const {
        return __builtin_expect(part < stamps_.num_records, 0);
    }
    /// They follow the entries of the launch.
    template <typename RecordT>
    __device__ RecordT* records() const {
        return reinterpret_cast<RecordT*>(stamps_.times + ((gridDim.x - 1) >> stamps_.entry_shift) + 1);
    }
    __device__ BlockTimes& times() const {
        return stamps_.times[(blockIdx.x >> stamps_.entry_shift) & stamps_.entry_mask];
    }
    /// One thread calls.
    __device__ void note_end() const {
        BlockTimes& mine = times();
        detail::store_relaxed_if(true, &mine.end, detail::timer_ns());
        if (is_traced() && stores_begin()) mine.processor = detail::multiprocessor_index();
    }

    const Stamps& stamps_;
    const BlockEnd end_;
    const bool notes_begin_;                ///< this warp records the start
    unsigned long long* const begin_word_;  ///< computed before the wait for the previous launch
};

}  // namespace compaction::cuda
