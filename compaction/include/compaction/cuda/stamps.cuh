#pragma once

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/stamps.hpp"

/// When the blocks of a kernel run, noted by the blocks themselves.
namespace compaction::cuda {

namespace detail {

/// Adds a record of this block to the list, if it has room.
__device__ inline void append_record(const Stamps& stamps, unsigned long long begin, unsigned long long end,
                                     unsigned kept, WarpRole role, unsigned round) {
    const unsigned long long place = atomicAdd(&stamps.trace->count, 1ULL);
    if (place >= stamps.max_records) return;
    stamps.trace->records[place] = {begin,      end,
                                    blockIdx.x, multiprocessor_index(),
                                    kept,       static_cast<std::uint8_t>(stamps.phase),
                                    role,       static_cast<std::uint16_t>(round)};
}

}  // namespace detail

/// Whether a block may begin at once, or waits for the launch before and then calls begin().
enum class BlockStart { at_once, after_wait };

/// Notes when a block runs, from its construction to its destruction, at the end of the kernel. All threads
/// of the block construct it, and the threads of a warp leave the kernel together: the destructor is a
/// barrier if the block notes its times.
///
/// There is one place for each multiprocessor, so that blocks do not wait for each other to write. In a grid
/// of many more blocks than are resident at once, only the first and the last note their times: blocks start
/// in the order of their index, and in such grids all of them are short. A traced launch notes all.
///
/// bench_phase_stamps measures the cost. It depends on the code that every block runs, so that stays short.
/// Records are appended inline: a call would give the kernel a stack, and cost it occupancy.
class BlockStamp {
  public:
    /// Notes where the block starts, unless it has to wait first.
    __device__ explicit BlockStamp(const Stamps& stamps, BlockStart start = BlockStart::at_once)
        : stamps_(stamps) {
        if (start == BlockStart::at_once) {
            begin();
        } else if (notes() && threadIdx.x == 0) {
            atomicMin(&times().arrived, detail::timer_ns());
        }
    }
    __device__ ~BlockStamp() {
        if (!notes()) return;
        __syncthreads();  // the last warp of the block is done
        if (threadIdx.x != 0) return;
        const unsigned long long now = detail::timer_ns();
        atomicMax(&times().end, now);
        if (stamps_.trace)
            detail::append_record(stamps_, begin_of_block(), now, kept_by_block(), WarpRole::all, 0);
    }
    BlockStamp(const BlockStamp&) = delete;
    BlockStamp& operator=(const BlockStamp&) = delete;

    /// The launch before is complete. All threads call.
    __device__ void begin() const {
        if (!notes()) return;
        if (threadIdx.x == 0) {
            const unsigned long long now = detail::timer_ns();
            atomicMin(&times().begin, now);
            if (stamps_.trace) {
                begin_of_block() = now;
                kept_by_block() = 0;
            }
        }
        if (stamps_.trace) __syncthreads();  // the sum of kept items is 0 before any thread adds to it
    }

    /// Adds to the number of items that the block keeps, for its record.
    __device__ void add_kept(unsigned kept) const {
        if (stamps_.trace && kept > 0) atomicAdd(&kept_by_block(), kept);
    }

    /// When a warp begins its role for a tile, for role_ends.
    __device__ unsigned long long role_begins() const { return notes_roles() ? detail::timer_ns() : 0; }

    /// Notes that this warp has done its role for tile `round` of the block. A whole warp calls.
    __device__ void role_ends(WarpRole role, unsigned round, unsigned long long begin) const {
        if (notes_roles() && threadIdx.x % 32 == 0)
            detail::append_record(stamps_, begin, detail::timer_ns(), 0, role, round);
    }

  private:
    __device__ bool notes() const {
        const bool is_inner =
            blockIdx.x >= stamps_.noted_at_each_end && gridDim.x - blockIdx.x > stamps_.noted_at_each_end;
        return stamps_.times && (!is_inner || stamps_.trace);
    }
    __device__ bool notes_roles() const { return stamps_.trace && blockIdx.x == stamps_.roles_of_block; }
    __device__ BlockTimes& times() const {
        return stamps_.times[detail::multiprocessor_index() % Stamps::max_processors];
    }
    // In shared memory, since a register would be taken from every thread.
    __device__ static unsigned long long& begin_of_block() {
        COMPACTION_SHARED(begin, unsigned long long);
        return begin;
    }
    __device__ static unsigned& kept_by_block() {
        COMPACTION_SHARED(kept, unsigned);
        return kept;
    }

    const Stamps& stamps_;
};

}  // namespace compaction::cuda
